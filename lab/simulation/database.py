"""A model of a database: what is committed, and the stores through which servers reach it.

A call takes effect at one moment, as in a transaction that nothing interleaves with. It may fail
before or after that moment, or take its time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from noughts.service.play import storage
from noughts.service.play.events import MARK, Change, Event, NewGame, Seats, now
from noughts.service.play.storage import (
    PAGE,
    SHOWN,
    DamagedGame,
    Heard,
    Loaded,
    Met,
    StoreError,
)
from noughts.service.play.subscriptions import Streams
from noughts.service.store.postgresql import PAUSE
from noughts.service.store.sql import AHEAD, OPEN_FOR
from noughts.service.store.tables import PREFIX

if TYPE_CHECKING:
    from lab.simulation.cluster import Process


class Database:
    """What a database has committed.

    Attributes:
        stalled: Calls that wait, as nothing is answered at present; None if all are.
    """

    def __init__(self, number: int, record: Callable[[NewGame | Event], object]) -> None:
        self.name = f"database-{number}"
        self.number = number
        self._record = record
        self.up = True
        self.stalled: list[Callable[[], None]] | None = None
        self.crashes = 0
        self.games: dict[str, NewGame] = {}
        self.logs: dict[str, list[Event]] = {}
        self.seats: dict[bytes, Seats] = {}
        self.due: dict[str, int] = {}
        self.clocks: dict[str, int] = {}
        self.listening: dict[Notifications, asyncio.Queue[Message]] = {}

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes as one transaction; return for each whether its place was free."""
        if any(change.event and change.event.game not in self.games for change in changes):
            raise StoreError("an event without a game")  # a foreign key
        written = [self._write(change) for change in changes]
        for change in (change for change, ok in zip(changes, written, strict=True) if ok):
            self.seats |= {given.token: given for given in change.seats}
            if change.due:
                self.due.pop(change.due[0], None)
                if change.due[1]:
                    self.due[change.due[0]] = now()
            if change.clock:
                game, at = change.clock
                if at is None:
                    self.clocks.pop(game, None)
                else:
                    self.clocks.setdefault(game, at)
        return written

    def _write(self, change: Change) -> bool:
        event, game = change.event, change.game
        if event:
            log = self.logs[event.game]
            if event.seq <= len(log):
                return False
            log.append(event)  # even if it leaves a gap: the checker reports it
            self._record(event)
        if game and game.id in self.games:
            return False
        if game:
            self.games[game.id], self.logs[game.id] = game, []
            self._record(game)
        return True

    def crash(self) -> None:
        """End at once: what is committed is kept, and whoever waits for an answer gets none."""
        self.up = False
        self.crashes += 1
        self.stalled = None
        self.cut_listeners()

    def stall(self) -> None:
        """Let all calls wait that arrive from now on."""
        self.stalled = self.stalled or []

    def go_on(self) -> None:
        """Let the calls that wait take effect."""
        waiting, self.stalled = self.stalled, None
        for call in waiting or ():
            call()

    def cut_listeners(self) -> None:
        """End the connections on which servers listen for notifications."""
        for queue in self.listening.values():
            queue.put_nowait(None)


class SimulatedStore:
    """A database as one process reaches it: a `Storage`."""

    def __init__(self, database: Database, process: Process) -> None:
        self.database = database
        self._notify = Notifications(database, process)
        self.notifications: storage.Notifications | None = self._notify
        self.threads: Any = self  # `Process.call` finds the store here
        self.url = f"simulated://{database.number}"
        self.prefix: str | None = None

    def __hash__(self) -> int:  # sets of stores have the same order in every run
        return self.database.number

    def __eq__(self, other: object) -> bool:
        return self is other

    def alive(self) -> None:
        """Check that the database answers; the call has failed otherwise."""
        self.prefix = f"{self.database.number:0{PREFIX - 1}}{MARK}"

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes together, and notify the other servers of what was written."""
        written = self.database.commit(changes)
        logged = [each.event for each, ok in zip(changes, written, strict=True) if ok]
        if events := [event for event in logged if event]:
            self._notify.send(events)
        return written

    def load(self, ids: Iterable[str]) -> list[Loaded | DamagedGame]:
        """Return these games with the first page of their logs."""
        return [
            Loaded(self.database.games[id], self.database.logs[id][:PAGE])
            for id in ids
            if id in self.database.games
        ]

    def events(self, known: Mapping[str, int]) -> list[Event]:
        """Return at most `PAGE` events of each game after the known seq."""
        logs = self.database.logs
        return [e for id in sorted(known) for e in logs.get(id, ())[known[id] : known[id] + PAGE]]

    def seats(self, tokens: Iterable[bytes]) -> list[Seats]:
        """Return the seats of these tokens."""
        return [self.database.seats[token] for token in tokens if token in self.database.seats]

    def open_games(self) -> list[NewGame]:
        """Return the listed games that are waiting for a player, the newest first."""
        return [game for game in self._listed() if not self.database.logs[game.id]][:SHOWN]

    def begun_games(self) -> list[str]:
        """Return the ids of the latest listed games that have two players."""
        return [game.id for game in self._listed() if self.database.logs[game.id]][:200]

    def _listed(self) -> list[NewGame]:
        listed = [g for g in self.database.games.values() if g.listed and g.at > now() - OPEN_FOR]
        return sorted(listed, key=lambda game: -game.at)

    def clocks(self) -> list[tuple[str, int]]:
        """Return the games whose clock may run."""
        return [*self.database.clocks.items()]

    def put_off(self, earliest: Mapping[str, int]) -> None:
        """Set new earliest times of clocks that run."""
        clocks = self.database.clocks
        clocks |= {game: at for game, at in earliest.items() if game in clocks}

    def forget(self, before: int) -> tuple[int, bool]:
        """Delete nothing: no game is idle for that long."""
        return 0, False

    def claim(self, before: int) -> list[str]:
        """Claim and return the games whose computer is overdue."""
        due = self.database.due
        claimed = [game for game, at in due.items() if at < before or at > now() + AHEAD]
        due |= dict.fromkeys(claimed, now())
        return claimed

    def close(self) -> None:
        """Close nothing."""


Message = tuple[str, list[Event], dict[str, Streams]] | None
"""The sending server, its events and its streams; None if the connection has ended."""


class Notifications:
    """Notifications between the processes of a database."""

    def __init__(self, database: Database, process: Process) -> None:
        self._database = database
        self._process = process

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Notify the other servers of these streams."""
        self.send([], streams)

    def send(self, events: list[Event], streams: Mapping[str, Streams] | None = None) -> None:
        """Send events and streams to every other process that listens."""
        message = self._process.server.name, events, dict(streams or {})
        if self._process.reaches(self._database):
            for other in self._database.listening:
                if other is not self:
                    self._bring(other, message)

    def _bring(self, other: Notifications, message: Message) -> None:
        """Bring a message to a listener, which it may not reach."""
        process, queue = other._process, self._database.listening[other]
        loop, network, dice = process.cluster.loop, process.cluster.network, process.server.dice
        for _ in range(1 + (dice.random() < network.doubled)):
            if dice.random() >= network.dropped:
                seconds = process.latency() * 50 if network.shuffled else network.delay
                loop.bring(loop.time() + seconds, process, queue.put_nowait, message)

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass on messages; look after each connection, as messages before it are lost."""
        while True:
            if self._process.reaches(self._database):
                queue: asyncio.Queue[Message] = asyncio.Queue()
                self._database.listening[self] = queue
                try:
                    await look()
                    while message := await queue.get():
                        server, events, streams = message
                        await heard(events)
                        met(server, streams)
                except StoreError:
                    pass
                except Exception as error:
                    self._process.cluster.problem(f"a notification has failed: {error!r}")
                finally:
                    self._database.listening.pop(self, None)
            await asyncio.sleep(PAUSE)

    async def close(self) -> None:
        """Wait for nothing: messages are sent at once."""
