"""Turns: what a server does for a few at a time is shared fairly between addresses."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """A few places, given to addresses in turn; within an address, first come, first served."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # the next turn is the first

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[int]:
        """Have a place, once it is this address's turn; yields how many more it is waiting for."""
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
        """Give the place to the next who waits, or free it."""
        for who, places in list(self._waiting.items()):
            del self._waiting[who]
            while places:
                place = places.popleft()
                if not place.done():  # the task that waited may have ended
                    if places:
                        self._waiting[who] = places  # after all others
                    place.set_result(None)
                    return
        self._free += 1
