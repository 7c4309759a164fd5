"""Deadlines: one task ends the games whose time is up, whether or not anybody is connected."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from heapq import heappop, heappush
from math import inf

from noughts.service.play.events import now
from noughts.service.play.storage import StoreError

TICK = 0.1  # seconds between looks: games that end together are read and written together
MOST = 200  # games that are looked at together
RETRY = 1000  # ms until a store that does not answer is asked again

log = logging.getLogger("noughts")

End = Callable[[list[str]], Awaitable[dict[str, int]]]


class Deadlines:
    """When to look at which game.

    A game has one entry, which may be earlier than its deadline but not later: a move that puts
    the deadline off costs nothing here.

    Args:
        end: ends those of these games whose time is up; when to look again at those that go on.
    """

    def __init__(self, end: End) -> None:
        self._end = end
        self._heap: list[tuple[int, str]] = []
        self._at: dict[str, int] = {}  # of each game its entry that counts

    def set(self, game: str, at: int) -> None:
        """Look at this game then, in milliseconds since 1970, or before."""
        if at < self._at.get(game, inf):
            self._at[game] = at
            heappush(self._heap, (at, game))

    async def run(self) -> None:
        """End games, for ever."""
        while True:
            if due := self._due():
                await self._look(due)
            await asyncio.sleep(TICK)

    def _due(self) -> list[str]:
        """Take the games that are to be looked at now, the earliest first."""
        due: list[str] = []
        while self._heap and self._heap[0][0] <= now() and len(due) < MOST:
            at, game = heappop(self._heap)
            if self._at.get(game) == at:
                del self._at[game]
                due.append(game)
        return due

    async def _look(self, games: list[str]) -> None:
        """End these games if their time is up, and note when to look at the others again."""
        try:
            later = await self._end(games)
        except StoreError as error:
            log.warning("the clocks of %s games wait: %s", len(games), error)
            later = dict.fromkeys(games, now() + RETRY)
        except Exception:  # whatever it is, other games go on
            log.exception("the clocks of %s games have failed", len(games))
            later = dict.fromkeys(games, now() + RETRY) if len(games) > 1 else {}
        for game, at in later.items():
            self.set(game, at)
