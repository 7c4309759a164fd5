"""The opening rule swap2: three stones, and then who plays which colour.

Player A places three stones, black, white and black. Player B takes Black (swaps), or stays White
and places the fourth stone, or places the fourth and fifth and leaves the choice of colour to A.
noughts never takes the third way.
"""

from __future__ import annotations

from noughts.game.geometry import Cell
from noughts.opponent import Advice

OPENING: tuple[Cell, Cell, Cell] = (1, 1), (2, 2), (2, 4)
"""The three stones that noughts places, on any board: on 15×15 and 20×20 neither colour has the
greater potential, summed over the positions before and after White's move. Nothing is proved of it.
"""


def swaps(advice: Advice) -> bool:
    """Whether to take Black, after three or five stones, rather than play the advised move.

    What is proved of the move decides, or else whether less than half the points are expected.
    """
    if advice.value is not None:
        return advice.value < 0
    return advice.chance is not None and advice.chance < 50
