"""A round: one simulated cluster with its clients and faults, checked while it runs."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from hashlib import blake2b
from math import inf
from random import Random
from typing import Any, NamedTuple

import msgspec

from lab.faults.check import Checker
from lab.faults.history import Record
from lab.faults.injections import in_turn
from lab.simulation.clients import SILENCE, Place, Table, Watcher
from lab.simulation.cluster import EPOCH, Cluster
from lab.simulation.faults import FAULTS, often
from lab.simulation.loop import VirtualLoop
from noughts.service.play.events import Event, NewGame

TABLES = 112
REST = 0.5, 7.0  # seconds between the starts of two faults
RECOVERY = 10.0  # seconds after the last fault in which every table must go on
QUIET = 12.0  # seconds until everything has come to rest after the last request
CAUGHT_UP = 5.0  # seconds in which a stream shows what was committed
STALLED = 300.0  # seconds without a move after which a round ends

_encode = msgspec.json.Encoder().encode


class Injected(NamedTuple):
    """A fault, the time at which it starts, and what decides its details."""

    at: float
    name: str
    seed: int


class Plan(NamedTuple):
    """All that decides a round."""

    seed: str
    moves: float  # that the databases have before the last fault
    tables: tuple[int, ...]
    faults: tuple[Injected, ...]  # in their order; more than a round needs
    until: float = inf  # when the last fault ends at the latest, in seconds

    @classmethod
    def of(cls, seed: str, moves: int, names: list[str]) -> Plan:
        """Return the plan of a seed."""
        dice, at, faults = Random(f"{seed} faults"), 5.0, []
        turns = in_turn(often(names), dice) if names else iter(())
        for name in turns:
            faults.append(Injected(at, name, dice.getrandbits(32)))
            at += dice.uniform(*REST)
            if len(faults) > moves:
                break
        return cls(seed, moves, tuple(range(TABLES)), tuple(faults))


class Finding(Exception):
    """What is wrong first."""


class Round:
    """One cluster, with all that happens to it.

    Attributes:
        plan: What decides it.
        findings: What went wrong: the first that was noticed, or all that the end has shown.
        moves: How many moves the databases have.
        faults: How often each fault happened.
        records: The history of each game, and of requests that create one under "".
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.loop = VirtualLoop()  # type: ignore[abstract]  # a simulation uses no files or signals
        self.findings: list[str] = []
        self.moves = 0
        self.faults: Counter[str] = Counter()
        self.started: list[Injected] = []
        self.records: dict[str, list[Record]] = {}
        self._games: dict[int, str] = {}  # of the requests
        self._checker = Checker()
        self._digest = blake2b()
        self.stopped = 0.0  # when the last fault was healed
        self._latest = 0.0  # when the last move was committed
        self._moved = asyncio.Event()  # the number of moves is reached, or something is wrong

    @property
    def digest(self) -> str:
        """A hash of everything that was recorded."""
        return self._digest.hexdigest()

    def run(self) -> list[str]:
        """Run it; return what went wrong."""
        self.loop.run(self._play())
        if not self.findings:  # nobody needs these, and the garbage collector would search them
            self.records.clear()
            self._checker = Checker()
        return self.findings

    def write(self, what: str, **fields: Any) -> None:
        """Take in a record with the current time: the history of `lab.faults`."""
        record = {"at": self.loop.time(), "what": what, **fields}
        self._digest.update(_encode(record))
        game = fields.get("game")
        if "request" in fields:
            path = fields.get("path", "").split("/")
            game = self._games.setdefault(fields["request"], path[3] if len(path) > 3 else "")
        self.records.setdefault(game or "", []).append(record)
        if wrong := self._checker.take(record):
            self._find(wrong)

    def _find(self, wrong: list[str]) -> None:
        self.findings += wrong
        self._moved.set()

    def _committed(self, what: NewGame | Event) -> None:
        """Take in what a database has committed."""
        fields: Record = what._asdict()
        if isinstance(what, NewGame):
            self.write("made", game=what.id, made=fields | {"rules": str(what.rules), "invite": 0})
        else:
            self.write("event", game=what.game, event=fields)
            if what.kind == "move":
                self.moves += 1
                self._latest = self.loop.time()
                if self.moves >= self.plan.moves:
                    self._moved.set()

    async def _play(self) -> None:
        plan = self.plan
        dice = Random(plan.seed)
        cluster = Cluster(self.loop, dice, self._committed, lambda problem: self._find([problem]))
        await asyncio.sleep(1)
        place = Place(cluster, self, plan.seed)
        tables = [Table(place, number) for number in plan.tables]
        playing = [self.loop.create_task(table.play()) for table in tables]
        injecting = self.loop.create_task(self._inject(cluster))
        await self._until_moved()
        self.stopped = self.loop.time()
        injecting.cancel()
        await asyncio.gather(injecting, return_exceptions=True)
        if not self.findings:
            await self._end(cluster, place, playing)
        for server in cluster.servers:
            await server.kill()

    async def _until_moved(self) -> None:
        """Wait for the last move, or until nothing moves any more."""
        until = self.plan.until
        while not self._moved.is_set() and self.loop.time() < until:
            with suppress(TimeoutError):
                async with asyncio.timeout(min(STALLED, until - self.loop.time())):
                    await self._moved.wait()
            if self.loop.time() > self._latest + STALLED:
                self._find([f"no move in {STALLED:.0f} s"])

    async def _inject(self, cluster: Cluster) -> None:
        """Start the planned faults, and heal those that have started when cancelled."""
        async with asyncio.TaskGroup() as group:
            for injected in self.plan.faults:
                await asyncio.sleep(injected.at - self.loop.time())
                self.faults[injected.name] += 1
                self.started.append(injected)
                fault = FAULTS[injected.name](cluster, Random(injected.seed))
                group.create_task(self._last(fault))

    @staticmethod
    async def _last(fault: AsyncIterator[float]) -> None:
        """Let a fault last as long as it says; heal it early if cancelled."""
        async for seconds in fault:
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(seconds)

    async def _end(self, cluster: Cluster, place: Place, playing: list[asyncio.Task[None]]) -> None:
        """Let everything recover and come to rest, and check what only the end shows."""
        place.calm()
        self.write("healed", name="all")
        await asyncio.sleep(RECOVERY)
        place.ending = True
        place.calm()
        await asyncio.wait(playing, timeout=QUIET)
        # Until clients have left the streams that a fault has silenced, without their noticing.
        await asyncio.sleep(max(CAUGHT_UP, self.stopped + SILENCE + 2 - self.loop.time()))
        for task in playing:
            if task.done() and not task.cancelled() and (error := task.exception()):
                self._find([f"a client failed: {error!r}"])
        for watcher in [*place.watchers]:
            self._follows(watcher)
        now = (EPOCH + self.loop.time()) * 1000
        for log in self._checker.logs.values():
            deadline = log.deadline()
            if deadline is not None and deadline < now - RECOVERY * 1000:
                self._find([f"game {log.id} goes on, although time is up"])
        if not self.findings:
            self._find([*self._checker.finish(RECOVERY)])

    def _follows(self, watcher: Watcher) -> None:
        """Check that an open stream has shown everything."""
        if watcher.connected < self.loop.time() - CAUGHT_UP:
            self.write("watching", stream=watcher.number, game=watcher.game)
