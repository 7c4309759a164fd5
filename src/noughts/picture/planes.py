"""Boards as flat planes, which text and SVG both draw one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from noughts.errors import size
from noughts.game import Game
from noughts.geometry import Cell

MAX_CELLS = 1_000_000


def planes_rows_cols(game: Game) -> tuple[int, int, int]:
    """The board as flat planes: how many, and their sides.

    Raises:
        ValueError: the board has more than a million cells.
    """
    rules = game.rules
    if rules.cells > MAX_CELLS:
        raise ValueError(f"a {size(rules.shape)} board is too large to draw")
    rows, cols = rules.shape[-2:] if len(rules.shape) > 1 else (1, rules.shape[0])
    return rules.cells // (rows * cols), rows, cols


def layers(game: Game) -> Iterator[Cell]:
    """The coordinates of each plane: all of a cell's but the last two."""
    return product(*map(range, game.rules.shape[:-2]))


def layer_name(layer: Cell) -> str:
    """The heading of a plane: its coordinates, counted from 1."""
    return "plane " + "/".join(str(at + 1) for at in layer)


def winning_cells(game: Game) -> frozenset[Cell]:
    """The cells of all completed lines."""
    lines = game.outcome.lines if game.outcome else ()
    return frozenset(cell for line in lines for cell in line)
