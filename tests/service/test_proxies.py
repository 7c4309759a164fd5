"""HAProxy and nginx, configured as in `deploy/`, in front of two servers with one database."""

from __future__ import annotations

import asyncio
import re
import shutil
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from urllib.parse import urlsplit
from urllib.request import urlopen

import httpx
import pytest

from commands import SECONDS
from lab.load.process import Server as Proxy
from lab.load.proxy import COMMANDS, Program, proxied
from noughts.system import allow_many_files
from service.loading import Load, check
from service.serving import (
    Postgres,
    Seat,
    Server,
    code,
    created,
    free_port,
    missing,
    speaking_to,
    two_friends,
    unmeasured_processes,
)

pytestmark = pytest.mark.tier2("network")

WATCHERS, ADDRESSES = 1000, 10
AT_ONCE = 100  # streams that are opened concurrently
DRAWN = 3  # records per minute
PLAYERS, MOVES = 4, 40
ADDRESS = (f"127.0.1.{number}" for number in count(1))
OPTIONS = "--proxy=127.0.0.1", "--streams=200", f"--render-limit={DRAWN}"


@contextmanager
def before(program: Program, ports: list[int]) -> Iterator[Proxy]:
    """Run this proxy in front of the servers at these ports."""
    for needed in (program, "openssl"):
        if shutil.which(needed) is None:
            missing(needed)
    with proxied(program, ports) as proxy:
        yield proxy


class Site:
    """Two servers with one database, and proxies on request."""

    def __init__(self, database: str, stack: ExitStack) -> None:
        self._database = database
        self._stack = stack
        self._proxies: dict[Program, Proxy] = {}
        self.servers = [self._server(), self._server()]

    def _server(self, port: int = 0) -> Server:
        server = Server(self._database, *OPTIONS, port=port)
        self._stack.callback(server.stop)
        return server

    def start_again(self, number: int) -> None:
        """Restart a stopped server on its port."""
        self.servers[number] = self._server(self.servers[number].port)

    def proxy(self, program: Program) -> Proxy:
        """Return this proxy, and start it if necessary."""
        if program not in self._proxies:
            ports = [server.port for server in self.servers]
            self._proxies[program] = self._stack.enter_context(before(program, ports))
        return self._proxies[program]

    def use(self, proxy: Proxy, number: int) -> None:
        """Create games through this proxy until it uses this server."""
        once = self.moves()[number]
        with speaking_to(proxy) as client:
            while self.moves()[number] == once:
                created(client)

    def moves(self) -> list[int]:
        """Return how many moves and games each server has confirmed."""
        return [_moves(server) for server in self.servers]


def _moves(server: Server) -> int:
    with urlopen(f"{server.url}/metrics") as answer:
        text = answer.read().decode()
    found = re.findall(r'(?m)^noughts_requests_total\{.*"POST".*"201"\} (\S+)', text)
    return int(sum(map(float, found)))


@pytest.fixture(scope="module")
def site(postgresql: Postgres) -> Iterator[Site]:
    with unmeasured_processes(), ExitStack() as stack:
        yield Site(postgresql.database(), stack)


@pytest.fixture(params=COMMANDS)
def proxy(request: pytest.FixtureRequest, site: Site) -> Proxy:
    return site.proxy(request.param)


def test_proxy_sends_a_game_to_one_server_and_does_not_buffer(proxy: Proxy, site: Site) -> None:
    with speaking_to(proxy) as client:
        made = client.post("/api/games", json={"n": 3})
        assert made.json()["url"].startswith(f"{proxy.url}/g/")  # Host and X-Forwarded-Proto
        assert "; Secure" in made.headers["set-cookie"]
        served: set[int] = set()
        while len(served) < 2:
            first, second = two_friends(client)
            once = site.moves()
            with Seat(client, first.id).events() as events:
                next(events)
                for player, cell in ((first, [0, 0]), (second, [1, 1])):
                    assert player.move(*cell).status_code == 201
                    assert next(events).data["cell"] == cell
            counted = [now - then for now, then in zip(site.moves(), once, strict=True)]
            assert sorted(counted) == [0, 2]
            served.add(counted.index(2))


def test_proxy_serves_a_thousand_watchers(proxy: Proxy) -> None:
    allow_many_files()
    with speaking_to(proxy) as client:
        game = created(client, opponent="self")

        async def run() -> None:
            crowd = await watching(proxy, game.id)
            answer = await asyncio.to_thread(game.move, 1, 1)
            assert answer.status_code == 201
            for reader, _ in crowd:
                await reader.readuntil(b"event: move\nid: 1\n")
            assert (
                client.get(f"/api/games/{game.id}").json()["seq"] == 1
            )  # other clients are served, too
            for _, writer in crowd:
                writer.transport.abort()

        asyncio.run(asyncio.wait_for(run(), SECONDS))


async def watching(
    proxy: Proxy, game: str
) -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open many streams of the game, no more per address than a server allows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    host, port = urlsplit(proxy.url).hostname, urlsplit(proxy.url).port
    some = asyncio.Semaphore(AT_ONCE)

    async def open_one(number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        own = f"127.0.0.{2 + number % ADDRESSES}", 0
        async with some:
            opened = await asyncio.open_connection(host, port, ssl=context, local_addr=own)
            request = f"GET /api/games/{game}/events HTTP/1.1\r\nHost: {host}\r\n\r\n"
            opened[1].write(request.encode())
            await opened[0].readuntil(b"event: state\n")
        return opened

    return await asyncio.gather(*map(open_one, range(WATCHERS)))


def test_proxy_replaces_claimed_client_addresses(proxy: Proxy) -> None:
    def drawn(own: str, claimed: int) -> httpx.Response:
        transport = httpx.HTTPTransport(verify=False, local_address=own)
        with speaking_to(proxy, transport=transport) as client:
            claim = {"X-Forwarded-For": f"203.0.113.{claimed}"}
            return client.get(f"/api/games/{game.id}/record.txt", headers=claim)

    with speaking_to(proxy) as client:
        game = created(client)
    busy, other = next(ADDRESS), next(ADDRESS)
    for number in range(DRAWN):
        assert drawn(busy, number).status_code == 200
    assert code(drawn(busy, DRAWN)) == "too_many"
    assert drawn(other, 0).status_code == 200


def test_stopping_and_killed_servers_lose_no_confirmed_move(site: Site) -> None:
    proxies = [site.proxy(program) for program in COMMANDS]
    with playing(proxies) as drained:
        site.servers[0].stop()
    assert drained == [[], []]  # no player notices
    site.start_again(0)
    for proxy in proxies:
        site.use(proxy, 0)
    with playing(proxies) as killed:
        site.servers[1].kill()
    site.start_again(1)
    assert max(map(len, killed)) <= PLAYERS


@contextmanager
def playing(proxies: list[Proxy]) -> Iterator[list[list[str]]]:
    """Run players in this context; at its end, the yielded list has their errors by proxy."""
    failed: list[list[str]] = []
    with ExitStack() as stack:
        loads = [stack.enter_context(Load(proxy, PLAYERS)) for proxy in proxies]
        for load in loads:
            load.wait_for(MOVES)
        yield failed
        for proxy, load in zip(proxies, loads, strict=True):
            load.wait_for(MOVES)
            load.end()
            check(proxy, load)
            failed.append(load.failed)


@pytest.mark.parametrize("program", COMMANDS)
def test_proxy_without_servers_answers_unavailable(program: Program) -> None:
    with before(program, [free_port(), free_port()]) as proxy, speaking_to(proxy) as client:
        answer = client.get("/api/games/any")
        assert code(answer) == "unavailable"
        assert answer.headers["retry-after"] == "1"
        for path in ("/metrics", "/games/metrics/"):
            assert client.get(path).status_code == 404
