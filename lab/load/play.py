"""Simultaneous games: each player has an event stream, and moves when it shows their turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from itertools import product
from random import Random
from time import perf_counter, process_time
from typing import Any
from zlib import crc32

from lab.load.process import Server
from lab.load.wire import Address, Connection, LoadError, ServerEvent, unexpected

SIDE = 3
WARM_UP = 1.0  # seconds before the measurement
PATIENCE = 30.0  # seconds for games to end after the measurement
IDLE = 3.0  # seconds after which a connection is not used again; uvicorn closes it after 5
READERS = 8  # connections that read the finished games
Cell = tuple[int, int]


@dataclass(slots=True)
class Match:
    """A game in progress or finished.

    Attributes:
        id: its id.
        sent: when each move was sent, by seq.
        confirmed: the moves that the server confirmed, by seq.
    """

    id: str
    sent: dict[int, float] = field(default_factory=dict)
    confirmed: dict[int, Cell] = field(default_factory=dict)

    def check(self, who: str, seen: dict[int, Cell]) -> None:
        """Check that `seen` contains every confirmed move once, in order, and nothing else.

        Raises:
            LoadError: it does not.
        """
        if seen != self.confirmed or list(seen) != sorted(seen):
            raise LoadError(f"game {self.id}: confirmed {self.confirmed}, but {who} saw {seen}")


@dataclass(slots=True)
class Tally:
    """Measurements while `counting`; times are in ms."""

    counting: bool = False
    post: list[float] = field(default_factory=list)
    stream: list[float] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)


class Routes:
    """The servers, and connections to them that are open and not in use.

    Args:
        urls: the servers' URLs.
        routed: whether all connections for a game go to one server; otherwise each goes to any.
    """

    def __init__(self, urls: list[str], routed: bool) -> None:
        self.addresses = [Address(url) for url in urls]
        self._routed = routed
        # With the times of their last use, the latest last.
        self._open: dict[Address, list[tuple[float, Connection]]] = {
            each: [] for each in self.addresses
        }

    @asynccontextmanager
    async def connection(self, address: Address) -> AsyncIterator[Connection]:
        """Use a connection for a while: the latest used, or a new one if it has been idle."""
        known = self._open[address]
        if known and (known[-1][0] < perf_counter() - IDLE or known[-1][1].closed):
            for _, idle in known:
                idle.close()
            known.clear()
        found = known.pop()[1] if known else await address.connect()
        try:
            yield found
        except BaseException:
            found.close()  # an answer may still be on its way
            raise
        known.append((perf_counter(), found))

    def close(self) -> None:
        """Close the connections that are not in use."""
        for connections in self._open.values():
            for _, connection in connections:
                connection.close()

    def choose(self, random: Random, game: str | None = None) -> Address:
        """Return the server for a connection, which may be about a game."""
        if self._routed and game:
            return self.addresses[crc32(game.encode()) % len(self.addresses)]
        return random.choice(self.addresses)


class Player:
    """One side of a game.

    Args:
        match: the game.
        seat: 1 or 2.
        token: the token of that seat.
        routes: the servers.
        sends, sees: the servers that receive the moves and send the events.
    """

    def __init__(
        self, match: Match, seat: int, token: str, routes: Routes, sends: Address, sees: Address
    ) -> None:
        self._match = match
        self._seat = seat
        self._token = token
        self._routes = routes
        self._sends = sends
        self._sees = sees
        self._news: asyncio.Queue[ServerEvent | LoadError] = asyncio.Queue()
        self._seq = 0
        self._seen: dict[int, Cell] = {}

    async def play(self, tally: Tally, random: Random) -> dict[int, Cell]:
        """Play the game to its end; return the moves that the stream has shown, by seq."""
        put = self._news.put_nowait
        stream = await self._sees.stream(self._match.id, put, put)
        try:
            while (shown := await self._next(tally))["status"] == "playing":
                if shown["turn"] == self._seat:
                    await self._move(tally, random)
        finally:
            stream.close()
        return self._seen

    async def _next(self, tally: Tally) -> dict[str, Any]:
        """Return the next event of the stream."""
        event = await self._news.get()
        if isinstance(event, LoadError):
            raise event
        data: dict[str, Any] = json.loads(event.data)
        # Event 1 is that the other player joined; every later event is a move.
        if event.kind == "state" and not self._seq:
            self._seen = {seq: (r, c) for seq, (r, c) in enumerate(data["moves"], 2)}
        elif event.seq != self._seq + 1 or event.kind != "move":
            raise LoadError(f"game {self._match.id}: {event.kind} {event.seq} after {self._seq}")
        else:
            row, col = data["cell"]
            self._seen[event.seq] = (row, col)
            if tally.counting and data["seat"] != self._seat:
                tally.stream.append((event.at - self._match.sent[event.seq]) * 1e3)
        self._seq = event.seq
        return data

    async def _move(self, tally: Tally, random: Random) -> None:
        """Send a random move."""
        taken = set(self._seen.values())
        cell = random.choice([c for c in product(range(SIDE), repeat=2) if c not in taken])
        path = f"/api/games/{self._match.id}/moves"
        seq = self._seq
        body = {"cell": cell, "seq": seq, "key": f"{seq}"}
        sent = self._match.sent[seq + 1] = perf_counter()
        async with self._routes.connection(self._sends) as connection:
            answer = await connection.request("POST", path, body, self._token)
        if answer.status != 201 or answer.json()["seq"] != seq + 1:
            raise unexpected("POST", path, answer)
        self._match.confirmed[seq + 1] = (cell[0], cell[1])
        if tally.counting:
            tally.post.append((answer.at - sent) * 1e3)


async def play(
    server: Server, games: int, seconds: float, clock: int | None = None, routed: bool = False
) -> dict[str, Any]:
    """Play simultaneous games and measure them.

    Args:
        server: the server to play on.
        games: the number of simultaneous games.
        seconds: the duration of the measurement.
        clock: seconds per move on the players' clocks; None for untimed games.
        routed: whether all requests about a game go to one of the server's processes.

    Raises:
        LoadError: a move was rejected, lost, duplicated or out of order.
    """
    routes, tally = Routes(server.urls, routed), Tally()
    wish = {"n": SIDE} | ({"clock": {"seconds": clock}} if clock else {})
    for address in routes.addresses:
        async with address.connection() as connection:  # the server may just have started
            await connection.expect(200, "GET", "/api/games?listed=open")
    until = perf_counter() + WARM_UP + seconds
    with closing(routes):
        async with asyncio.timeout(WARM_UP + seconds + PATIENCE), asyncio.TaskGroup() as group:
            for table in range(games):
                group.create_task(_table(routes, tally, Random(table), until, wish))
            measured = await _measure(server, tally, seconds)
    await _read_again(routes.addresses[0], tally.matches)
    return {
        "games": games,
        **measured,
        "games_checked": len(tally.matches),
        "post_ms": spread(tally.post),
        "stream_ms": spread(tally.stream),
    }


async def _measure(server: Server, tally: Tally, seconds: float) -> dict[str, Any]:
    """Count moves and processor time for this many seconds."""
    await asyncio.sleep(WARM_UP)
    start, own = perf_counter(), process_time()
    theirs, proxy = server.cpu_seconds(), server.proxy_cpu_seconds()
    tally.counting = True
    await asyncio.sleep(seconds)
    tally.counting = False
    took, moves = perf_counter() - start, len(tally.post)
    used = None if theirs is None else (server.cpu_seconds() or 0) - theirs
    passed_on = None if proxy is None else (server.proxy_cpu_seconds() or 0) - proxy
    return {
        "seconds": took,
        "moves": moves,
        "moves_per_second": moves / took,
        "client_cpu": (process_time() - own) / took,
        "server_cpu": None if used is None else used / took,
        "server_us_per_move": None if used is None or not moves else used / moves * 1e6,
        "proxy_us_per_move": None if passed_on is None or not moves else passed_on / moves * 1e6,
    }


async def _table(
    routes: Routes, tally: Tally, random: Random, until: float, wish: dict[str, Any]
) -> None:
    """Play one game after another."""
    while perf_counter() < until:
        async with routes.connection(routes.choose(random)) as connection:
            made = await connection.expect(201, "POST", "/api/games", wish)
        await _game(made, routes, tally, random)


async def _game(made: dict[str, Any], routes: Routes, tally: Tally, random: Random) -> None:
    """Join a game and play it to its end."""
    match = Match(made["id"])
    at = [routes.choose(random, match.id) for _ in range(4)]
    async with routes.connection(at[1]) as connection:
        path, invite = f"/api/games/{match.id}/join", {"invite": made["invite"]}
        joined = await connection.expect(200, "POST", path, invite)
    players = [
        Player(match, 1, made["token"], routes, at[0], at[2]),
        Player(match, 2, joined["token"], routes, at[1], at[3]),
    ]
    async with asyncio.TaskGroup() as group:  # if one fails, the other stops, too
        seen = [group.create_task(player.play(tally, random)) for player in players]
    for seat, moves in enumerate(seen, 1):
        match.check(f"the stream of player {seat}", moves.result())
    tally.matches.append(match)


async def _read_again(address: Address, matches: list[Match]) -> None:
    """Check that the server's log contains every confirmed move."""
    left = list(matches)

    async def read() -> None:
        async with address.connection() as connection:
            while left:
                match = left.pop()
                state = await connection.expect(200, "GET", f"/api/games/{match.id}")
                moves = {seq: (r, c) for seq, (r, c) in enumerate(state["moves"], 2)}
                match.check("the log", moves)

    async with asyncio.TaskGroup() as group:
        for _ in range(READERS):
            group.create_task(read())


def spread(times: list[float]) -> dict[str, float] | None:
    """Return the median, the 99th percentile and the maximum; None without any times."""
    if not times:
        return None
    ordered = sorted(times)
    at = {"p50": 0.5, "p99": 0.99, "max": 1.0}
    return {name: ordered[min(int(part * len(times)), len(times) - 1)] for name, part in at.items()}
