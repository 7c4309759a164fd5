"""Observations, masks and actions of a single `Game`, the same as in `VectorGame`."""

import numpy as np
from numpy.typing import NDArray

from noughts.errors import OffBoard, size
from noughts.game.game import Game
from noughts.game.geometry import Cell, geometry_of
from noughts.game.rules import VARIANTS
from noughts.learning.vector import num_actions


def cell_of(game: Game, action: int) -> Cell:
    """Return the cell that an action plays now; for a full column, its top cell.

    Raises:
        OffBoard: the action does not exist.

    >>> from noughts import Rules
    >>> cell_of(Game(), 5), cell_of(Game(Rules.connect_four()), 3)
    ((1, 2), (5, 3))
    """
    rules, count = game.rules, num_actions(game.rules)
    if not 0 <= action < count:
        on = f"the {size(rules.shape)} board"
        raise OffBoard(f"there is no action {action} on {on}: expected 0 to {count - 1}")
    cell = geometry_of(rules).cell(action)  # with gravity the top one of its column
    if rules.gravity:
        for row in range(rules.shape[0] - 1, 0, -1):
            if not game.mark((row, *cell[1:])):
                return (row, *cell[1:])
    return cell


def action_mask(game: Game) -> NDArray[np.int8]:
    """Return 1 for each action that is legal now and 0 for the others, int8. Cost: O(cells)."""
    mask = np.zeros(num_actions(game.rules), np.int8)
    if game.outcome is not None:
        return mask
    if VARIANTS[game.rules.variant].fouls:
        mask[[*map(geometry_of(game.rules).number, game.legal_moves)]] = 1
    else:
        mask[:] = marks(game)[: len(mask)] == 0
    return mask


def planes(game: Game, player: int) -> NDArray[np.int8]:
    """Return a player's view: int8, (players, *shape), own marks first. Cost: O(cells)."""
    players = game.rules.players
    order = (np.arange(players, dtype=np.uint8) + player - 1) % players + 1
    seen = np.equal(marks(game), order[:, None]).astype(np.int8)
    return seen.reshape(players, *game.rules.shape)


def marks(game: Game) -> NDArray[np.uint8]:
    """Return the player of the mark on each cell, 0 for none."""
    return np.frombuffer(game.key(), np.uint8)
