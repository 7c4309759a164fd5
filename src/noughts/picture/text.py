"""Boards as text, and the parts that all pictures share.

A board of more than two dimensions is drawn as flat planes, one after the other.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, Protocol

from noughts.arguments import Cell
from noughts.errors import size
from noughts.picture.cells import NOTATIONS

MAX_CELLS = 1_000_000
"""The number of cells of the largest board that can be drawn."""
FORBIDDEN = "×"


class Drawable(Protocol):
    """The part of `noughts.Game` that a picture needs."""

    @property
    def rules(self) -> Any:
        """The rules of the game, with the `shape` and `cells` of its board."""

    @property
    def turn(self) -> int:
        """The player to move."""

    @property
    def history(self) -> tuple[Cell, ...]:
        """The cells in the order of play."""

    @property
    def outcome(self) -> Any:
        """How the game ended, with its `lines`, `winner` and `termination`, or None."""

    @property
    def forbidden(self) -> frozenset[Cell]:
        """The empty cells where the player to move would commit a foul."""

    def mark(self, cell: Cell) -> int:
        """Return the player whose mark is on the cell, 0 if it is empty."""


def planes_rows_cols(game: Drawable) -> tuple[int, int, int]:
    """Return the number of flat planes of the board, and the rows and columns of each.

    Raises:
        ValueError: the board has more than a million cells.
    """
    rules = game.rules
    if rules.cells > MAX_CELLS:
        raise ValueError(f"a {size(rules.shape)} board is too large to draw")
    rows, cols = rules.shape[-2:] if len(rules.shape) > 1 else (1, rules.shape[0])
    return rules.cells // (rows * cols), rows, cols


def layers(game: Drawable) -> Iterator[Cell]:
    """Yield the coordinates of each plane: all but the last two of its cells."""
    return product(*map(range, game.rules.shape[:-2]))


def layer_name(layer: Cell) -> str:
    """Return the heading of a plane: its coordinates, counted from 1."""
    return "plane " + "/".join(str(at + 1) for at in layer)


def winning_cells(game: Drawable) -> frozenset[Cell]:
    """Return the cells of all completed lines."""
    lines = game.outcome.lines if game.outcome else ()
    return frozenset(cell for line in lines for cell in line)


def symbol(player: int) -> str:
    """Return a player's mark in text: X, O, or the number of a further player."""
    return ("·", "X", "O")[player] if player < 3 else str(player)


def standing(game: Drawable) -> str:
    """Return in a few words whose turn it is or how the game ended.

    >>> from noughts import Game
    >>> standing(Game())
    'X to move'
    """
    if game.outcome is None:
        return f"{symbol(game.turn)} to move"
    words: str = game.outcome.termination.words
    return words.format(who=symbol(game.outcome.winner or 0))


def text(game: Drawable, notation: str = "spreadsheet") -> str:
    """Draw the board as text, without a newline at the end.

    Brackets mark the cells of winning lines, and × the cells that renju forbids to the player to
    move. The planes of a board of more than two dimensions follow each other, each under its
    coordinates.

    Args:
        game: the game to draw.
        notation: how columns and rows are named, one of `noughts.picture.cells.NOTATIONS`.

    Raises:
        ValueError: the board has more than a million cells.

    >>> from noughts import Game, Rules
    >>> print(text(Game.replay(Rules(), [(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)])))
        A  B  C
     1 [X] O  O
     2  · [X] ·
     3  ·  · [X]
    """
    _, rows, cols = planes_rows_cols(game)
    winning, forbidden = winning_cells(game), game.forbidden
    named = NOTATIONS[notation]
    width = max(3, len(named.column(cols - 1)) + 1)
    margin = len(str(rows)) + 1
    header = " " * (margin + 1) + "".join(f"{named.column(col):^{width}}" for col in range(cols))
    parts = []
    for plane, layer in enumerate(layers(game)):
        if layer:
            parts.append(("\n" if plane else "") + layer_name(layer))
        parts.append(header.rstrip())
        for row in range(rows):
            cells = [(*layer, row, col)[-len(game.rules.shape) :] for col in range(cols)]
            marks = "".join(
                f"{f'[{mark}]' if cell in winning else f' {mark} ':^{width}}"
                for cell, mark in (
                    (cell, FORBIDDEN if cell in forbidden else symbol(game.mark(cell)))
                    for cell in cells
                )
            )
            parts.append(f"{named.row(row, rows):>{margin}} {marks}".rstrip())
    return "\n".join(parts)
