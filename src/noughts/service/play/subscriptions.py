"""Subscriptions: the event streams of a server, and who has which game open.

Presence is worked out from the event streams of all servers; it is not logged.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from msgspec import Struct

from noughts.service.metrics import STREAMS
from noughts.service.play.events import monotonic, now
from noughts.service.play.state import frame, timestamp

LINGER = 3.0  # seconds without a stream after which a player is away; reloading takes less
REMEMBERED = 10_000  # games for which it is remembered when players left
EXPIRES = 40.0  # seconds for which a message from another server counts; heartbeats repeat it


class Streams(NamedTuple):
    """The event streams of a game at one server."""

    open: tuple[int, int, int] = (0, 0, 0)  # number of streams of spectators, of seat 1, of seat 2
    left: tuple[int, int] = (0, 0)  # when the last of seats 1 and 2 ended (Unix ms), or 0


class Here(Struct, frozen=True):
    """The players and spectators who have a game open."""

    here: tuple[bool, bool]  # whether the players of seats 1 and 2 have it open
    away: tuple[str | None, str | None]  # since when they do not, if that is known
    watchers: int  # number of others who have it open

    def encode(self) -> bytes:
        """Encode this as a server-sent event, with the time of the server."""
        fields = {"here": self.here, "away": self.away, "watchers": self.watchers}
        return frame("presence", fields | {"now": timestamp(now())})


class Presence:
    """Who has which game open, by the streams of this server and messages from the others."""

    def __init__(self) -> None:
        self._left: OrderedDict[str, tuple[int, int]] = OrderedDict()  # the latest last
        self._others: dict[str, dict[str, tuple[Streams, float]]] = {}  # by game and server

    def leave(self, game: str, seats: Collection[int]) -> None:
        """Record that the last streams of these seats have ended."""
        self._note(game, (now() if 1 in seats else 0, now() if 2 in seats else 0))

    def _note(self, game: str, left: tuple[int, int]) -> None:
        """Record when seats were left, unless they were left later."""
        known = self._left.pop(game, (0, 0))
        self._left[game] = max(known[0], left[0]), max(known[1], left[1])
        while len(self._left) > REMEMBERED:
            self._left.popitem(last=False)

    def streams(self, game: str, held: Iterable[tuple[int, ...]]) -> Streams:
        """Count the streams of a game at this server, given the seats of each reader."""
        count = [0, 0, 0]
        for seats in held:
            for seat in seats or (0,):
                count[seat] += 1
        return Streams((count[0], count[1], count[2]), self._left.get(game, (0, 0)))

    def hear(self, server: str, message: Mapping[str, Streams]) -> list[str]:
        """Record a message from another server; return the games about which it has news."""
        news = []
        for game, streams in message.items():
            servers = self._others.setdefault(game, {})
            if servers.get(server, (Streams(),))[0] != streams:
                news.append(game)
            servers[server] = streams, monotonic()
            if any(streams.left):
                self._note(game, streams.left)
        return news

    def forget(self) -> list[str]:
        """Forget old messages, whose servers may have ended; return the games they were about."""
        oldest, games = monotonic() - EXPIRES, []
        for game, servers in list(self._others.items()):
            if expired := [server for server, (_, at) in servers.items() if at < oldest]:
                games.append(game)
            for server in expired:
                del servers[server]
            if not servers:
                del self._others[game]
        return games

    def of(self, game: str, own: Streams) -> tuple[Here, bool]:
        """Return who has a game open, and whether a player who has just left still counts."""
        watchers, *players = own.open
        for others, _ in self._others.get(game, {}).values():
            watchers += others.open[0]
            players = [players[0] + others.open[1], players[1] + others.open[2]]
        recently, lingers = now() - LINGER * 1e3, False
        here, away = [], []
        for player, left in zip(players, own.left, strict=True):
            lingering = not player and left > recently
            lingers |= lingering
            here.append(bool(player or lingering))
            away.append(timestamp(left) if left and not here[-1] else None)
        return Here((here[0], here[1]), (away[0], away[1]), watchers), lingers


SOON = 1.0  # seconds until the streams of a game report which players are here
LATER = 3.0  # seconds until they report how many watch; short visits then cost little

Wake = Callable[[], None]
Announce = Callable[[Mapping[str, Streams]], None]


class Subscriptions:
    """All event streams of this server, and who is present in their games."""

    def __init__(self) -> None:
        self.draining: bool = False  # whether the server is to get no new players, as it will stop
        self.closing: bool = False  # whether all streams end
        self.announce: Announce | None = None  # notifies the other servers, if there are any
        self._of: dict[str, dict[Wake, tuple[int, ...]]] = {}  # the seats of each reader, by game
        self._presence = Presence()
        self._here: dict[str, Here] = {}  # as last reported by the streams of watched games
        self._planned: dict[str, asyncio.TimerHandle] = {}  # when a game's streams report next
        self._announced: dict[str, Streams] = {}  # of games watched here

    def watched(self) -> list[str]:
        """Return the ids of the games that have streams."""
        return list(self._of)

    def wake(self, game: str) -> None:
        """Make the streams of a game check for news."""
        for wake in self._of.get(game, ()):
            wake()

    async def heartbeat(self) -> None:
        """Make every stream send a sign of life, and notify the other servers of who is here."""
        for game in self._presence.forget():
            self._changed(game, SOON)
        for game in self._of:
            self.wake(game)
        if self.announce and self._of:
            streams = {game: self._streams(game) for game in self._of}
            self.announce(streams)
            self._announced |= streams

    def close(self) -> None:
        """Make every stream announce the shutdown and end."""
        self.closing = True
        for game in self._of:
            self.wake(game)

    @contextmanager
    def subscribed(self, game: str, wake: Wake, seats: tuple[int, ...]) -> Iterator[None]:
        """Wake a stream of the game on news, while in this context; its reader may hold seats."""
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

    def here(self, game: str) -> Here:
        """Return who has this game open: the same object until that changes."""
        if found := self._here.get(game):
            return found
        found, _ = self._presence.of(game, self._streams(game))
        if game in self._of:
            self._here[game] = found
        return found

    def heard(self, server: str, streams: Mapping[str, Streams]) -> None:
        """Take in a message from another server about its streams."""
        for game in self._presence.hear(server, streams):
            self._changed(game, SOON)

    def _streams(self, game: str) -> Streams:
        return self._presence.streams(game, self._of.get(game, {}).values())

    def _changed(self, game: str, seconds: float) -> None:
        """Make the streams of a game report who is here within this time, once for all changes."""
        loop, planned = asyncio.get_running_loop(), self._planned.get(game)
        if planned is None or planned.when() > loop.time() + seconds:
            if planned:
                planned.cancel()
            self._planned[game] = loop.call_later(seconds, self._report, game)

    def _report(self, game: str) -> None:
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
