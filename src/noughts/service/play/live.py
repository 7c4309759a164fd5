"""The games in memory: those that somebody uses, and those that were used last."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import lru_cache
from weakref import WeakValueDictionary

from noughts.service.play.events import NewGame, Seats
from noughts.service.play.state import State

KEPT = 2000  # games in memory, besides those that somebody uses


class LiveGame(State):
    """A game in memory: a state that follows the log for as long as somebody holds it.

    Attributes:
        seats: what tokens stand for, by their SHA-256, as far as they were asked for.
        lock: held during a change; there is one at a time.
    """

    def __init__(self, made: NewGame) -> None:
        super().__init__(made)
        self.seats: dict[bytes, Seats] = {}
        self.lock = asyncio.Lock()


class LiveGames:
    """A cache of games: one object a game for as long as anybody holds it.

    Args:
        load: reads a game that is not here.
    """

    def __init__(self, load: Callable[[str], Awaitable[LiveGame]]) -> None:
        self._load = load
        self._all: WeakValueDictionary[str, LiveGame] = WeakValueDictionary()
        # Returns what it is given, and holds on to those that were used last.
        self._used: Callable[[LiveGame], LiveGame] = lru_cache(KEPT)(lambda live: live)
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}

    def find(self, id: str) -> LiveGame | None:
        """The game, if it is here."""
        return self._all.get(id)

    async def get(self, id: str) -> LiveGame:
        """The game, loaded if need be, once for all who ask."""
        if live := self._all.get(id):
            return self._used(live)
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._loaded(id))
        return await asyncio.shield(self._loading[id])

    def add(self, live: LiveGame) -> LiveGame:
        """The game, or the same one that is here already."""
        return self._used(self._all.setdefault(live.id, live))

    async def _loaded(self, id: str) -> LiveGame:
        try:
            return self.add(await self._load(id))
        finally:
            del self._loading[id]
