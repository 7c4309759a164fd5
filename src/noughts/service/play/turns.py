"""Turns: of what a server does for few at a time, nobody's share starves another's."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Some places, given to addresses in turn; of each address, to whoever has waited longest."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # whose turn is next comes first

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[int]:
        """A place, once it is the turn of this address; how many more it is waiting for."""
        if self._free:
            self._free -= 1
        else:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(who, deque()).append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._pass_on()
                raise
        try:
            yield len(self._waiting.get(who, ()))
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """Give a place to the next who waits."""
        for who, places in list(self._waiting.items()):
            del self._waiting[who]
            while places:
                place = places.popleft()
                if not place.done():  # whoever waited may have gone
                    if places:
                        self._waiting[who] = places  # after all others
                    place.set_result(None)
                    return
        self._free += 1
