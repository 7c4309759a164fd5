"""The board: marks and tallies, move and take back. This is the definition, to be read.

`noughts.kernels.board.Board` is its accelerator (as PEP 399 has it): the same interface in compiled
code, which takes its place wherever it was built. One set of tests runs on both.

A move can complete only lines through its own cell. So the board keeps one number for each line
that bears a mark, and a move touches the lines through its cell: at most four on a square where a
whole side wins, else at most k in each direction. Memory grows with the moves, not with the board.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from noughts.checks import integer, known_player, plain_cell
from noughts.errors import CellTaken, GameOver, IllegalMove, OffBoard, UnknownPlayer, WrongTurn
from noughts.geometry import Cell, geometry_of
from noughts.outcome import FULL_BOARD, NO_WIN_LEFT, Outcome, won
from noughts.rules import Rules


class Board:
    """The marks on a board and the tallies of its lines; errors and costs are those of `Game`.

    The tallies of a line are one number, its *state*: a mark of player p adds (k + 1)^(p - 1), so
    the digits in base k + 1 are the players' tallies. A line is *live* for a player while it bears
    no mark of anyone else: while its state is a multiple t·(k + 1)^(p - 1) with t ≤ k.
    """

    __slots__ = ("_counts", "_history", "_marks", "_rules", "_states", "geometry", "outcome")

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.geometry = geometry_of(rules)
        self._history: list[Cell] = []
        self._marks: dict[Cell, int] = {}
        self._states: dict[int, int] = {}  # of the lines that bear a mark
        self._counts = Counter({0: self.geometry.count})  # how many lines are in each state
        self.outcome = NO_WIN_LEFT if rules.early_draw and not self.winnable else None

    @property
    def ply(self) -> int:
        """How many marks there are."""
        return len(self._history)

    @property
    def turn(self) -> int:
        """The player to move; after the end, the player who would be."""
        return self.ply % self._rules.players + 1

    @property
    def history(self) -> tuple[Cell, ...]:
        """The cells in the order of play."""
        return tuple(self._history)

    def play(self, cell: Cell, player: int | None = None) -> Outcome | None:
        """Put the next player's mark on a cell; the outcome if that ends the game, else None."""
        cell = plain_cell(cell, len(self._rules.shape))
        if refusal := self.why_illegal(cell, player):
            raise refusal
        mover = self.turn
        self._add(cell, self._unit(mover))
        self._marks[cell] = mover
        self._history.append(cell)
        complete = self._rules.k * self._unit(mover)
        lines = chain.from_iterable(self.geometry.through(cell))
        completed = [line for line in lines if self._states[line] == complete]
        if completed:
            self.outcome = won(self.geometry, mover, tuple(completed))
        elif self.ply == self._rules.cells:
            self.outcome = FULL_BOARD
        elif self._rules.early_draw and not self.winnable:
            self.outcome = NO_WIN_LEFT
        return self.outcome

    def undo(self) -> Cell:
        """Take the last mark back; its cell."""
        if not self._history:
            raise IndexError("no move to undo: none has been made")
        cell = self._history.pop()
        self._add(cell, -self._unit(self._marks.pop(cell)))
        self.outcome = None
        return cell

    def _unit(self, player: int) -> int:
        """What a mark of the player adds to the state of a line."""
        return int((self._rules.k + 1) ** (player - 1))

    def _add(self, cell: Cell, change: int) -> None:
        """Add a mark, or take one away, on every line through a cell."""
        states, counts = self._states, self._counts
        for line in chain.from_iterable(self.geometry.through(cell)):
            before = states.pop(line, 0)
            after = before + change
            counts[before] -= 1
            counts[after] += 1
            if after:
                states[line] = after

    def mark(self, cell: Cell) -> int:
        """The player whose mark is on the cell, 0 if it is empty."""
        cell = plain_cell(cell, len(self._rules.shape))
        if self.geometry.number(cell) < 0:
            raise OffBoard.of(cell, self._rules.shape)
        return self._marks.get(cell, 0)

    def why_illegal(self, cell: Cell, player: int | None = None) -> IllegalMove | None:
        """The first reason against a move, in the order that `noughts.errors` gives, or None."""
        cell = plain_cell(cell, len(self._rules.shape))
        if player is not None:
            player = integer(player, "player")
            if not 1 <= player <= self._rules.players:
                return UnknownPlayer.of(player, self._rules.players, cell)
        if self.geometry.number(cell) < 0:
            return OffBoard.of(cell, self._rules.shape, player or self.turn)
        if self.outcome is not None:
            return GameOver.of(self.outcome.winner, cell, player or self.turn)
        if player is not None and player != self.turn:
            return WrongTurn.of(player, self.turn, cell)
        return CellTaken.of(cell, self.turn) if cell in self._marks else None

    def live_lines(self, player: int) -> int:
        """How many lines bear no mark but the player's."""
        return self._live(known_player(player, self._rules.players))

    def _live(self, player: int, at_least: int = 0) -> int:
        """How many lines bear so many marks of the player or more, and no other."""
        most, unit = min(self._rules.k, self.ply), self._unit(player)
        return sum(self._counts[tally * unit] for tally in range(max(at_least, 0), most + 1))

    def lines_lacking_one(self, player: int) -> list[int]:
        """The lines, in no order, that bear k - 1 marks of the player and no other; for k above 1.

        Cost: O(1) where there are none, else O(lines that bear marks).
        """
        player = known_player(player, self._rules.players)
        wanted = (self._rules.k - 1) * self._unit(player)
        if not self._counts[wanted]:
            return []
        return [line for line, state in self._states.items() if state == wanted]

    @property
    def winnable(self) -> bool:
        """Whether anyone can still complete a line in the moves that are left, or has.

        With E empty cells and P players the side to move has ⌈E/P⌉ moves left, the next one
        ⌈(E-1)/P⌉, and so on; ⌈x/P⌉ is -(-x // P).
        """
        players, empty = self._rules.players, self._rules.cells - self.ply
        return any(
            self._live((self.ply + wait) % players + 1, self._rules.k + (wait - empty) // players)
            for wait in range(players)
        )

    def key(self) -> bytes:
        """The marks, one byte a cell, row-major."""
        key = bytearray(self._rules.cells)
        for cell, player in self._marks.items():
            key[self.geometry.number(cell)] = player
        return bytes(key)

    def copy(self) -> Board:
        """An independent board in the same state."""
        twin = Board(self._rules)
        twin._history, twin._marks = self._history.copy(), self._marks.copy()
        twin._states, twin._counts = self._states.copy(), self._counts.copy()
        twin.outcome = self.outcome
        return twin

    __copy__ = copy
