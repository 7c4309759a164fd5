"""A game in memory."""

from __future__ import annotations

import asyncio

from msgspec import Struct

from noughts.opponent import Advice
from noughts.service.play.backlog import Recent
from noughts.service.play.computer import RESERVE, SECONDS
from noughts.service.play.events import NewGame, Seats
from noughts.service.play.state import State


class Thought(Struct, frozen=True):
    """What the computer knew of a move when it made it.

    Attributes:
        seq: of the move.
        advice: the move, with what is proved of it, a score, and the moves that were expected.
    """

    seq: int
    advice: Advice


class LiveGame(State):
    """A game in memory: a state that follows the log for as long as somebody holds it.

    Attributes:
        recent: its latest events, as far as it has followed them here.
        seats: of tokens, by their SHA-256, as far as they were asked for.
        lock: held during a change; there is one at a time.
        thought: the computer's about its latest move, if this server made that.
        who: the address of the player who acted last, as far as it is known; for limits alone.
    """

    def __init__(self, made: NewGame) -> None:
        super().__init__(made)
        self.recent = Recent()
        self.seats: dict[bytes, Seats] = {}
        self.lock = asyncio.Lock()
        self.thought: Thought | None = None
        self.who = made.id  # until somebody acts, it takes turns as an address of its own

    def earliest(self, at: int) -> int:
        """The earliest time at which its running clock can be up, if nobody moved before this."""
        assert self.clock is not None
        return self.clock.earliest(self.game.turn, at)

    def time_to_think(self, at: int) -> float:
        """Seconds that the computer, whose turn it is, may think at this time: less on a clock."""
        if self.clock is None:
            return SECONDS
        return min(SECONDS, self.clock.share(self.game.turn, at)) - RESERVE
