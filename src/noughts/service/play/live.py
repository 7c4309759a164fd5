"""The games in memory: those that somebody uses, and those that were used last."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import lru_cache
from weakref import WeakValueDictionary

from noughts.service.play.events import Seats
from noughts.service.play.state import State

KEPT = 2000  # games in memory, besides those that somebody uses


@dataclass(slots=True, eq=False, weakref_slot=True)
class LiveGame:
    """A game in memory.

    Attributes:
        state: follows the log of the game.
        seats: what tokens stand for, by their SHA-256, as far as they were asked for.
        lock: held during a change; there is one at a time.
    """

    state: State
    seats: dict[bytes, Seats] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class LiveGames:
    """A cache of games: one object a game for as long as anybody holds it.

    Args:
        load: reads the state of a game that is not here.
    """

    def __init__(self, load: Callable[[str], Awaitable[State]]) -> None:
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
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = asyncio.create_task(self._loaded(id))
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(task)

    def add(self, state: State) -> LiveGame:
        """The game with this state, or the one that is here already."""
        return self._used(self._all.setdefault(state.id, LiveGame(state)))

    async def _loaded(self, id: str) -> LiveGame:
        return self.add(await self._load(id))
