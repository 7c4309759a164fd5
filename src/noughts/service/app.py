"""The service: the stores, the games and the HTTP interface, put together."""

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
from noughts.service.play.databases import Databases
from noughts.service.play.events import now
from noughts.service.play.games import Games
from noughts.service.play.storage import Storage, StoreError, ask
from noughts.service.play.watch import Watchers
from noughts.service.settings import Settings
from noughts.service.store.dialects import stores_at

HEARTBEAT = 15  # seconds between signs of life in event streams: proxies cut a silent connection
SWEEP = 3  # seconds between looks at databases, for overdue moves of computers and lost hints
FORGET = 3600  # seconds between searches for games to delete, and that they are kept for longer
PAUSE = 1  # seconds between transactions that delete games
DAY = 24 * 3600_000  # in ms
OVERDUE = 5000  # ms after which another server thinks instead

log: logging.Logger = logging.getLogger("noughts")


class Service:
    """One server process: its databases, their games, and who watches them."""

    def __init__(self, settings: Settings) -> None:
        self._stores = stores_at(settings.databases)
        self.watchers: Watchers = Watchers()
        computer = Computer()
        self._keep = (settings.keep or inf) * DAY
        self._databases = Databases(self._stores, self.watchers, computer, self._keep)
        self._advisor = Advisor(self._databases, computer)
        handlers = Handlers(self._databases, self._advisor, self.watchers, settings, describe())
        self.app: Dispatcher = Dispatcher(
            handlers, Hosts(settings.host_names), self._running
        )  # for ASGI

    @asynccontextmanager
    async def _running(self, _: object) -> AsyncIterator[None]:
        """Do the chores while requests are answered, then close everything."""
        looks = [partial(self._databases.look, store) for store in self._stores]
        await asyncio.gather(*(look() for look in looks), return_exceptions=True)
        chores = [_every(HEARTBEAT, self.watchers.beat), *(_every(SWEEP, look) for look in looks)]
        for store, games in self._databases.all.items():
            chores += [_every(SWEEP, partial(_sweep, store, games)), games.deadlines.run()]
            chores.append(_every(HEARTBEAT, games.recover_clocks))
            if self._keep < inf:
                chores.append(_every(SWEEP, games.forget))
                chores.append(_every(FORGET, partial(_delete_forgotten, store, self._keep)))
            if store.notifications:
                self.watchers.announce = self._databases.announce
                listen = store.notifications.listen
                chores.append(listen(games.heard, games.look, self.watchers.heard))
            else:  # when this server starts, nobody else is thinking
                chores.append(games.think_overdue(-1))
        tasks = [asyncio.create_task(chore) for chore in chores]
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._advisor.close()
        await asyncio.gather(*(games.close() for games in self._databases.all.values()))
        for each in self._stores:
            each.close()


async def _sweep(store: Storage, games: Games) -> None:
    """Look for overdue moves of the computer and for lost hints."""
    await games.think_overdue(OVERDUE)
    if store.notifications:
        await games.look()


async def _delete_forgotten(store: Storage, keep: float) -> None:
    """Delete forgotten games, few at a time, when no server decides anything in them any more.

    All servers on a database may do so at once.
    """
    more = True
    while more:
        count, more = await ask(store, store.forget, int(now() - keep) - FORGET * 1000)
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
