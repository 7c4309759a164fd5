"""The board: marks and tallies of lines, `play` and `undo`. This is the readable definition.

`noughts.game._board.Board` is its accelerator, in the sense of PEP 399: the same interface in
compiled code, used wherever it was built. One set of tests runs on both.

A move can complete only lines through its own cell, so it touches only these. The board keeps one
number for each line that has a mark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, product
from threading import RLock
from typing import ParamSpec, TypeVar

from noughts.arguments import integer, known_player, plain_cell
from noughts.errors import (
    CellTaken,
    Floating,
    Foul,
    GameOver,
    IllegalMove,
    OffBoard,
    UnknownPlayer,
    WrongTurn,
)
from noughts.game.fouls import foul
from noughts.game.geometry import Cell, Geometry, geometry_of
from noughts.game.outcome import FULL_BOARD, NO_WIN_LEFT, Outcome, won
from noughts.game.rules import VARIANTS, Rules

P = ParamSpec("P")
T = TypeVar("T")


class Board:
    """The marks on a board and the tallies of its lines, with the errors and costs of `Game`.

    The tallies of a line are one number, its *state*: a mark of player p adds (k + 1)^(p - 1), so
    the digits in base k + 1 are the players' tallies. A line is *live* for a player while no other
    player has a mark on it, that is, while its state is t·(k + 1)^(p - 1) for some t ≤ k.
    """

    __slots__ = (
        *("_busy", "_counts", "_history", "_lock", "_marks", "_rules", "_states", "_variant"),
        *("geometry", "outcome"),
    )

    def __init__(self, rules: Rules) -> None:
        self._rules, self._variant = rules, VARIANTS[rules.variant]
        self._lock, self._busy = RLock(), False
        self.geometry: Geometry = geometry_of(rules)
        self._replay([])

    def _replay(self, moves: list[Cell]) -> None:
        """Start from the empty board and make these moves."""
        self._history: list[Cell] = []
        self._marks: dict[Cell, int] = {}
        self._states: dict[int, int] = {}  # of the lines that have a mark
        self._counts = Counter({0: self.geometry.count})  # the number of lines in each state
        self.outcome: Outcome | None = None
        if self._rules.early_draw and not self._winnable():
            self.outcome = NO_WIN_LEFT
        for cell in moves:
            self._put(cell)

    def _exclusively(self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a method in one thread at a time; an interrupt leaves the board consistent.

        Raises:
            RuntimeError: this thread is in a method already, and a signal handler or a garbage
                collector callback calls another.
        """
        with self._lock:
            if self._busy:
                raise RuntimeError("this thread is in the middle of another call of the same game")
            history, ply = self._history, self.ply
            try:
                self._busy = True
                return method(*args, **kwargs)
            except (IllegalMove, IndexError):
                raise  # nothing has changed
            except BaseException:
                self._replay(history[:ply])
                raise
            finally:
                self._busy = False

    @property
    def ply(self) -> int:
        """The number of marks."""
        return len(self._history)

    @property
    def turn(self) -> int:
        """The player to move; after the end, the player whose turn it would be."""
        return self.ply % self._rules.players + 1

    @property
    def history(self) -> tuple[Cell, ...]:
        """The cells in the order of play."""
        return tuple(self._history)

    def play(self, cell: Cell, player: int | None = None) -> Outcome | None:
        """Put the next player's mark on a cell; return the outcome if that ends the game."""
        return self._exclusively(self._play, *self._plain(cell, player))

    def _play(self, cell: Cell, player: int | None) -> Outcome | None:
        if refusal := self._refusal(cell, player):
            raise refusal
        return self._put(cell)

    def _put(self, cell: Cell) -> Outcome | None:
        """Put the next player's mark on an empty cell; return the outcome if that ends the game."""
        mover = self.turn
        self._add(cell, self._unit(mover))
        self._marks[cell] = mover
        self._history.append(cell)
        complete = self._rules.k * self._unit(mover)
        lines = chain.from_iterable(self.geometry.through(cell))
        decisive = [
            line
            for line in lines
            if self._states[line] == complete and self._ends_game(line, mover)
        ]
        if decisive:
            winner = self.turn if self._variant.loses else mover
            self.outcome = won(self.geometry, winner, tuple(decisive))
        elif self.ply == self._rules.cells or (self._variant.fouls and self._is_stuck()):
            self.outcome = FULL_BOARD
        elif self._rules.early_draw and not self._winnable():
            self.outcome = NO_WIN_LEFT
        return self.outcome

    def _ends_game(self, line: int, player: int) -> bool:
        """Return whether the player's complete line ends the game, given the marks at its ends."""
        ends, counts = self.geometry.ends(line), self._variant.counts
        if counts and not counts(self._rules.shape, ends):
            return False
        before, after = (self._marks.get(cell, 0) for cell in ends)
        return self._variant.decides(player, before, after)

    def undo(self) -> Cell:
        """Undo the last move and return its cell."""
        return self._exclusively(self._undo)

    def _undo(self) -> Cell:
        if not self._history:
            raise IndexError("no move to undo: none has been made")
        cell = self._history[-1]
        self._add(cell, -self._unit(self._marks.pop(cell)))
        self.outcome = None
        # The list is changed last, so that an interrupt before that finds every move in it.
        return self._history.pop()

    def _unit(self, player: int) -> int:
        """Return what a mark of the player adds to the state of a line."""
        return int((self._rules.k + 1) ** (player - 1))

    def _add(self, cell: Cell, change: int) -> None:
        """Add `change` to the state of every line through a cell."""
        states, counts = self._states, self._counts
        for line in chain.from_iterable(self.geometry.through(cell)):
            before = states.pop(line, 0)
            after = before + change
            counts[before] -= 1
            counts[after] += 1
            if after:
                states[line] = after

    def mark(self, cell: Cell) -> int:
        """Return the player whose mark is on the cell, 0 if it is empty."""
        cell = plain_cell(cell, len(self._rules.shape))
        if self.geometry.number(cell) < 0:
            raise OffBoard.of(cell, self._rules.shape)
        return self._marks.get(cell, 0)

    def why_illegal(self, cell: Cell, player: int | None = None) -> IllegalMove | None:
        """Return the error that `play` would raise for this move, or None if it is legal."""
        return self._exclusively(self._refusal, *self._plain(cell, player))

    def _plain(self, cell: Cell, player: int | None) -> tuple[Cell, int | None]:
        """Return the arguments as plain ints; converting them can run the caller's code."""
        cell = plain_cell(cell, len(self._rules.shape))
        return cell, None if player is None else integer(player, "player")

    def _refusal(self, cell: Cell, player: int | None) -> IllegalMove | None:
        if player is not None and not 1 <= player <= self._rules.players:
            return UnknownPlayer.of(player, self._rules.players, cell)
        if self.geometry.number(cell) < 0:
            return OffBoard.of(cell, self._rules.shape, player or self.turn)
        if self.outcome is not None:
            return GameOver.of(self.outcome.winner, cell, player or self.turn)
        if player is not None and player != self.turn:
            return WrongTurn.of(player, self.turn, cell)
        if cell in self._marks:
            return CellTaken.of(cell, self.turn)
        if not self.stays(cell):
            return Floating.of(cell, self.turn)
        if kind := self._foul(cell):
            return Foul.of(kind, cell, self.turn)
        return None

    def _foul(self, cell: Cell) -> str | None:
        """Return the foul that the player to move would commit on an empty cell, or None."""
        if not self._variant.fouls or self.turn != 1:
            return None
        return foul(self._marks, self._rules.shape, cell)

    def _is_stuck(self) -> bool:
        """Return whether every move of the player to move would be a foul."""
        cells = product(*map(range, self._rules.shape))
        return all(cell in self._marks or self._foul(cell) for cell in cells)

    def stays(self, cell: Cell) -> bool:
        """Return whether the board has this cell and a mark on it would not fall."""
        cell = plain_cell(cell, len(self._rules.shape))
        if self.geometry.number(cell) < 0:
            return False
        row, *rest = cell
        last = self._rules.shape[0] - 1
        return not self._rules.gravity or row == last or (row + 1, *rest) in self._marks

    def live_lines(self, player: int) -> int:
        """Return the number of lines without marks of other players."""
        return sum(self.live_tallies(player))

    def live_tallies(self, player: int) -> list[int]:
        """Return how many live lines have 0, 1, 2 … marks, up to the most of any player."""
        player = known_player(player, self._rules.players)
        return self._exclusively(lambda: [*self._having(player, range(self._rules.k + 1))])

    def _having(self, player: int, tallies: range) -> Iterator[int]:
        """Yield the number of the player's live lines with each of these tallies, if possible."""
        unit = self._unit(player)
        most = -(-self.ply // self._rules.players)  # marks of one player; k can be huge
        possible = range(tallies.start, min(tallies.stop, most + 1))
        return (self._counts[tally * unit] for tally in possible)

    def lines_lacking_one(self, player: int) -> list[int]:
        """Return the lines, in no order, that one more mark of the player would complete.

        They have k - 1 marks of the player and no others, and end the game when complete. `k` must
        be above 1. Cost: O(1) if there are none, otherwise O(lines with marks).
        """
        return self._exclusively(self._lacking_one, known_player(player, self._rules.players))

    def _lacking_one(self, player: int) -> list[int]:
        wanted = (self._rules.k - 1) * self._unit(player)
        if not self._counts[wanted]:
            return []
        lines = [line for line, state in self._states.items() if state == wanted]
        return [line for line in lines if self._ends_game(line, player)]

    @property
    def winnable(self) -> bool:
        """Whether any player can still complete a line in the remaining moves, or has done so."""
        return self._exclusively(self._winnable)

    def _winnable(self) -> bool:
        if self.outcome and self.outcome.lines:
            return True
        k, players, empty = self._rules.k, self._rules.players, self._rules.cells - self.ply
        for wait in range(players):
            moves = (empty - wait + players - 1) // players  # rounded up
            if any(self._having((self.ply + wait) % players + 1, range(max(k - moves, 0), k))):
                return True
        return False

    def key(self) -> bytes:
        """Return the marks, one byte per cell, row-major."""
        return self._exclusively(self._key)

    def _key(self) -> bytes:
        key = bytearray(self._rules.cells)
        for cell, player in self._marks.items():
            key[self.geometry.number(cell)] = player
        return bytes(key)

    def copy(self) -> Board:
        """Return an independent board in the same state."""
        return self._exclusively(self._copy)

    def _copy(self) -> Board:
        twin = Board(self._rules)
        twin._history, twin._marks = self._history.copy(), self._marks.copy()
        twin._states, twin._counts = self._states.copy(), self._counts.copy()
        twin.outcome = self.outcome
        return twin

    __copy__ = copy
