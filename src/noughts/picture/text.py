"""Boards as text."""

from __future__ import annotations

from noughts.outcome import Termination
from noughts.picture.cells import column_name
from noughts.picture.planes import Drawable, layer_name, layers, planes_rows_cols, winning_cells


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
        return "draw: the board is full"
    return "draw: nobody can win any more"


def text(game: Drawable) -> str:
    """The board as text, ending without a newline; the cells of a winning line in brackets.

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
    winning = winning_cells(game)
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
                for cell, mark in ((cell, symbol(game.mark(cell))) for cell in cells)
            )
            parts.append(f"{row + 1:>{margin}} {marks}".rstrip())
    return "\n".join(parts)
