"""Group commit: changes that arrive while one transaction is written share the next.

A disk confirms some hundreds of transactions a second, however small; so one serves many games.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.exc import SQLAlchemyError

from noughts.service.metrics import COMMIT_SECONDS, COMMITTED, GROUP_SIZE
from noughts.service.play.events import Change
from noughts.service.play.refusal import Refused
from noughts.service.store.store import Store, in_time

MAX_GROUP = 500  # changes in one transaction

log = logging.getLogger("noughts")


class Writer:
    """The one who writes to the store.

    Args:
        store: where to.
        committed: called in the event loop with the changes of each transaction that were written,
            before those who wait for them are told.
    """

    def __init__(self, store: Store, committed: Callable[[list[Change]], None]) -> None:
        self._store = store
        self._committed = committed
        self._waiting: list[tuple[Change, asyncio.Future[bool]]] = []
        self._task: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "writer")

    async def commit(self, change: Change) -> bool:
        """Write a change; whether its event was the first in its place.

        Raises:
            Refused: the database is not available. Whether the change was written is not known:
                the same event, tried again under the same key, is one event.
        """
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, done))
        if self._task is None:
            self._task = asyncio.create_task(self._write())
        return await done

    async def close(self) -> None:
        """Wait for what is being written."""
        if self._task:
            await self._task
        self._thread.shutdown()

    async def _write(self) -> None:
        """Write until nothing is left."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            group, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
            changes = [change for change, _ in group]
            try:
                with COMMIT_SECONDS.time():
                    writing = loop.run_in_executor(self._thread, self._store.commit, changes)
                    # What is given up may be written yet; then those who share it look for it.
                    written = await (in_time(writing) if self._store.shared else writing)
                accepted = [change for change, ok in zip(changes, written, strict=True) if ok]
                self._committed(accepted)
            except Exception as error:  # whatever it is, the next group is written
                failure = _refusal(error) if isinstance(error, SQLAlchemyError) else error
                for _, done in group:
                    if not done.done():
                        done.set_exception(failure)
                continue
            GROUP_SIZE.observe(len(group))
            COMMITTED.inc(len(accepted))
            for (_, done), ok in zip(group, written, strict=True):
                if not done.done():  # whoever waited may have gone
                    done.set_result(ok)
        self._task = None


def _refusal(error: SQLAlchemyError) -> Refused:
    log.warning("the database does not answer: %s", error.__cause__ or error)
    refused = Refused("unavailable", "the database does not answer", retry_after=1)
    refused.__cause__ = error
    return refused
