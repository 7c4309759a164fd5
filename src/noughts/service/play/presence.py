"""Presence: who has a game open, by the event streams of all servers. It is not logged."""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from time import monotonic
from typing import NamedTuple

from msgspec import Struct

from noughts.service.play.events import now
from noughts.service.play.state import frame, timestamp

LINGER = 3.0  # seconds after which a player without a stream is away; a page that reloads is not
REMEMBERED = 10_000  # games for which the times when players left are kept
EXPIRES = 40.0  # seconds for which a message of another server counts; each heartbeat repeats it


class Streams(NamedTuple):
    """The event streams of a game at one server."""

    open: tuple[int, int, int] = (0, 0, 0)  # how many: of spectators, of seat 1, of seat 2
    left: tuple[int, int] = (0, 0)  # when the last of seats 1 and 2 ended, in ms since 1970, or 0


class Here(Struct, frozen=True):
    """Who has a game open."""

    here: tuple[bool, bool]  # whether the players of seats 1 and 2 have
    away: tuple[str | None, str | None]  # since when each of them has not, if that is known
    watchers: int  # how many others have

    def told(self) -> bytes:
        """This as a server-sent event, with the server's time."""
        fields = {"here": self.here, "away": self.away, "watchers": self.watchers}
        return frame("presence", fields | {"now": timestamp(now())})


class Presence:
    """Who has which game open: what this server sees, and what other servers say."""

    def __init__(self) -> None:
        self._left: OrderedDict[str, tuple[int, int]] = OrderedDict()  # the latest last
        self._others: dict[str, dict[str, tuple[Streams, float]]] = {}  # by game and server

    def leave(self, game: str, seats: Collection[int]) -> None:
        """Note that the last streams of these seats have ended."""
        self._note(game, (now() if 1 in seats else 0, now() if 2 in seats else 0))

    def _note(self, game: str, left: tuple[int, int]) -> None:
        """Note when seats were left, unless they were left later."""
        known = self._left.pop(game, (0, 0))
        self._left[game] = max(known[0], left[0]), max(known[1], left[1])
        while len(self._left) > REMEMBERED:
            self._left.popitem(last=False)

    def streams(self, game: str, held: Iterable[tuple[int, ...]]) -> Streams:
        """The streams of a game at this server, given the seats of each stream's reader."""
        count = [0, 0, 0]
        for seats in held:
            for seat in seats or (0,):
                count[seat] += 1
        return Streams((count[0], count[1], count[2]), self._left.get(game, (0, 0)))

    def hear(self, server: str, told: Mapping[str, Streams]) -> list[str]:
        """Note what another server says; return the games about which it says something new."""
        news = []
        for game, streams in told.items():
            servers = self._others.setdefault(game, {})
            if servers.get(server, (Streams(),))[0] != streams:
                news.append(game)
            servers[server] = streams, monotonic()
            if any(streams.left):
                self._note(game, streams.left)
        return news

    def forget(self) -> list[str]:
        """Forget what other servers said too long ago, as they may have ended; return its games."""
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
        """Who has a game open, and whether somebody who has just left still counts."""
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
