"""A game in memory."""

import asyncio

from msgspec import Struct

from noughts.opponent import Advice
from noughts.service.play.backlog import Recent
from noughts.service.play.computer import RESERVE, SECONDS
from noughts.service.play.events import NewGame, Seats
from noughts.service.play.state import State


class Thought(Struct, frozen=True):
    """What the computer knew of a move when it made it."""

    seq: int  # of the move
    advice: Advice


class LiveGame(State):
    """A game in memory: a state that follows the log for as long as somebody holds it."""

    def __init__(self, made: NewGame) -> None:
        super().__init__(made)
        self.recent: Recent = Recent()
        self.seats: dict[bytes, Seats] = {}  # by the SHA-256 of tokens that were sent
        self.lock: asyncio.Lock = asyncio.Lock()  # held during a change; there is one at a time
        self.forgotten = False  # whether it was, as nobody had touched it: its streams end
        self.thought: Thought | None = None  # of the latest move, if it is this server's computer's
        self.who: str = (
            made.id
        )  # for `Turns`: the address of the player who has acted last, if any has

    def earliest(self, at: int) -> int:
        """The earliest time at which its running clock can be up, if nobody moved before `at`."""
        assert self.clock is not None
        return self.clock.earliest(self.game.turn, at)

    def time_to_think(self, at: int) -> float:
        """Seconds that the computer, whose turn it is, may think: fewer if its clock is short."""
        if self.clock is None:
            return SECONDS
        return min(SECONDS, self.clock.share(self.game.turn, at)) - RESERVE
