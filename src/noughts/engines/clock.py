"""How long an engine may think about a move."""

from dataclasses import dataclass

from noughts.engines.protocol import UNLIMITED

WITHOUT_LIMIT = 5.0
"""The seconds for a move if the manager has set no limit."""

MARGIN, SHARE = 0.05, 0.05
"""How much of a move's limit is left unused, as pipes and machines take time: seconds, a share."""

MOVES_TO_COME = 20
"""How many of its next moves an engine keeps time for, or as many as the board has room for.

Each gets an equal share of the time left, so the time shrinks but never runs out.
"""

MOST = 4
"""How many such shares one move may take, if its best move changes or its score falls."""


@dataclass
class Clock:
    """The time limits that a manager has set, in milliseconds.

    Attributes:
        turn: for each move, 0 for at once; None if not set.
        match: for all moves of a game, 0 for no limit.
        left: what is left of `match`, which may be negative; None if the manager has not said.
        spent: the seconds that this game's moves have taken so far.
    """

    turn: int | None = None
    match: int = 0
    left: int | None = None
    spent: float = 0.0

    def seconds(self, empty: int) -> tuple[float, float | None]:
        """The most seconds for the next move, counted from its command, and its share of the clock.

        Args:
            empty: how many cells are empty.

        Returns:
            The share, which may be more than the most, is None if no clock runs for the game: then
            nothing is gained by time that is left.

        >>> Clock(turn=1000).seconds(400), Clock(turn=1000, left=2100).seconds(400)
        ((0.9, None), (0.4, 0.1))
        """
        most, share = WITHOUT_LIMIT, None
        left = None if self.left is None else self.left / 1000
        if left is None and self.match:
            left = self.match / 1000 - self.spent
        if left is not None and left < UNLIMITED // 1000:
            moves = 1 + max(1, min((empty + 1) // 2, MOVES_TO_COME))
            share = max(0.0, round(left / moves, 3))
            most = left / max(2, moves / MOST)
        if self.turn is not None:
            turn = self.turn / 1000 * (1 - SHARE) - MARGIN
            most = turn if share is None else min(most, turn)
        return max(0.0, round(most, 3)), share
