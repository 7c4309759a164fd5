"""The simulated cluster: server processes, their databases, and the network between all."""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

import httpx

from lab.faults import players
from lab.simulation.database import Database, Message, SimulatedStore
from lab.simulation.loop import OWNER, VirtualLoop
from noughts.game.game import Game
from noughts.opponent import Advice, advise
from noughts.service import app
from noughts.service.http import handlers, middleware, responses
from noughts.service.play import computer, events, subscriptions
from noughts.service.play.storage import StoreError
from noughts.service.server import GRACE
from noughts.service.settings import Settings

SERVERS, DATABASES = 3, 1
EPOCH = 1_750_000_000  # Unix time at which every simulation begins
UNANSWERED = 4.0  # seconds after which a server gives up a database that no longer answers
# All players have one address.
SETTINGS = Settings(create_limit=0, join_limit=0, move_limit=0, render_limit=0, streams=0)
REACTIONS = 10**9  # a minute; of all players


class Network:
    """How messages travel now; faults change it for a while.

    Attributes:
        delay: Mean seconds of a message's way.
        lost_before, lost_after: Chances that a call of a database fails before or after it takes
            effect.
        unanswered: The chance that a response to a player is lost.
        dropped, doubled: Chances that a notification is lost, or arrives twice.
        shuffled: Whether notifications may overtake each other.
        cut: Pairs of names between which nothing passes; players are "players".
    """

    def __init__(self) -> None:
        self.delay = 0.002
        self.lost_before = self.lost_after = self.unanswered = 0.0
        self.dropped = self.doubled = 0.0
        self.shuffled = False
        self.cut: set[tuple[str, str]] = set()


class Process:
    """A server process, which runs the real application on simulated databases."""

    def __init__(self, cluster: Cluster, number: int) -> None:
        self.cluster = cluster
        self.name = f"server-{number}"
        self.alive = False
        self.life = 0  # how often it was started
        self.offset = 0.0  # seconds by which its clock is wrong
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self.start()

    def start(self) -> None:
        """Start it."""
        self.alive = True
        self.life += 1
        self.offset = 0.0
        context = copy_context()
        context.run(OWNER.set, self)
        self._context = context
        stores = [SimulatedStore(each, self) for each in self.cluster.databases]
        self._service = app.Service(replace(SETTINGS, host=self.name), stores)
        self._stop = asyncio.Event()
        self.spawn(self._live())

    async def _live(self) -> None:
        began = False

        async def receive() -> dict[str, str]:
            nonlocal began
            if began:
                await self._stop.wait()
                return {"type": "lifespan.shutdown"}
            began = True
            return {"type": "lifespan.startup"}

        async def send(_: object) -> None:
            pass

        await self._service.app({"type": "lifespan"}, receive, send)

    def spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        """Run a coroutine as a task of this process."""
        return asyncio.get_running_loop().create_task(coroutine, context=self._context.copy())

    def started(self, task: asyncio.Task[Any]) -> None:
        """Take note of a task, to end it with the process."""
        self._tasks[task] = None
        task.add_done_callback(lambda task: self._tasks.pop(task, None))

    async def kill(self) -> None:
        """End it at once; what has reached a database may still take effect."""
        self.alive = False
        while tasks := [*self._tasks]:  # some start others at their end
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)  # until they are no longer noted

    async def drain(self) -> None:
        """End it as SIGTERM does."""
        self._service.subscriptions.draining = True
        await asyncio.sleep(GRACE)
        self._service.subscriptions.close()
        self._stop.set()
        await asyncio.sleep(1)
        await self.kill()

    def is_cut(self, database: Database) -> bool:
        """Return whether the network brings nothing from this process to a database or back."""
        return (self.name, f"database-{database.number}") in self.cluster.network.cut

    def reaches(self, database: Database) -> bool:
        """Return whether messages between this process and a database arrive."""
        return self.alive and database.up and not self.is_cut(database)

    def call(self, future: asyncio.Future[Any], executor: Any, call: partial[Any]) -> None:
        """Make a call in a thread: a call of a store goes to its database."""
        store = executor if isinstance(executor, SimulatedStore) else None
        if store is None:  # the writer has a thread of its own
            store = getattr(call.func, "__self__", None)
        if isinstance(store, SimulatedStore):
            Call(self, store.database, call, future).leave()
        else:
            seconds = self.cluster.latency()
            asyncio.get_running_loop().call_later(seconds, _settle, future, call)

    async def handle(self, request: httpx.Request, body: bytes, answer: Answer) -> None:
        """Handle a request with the real application."""
        url = request.url
        headers = [(name.lower(), value) for name, value in request.headers.raw]
        scope = {
            "type": "http",
            "method": request.method,
            "path": url.path,
            "query_string": url.query,
            "headers": headers,
            "scheme": "http",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
            "root_path": "",
        }
        given = False

        async def receive() -> dict[str, Any]:
            nonlocal given
            if given:
                await answer.left.wait()
                return {"type": "http.disconnect"}
            given = True
            return {"type": "http.request", "body": body}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer.start(message["status"], message["headers"])
            else:
                answer.send(message.get("body", b""), message.get("more_body", False))

        try:
            await self._service.app(scope, receive, send)
        finally:
            answer.end(httpx.ReadError("the connection was reset"))


class Call:
    """A process's call of a database, which takes effect there at one moment, or fails."""

    def __init__(
        self,
        process: Process,
        database: Database,
        call: Callable[[], Any],
        future: asyncio.Future[Any],
    ) -> None:
        self._process = process
        self._life = process.life
        self._database = database
        self._call = call
        self._future = future  # for the answer
        self._loop = asyncio.get_running_loop()

    def leave(self) -> None:
        """Set out; the answer comes later."""
        self._after(self._process.cluster.latency(), self._arrive)

    def _after(self, seconds: float, step: Callable[[], None]) -> None:
        self._loop.call_later(seconds, step)

    def _arrive(self) -> None:
        database, cluster = self._database, self._process.cluster
        network, dice = cluster.network, cluster.dice
        ended = not self._process.alive or self._process.life > self._life
        if ended and dice.random() < 0.5:
            return  # it had not left yet
        if not database.up:
            self._fail("connection refused")
        elif self._process.is_cut(database):
            self._after(UNANSWERED, partial(self._fail, "connection timed out"))
        elif dice.random() < network.lost_before:
            self._fail("connection lost")
        else:
            crashes = database.crashes
            result: asyncio.Future[Any] = self._loop.create_future()
            _settle(result, self._call)
            lost = dice.random() < network.lost_after
            self._after(cluster.latency(), partial(self._answer, result, lost, crashes))

    def _answer(self, result: asyncio.Future[Any], lost: bool, crashes: int) -> None:
        result.exception()  # looked at, whether or not it arrives
        if lost or self._database.crashes > crashes:
            self._fail("connection lost")
        elif self._process.is_cut(self._database):
            self._after(UNANSWERED, partial(self._fail, "connection timed out"))
        elif not self._future.done():
            _settle(self._future, result.result)

    def _fail(self, reason: str) -> None:
        if not self._future.done():
            self._future.set_exception(StoreError(reason))


class Answer(httpx.AsyncByteStream):
    """The response to a request, on its way to the player."""

    def __init__(self, cluster: Cluster, process: Process, patience: float) -> None:
        self._cluster = cluster
        self._process = process
        self._patience = patience
        self._parts: asyncio.Queue[Any] = asyncio.Queue()
        self._last = 0.0  # when the latest part arrives: none overtakes another
        self._ended = self._lost = False
        self.left = asyncio.Event()  # the player has closed the connection

    def start(self, status: int, headers: Any) -> None:
        """Send the head."""
        self._put((status, list(headers)))

    def send(self, body: bytes, more: bool) -> None:
        """Send a part of the body."""
        self._put(body)
        if not more:
            self.end(None)

    def end(self, reason: Exception | None) -> None:
        """End the response, unless it has ended."""
        if not self._ended:
            self._put(reason)
            self._ended = True

    def _put(self, part: Any) -> None:
        if self._ended:
            return
        loop = asyncio.get_running_loop()
        self._last = max(self._last + 1e-6, loop.time() + self._cluster.latency())
        loop.call_at(self._last, self._arrive, part)

    def _arrive(self, part: Any) -> None:
        self._lost = self._lost or ("players", self._process.name) in self._cluster.network.cut
        if not self._lost:  # a connection that loses a part brings nothing after it
            self._parts.put_nowait(part)

    async def next(self) -> Any:
        """Return the next part. Raises httpx.ReadTimeout."""
        try:
            part = await asyncio.wait_for(self._parts.get(), self._patience)
        except TimeoutError:
            raise httpx.ReadTimeout("no answer") from None
        if isinstance(part, Exception):
            raise part
        return part

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (part := await self.next()) is not None:
            yield part

    def lose(self) -> None:
        """Reset the connection before anything more arrives."""
        self._lost, self._parts = True, asyncio.Queue()
        self._parts.put_nowait(httpx.ReadError("the connection was reset"))

    async def aclose(self) -> None:
        """Close the connection."""
        self.left.set()


class Transport(httpx.AsyncBaseTransport):
    """The way of players' requests to the servers."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; return the response once its head has arrived."""
        cluster, limits = self._cluster, request.extensions["timeout"]
        process = cluster.processes[request.url.host]
        await asyncio.sleep(cluster.latency())
        if ("players", process.name) in cluster.network.cut:
            await asyncio.sleep(limits["connect"])
            raise httpx.ConnectTimeout("no answer")
        if not process.alive:
            raise httpx.ConnectError("connection refused")
        answer = Answer(cluster, process, limits["read"])
        process.spawn(process.handle(request, request.content, answer))
        try:
            status, headers = await answer.next()
            if request.method == "POST" and cluster.dice.random() < cluster.network.unanswered:
                answer.lose()
                await answer.next()
        except BaseException:
            answer.left.set()
            raise
        return httpx.Response(status, headers=headers, stream=answer)


class Cluster:
    """Databases and servers.

    Args:
        dice: What decides everything that is random.
    """

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.network = Network()
        self.databases = [Database(number) for number in range(DATABASES)]
        self.problems: list[str] = []  # errors that no request reports
        started = [Process(self, number) for number in range(SERVERS)]
        self.processes: dict[str, Process] = {each.name: each for each in started}

    def latency(self) -> float:
        """Return the seconds that a message takes."""
        return self.dice.expovariate(1 / self.network.delay)

    def notify(self, queue: asyncio.Queue[Message], message: Message) -> None:
        """Bring a notification to a listener, which it may not reach."""
        loop, network, dice = asyncio.get_running_loop(), self.network, self.dice
        for _ in range(1 + (dice.random() < network.doubled)):
            if dice.random() >= network.dropped:
                seconds = self.latency() * 50 if network.shuffled else network.delay
                loop.call_later(seconds, queue.put_nowait, message)


THINKING = object()  # the executor of the computer's moves


def _settle(future: asyncio.Future[Any], call: Callable[[], Any]) -> None:
    """Set the result of a call, or its error."""
    if future.done():
        return
    try:
        future.set_result(call())
    except Exception as error:
        future.set_exception(error)


@contextmanager
def simulated(loop: VirtualLoop, dice: Random) -> Iterator[None]:
    """Give the service and the players virtual time, and randomness from these dice."""

    def wall_clock() -> float:
        owner = OWNER.get()
        return EPOCH + loop.time() + (owner.offset if isinstance(owner, Process) else 0)

    def token(size: int) -> str:
        return urlsafe_b64encode(dice.randbytes(size)).rstrip(b"=").decode()

    def think(rules: Any, moves: Any, level: str, _seconds: float) -> Advice:
        return advise(Game.replay(rules, moves), level=level, seed=dice.getrandbits(32))

    changes: list[tuple[Any, str, Any]] = [
        *((each, "monotonic", loop.time) for each in (subscriptions, responses, middleware)),
        *((each, "monotonic", loop.time) for each in (handlers, computer, players)),
        (handlers, "REACTION_LIMIT", REACTIONS),
        (events, "time", wall_clock),
        (events, "token_urlsafe", token),
        (computer, "think", think),
        (computer.Thinkers, "_started", lambda _: THINKING),
    ]
    with ExitStack() as stack:
        for where, name, value in changes:
            stack.enter_context(patch.object(where, name, value))
        yield
