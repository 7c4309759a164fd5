"""Scheduling: fair queues, batches of questions, group commit and deadlines."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from typing import Generic, TypeVar

from noughts.service.metrics import COMMIT_SECONDS, COMMITTED, GROUP_SIZE
from noughts.service.play.events import Change, now
from noughts.service.play.storage import Storage, StoreError, in_time


class FairQueue:
    """A few places, given to clients in turn; each client is served in order of arrival."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # the first is next

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[int]:
        """Hold a place when it is this client's turn; yield how many more it is waiting for."""
        if self._free:
            self._free -= 1
        else:
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(who, deque()).append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self._pass_on()
                raise
        try:
            yield len(self._waiting.get(who, ()))
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        """Give the place to the next in the queue, or free it."""
        for who, places in list(self._waiting.items()):
            del self._waiting[who]
            while places:
                place = places.popleft()
                if not place.done():  # the waiting task may have ended
                    if places:
                        self._waiting[who] = places  # after all others
                    place.set_result(None)
                    return
        self._free += 1


REST = 0.02  # maximum seconds of rest after a batch

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Batches(Generic[Question, Answer]):
    """Asks questions in batches of at most `most`; those that arrive during one share the next.

    `answers` returns answers in the order of the questions. An answer that is an exception is
    raised by `ask` for its question; an exception raised by `answers` fails the whole batch.

    After a batch of several, it rests for half of the time that the batch took, so that more share
    the next. With 100 games on SQLite, a move then takes 10% less processor time, and none is
    confirmed later.
    """

    def __init__(
        self,
        answers: Callable[[list[Question]], Awaitable[Sequence[Answer | Exception]]],
        most: int,
    ) -> None:
        self._answers = answers
        self._most = most
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Answer:
        """Return the answer, once the batch of this question has been asked."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, answered))
        if self._task is None:
            self._task = asyncio.create_task(self._ask_all())
        return await answered

    async def close(self) -> None:
        """Wait until every question is answered."""
        if self._task:
            await self._task

    async def _ask_all(self) -> None:
        clock = asyncio.get_running_loop().time
        while self._waiting:
            batch, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            answers: Sequence[Answer | Exception]
            start = clock()
            try:
                answers = await self._answers([question for question, _ in batch])
            except Exception as error:  # one failing batch must not stop the next
                answers = [error] * len(batch)
            took = clock() - start
            for (_, answered), answer in zip(batch, answers, strict=True):
                if answered.done():  # the waiting task has ended
                    continue
                if isinstance(answer, Exception):
                    answered.set_exception(answer)
                else:
                    answered.set_result(answer)
            if len(batch) > 1:
                await asyncio.sleep(min(took / 2, REST))
        self._task = None


MAX_GROUP = 500  # changes in one transaction


class Writer:
    """Group commit: changes that arrive during one transaction share the next.

    A disk confirms a few hundred transactions a second, however small, so one has to serve many
    games. In the event loop, `committed` is called with the changes that a transaction has written,
    before the tasks that wait for them go on.
    """

    def __init__(self, store: Storage, committed: Callable[[list[Change]], None]) -> None:
        self._store = store
        self._committed = committed
        self._batches = Batches(self._write, MAX_GROUP)
        self._thread = ThreadPoolExecutor(1, "writer")

    async def commit(self, change: Change) -> bool:
        """Write a change; return whether its event was the first in its place.

        Raises StoreError if the store is not responding, so the change may or may not be written.
        Tried again under the same key, it is still one event.
        """
        return await self._batches.ask(change)

    async def close(self) -> None:
        """Wait for the changes that are being written."""
        await self._batches.close()
        self._thread.shutdown()

    async def _write(self, changes: list[Change]) -> list[bool]:
        """Write these changes in one transaction; return for each whether it was written."""
        with COMMIT_SECONDS.time():
            writing = asyncio.get_running_loop().run_in_executor(
                self._thread, self._store.commit, changes
            )
            # A shared store has a time limit: if it writes the change after all, a retry finds it
            # in the log. A file is written by this server only, so its answer is waited for.
            written = await (in_time(writing) if self._store.notifications else writing)
        accepted = [change for change, ok in zip(changes, written, strict=True) if ok]
        self._committed(accepted)
        GROUP_SIZE.observe(len(changes))
        COMMITTED.inc(len(accepted))
        return written


TICK_SECONDS = 0.1  # games that end within a tick are read and written together
DUE_AT_ONCE = 200  # games that are checked together
RETRY_MS = 1000  # before the next attempt if the store is not responding
RETRY_FAILING_MS = 15_000  # before a game that fails on its own is checked again

log: logging.Logger = logging.getLogger("noughts")

End = Callable[[list[str]], Awaitable[dict[str, int]]]
"""Ends those of these games whose time is up; returns when to check the others again."""


class Deadlines:
    """The times at which games are checked for a player whose time is up, connected or not.

    The first entry of a game may be earlier than its deadline but never later, so a move that
    postpones the deadline costs nothing here. A game has a later entry only if that was set first.
    """

    def __init__(self, end: End) -> None:
        self._end = end
        self._heap: list[tuple[int, str]] = []
        self._at: dict[str, list[int]] = {}  # the entries of each game, the first one last

    def set(self, game: str, at: int) -> None:
        """Schedule a check of this game no later than `at` (Unix ms)."""
        entries = self._at.setdefault(game, [])
        if not entries or at < entries[-1]:
            entries.append(at)
            heappush(self._heap, (at, game))

    async def run(self) -> None:
        """Check games for ever."""
        while True:
            if due := self._due():
                await self._check(due)
            if len(due) < DUE_AT_ONCE:  # otherwise more may be overdue
                await asyncio.sleep(TICK_SECONDS)

    def _due(self) -> list[str]:
        """Take the games that are to be checked now, the earliest first."""
        due: dict[str, None] = {}
        while self._heap and self._heap[0][0] <= now() and len(due) < DUE_AT_ONCE:
            _, game = heappop(self._heap)
            self._at[game].pop()
            if not self._at[game]:
                del self._at[game]
            due[game] = None
        return [*due]

    async def _check(self, games: list[str]) -> None:
        """End these games if their time is up, and schedule a check of the others."""
        try:
            later = await self._end(games)
        except StoreError as error:
            log.warning("cannot check the clocks of %s games: %s", len(games), error)
            later = dict.fromkeys(games, now() + RETRY_MS)
        except Exception:  # one failing game must not stop the others
            log.exception("the clocks of %s games failed", len(games))
            later = dict.fromkeys(games, now() + (RETRY_MS if len(games) > 1 else RETRY_FAILING_MS))
        for game, at in later.items():
            self.set(game, at)
