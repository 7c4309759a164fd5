"""Group commit: the changes that arrive while one transaction is written share the next.

A disk confirms some hundreds of transactions a second, however small; so one serves many games.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from noughts.service.metrics import COMMIT_SECONDS, COMMITTED, GROUP_SIZE
from noughts.service.play.events import Change
from noughts.service.play.groups import Groups
from noughts.service.play.storage import Storage, in_time

MAX_GROUP = 500  # changes in one transaction


class Writer:
    """Writes changes to the store, one transaction at a time.

    In the event loop it calls `committed` with the changes that a transaction has written, before
    the tasks that wait for them go on.
    """

    def __init__(self, store: Storage, committed: Callable[[list[Change]], None]) -> None:
        self._store = store
        self._committed = committed
        self._groups = Groups(self._write, MAX_GROUP)
        self._thread = ThreadPoolExecutor(1, "writer")

    async def commit(self, change: Change) -> bool:
        """Write a change; return whether its event was the first in its place.

        Raises:
            StoreError: the store does not answer, so the change may be written or not: tried again
                under the same key, it is one event.
        """
        return await self._groups.ask(change)

    async def close(self) -> None:
        """Wait for what is being written."""
        await self._groups.close()
        self._thread.shutdown()

    async def _write(self, changes: list[Change]) -> list[bool]:
        """Write these changes in one transaction; return which of them were written."""
        with COMMIT_SECONDS.time():
            writing = asyncio.get_running_loop().run_in_executor(
                self._thread, self._store.commit, changes
            )
            # A shared store has only so much time: if this is written after all, a new try finds
            # it in the log. Nobody looks into the log of a file, so its answer is waited for.
            written = await (in_time(writing) if self._store.notifications else writing)
        accepted = [change for change, ok in zip(changes, written, strict=True) if ok]
        self._committed(accepted)
        GROUP_SIZE.observe(len(changes))
        COMMITTED.inc(len(accepted))
        return written
