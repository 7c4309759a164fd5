"""The games in memory: those that somebody uses, and those that were used last."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
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
    """A cache of games, by id.

    It has one object a game for as long as anybody holds it, and evicts the least recently used.

    Args:
        load: reads the state of a game that is not here.
    """

    def __init__(self, load: Callable[[str], Awaitable[State]]) -> None:
        self._load = load
        self._all: WeakValueDictionary[str, LiveGame] = WeakValueDictionary()
        self._recent: OrderedDict[str, LiveGame] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}

    def __len__(self) -> int:
        """How many there are."""
        return len(self._all)

    def find(self, id: str) -> LiveGame | None:
        """The game, if it is here."""
        return self._all.get(id)

    async def get(self, id: str) -> LiveGame:
        """The game, loaded if need be, once for all who ask."""
        if live := self._all.get(id):
            self._keep(live)
            return live
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = asyncio.create_task(self._loaded(id))
            task.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(task)

    def add(self, state: State) -> LiveGame:
        """The game with this state, or the one that is here already."""
        live = self._all.setdefault(state.id, LiveGame(state))
        self._keep(live)
        return live

    async def _loaded(self, id: str) -> LiveGame:
        return self.add(await self._load(id))

    def _keep(self, live: LiveGame) -> None:
        """Note that the game is used now, and evict another one if there are too many."""
        id = live.state.id
        self._recent[id] = live
        self._recent.move_to_end(id)
        if len(self._recent) > KEPT:
            self._recent.popitem(last=False)
