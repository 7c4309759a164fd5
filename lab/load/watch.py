"""Watchers: one game with a crowd, and many idle games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median
from time import perf_counter
from typing import Any

from lab.load.process import Server
from lab.load.wire import Address, Connection, LoadError, ServerEvent, Stream

AT_ONCE = 100  # streams opened concurrently
PATIENCE = 30.0  # seconds until every watcher must have seen an event
A_DRAW = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2))
STREAMS_PER_GAME = 2


class Crowd:
    """Streams that should all receive the same events."""

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self._waiting = 0
        self._all: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def expect(self, count: int) -> asyncio.Future[float]:
        """Return a future that resolves to the time when `count` events have arrived."""
        self._waiting = count
        self._all = asyncio.get_running_loop().create_future()
        return self._all

    async def seen(self, everyone: asyncio.Future[float]) -> float:
        """Wait for that future."""
        try:
            return await asyncio.wait_for(everyone, PATIENCE)
        except TimeoutError:
            raise LoadError(f"{self._waiting} watchers received no event") from None

    async def open(self, address: Address, games: list[str]) -> None:
        """Open a stream of each game, and wait for the first event of each."""
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
        """Note that one more watcher has received the event."""
        self._waiting -= 1
        if not self._waiting and not self._all.done():
            self._all.set_result(at)

    def failed(self, error: LoadError) -> None:
        """Note that a watcher will not receive the event."""
        if not self._all.done():
            self._all.set_exception(error)


@asynccontextmanager
async def crowded() -> AsyncIterator[Crowd]:
    """Yield a crowd, and close its streams at the end."""
    crowd = Crowd()
    try:
        yield crowd
    finally:
        for stream in crowd.streams:
            stream.close()


class Watcher:
    """A watcher, which checks that each event follows the one before."""

    def __init__(self, crowd: Crowd) -> None:
        self._crowd = crowd
        self._seq: int | None = None

    def heard(self, event: ServerEvent) -> None:
        """Check an event and pass it on."""
        expected = event.seq if self._seq is None else self._seq + 1
        if event.seq != expected:
            self._crowd.failed(
                LoadError(f"a watcher received event {event.seq}, expected {expected}")
            )
        self._seq = event.seq
        self._crowd.arrived(event.at)


async def watch(server: Server, watchers: int) -> dict[str, Any]:
    """Measure, in ms, how soon every watcher of a game receives a move.

    Raises:
        LoadError: a watcher missed one.
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
    """Measure the memory in MB and the processor time of idle streams, two per game.

    Raises:
        LoadError: the server closed one of them.
    """
    address, before = Address(server.url), server.megabytes()
    async with address.connection() as connection, crowded() as crowd:
        games = await _games(connection, -(-streams // STREAMS_PER_GAME))
        await crowd.open(address, (games * STREAMS_PER_GAME)[:streams])
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
