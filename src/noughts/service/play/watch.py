"""Watchers: the event streams of a server, woken when their game has news."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain

from noughts.service.metrics import STREAMS

HEARTBEAT = 15  # seconds between signs of life: proxies cut a silent connection
PATIENCE = 10  # seconds that a reader may take to accept what is sent; looked at with each beat


@dataclass(eq=False, slots=True)
class Watcher:
    """One event stream, as the others see it.

    Attributes:
        news: set whenever there may be news of its game.
        sending: since when its reader has been accepting what is sent; None while there is nothing.
        patience: ends the stream when it is over.
    """

    news: asyncio.Event = field(default_factory=asyncio.Event)
    sending: float | None = None
    patience: asyncio.Timeout = field(default_factory=lambda: asyncio.timeout(None))


class Watchers:
    """All event streams of this server."""

    def __init__(self) -> None:
        self.closing = False
        self._of: dict[str, set[Watcher]] = {}

    def watched(self) -> list[str]:
        """The ids of the games that are watched."""
        return list(self._of)

    def wake(self, game: str) -> None:
        """Have the streams of a game look for news."""
        for watcher in self._of.get(game, ()):
            watcher.news.set()

    def wake_all(self) -> None:
        """Have every stream give a sign of life."""
        for game in self._of:
            self.wake(game)

    def close(self) -> None:
        """Have every stream say goodbye."""
        self.closing = True
        self.wake_all()

    @contextmanager
    def watching(self, game: str) -> Iterator[Watcher]:
        """A stream of the game, from its begin to its end."""
        watcher = Watcher()
        self._of.setdefault(game, set()).add(watcher)
        STREAMS.inc()
        try:
            yield watcher
        finally:
            STREAMS.dec()
            self._of[game].discard(watcher)
            if not self._of[game]:
                del self._of[game]

    async def beat(self) -> None:
        """Keep all streams alive; runs for ever."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            self._drop_the_slow()
            self.wake_all()

    def _drop_the_slow(self) -> None:
        """End the streams whose readers accept nothing: one look at all, as timers cost."""
        now = asyncio.get_running_loop().time()
        for watcher in chain.from_iterable(self._of.values()):
            if watcher.sending is not None and now - watcher.sending > PATIENCE:
                watcher.patience.reschedule(now)
