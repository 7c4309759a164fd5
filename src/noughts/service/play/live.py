"""A game in memory."""

from __future__ import annotations

import asyncio

from noughts.service.play.backlog import Recent
from noughts.service.play.computer import RESERVE, SECONDS
from noughts.service.play.events import NewGame, Seats
from noughts.service.play.state import State


class LiveGame(State):
    """A game in memory: a state that follows the log for as long as somebody holds it.

    Attributes:
        recent: its latest events, as far as it has followed them here.
        seats: what tokens stand for, by their SHA-256, as far as they were asked for.
        lock: held during a change; there is one at a time.
        who: the address of the player who acted last, as far as it is known; for limits alone.
    """

    def __init__(self, made: NewGame) -> None:
        super().__init__(made)
        self.recent = Recent()
        self.seats: dict[bytes, Seats] = {}
        self.lock = asyncio.Lock()
        self.who = made.id

    def earliest(self, at: int) -> int:
        """The earliest time at which its running clock can be up, if nobody moved before this."""
        assert self.clock is not None
        return self.clock.earliest(self.game.turn, at)

    def thought(self, at: int) -> float:
        """Seconds that the computer, whose turn it is, may think at this time: less on a clock."""
        if self.clock is None:
            return SECONDS
        return min(SECONDS, self.clock.share(self.game.turn, at)) - RESERVE
