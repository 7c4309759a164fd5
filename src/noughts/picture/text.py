"""Boards as text, and what any picture is drawn from.

A board of more than two dimensions is drawn as flat planes, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Protocol

from noughts.errors import size
from noughts.game.geometry import Cell
from noughts.game.outcome import Outcome, Termination
from noughts.game.rules import Rules
from noughts.picture.cells import column_name

MAX_CELLS = 1_000_000
FORBIDDEN = "×"


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

    def is_legal(self, cell: Cell) -> bool:
        """Whether the player to move may play the cell."""


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


def forbidden_cells(game: Drawable) -> frozenset[Cell]:
    """The cells that renju forbids to player 1, who is to move; none in other games."""
    if game.rules.variant != "renju" or game.turn != 1 or game.outcome:
        return frozenset()
    cells = product(*map(range, game.rules.shape))
    return frozenset(cell for cell in cells if not game.mark(cell) and not game.is_legal(cell))


def symbol(player: int) -> str:
    """A player's mark in text: X, O, and from the third player on the number."""
    return ("·", "X", "O")[player] if player < 3 else str(player)


def standing(game: Drawable) -> str:
    """How a game stands, in a few words.

    >>> from noughts import Game
    >>> standing(Game())
    'X to move'
    """
    outcome = game.outcome
    if outcome is None:
        return f"{symbol(game.turn)} to move"
    if outcome.winner is not None:
        return f"{symbol(outcome.winner)} wins"
    if outcome.termination is Termination.FULL_BOARD:
        return "draw: no move is left"
    return "draw: nobody can win any more"


def text(game: Drawable) -> str:
    """The board as text, ending without a newline; the cells of a winning line in brackets.

    Cells that renju forbids to the player to move are marked ×.

    Planes of a board of more than two dimensions follow each other, headed by their coordinates.

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
    winning, forbidden = winning_cells(game), forbidden_cells(game)
    width = max(3, len(column_name(cols - 1)) + 1)
    margin = len(str(rows)) + 1
    header = " " * (margin + 1) + "".join(f"{column_name(col):^{width}}" for col in range(cols))
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
            parts.append(f"{row + 1:>{margin}} {marks}".rstrip())
    return "\n".join(parts)
