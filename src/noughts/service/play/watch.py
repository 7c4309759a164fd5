"""Watchers: the event streams of a server, woken when their game has news."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from noughts.service.metrics import STREAMS


class Watchers:
    """All event streams of this server.

    Attributes:
        closing: whether the server ends, and every stream is to say goodbye.
    """

    def __init__(self) -> None:
        self.closing = False
        self._of: dict[str, set[asyncio.Event]] = {}

    def watched(self) -> list[str]:
        """The ids of the games that are watched."""
        return list(self._of)

    def wake(self, game: str) -> None:
        """Have the streams of a game look for news."""
        for news in self._of.get(game, ()):
            news.set()

    async def beat(self) -> None:
        """Have every stream give a sign of life."""
        for game in self._of:
            self.wake(game)

    def close(self) -> None:
        """Have every stream say goodbye."""
        self.closing = True
        for game in self._of:
            self.wake(game)

    @contextmanager
    def watching(self, game: str) -> Iterator[asyncio.Event]:
        """A stream of the game, from its begin to its end: set whenever there may be news."""
        news = asyncio.Event()
        self._of.setdefault(game, set()).add(news)
        STREAMS.inc()
        try:
            yield news
        finally:
            STREAMS.dec()
            self._of[game].discard(news)
            if not self._of[game]:
                del self._of[game]
