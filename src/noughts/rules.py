"""Rules: the board's shape, how many in a row win, and how many play."""

from __future__ import annotations

from math import prod
from typing import NamedTuple, Self

from noughts.errors import InvalidRules, integer, shown, size

MAX_PLAYERS = 8
MAX_DIMENSIONS = 8  # the lines through one cell multiply by three with each dimension


class _Fields(NamedTuple):
    shape: tuple[int, ...]
    k: int
    players: int
    early_draw: bool


class Rules(_Fields):  # a named tuple and no dataclass: those take 10 ms to import
    """The rules of a game: `players` take turns, and k marks in a row, in any direction, win.

    Args:
        shape: the sides of the board: (rows, columns), or 1 to 8 sides of any length.
        k: how many marks in a row win; None for the whole side, when all sides are equal.
        players: 2 to 8; player 1 begins.
        early_draw: end the game as soon as nobody can win any more, and not only on a full board.

    Raises:
        InvalidRules: a side, k or the number of players is out of range.
        TypeError: an argument is of a wrong type.

    >>> Rules()
    Rules(shape=(3, 3), k=3, players=2, early_draw=False)
    >>> Rules((15, 15), k=5).cells
    225
    """

    __slots__ = ()

    def __new__(
        cls,
        shape: tuple[int, ...] = (3, 3),
        k: int | None = None,
        players: int = 2,
        early_draw: bool = False,
    ) -> Self:
        """Check the rules and put k in; see the class."""
        shape = _checked_shape(shape)
        k = _whole_side(shape) if k is None else integer(k, "k")
        if not 1 <= k <= max(shape):
            raise InvalidRules(
                f"k must be 1 to {shown(max(shape))} on a {size(shape)} board, not {shown(k)}"
            )
        players = integer(players, "players")
        if not 2 <= players <= MAX_PLAYERS:
            raise InvalidRules(f"players must be 2 to {MAX_PLAYERS}, not {shown(players)}")
        if not isinstance(early_draw, bool):
            raise TypeError(f"early_draw must be True or False, not {shown(early_draw)}")
        return super().__new__(cls, shape, k, players, early_draw)

    @classmethod
    def square(cls, n: int) -> Self:
        """The classic game on an n×n board: a whole row, column or diagonal wins."""
        return cls((n, n))

    @property
    def cells(self) -> int:
        """How many cells the board has."""
        return prod(self.shape)


def _checked_shape(shape: object) -> tuple[int, ...]:
    if not isinstance(shape, tuple | list):
        raise TypeError(f"shape must be a tuple of sides such as (3, 3), not {shown(shape)}")
    sides = tuple(integer(side, "a side of the board") for side in shape)
    if not 1 <= len(sides) <= MAX_DIMENSIONS:
        raise InvalidRules(f"a board has 1 to {MAX_DIMENSIONS} sides, not {len(sides)}")
    if min(sides) < 1:
        raise InvalidRules(f"every side of the board must be at least 1, not {shown(min(sides))}")
    return sides


def _whole_side(shape: tuple[int, ...]) -> int:
    if len(set(shape)) > 1:
        raise InvalidRules(f"the sides of a {size(shape)} board differ: say how many win (k)")
    return shape[0]
