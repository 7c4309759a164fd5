"""The service: the games, their store and what answers requests about them, put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from noughts.service.http.dispatch import Dispatcher
from noughts.service.http.handlers import Handlers
from noughts.service.http.openapi import describe
from noughts.service.http.routes import ROUTES
from noughts.service.play.computer import Computer
from noughts.service.play.games import Games
from noughts.service.play.storage import StoreError, ask
from noughts.service.play.watch import Watchers
from noughts.service.settings import Settings
from noughts.service.store.database import store_at

SWEEP = 3  # seconds between looks for overdue computers and lost hints

log = logging.getLogger("noughts")


class Service:
    """One server process: its store, its games, and who watches them.

    Attributes:
        watchers: the event streams.
        app: the ASGI application.
    """

    def __init__(self, settings: Settings) -> None:
        self._store = store_at(settings.database)
        self.watchers = Watchers()
        self._games = Games(self._store, self.watchers, Computer())
        alive = partial(ask, self._store.alive)
        handlers = Handlers(self._games, self.watchers, settings, alive, describe(ROUTES))
        self.app = Dispatcher(handlers, self._running)

    @asynccontextmanager
    async def _running(self, _: object) -> AsyncIterator[None]:
        """The time in which requests are answered."""
        chores = [self.watchers.beat(), self._sweep()]
        if self._store.hints:
            chores.append(self._store.hints.listen(self._games.heard, self._games.look))
        tasks = [asyncio.create_task(_for_ever(chore)) for chore in chores]
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._games.close()
        self._store.close()

    async def _sweep(self) -> None:
        """Every few seconds, look for what no event brings: overdue computers and lost hints."""
        # At once after the start, however short they are due, unless others may think already.
        overdue = 5000 if self._store.hints else -1
        while True:
            try:
                await self._games.think_overdue(overdue)
                if self._store.hints:
                    await self._games.look()
            except StoreError as error:
                log.warning("the database does not answer: %s", error)
            except Exception:  # whatever it is, the next look may find something
                log.exception("a look for overdue computers and lost hints has failed")
            overdue = 5000
            await asyncio.sleep(SWEEP)


async def _for_ever(chore: Coroutine[Any, Any, None]) -> None:
    """Run a chore, and log it if it fails."""
    try:
        await chore
    except Exception:
        log.exception("a chore of the server has ended")
        raise
