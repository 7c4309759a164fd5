"""Watchers: the event streams of a server, woken when their game has news."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from noughts.service.metrics import STREAMS


class Watchers:
    """All event streams of this server.

    Attributes:
        closing: whether the server ends, and every stream is to say goodbye.
    """

    def __init__(self) -> None:
        self.closing = False
        self._of: dict[str, set[Callable[[], None]]] = {}

    def watched(self) -> list[str]:
        """The ids of the games that are watched."""
        return list(self._of)

    def wake(self, game: str) -> None:
        """Have the streams of a game look for news."""
        for wake in self._of.get(game, ()):
            wake()

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
    def watching(self, game: str, wake: Callable[[], None]) -> Iterator[None]:
        """A stream of the game, from its begin to its end; it is woken when there may be news."""
        self._of.setdefault(game, set()).add(wake)
        STREAMS.inc()
        try:
            yield
        finally:
            STREAMS.dec()
            self._of[game].discard(wake)
            if not self._of[game]:
                del self._of[game]
