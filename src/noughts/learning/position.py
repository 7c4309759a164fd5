"""What a learner sees of a `Game`, and what actions mean, as in `VectorGame`."""

import numpy as np
from numpy.typing import NDArray

from noughts.errors import OffBoard, size
from noughts.game.game import Game
from noughts.game.geometry import Cell, geometry_of
from noughts.game.rules import VARIANTS
from noughts.learning.vector import num_actions


def cell_of(game: Game, action: int) -> Cell:
    """The cell that an action plays now; in a full column the top one.

    Raises:
        OffBoard: there is no such action.

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
    """Which actions are legal now, as int8. Cost: O(cells)."""
    mask = np.zeros(num_actions(game.rules), np.int8)
    if game.outcome is not None:
        return mask
    if VARIANTS[game.rules.variant].fouls:
        mask[[*map(geometry_of(game.rules).number, game.legal_moves)]] = 1
    else:
        mask[:] = _marks(game)[: len(mask)] == 0
    return mask


def planes(game: Game, player: int) -> NDArray[np.int8]:
    """What a player sees: int8, (players, *shape), the player's own marks first. Cost: O(cells)."""
    players = game.rules.players
    order = (np.arange(players, dtype=np.uint8) + player - 1) % players + 1
    seen = np.equal(_marks(game), order[:, None]).astype(np.int8)
    return seen.reshape(players, *game.rules.shape)


def _marks(game: Game) -> NDArray[np.uint8]:
    return np.frombuffer(game.key(), np.uint8)
