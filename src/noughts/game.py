"""A game: checked, reversible, with its history and its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from itertools import chain
from typing import Self

from noughts.errors import IllegalMove, shown
from noughts.geometry import Cell, Geometry, geometry_of
from noughts.kernels.position import Position
from noughts.outcome import Outcome, Termination
from noughts.rules import Rules


class Game(Position[Outcome]):
    """A game of k in a row, move by move.

    Every move is checked and can be taken back. Cells are tuples of coordinates counted from 0,
    (row, col) on a flat board with row 0 on top; players are 1…P and take turns in this order.

    Cost: `play` and `undo` touch only the lines through the cell, at most four on a square board
    that needs a whole side, at most k in each direction elsewhere. Memory grows with the moves
    made, not with the board.

    >>> game = Game()
    >>> for cell in [(0, 0), (0, 1), (1, 1), (0, 2)]:
    ...     game.play(cell)
    >>> sorted(game.threats(1))
    [(2, 2)]
    >>> game.play((2, 2))
    Outcome(termination=Termination.LINE, winner=1, lines=(((0, 0), (1, 1), (2, 2)),))
    >>> game.undo()
    (2, 2)
    """

    __slots__ = ("_lines", "_rules")

    def __init__(self, rules: Rules = Rules()) -> None:  # noqa: B008  # Rules are immutable
        global _latest
        known, lines = _latest
        if rules is not known:
            if not isinstance(rules, Rules):
                raise TypeError(f"rules must be Rules, not {shown(rules)}")
            lines = geometry_of(rules)
            _latest = rules, lines
        self._rules = rules
        self._lines = lines
        super().__init__(lines.geometry, rules.players, rules.early_draw)

    @classmethod
    def replay(cls, rules: Rules, cells: Iterable[Cell]) -> Self:
        """The game in which these cells were played in this order.

        Raises:
            IllegalMove, TypeError: of the first move refused; a note on it says which ply.
        """
        game = cls(rules)
        for ply, cell in enumerate(cells, start=1):
            try:
                game.play(cell)
            except (IllegalMove, TypeError) as error:
                error.add_note(f"at ply {ply}")
                raise
        return game

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self._rules

    @property
    def legal_moves(self) -> LegalMoves:
        """The cells that may be played now, as a lazy view that follows the game."""
        return LegalMoves(self)

    def threats(self, player: int) -> frozenset[Cell]:
        """The empty cells with which `player` would complete a line now. Two are a fork.

        Cost: O(1) where there are none, else O(lines that bear marks); for k = 1, O(cells).

        Raises:
            UnknownPlayer, TypeError: there is no such player.
        """
        lacking = self._lines_lacking_one(player)
        if self._rules.k == 1:
            return frozenset(self._empty_cells())
        cells = chain.from_iterable(map(self._lines.cells, lacking))
        return frozenset(cell for cell in cells if not self.mark(cell))

    def copy(self) -> Self:
        """An independent game in the same state. Cost: O(state), less than a replay."""
        twin = type(self).__new__(type(self))
        twin._rules, twin._lines = self._rules, self._lines
        twin._take_after(self)
        return twin

    __copy__ = copy

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as rules and moves."""
        return type(self).replay, (self._rules, self.history)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same rules and the same history."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._rules == other._rules and self.history == other.history

    __hash__ = None  # type: ignore[assignment]  # it changes with every move

    def __repr__(self) -> str:
        """An expression for the same game."""
        if not self.ply:
            return f"Game({self._rules!r})"
        return f"Game.replay({self._rules!r}, {list(self.history)!r})"

    def __str__(self) -> str:
        """The board as text, see `noughts.picture`; the `repr` if it is too large for that."""
        from noughts.picture import MAX_CELLS, text

        return text(self) if self._rules.cells <= MAX_CELLS else repr(self)

    def _repr_svg_(self) -> str | None:
        """The board as SVG, which notebooks show; None if it is too large for that."""
        from noughts.picture import MAX_CELLS, svg

        return svg(self) if self._rules.cells <= MAX_CELLS else None

    def _ending(self, lines: tuple[int, ...], player: int) -> Outcome:
        """The outcome of the game that this player ended by completing these lines, if any."""
        if lines:
            return _won(self._lines, player, lines)
        return _FULL_BOARD if self.ply == self._rules.cells else _NO_WIN_LEFT


# Many games in a row are played by the same rules: those need not be looked up again.
_latest = Rules(), geometry_of(Rules())

# Outcomes are values, and on a small board there are few: those of the last games are kept.
_FULL_BOARD = Outcome(Termination.FULL_BOARD)
_NO_WIN_LEFT = Outcome(Termination.NO_WIN_LEFT)


@lru_cache(maxsize=256)
def _won(lines: Geometry, winner: int, completed: tuple[int, ...]) -> Outcome:
    return Outcome(Termination.LINE, winner, tuple(map(lines.cells, completed)))


class LegalMoves(Set[Cell]):
    """The legal moves of a game, in row-major order; empty once the game is over.

    A lazy view: it holds nothing and follows the game. ``in``, ``len`` and ``bool`` cost O(1).
    It may be iterated over while moves are played and taken back.

    >>> game = Game(Rules.square(2))
    >>> list(game.legal_moves), len(game.legal_moves), (2, 0) in game.legal_moves
    ([(0, 0), (0, 1), (1, 0), (1, 1)], 4, False)
    """

    __slots__ = ("_game",)

    def __init__(self, game: Game) -> None:
        self._game = game

    @classmethod
    def _from_iterable(cls, cells: Iterable[Cell]) -> frozenset[Cell]:  # type: ignore[override]
        """What the set operators ``& | - ^`` give: a set of its own, no view."""
        return frozenset(cells)

    def __contains__(self, cell: object) -> bool:
        """Whether the cell may be played now; false for what is no cell."""
        try:
            return self._game.is_legal(cell)  # type: ignore[arg-type]  # wrong types say so
        except TypeError:
            return False

    def __len__(self) -> int:
        """How many moves are legal."""
        return 0 if self._game.outcome else self._game.rules.cells - self._game.ply

    def __iter__(self) -> Iterator[Cell]:
        """The cells from the top left, row by row."""
        return iter(()) if self._game.outcome else self._game._empty_cells()

    def __repr__(self) -> str:
        """An expression for the same view."""
        return f"{self._game!r}.legal_moves"
