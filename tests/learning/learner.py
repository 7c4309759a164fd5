"""Rules for the tests of the learning environments, and what their values must be for a `Game`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts import Game, Rules

# `RULES` covers every variant, method and number of players. The libraries' own tests take long, so
# they run with `FEW_RULES`.
FEW_RULES = {
    "3×3": Rules(),
    "Connect Four": Rules.connect_four(),
    "gomoku": Rules.gomoku(),
    "renju": Rules.gomoku("renju"),
    "three players": Rules((4, 4), 3, players=3),
}
RULES = FEW_RULES | {
    "standard": Rules((6, 7), 3, variant="standard"),
    "caro": Rules((6, 6), 3, variant="caro"),
    "misere": Rules((4, 4), 3, variant="misere"),
    "wide standard": Rules((10, 9), 3, variant="standard"),
    "wide caro": Rules((9, 9), 3, variant="caro"),
    "wide misere": Rules((9, 9), 4, variant="misere"),
    "wide gravity": Rules((9, 9), 4, players=3, gravity=True, variant="caro"),
    "early draws": Rules((4, 4), early_draw=True),
    "early draws, gravity": Rules((4, 5), 4, players=3, early_draw=True, gravity=True),
    "small renju": Rules((7, 7), 5, variant="renju"),
    "renju, early draws": Rules((6, 6), 5, early_draw=True, variant="renju"),
    "cube": Rules((3, 3, 3)),
    "cube, gravity": Rules((4, 4, 4), gravity=True),
    "row": Rules((7,), 3),
    "column": Rules((7,), 3, gravity=True),
    "k = 1": Rules((2, 2), 1),
    "eight players": Rules((5, 5), 3, players=8),
}


def cell_of(game: Game, action: int) -> tuple[int, ...]:
    """Return the cell that an action stands for, by definition."""
    shape = game.rules.shape
    if not game.rules.gravity:
        return tuple(map(int, np.unravel_index(action, shape)))
    above = tuple(map(int, np.unravel_index(action, shape[1:]))) if shape[1:] else ()
    rows = [row for row in range(shape[0]) if not game.mark((row, *above))]
    return (max(rows, default=0), *above)


def mask_of(game: Game) -> NDArray[Any]:
    """Return whether each action is legal."""
    shape = game.rules.shape[1:] if game.rules.gravity else game.rules.shape
    mask = np.zeros(shape, np.bool_)
    for cell in game.legal_moves:
        mask[cell[1:] if game.rules.gravity else cell] = True
    return mask.reshape(-1)


def planes_of(game: Game) -> NDArray[Any]:
    """Return the planes of the player to move."""
    rules = game.rules
    planes = np.zeros((rules.players, *rules.shape), np.int8)
    for ply, cell in enumerate(game.history):
        planes[((ply % rules.players - (game.turn - 1)) % rules.players, *cell)] = 1
    return planes


def winner_of(game: Game) -> int:
    """Return the winner, 0 if there is none."""
    return (game.outcome.winner or 0) if game.outcome else 0
