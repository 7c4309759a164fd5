"""Deadlines: one task ends the games whose time is up, even if nobody is connected."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from heapq import heappop, heappush

from noughts.service.play.events import now
from noughts.service.play.storage import StoreError

TICK = 0.1  # seconds between looks: games that end together are read and written together
MOST = 200  # games that are looked at together
RETRY = 1000  # ms until a store that does not answer is asked again
SELDOM = 15_000  # ms until a game that fails alone is looked at again

log: logging.Logger = logging.getLogger("noughts")

End = Callable[[list[str]], Awaitable[dict[str, int]]]
"""Ends those of these games whose time is up; says when to look again at those that go on."""


class Deadlines:
    """When to look at which game.

    The first entry of a game may be earlier than its deadline but not later: a move that puts the
    deadline off costs nothing here. A game has a later entry only if that was set first.
    """

    def __init__(self, end: End) -> None:
        self._end = end
        self._heap: list[tuple[int, str]] = []
        self._at: dict[str, list[int]] = {}  # of each game its entries, the first last

    def set(self, game: str, at: int) -> None:
        """Look at this game then, in milliseconds since 1970, or before."""
        entries = self._at.setdefault(game, [])
        if not entries or at < entries[-1]:
            entries.append(at)
            heappush(self._heap, (at, game))

    async def run(self) -> None:
        """End games, for ever."""
        while True:
            if due := self._due():
                await self._look(due)
            if len(due) < MOST:  # otherwise more may be overdue, and late already
                await asyncio.sleep(TICK)

    def _due(self) -> list[str]:
        """Take the games that are to be looked at now, the earliest first."""
        due: dict[str, None] = {}
        while self._heap and self._heap[0][0] <= now() and len(due) < MOST:
            _, game = heappop(self._heap)
            self._at[game].pop()
            if not self._at[game]:
                del self._at[game]
            due[game] = None
        return [*due]

    async def _look(self, games: list[str]) -> None:
        """End these games if their time is up, and note when to look at the others again."""
        try:
            later = await self._end(games)
        except StoreError as error:
            log.warning("the clocks of %s games wait: %s", len(games), error)
            later = dict.fromkeys(games, now() + RETRY)
        except Exception:  # of any kind: other games go on
            log.exception("the clocks of %s games have failed", len(games))
            later = dict.fromkeys(games, now() + (RETRY if len(games) > 1 else SELDOM))
        for game, at in later.items():
            self.set(game, at)
