"""The simulated cluster: servers, their processes and databases, and what is between them."""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from lab.simulation.database import Database, SimulatedStore
from lab.simulation.loop import OWNER, Handle, VirtualLoop
from lab.simulation.network import Network
from noughts.game.game import Game
from noughts.opponent import Advice, advise
from noughts.service import app
from noughts.service.play import computer
from noughts.service.play.events import WORLD, World
from noughts.service.play.storage import StoreError
from noughts.service.server import GRACE
from noughts.service.settings import Settings

SERVERS, DATABASES = 3, 2
EPOCH = 1_750_000_000  # Unix time at which every simulation begins
UNANSWERED = 4.0  # seconds after which a server gives up a database that no longer answers
SETTINGS = Settings(create_limit=0, join_limit=0, move_limit=0, render_limit=0, streams=0)


class Server:
    """A machine that runs one process of the server at a time.

    Attributes:
        offset: Seconds by which its clock is wrong.
    """

    def __init__(self, cluster: Cluster, number: int) -> None:
        self.cluster = cluster
        self.name = f"server-{number}"
        self.dice = Random(cluster.dice.getrandbits(64))
        self.offset = 0.0
        self.process: Process | None = None
        self.start()

    def start(self) -> None:
        """Start a process, if none runs."""
        if self.process is None:
            self.process = Process(self)

    async def kill(self) -> None:
        """End the process at once; what has reached a database may still take effect."""
        if process := self.process:
            self.process = None
            await process.end()

    async def drain(self) -> None:
        """End the process as SIGTERM does."""
        if process := self.process:
            await process.drain()
            await self.kill()


class Process:
    """A server process, which runs the real application on simulated databases: an `Owner`."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.cluster = server.cluster
        self.alive = True
        self.held: list[Handle] | None = None
        self.tasks: list[asyncio.Task[Any]] = []
        self.context = copy_context()
        self.context.run(OWNER.set, self)
        self.context.run(WORLD.set, World(self._time, self.cluster.loop.time, self._token))
        self._stop = asyncio.Event()
        stores = [SimulatedStore(each, self) for each in self.cluster.databases]
        self._service = app.Service(replace(SETTINGS, host=server.name), stores)
        self.app = self._service.app
        self.spawn(self._live())

    def _time(self) -> float:
        return EPOCH + self.cluster.loop.time() + self.server.offset

    def _token(self, size: int) -> str:
        return urlsafe_b64encode(self.server.dice.randbytes(size)).rstrip(b"=").decode()

    async def _live(self) -> None:
        messages = iter(["lifespan.startup"])

        async def receive() -> dict[str, str]:
            if message := next(messages, None):
                return {"type": message}
            await self._stop.wait()
            return {"type": "lifespan.shutdown"}

        async def send(_: object) -> None:
            pass

        await self.app({"type": "lifespan"}, receive, send)

    def spawn(self, coroutine: Any) -> asyncio.Task[Any]:
        """Run a coroutine as a task of this process."""
        return self.cluster.loop.start(coroutine, self, self.context.copy())

    def pause(self) -> None:
        """Stop the process, as SIGSTOP does."""
        self.held = self.held or []

    def resume(self) -> None:
        """Let the process go on."""
        self.cluster.loop.resume(self)

    async def end(self) -> None:
        """End at once."""
        self.alive, self.held = False, None
        while tasks := [task for task in self.tasks if not task.done()]:  # some start others
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        self.tasks.clear()

    async def drain(self) -> None:
        """Finish what is in progress, as after SIGTERM."""
        self._service.subscriptions.draining = True
        await asyncio.sleep(GRACE)
        self._service.subscriptions.close()
        self._stop.set()
        await asyncio.sleep(1)

    def is_cut(self, database: Database) -> bool:
        """Return whether the network brings nothing from this process to a database or back."""
        cut = self.cluster.network.cut
        return bool(cut) and (self.server.name, database.name) in cut

    def reaches(self, database: Database) -> bool:
        """Return whether messages between this process and a database arrive."""
        return self.alive and database.up and not self.is_cut(database)

    def latency(self) -> float:
        """Return the seconds that a message of this process takes."""
        return self.cluster.network.latency(self.server.dice)

    def call(self, future: asyncio.Future[Any], executor: Any, call: partial[Any]) -> None:
        """Make a call in a thread or process: a call of a store goes to its database."""
        store = executor if isinstance(executor, SimulatedStore) else None
        if store is None:  # the writer has a thread of its own
            store = getattr(call.func, "__self__", None)
        if isinstance(store, SimulatedStore):
            Call(self, store.database, call, future)
            return
        loop, takes = self.cluster.loop, self.latency()
        if call.func is computer.think:
            *question, seconds = call.args
            call, takes = partial(self._think, *question), self.server.dice.uniform(0, seconds)
        loop.bring(loop.time() + takes, self, _settle, future, call)

    def _think(self, rules: Any, moves: Any, level: str) -> Advice:
        seed = self.server.dice.getrandbits(32)
        return advise(Game.replay(rules, moves), level=level, seed=seed)


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
        self._database = database
        self._call = call
        self._future = future  # for the answer
        self._loop = process.cluster.loop
        self._loop.bring(self._loop.time() + process.latency(), None, self._arrive)

    def _arrive(self) -> None:
        process, database = self._process, self._database
        network, dice = process.cluster.network, process.server.dice
        if not process.alive and dice.random() < 0.5:
            return  # it had not left yet
        if not database.up:
            self._fail("connection refused")
        elif process.is_cut(database):
            self._later(UNANSWERED, self._fail, "connection timed out")
        elif database.stalled is not None:
            database.stalled.append(self._arrive)
        elif network.lost_before and dice.random() < network.lost_before:
            self._fail("connection lost")
        else:
            result, error = None, None
            try:
                result = process.context.run(self._call)  # at the time of its clock
            except Exception as raised:
                error = raised
            lost = bool(network.lost_after) and dice.random() < network.lost_after
            if lost:
                error = StoreError("connection lost")
            self._later(process.latency(), self._answer, result, error, database.crashes)

    def _later(self, seconds: float, step: Callable[..., None], *args: Any) -> None:
        self._loop.bring(self._loop.time() + seconds, self._process, step, *args)

    def _answer(self, result: object, error: Exception | None, crashes: int) -> None:
        if self._database.crashes > crashes:
            self._fail("connection lost")
        elif self._process.is_cut(self._database):
            self._later(UNANSWERED, self._fail, "connection timed out")
        elif not self._future.done():
            if error:
                self._future.set_exception(error)
            else:
                self._future.set_result(result)

    def _fail(self, reason: str) -> None:
        if not self._future.done():
            self._future.set_exception(StoreError(reason))


class Cluster:
    """Databases and servers.

    Args:
        loop: The loop on which all of it runs.
        dice: What decides everything that is random here.
        record: Called with each event that a database commits, and with each game.
    """

    def __init__(
        self, loop: VirtualLoop, dice: Random, record: Callable[[Any], None], problem: Any
    ) -> None:
        self.loop = loop
        loop.outside.run(WORLD.set, World(_unknown, _unknown, _unknown))
        self.dice = dice
        self.network = Network()
        self.problem = problem
        self.databases = [Database(number, record) for number in range(DATABASES)]
        self.servers = [Server(self, number) for number in range(SERVERS)]


def _unknown(*_: object) -> Any:
    """Fail: this is not in a process, so it must not ask for the time or for a secret."""
    raise AssertionError("the real clock or real randomness was used")


def _settle(future: asyncio.Future[Any], call: Callable[[], Any]) -> None:
    """Set the result of a call, or its error."""
    if future.done():
        return
    try:
        future.set_result(call())
    except Exception as error:
        future.set_exception(error)
