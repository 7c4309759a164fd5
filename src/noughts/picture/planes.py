"""What a picture is drawn from, and boards as flat planes, which are drawn one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Protocol

from noughts.errors import size
from noughts.geometry import Cell
from noughts.outcome import Outcome
from noughts.rules import Rules

MAX_CELLS = 1_000_000


class Drawable(Protocol):
    """What a picture needs to know of a `noughts.Game`, which can thus show itself."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def turn(self) -> int:
        """The player to move."""

    @property
    def history(self) -> tuple[Cell, ...]:
        """The cells in the order of play."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def mark(self, cell: Cell) -> int:
        """The player whose mark is on the cell, 0 if it is empty."""


def planes_rows_cols(game: Drawable) -> tuple[int, int, int]:
    """The board as flat planes: how many, and their sides.

    Raises:
        ValueError: the board has more than a million cells.
    """
    rules = game.rules
    if rules.cells > MAX_CELLS:
        raise ValueError(f"a {size(rules.shape)} board is too large to draw")
    rows, cols = rules.shape[-2:] if len(rules.shape) > 1 else (1, rules.shape[0])
    return rules.cells // (rows * cols), rows, cols


def layers(game: Drawable) -> Iterator[Cell]:
    """The coordinates of each plane: all of a cell's but the last two."""
    return product(*map(range, game.rules.shape[:-2]))


def layer_name(layer: Cell) -> str:
    """The heading of a plane: its coordinates, counted from 1."""
    return "plane " + "/".join(str(at + 1) for at in layer)


def winning_cells(game: Drawable) -> frozenset[Cell]:
    """The cells of all completed lines."""
    lines = game.outcome.lines if game.outcome else ()
    return frozenset(cell for line in lines for cell in line)
