"""The board: marks and tallies, move and take back. This is the definition, to be read.

`noughts.kernels.board.Board` is its accelerator (as PEP 399 has it): the same interface in compiled
code, which takes its place wherever it was built. One set of tests runs on both.

A move can complete only lines through its own cell. So the board keeps a little for each line that
bears a mark, and a move touches the lines through its cell: at most four on a square where a whole
side wins, else at most k in each direction. Memory grows with the moves, not with the board.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain

from noughts.checks import integer, known_player, plain_cell
from noughts.errors import CellTaken, GameOver, IllegalMove, OffBoard, UnknownPlayer, WrongTurn
from noughts.geometry import Cell, geometry_of
from noughts.outcome import FULL_BOARD, NO_WIN_LEFT, Outcome, won
from noughts.rules import Rules

LineState = tuple[int, int, int]
"""The player who marked the line first, how many marks of theirs it bears, how many of others."""

NO_MARK: LineState = 0, 0, 0


class Board:
    """The marks on a board and the tallies of its lines; errors and costs are those of `Game`.

    A line is *live* for a player while it bears no mark of anyone else. Moves are taken back in
    reverse order: when the last foreign mark is taken back, the line is live again for its first
    player, with the tally it had.
    """

    __slots__ = ("_counts", "_history", "_lines", "_marks", "_rules", "geometry", "outcome")

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.geometry = geometry_of(rules)
        self._history: list[Cell] = []
        self._marks: dict[Cell, int] = {}
        self._lines: dict[int, LineState] = {}  # of the lines that bear a mark
        # of each player's live lines with marks, by tally
        self._counts = [Counter[int]() for _ in range(rules.players + 1)]
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
        complete = mover, self._rules.k, 0
        lines, counts = self._lines, self._counts
        completed = []
        for line in chain.from_iterable(self.geometry.through(cell)):
            first, tally, foreign = lines.get(line, NO_MARK)
            if not tally:
                lines[line] = mover, 1, 0
                counts[mover][1] += 1
            elif foreign:
                lines[line] = first, tally, foreign + 1
            elif first == mover:
                lines[line] = first, tally + 1, 0
                counts[first][tally] -= 1
                counts[first][tally + 1] += 1
            else:
                lines[line] = first, tally, 1
                counts[first][tally] -= 1
            if lines[line] == complete:
                completed.append(line)
        self._marks[cell] = mover
        self._history.append(cell)
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
        lines, counts = self._lines, self._counts
        cell = self._history.pop()
        del self._marks[cell]
        for line in chain.from_iterable(self.geometry.through(cell)):
            first, tally, foreign = lines[line]
            if foreign > 1:
                lines[line] = first, tally, foreign - 1
            elif foreign:  # live again
                lines[line] = first, tally, 0
                counts[first][tally] += 1
            elif tally > 1:
                lines[line] = first, tally - 1, 0
                counts[first][tally] -= 1
                counts[first][tally - 1] += 1
            else:
                del lines[line]
                counts[first][1] -= 1
        self.outcome = None
        return cell

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
        return self._unmarked + self._counts[known_player(player, self._rules.players)].total()

    @property
    def _unmarked(self) -> int:
        """How many lines bear no mark, and so are live for everyone."""
        return self.geometry.count - len(self._lines)

    def lines_lacking_one(self, player: int) -> list[int]:
        """The lines, in no order, that bear k - 1 marks of the player and no other; for k above 1.

        Cost: O(1) where there are none, else O(lines that bear marks).
        """
        player, tally = known_player(player, self._rules.players), self._rules.k - 1
        if not self._counts[player][tally]:
            return []
        return [line for line, state in self._lines.items() if state == (player, tally, 0)]

    @property
    def winnable(self) -> bool:
        """Whether anyone can still complete a line in the moves that are left, or has.

        With E empty cells and P players the side to move has ⌈E/P⌉ moves left, the next one
        ⌈(E-1)/P⌉, and so on.
        """
        players, empty = self._rules.players, self._rules.cells - self.ply
        for wait in range(players):
            player = (self.ply + wait) % players + 1
            moves = -((wait - empty) // players)  # (empty - wait) / players, rounded up
            needed = self._rules.k - moves
            if needed <= 0 and self._unmarked:
                return True
            if any(count for tally, count in self._counts[player].items() if tally >= needed):
                return True
        return False

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
        twin._lines = self._lines.copy()
        twin._counts = [counts.copy() for counts in self._counts]
        twin.outcome = self.outcome
        return twin

    __copy__ = copy
