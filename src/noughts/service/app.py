"""The service: the store, the games and the HTTP interface, put together."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from math import inf

from noughts.service.http.dispatch import Dispatcher
from noughts.service.http.guard import Hosts
from noughts.service.http.handlers import Handlers
from noughts.service.http.routes import describe
from noughts.service.metrics import FORGOTTEN
from noughts.service.play.advisor import Advisor
from noughts.service.play.computer import Computer
from noughts.service.play.events import now
from noughts.service.play.games import Games
from noughts.service.play.storage import StoreError, ask
from noughts.service.play.watch import Watchers
from noughts.service.settings import Settings
from noughts.service.store.database import store_at

HEARTBEAT = 15  # seconds between signs of life in event streams: proxies cut a silent connection
SWEEP = 3  # seconds between searches for overdue moves of the computer and for lost hints
FORGET = 3600  # seconds between searches for games to delete, and that they are kept for longer
PAUSE = 1  # seconds between transactions that delete games
DAY = 24 * 3600_000  # in ms
OVERDUE = 5000  # ms after which another server thinks instead

log = logging.getLogger("noughts")


class Service:
    """One server process: its store, its games, and who watches them."""

    def __init__(self, settings: Settings) -> None:
        self._store = store_at(settings.database)
        self.watchers = Watchers()
        computer = Computer()
        self._keep = (settings.keep or inf) * DAY
        self._games = Games(self._store, self.watchers, computer, self._keep)
        self._advisor = Advisor(self._games, computer)
        alive = partial(ask, self._store.alive)
        handlers = Handlers(self._games, self._advisor, self.watchers, settings, alive, describe())
        self.app = Dispatcher(handlers, Hosts(settings.host_names), self._running)  # for ASGI
        # When this server starts, others may be thinking only if they share its store.
        self._overdue = OVERDUE if self._store.hints else -1

    @asynccontextmanager
    async def _running(self, _: object) -> AsyncIterator[None]:
        """Do the chores while requests are answered, then close everything."""
        chores = [_every(HEARTBEAT, self.watchers.beat), _every(SWEEP, self._sweep)]
        chores += [_every(HEARTBEAT, self._games.recover_clocks), self._games.deadlines.run()]
        if self._keep < inf:
            chores.append(_every(SWEEP, self._games.forget))
            chores.append(_every(FORGET, self._delete_forgotten))
        if hints := self._store.hints:
            self.watchers.announce = hints.announce
            chores.append(hints.listen(self._games.heard, self._games.look, self.watchers.heard))
        tasks = [asyncio.create_task(chore) for chore in chores]
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._advisor.close()
        await self._games.close()
        self._store.close()

    async def _sweep(self) -> None:
        """Look for overdue moves of the computer and for lost hints."""
        overdue, self._overdue = self._overdue, OVERDUE
        await self._games.think_overdue(overdue)
        if self._store.hints:
            await self._games.look()

    async def _delete_forgotten(self) -> None:
        """Delete forgotten games, few at a time, when no server decides anything in them any more.

        All servers on a database may do so at once.
        """
        more = True
        while more:
            before = int(now() - self._keep) - FORGET * 1000
            count, more = await ask(self._store.forget, before)
            FORGOTTEN.inc(count)
            await asyncio.sleep(PAUSE)


async def _every(seconds: float, chore: Callable[[], Awaitable[None]]) -> None:
    """Do a chore again and again, even if it fails."""
    while True:
        try:
            await chore()
        except StoreError as error:
            log.warning("the database does not answer: %s", error)
        except Exception:
            log.exception("a chore of the server has failed")
        await asyncio.sleep(seconds)
