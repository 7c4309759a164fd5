"""Attacks from one address, while a player at another address continues to play.

The attackers run in their own process, connect from 127.0.0.2 and ignore every limit. The server
has its default limits. The attacks are those listed in docs/server.md, *Limits*.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from statistics import quantiles
from time import perf_counter
from typing import Any

from lab.load.process import Server
from lab.load.wire import Address

ATTACKER = "127.0.0.2"
PACE = 0.02  # seconds between the player's moves
CELLS = [(row, col) for row in range(3) for col in range(3)]
SIDE, K = 99, 50


async def attacked(server: Server, seconds: float) -> dict[str, Any]:
    """Measure the latency of a player's moves in ms and the server's memory in MB under attack."""
    command = [sys.executable, "-m", "lab.load.attack", server.url, str(seconds)]
    attack = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    waited, peak = [], server.megabytes() or 0
    async with Address(server.url).connection() as connection:
        while attack.returncode is None:
            made = await connection.expect(
                201, "POST", "/api/games", {"n": 3, "k": 3, "opponent": "self"}
            )
            path, token = f"/api/games/{made['id']}/moves", made["token"]
            for seq, cell in enumerate(CELLS[:5]):
                body = {"cell": cell, "seq": seq, "key": str(seq)}
                sent = perf_counter()
                await connection.expect(201, "POST", path, body, token)
                waited.append((perf_counter() - sent) * 1e3)
                peak = max(peak, server.megabytes() or 0)
                await asyncio.sleep(PACE * 10)
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(attack.wait()), PACE)
    assert attack.stdout is not None
    tried = json.loads(await attack.stdout.read())
    cuts = quantiles(waited, n=100)
    return {
        "seconds": seconds,
        "moves": len(waited),
        "post_ms": {"p50": cuts[49], "p99": cuts[98], "max": max(waited)},
        "megabytes": peak,
        "tried": tried,
    }


# The attackers


class Attack:
    """Attackers of one server, and their numbers of attempts."""

    def __init__(self, url: str) -> None:
        self._address = Address(url)
        self.tried: dict[str, int] = {}
        self._game = "none"  # the id of the long game

    async def run(self, seconds: float) -> None:
        """Attack for this many seconds."""
        attackers: dict[Callable[[], Awaitable[None]], int] = {
            self.headers_without_end: 2,
            self.half_requests: 150,
            self.wins: 1,
            self.unread_streams: 60,
            self.computers: 2,
            self.pictures: 6,
        }
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                tasks = [self._for_ever(do) for do, many in attackers.items() for _ in range(many)]
                await asyncio.gather(*tasks)

    async def _for_ever(self, do: Callable[[], Awaitable[None]]) -> None:
        name = getattr(do, "__name__", "")
        while True:
            self.tried[name] = self.tried.get(name, 0) + 1
            with suppress(OSError, EOFError, ValueError, KeyError):
                await do()
            await asyncio.sleep(0.01)

    async def headers_without_end(self) -> None:
        """Send headers until the server closes the connection."""
        reader, writer = await self._connect()
        writer.write(b"GET / HTTP/1.1\r\n")
        for _ in range(10_000):
            writer.write(b"a:\r\n" * 4096)
            await writer.drain()
        await reader.read()
        writer.close()

    async def half_requests(self) -> None:
        """Send half a request and wait."""
        reader, writer = await self._connect()
        writer.write(b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        await reader.read()
        writer.close()

    async def wins(self) -> None:
        """Win with two hundred lines at once and undo the move, repeatedly."""
        wish = {"shape": [SIDE, SIDE], "k": K, "opponent": "self"}
        made = await self._post("/api/games", wish)
        middle, ways = SIDE // 2, ((0, 1), (1, 0), (1, 1), (1, -1))
        star = [
            (middle + step * row, middle + step * col)
            for row, col in ways
            for step in range(-middle, middle + 1)
            if step
        ]
        others = ((row, col) for row in range(0, SIDE, 2) for col in range(1, SIDE, 4))
        free = (cell for cell in others if cell not in set(star))
        moves = [cell for pair in zip(star, free, strict=False) for cell in pair]
        path, keys = f"/api/games/{made['id']}", count()
        self._game = made["id"]
        for seq in count():
            body: dict[str, Any] = {"seq": seq, "key": f"k{next(keys)}"}
            if seq < len(moves):
                await self._post(f"{path}/moves", body | {"cell": moves[seq]}, made["token"])
            elif seq % 2 == len(moves) % 2:
                cell = (middle, middle)
                await self._post(f"{path}/moves", body | {"cell": cell}, made["token"])
            else:
                await self._post(f"{path}/takeback", body, made["token"])

    async def unread_streams(self) -> None:
        """Request all events of the long game without reading them."""
        _, writer = await self._connect()
        writer.write(
            f"GET /api/games/{self._game}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            "Last-Event-ID: 0\r\n\r\n".encode()
        )
        await asyncio.sleep(30)
        writer.close()

    async def computers(self) -> None:
        """Start games against the computer on large boards."""
        wish = {"shape": [60, 60], "k": 5, "opponent": "computer", "seat": 2}
        await self._post("/api/games", wish)

    async def pictures(self) -> None:
        """Request pictures of the long game."""
        for kind in ("svg", "png", "json", "txt"):
            await self._get(f"/api/games/{self._game}/record.{kind}")

    async def _post(self, path: str, body: object, token: str = "") -> Any:
        content = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        head += f"Connection: close\r\nContent-Length: {len(content)}\r\n\r\n"
        while True:
            answer = await self._ask(head.encode() + content)
            status = answer.split(b" ", 2)[1]
            if status != b"429":
                return json.loads(answer.partition(b"\r\n\r\n")[2])
            await asyncio.sleep(0.2)

    async def _get(self, path: str) -> bytes:
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        return await self._ask(head.encode())

    async def _ask(self, request: bytes) -> bytes:
        reader, writer = await self._connect()
        try:
            writer.write(request)
            answer = await reader.read()
            if not answer:
                raise EOFError
            return answer
        finally:
            writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(
            self._address.host, self._address.port, local_addr=(ATTACKER, 0)
        )


if __name__ == "__main__":
    attack = Attack(sys.argv[1])
    asyncio.run(attack.run(float(sys.argv[2])))
    print(json.dumps(attack.tried))
