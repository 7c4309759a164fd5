"""Watchers: the event streams of a server; they are woken when their game has news."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from noughts.service.metrics import STREAMS
from noughts.service.play.presence import LINGER, Here, Presence, Streams

SOON = 1.0  # seconds until the streams of a game say which players are here
LATER = 3.0  # seconds until they say how many watch: a short visit costs the others little

Wake = Callable[[], None]
Announce = Callable[[Mapping[str, Streams]], None]


class Watchers:
    """All event streams of this server, and who is present in their games."""

    def __init__(self) -> None:
        self.closing: bool = False  # whether the server is ending
        self.announce: Announce | None = None  # to the other servers, if there are any
        self._of: dict[str, dict[Wake, tuple[int, ...]]] = {}  # by game; the seats of each reader
        self._presence = Presence()
        self._here: dict[str, Here] = {}  # as the streams of watched games last said
        self._planned: dict[str, asyncio.TimerHandle] = {}  # when a game's streams say so next
        self._announced: dict[str, Streams] = {}  # of games watched here

    def watched(self) -> list[str]:
        """The ids of the games that are watched."""
        return list(self._of)

    def wake(self, game: str) -> None:
        """Have the streams of a game look for news."""
        for wake in self._of.get(game, ()):
            wake()

    async def beat(self) -> None:
        """Have every stream send a sign of life, and announce to the other servers who is here."""
        for game in self._presence.forget():
            self._changed(game, SOON)
        for game in self._of:
            self.wake(game)
        if self.announce and self._of:
            streams = {game: self._streams(game) for game in self._of}
            self.announce(streams)
            self._announced |= streams

    def close(self) -> None:
        """Have every stream say goodbye."""
        self.closing = True
        for game in self._of:
            self.wake(game)

    @contextmanager
    def watching(self, game: str, wake: Wake, seats: tuple[int, ...]) -> Iterator[None]:
        """Wake a stream of the game when there may be news; its reader may hold seats."""
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
            if seats and (gone := set(seats).difference(*held.values())):
                self._presence.leave(game, gone)
            if held or self.announce:
                self._changed(game, SOON if seats else LATER)
            if not held:
                del self._of[game]
                self._here.pop(game, None)

    # Presence

    def here(self, game: str) -> Here:
        """Who has this game open: the same object until that changes."""
        if found := self._here.get(game):
            return found
        found, _ = self._presence.of(game, self._streams(game))
        if game in self._of:
            self._here[game] = found
        return found

    def heard(self, server: str, streams: Mapping[str, Streams]) -> None:
        """Take in what another server says of its streams."""
        for game in self._presence.hear(server, streams):
            self._changed(game, SOON)

    def _streams(self, game: str) -> Streams:
        return self._presence.streams(game, self._of.get(game, {}).values())

    def _changed(self, game: str, seconds: float) -> None:
        """Have the streams of a game say who is here, within this time: once for many who come."""
        loop, planned = asyncio.get_running_loop(), self._planned.get(game)
        if planned is None or planned.when() > loop.time() + seconds:
            if planned:
                planned.cancel()
            self._planned[game] = loop.call_later(seconds, self._say, game)

    def _say(self, game: str) -> None:
        del self._planned[game]
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
