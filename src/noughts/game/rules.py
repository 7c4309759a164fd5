"""Rules: the board, who plays, what wins."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Never, Self

from noughts.arguments import integer
from noughts.errors import InvalidRules, shown, size

MAX_PLAYERS = 8
MAX_DIMENSIONS = 8  # the lines through one cell multiply by three with each dimension
MAX_CELLS = 2**31 - 1  # so that a cell's number fits in 32 bits
MAX_EARLY = 1 << 22  # lines under early draws, which need the tallies of all: some 100 MB
VARIANTS = ("freestyle", "standard", "caro", "misere", "renju")


class Rules:  # no dataclass and no named tuple: the one takes 10 ms to import, the other is a tuple
    """The rules of a game: `players` take turns, and k marks in a row, in any direction, win.

    Rules are frozen and hashable, and equal only to rules with the same fields.

    Args:
        shape: the sides of the board: (rows, columns), or 1 to 8 sides; at most 2³¹ − 1 cells.
        k: how many marks in a row win; None for the whole side, when all sides are equal.
        players: 2 to 8; player 1 begins.
        early_draw: end the game as soon as nobody can win any more, and not only on a full board.
        gravity: marks fall. A cell may be played only in the last row, which is the largest first
            coordinate, or above a taken cell; the first side points down in any dimension.
        variant: what k marks in a row mean.

            * "freestyle": k or more win.
            * "standard": exactly k win; longer runs are nothing.
            * "caro": k win unless both cells next to the run bear marks of other players (the
              border blocks nothing); more than k always win.
            * "misere": who has k or more has lost; for two players.
            * "renju": five in a row for two players on a flat board. Player 1 wins with exactly
              five, and commits a `Foul` with an overline, a double-four or a double-three (see
              `noughts.game.fouls`); player 2 wins with five or more. Where every empty cell would
              be a foul the game is a draw.

    Raises:
        InvalidRules: a side, the number of cells, k or the number of players is out of range, a
            game with early draws has more than 4,194,304 lines, or the variant is unknown or
            not for such a game.
        TypeError: an argument is of a wrong type.

    >>> Rules()
    Rules(shape=(3, 3), k=3, players=2, early_draw=False)
    >>> Rules.connect_four()
    Rules(shape=(6, 7), k=4, players=2, early_draw=False, gravity=True)
    >>> Rules.gomoku("renju").cells
    225
    """

    __slots__ = ("cells", "early_draw", "gravity", "k", "players", "shape", "variant")

    shape: tuple[int, ...]
    k: int
    players: int
    early_draw: bool
    gravity: bool
    variant: str
    cells: int  # how many cells the board has

    def __new__(
        cls,
        shape: tuple[int, ...] = (3, 3),
        k: int | None = None,
        players: int = 2,
        early_draw: bool = False,
        *,
        gravity: bool = False,
        variant: str = "freestyle",
    ) -> Self:
        """See the class."""
        shape = _checked_shape(shape)
        if k is None and len(set(shape)) > 1:
            raise InvalidRules(f"the sides of a {size(shape)} board differ: say how many win (k)")
        k = shape[0] if k is None else integer(k, "k")
        if not 1 <= k <= max(shape):
            raise InvalidRules(
                f"k must be 1 to {shown(max(shape))} on a {size(shape)} board, not {shown(k)}"
            )
        players = integer(players, "players")
        if not 2 <= players <= MAX_PLAYERS:
            raise InvalidRules(f"players must be 2 to {MAX_PLAYERS}, not {shown(players)}")
        for name, flag in (("early_draw", early_draw), ("gravity", gravity)):
            if not isinstance(flag, bool):
                raise TypeError(f"{name} must be True or False, not {shown(flag)}")
        _check_variant(variant, shape, k, players, gravity)
        if early_draw and k > 1:  # in each direction a side has room for side - k + 1 first cells
            ways = prod(side + 2 * max(0, side - k + 1) for side in shape)
            if (lines := (ways - prod(shape)) // 2) > MAX_EARLY:
                raise InvalidRules(
                    f"early draws need a board of at most {MAX_EARLY:,} lines, not {lines:,}"
                )
        self = super().__new__(cls)
        fields = (shape, k, players, early_draw, gravity, variant, prod(shape))
        for name, value in zip(_FIELDS, fields, strict=True):
            object.__setattr__(self, name, value)
        return self

    @classmethod
    def square(cls, n: int) -> Self:
        """The classic game on an n×n board: a whole row, column or diagonal wins."""
        return cls((n, n))

    @classmethod
    def connect_four(cls) -> Self:
        """Connect Four: four in a row on six rows and seven columns in which marks fall."""
        return cls((6, 7), 4, gravity=True)

    @classmethod
    def gomoku(cls, variant: str = "freestyle") -> Self:
        """Gomoku: five in a row on a 15×15 board, of this variant."""
        return cls((15, 15), 5, variant=variant)

    def _fields(self) -> tuple[tuple[int, ...], int, int, bool, bool, str]:
        return self.shape, self.k, self.players, self.early_draw, self.gravity, self.variant

    def __setattr__(self, name: str, _: object) -> Never:
        raise AttributeError(f"rules are frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"rules are frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if isinstance(other, Rules) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._fields())

    def __reduce__(self) -> tuple[object, ...]:
        *fields, gravity, variant = self._fields()  # copies and pickles are checked like any rules
        return partial(type(self), gravity=gravity, variant=variant), tuple(fields)

    def __repr__(self) -> str:
        shape, k, players, early_draw, gravity, variant = self._fields()
        falls = f", {gravity=}" if gravity else ""
        differs = f", {variant=}" if variant != "freestyle" else ""
        return f"Rules({shape=}, {k=}, {players=}, {early_draw=}{falls}{differs})"


_FIELDS = ("shape", "k", "players", "early_draw", "gravity", "variant", "cells")


def _check_variant(
    variant: object, shape: tuple[int, ...], k: int, players: int, gravity: bool
) -> None:
    """Raise what is wrong with the variant of such a game, if anything is."""
    if not isinstance(variant, str):
        raise TypeError(f"variant must be a string, not {shown(variant)}")
    if variant not in VARIANTS:
        raise InvalidRules(f"variant must be one of {', '.join(VARIANTS)}, not {shown(variant)}")
    if variant in ("misere", "renju") and players != 2:
        raise InvalidRules(f"{variant} is for 2 players, not {players}")
    if variant == "renju":
        if len(shape) != 2:
            raise InvalidRules(f"renju is played on a board of 2 sides, not {len(shape)}")
        if k != 5:
            raise InvalidRules(f"five in a row win in renju, so k must be 5, not {shown(k)}")
        if gravity:
            raise InvalidRules("renju has no gravity: what its fouls are says nothing of falling")


def _checked_shape(shape: object) -> tuple[int, ...]:
    if not isinstance(shape, tuple | list):
        raise TypeError(f"shape must be a tuple of sides such as (3, 3), not {shown(shape)}")
    sides = tuple(integer(side, "a side of the board") for side in shape)
    if not 1 <= len(sides) <= MAX_DIMENSIONS:
        raise InvalidRules(f"a board has 1 to {MAX_DIMENSIONS} sides, not {len(sides)}")
    if min(sides) < 1:
        raise InvalidRules(f"every side of the board must be at least 1, not {shown(min(sides))}")
    if prod(sides) > MAX_CELLS:
        raise InvalidRules(f"a board has at most {MAX_CELLS:,} cells; {size(sides)} has more")
    return sides
