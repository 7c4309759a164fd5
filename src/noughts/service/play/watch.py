"""Watchers: the event streams of a server, woken when their game has news."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from noughts.service.metrics import STREAMS
from noughts.service.play.presence import LINGER, Here, Presence, Streams

SOON = 1.0  # seconds until the streams of a game say which players are here
LATER = 3.0  # seconds until they say how many watch: whoever looks in costs the others little

Wake = Callable[[], None]
Announce = Callable[[Mapping[str, Streams]], None]


class Watchers:
    """All event streams of this server, and who is present in their games.

    Attributes:
        closing: whether the server ends, and every stream is to say goodbye.
        announce: announces the streams of games to other servers; None without others.
    """

    def __init__(self) -> None:
        self.closing = False
        self.announce: Announce | None = None
        self._of: dict[str, dict[Wake, tuple[int, ...]]] = {}  # with the seats of its reader
        self._presence = Presence()
        self._here: dict[str, Here] = {}  # as the streams have said, of watched games
        self._telling: dict[str, asyncio.TimerHandle] = {}  # games whose streams will say so
        self._announced: dict[str, Streams] = {}  # of games watched here, to the end

    def watched(self) -> list[str]:
        """The ids of the games that are watched."""
        return list(self._of)

    def wake(self, game: str) -> None:
        """Have the streams of a game look for news."""
        for wake in self._of.get(game, ()):
            wake()

    async def beat(self) -> None:
        """Have every stream give a sign of life, and announce to the other servers who is here."""
        for game in self._presence.forget():
            self._changed(game, SOON)
        for game in self._of:
            self.wake(game)
        if self.announce and self._of:
            told = {game: self._streams(game) for game in self._of}
            self.announce(told)
            self._announced |= told

    def close(self) -> None:
        """Have every stream say goodbye."""
        self.closing = True
        for game in self._of:
            self.wake(game)

    @contextmanager
    def watching(self, game: str, wake: Wake, seats: tuple[int, ...]) -> Iterator[None]:
        """A stream of the game, from its begin to its end; it is woken when there may be news.

        Args:
            game: the game's id.
            wake: wakes the stream.
            seats: those of its reader; none of a spectator.
        """
        self._of.setdefault(game, {})[wake] = seats
        if self.announce:
            self._announced.setdefault(game, Streams())
        self._changed(game, SOON if seats else LATER)
        STREAMS.inc()
        try:
            yield
        finally:
            STREAMS.dec()
            held = self._of[game]
            del held[wake]
            others = {seat for seats in held.values() for seat in seats} if seats else set()
            if gone := [seat for seat in seats if seat not in others]:
                self._presence.leave(game, gone)
            if held or self.announce:
                self._changed(game, SOON if seats else LATER)
            if not held:
                del self._of[game]
                self._here.pop(game, None)

    # Presence

    def here(self, game: str) -> Here:
        """Who has this game open: the same object until there is news."""
        if found := self._here.get(game):
            return found
        found, _ = self._presence.of(game, self._streams(game))
        if game in self._of:
            self._here[game] = found
        return found

    def heard(self, server: str, told: Mapping[str, Streams]) -> None:
        """Follow what another server says of its streams."""
        for game in self._presence.hear(server, told):
            self._changed(game, SOON)

    def _streams(self, game: str) -> Streams:
        return self._presence.streams(game, self._of.get(game, {}).values())

    def _changed(self, game: str, seconds: float) -> None:
        """Have the streams of a game say who is here, in so many seconds: once for all who come."""
        loop, planned = asyncio.get_running_loop(), self._telling.get(game)
        if planned is None or planned.when() > loop.time() + seconds:
            if planned:
                planned.cancel()
            self._telling[game] = loop.call_later(seconds, self._tell, game)

    def _tell(self, game: str) -> None:
        del self._telling[game]
        streams = self._streams(game)
        here, lingers = self._presence.of(game, streams)
        if lingers:
            self._changed(game, LINGER)
        if self.announce and streams != self._announced.get(game, streams):
            self.announce({game: streams})
            self._announced[game] = streams
        if game not in self._of:
            self._announced.pop(game, None)
        elif here != self._here.get(game):
            self._here[game] = here
            self.wake(game)
