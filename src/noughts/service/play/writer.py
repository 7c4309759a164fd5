"""Group commit: the changes that arrive while one transaction is written share the next.

A disk confirms some hundreds of transactions a second, however small; so one serves many games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from noughts.service.metrics import COMMIT_SECONDS, COMMITTED, GROUP_SIZE
from noughts.service.play.events import Change
from noughts.service.play.storage import Storage, in_time

MAX_GROUP = 500  # changes in one transaction


class Writer:
    """Writes changes to the store, one transaction at a time.

    Args:
        store: where to.
        committed: called in the event loop with the changes that a transaction has written, before
            those who wait for them go on.
    """

    def __init__(self, store: Storage, committed: Callable[[list[Change]], None]) -> None:
        self._store = store
        self._committed = committed
        self._next: list[Change] = []  # the group that still grows
        self._last: asyncio.Task[list[bool]] | None = None  # writes it
        self._thread = ThreadPoolExecutor(1, "writer")

    async def commit(self, change: Change) -> bool:
        """Write a change; whether its event was the first in its place.

        Raises:
            StoreError: the store does not answer. Whether the change was written is not known: the
                same event, tried again under the same key, is one event.
        """
        if self._last is None or len(self._next) in {0, MAX_GROUP}:
            self._next = []
            self._last = asyncio.create_task(self._write(self._next, self._last))
        place, writing = len(self._next), self._last
        self._next.append(change)
        return (await asyncio.shield(writing))[place]  # it is written even if this is cancelled

    async def close(self) -> None:
        """Wait for what is being written."""
        if self._last:
            await asyncio.wait([self._last])
        self._thread.shutdown()

    async def _write(self, group: list[Change], before: asyncio.Task[Any] | None) -> list[bool]:
        """Write a group after the one before it; which of its changes were written."""
        if before:
            await asyncio.wait([before])
        if self._next is group:
            self._next = []
        with COMMIT_SECONDS.time():
            writing = asyncio.get_running_loop().run_in_executor(
                self._thread, self._store.commit, group
            )
            # A shared store is given up in time: if this is written after all, whoever tries again
            # finds it in the log. With a file nobody looks there, so its answer is waited for.
            written = await (in_time(writing) if self._store.hints else writing)
        accepted = [change for change, ok in zip(group, written, strict=True) if ok]
        self._committed(accepted)
        GROUP_SIZE.observe(len(group))
        COMMITTED.inc(len(accepted))
        return written
