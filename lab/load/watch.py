"""Many who only watch: one game with a crowd, and many games in which nothing happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median
from time import perf_counter
from typing import Any

from lab.load.process import Server
from lab.load.wire import Address, Connection, LoadError, ServerEvent, Stream

AT_ONCE = 100  # streams that are being opened
PATIENCE = 30.0  # seconds for all to see something
A_DRAW = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2))
STREAMS_A_GAME = 2


class Crowd:
    """Streams that are all to see the same."""

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self._waiting = 0
        self._all: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def expect(self, count: int) -> asyncio.Future[float]:
        """The time at which so many events have come."""
        self._waiting = count
        self._all = asyncio.get_running_loop().create_future()
        return self._all

    async def seen(self, everyone: asyncio.Future[float]) -> float:
        """Wait for that time."""
        try:
            return await asyncio.wait_for(everyone, PATIENCE)
        except TimeoutError:
            raise LoadError(f"{self._waiting} watchers wait in vain") from None

    async def open(self, address: Address, games: list[str]) -> None:
        """Open a stream of each of these games, and wait for what it shows first."""
        everyone = self.expect(len(games))
        left = list(games)

        async def some() -> None:
            while left:
                watcher = Watcher(self)
                stream = await address.stream(left.pop(), watcher.heard, self.failed)
                self.streams.append(stream)

        await asyncio.gather(*(some() for _ in range(AT_ONCE)))
        await self.seen(everyone)

    def arrived(self, at: float) -> None:
        """One more has seen it."""
        self._waiting -= 1
        if not self._waiting and not self._all.done():
            self._all.set_result(at)

    def failed(self, error: LoadError) -> None:
        """Somebody will not see it."""
        if not self._all.done():
            self._all.set_exception(error)


@asynccontextmanager
async def crowded() -> AsyncIterator[Crowd]:
    """A crowd that leaves in the end."""
    crowd = Crowd()
    try:
        yield crowd
    finally:
        for stream in crowd.streams:
            stream.close()


class Watcher:
    """One who checks that each event follows the one before."""

    def __init__(self, crowd: Crowd) -> None:
        self._crowd = crowd
        self._seq: int | None = None

    def heard(self, event: ServerEvent) -> None:
        """See an event."""
        expected = event.seq if self._seq is None else self._seq + 1
        if event.seq != expected:
            self._crowd.failed(LoadError(f"a watcher saw {event.seq}, not {expected}"))
        self._seq = event.seq
        self._crowd.arrived(event.at)


async def watch(server: Server, watchers: int) -> dict[str, Any]:
    """A game with so many watchers: how long until all of them have seen a move, in ms.

    Raises:
        LoadError: somebody missed one.
    """
    address, times = Address(server.url), []
    async with address.connection() as connection, crowded() as crowd:
        made = await connection.expect(201, "POST", "/api/games", {"n": 3, "opponent": "self"})
        await crowd.open(address, [made["id"]] * watchers)
        for seq, cell in enumerate(A_DRAW):
            everyone, sent = crowd.expect(watchers), perf_counter()
            body = {"cell": cell, "seq": seq, "key": f"{seq}"}
            path = f"/api/games/{made['id']}/moves"
            await connection.expect(201, "POST", path, body, made["token"])
            times.append((await crowd.seen(everyone) - sent) * 1e3)
    return {
        "watchers": watchers,
        "moves": len(times),
        "all_saw_ms": {"median": median(times), "max": max(times)},
    }


async def idle(server: Server, streams: int, seconds: float) -> dict[str, Any]:
    """So many streams, two a game, in which nothing happens: memory in MB, and processor time.

    Raises:
        LoadError: the server ended one of them.
    """
    address, before = Address(server.url), server.megabytes()
    async with address.connection() as connection, crowded() as crowd:
        games = await _games(connection, -(-streams // STREAMS_A_GAME))
        await crowd.open(address, (games * STREAMS_A_GAME)[:streams])
        quiet, used = crowd.expect(1), server.cpu_seconds()
        await asyncio.wait({quiet}, timeout=seconds)
        used = None if used is None else (server.cpu_seconds() or 0) - used
        if quiet.done() and (error := quiet.exception()):
            raise error
        after = server.megabytes()
    return {
        "streams": streams,
        "games": len(games),
        "megabytes": {"before": before, "after": after},
        "server_us_per_stream_second": None if used is None else used / streams / seconds * 1e6,
    }


async def _games(connection: Connection, count: int) -> list[str]:
    wanted = {"n": 3, "opponent": "self"}
    return [
        (await connection.expect(201, "POST", "/api/games", wanted))["id"] for _ in range(count)
    ]
