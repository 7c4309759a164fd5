"""Hints between servers on one PostgreSQL: which games have news.

A hint is only a hint: it is sent after the commit, in one message for many games, and may be lost.
Who hears one reads the log; and every server looks now and then by itself.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable

from pydantic import ConfigDict, TypeAdapter, ValidationError
from sqlalchemy import URL, func, select
from sqlalchemy.exc import SQLAlchemyError

from noughts.service.play.events import Change
from noughts.service.store.store import Store

CHANNEL = "noughts"
MOST = 200  # games in one message: PostgreSQL allows 8000 bytes
PAUSE = 1.0  # seconds before connecting anew
_HINT = TypeAdapter(dict[str, int], config=ConfigDict(strict=True))

log = logging.getLogger("noughts")


class Teller:
    """Tells other servers of what was committed.

    What is committed while one message is sent goes into the next.

    Args:
        store: the one they share.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._latest: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None

    def tell(self, changes: list[Change]) -> None:
        """Tell of these changes, soon."""
        self._latest |= {change.event.game: change.event.seq for change in changes if change.event}
        if self._task is None:
            self._task = asyncio.create_task(self._send())

    async def close(self) -> None:
        """Wait for what is being sent."""
        if self._task:
            await self._task

    async def _send(self) -> None:
        """Send until nothing is left."""
        while self._latest:
            news, self._latest = list(self._latest.items()), {}
            try:
                await asyncio.to_thread(_notify, self._store, news)
            except SQLAlchemyError as error:  # others look for themselves, a little later
                log.warning("no hints to PostgreSQL: %s", error.__cause__ or error)
        self._task = None


def _notify(store: Store, news: list[tuple[str, int]]) -> None:
    with store.engine.begin() as connection:
        for start in range(0, len(news), MOST):
            message = json.dumps(dict(news[start : start + MOST]), separators=(",", ":"))
            connection.execute(select(func.pg_notify(CHANNEL, message)))


async def listen(
    url: URL,
    heard: Callable[[dict[str, int]], Awaitable[None]],
    look: Callable[[], Awaitable[None]],
) -> None:
    """Pass on every hint to `heard`, for ever; after each new connection call `look`."""
    import psycopg  # here: with SQLite nobody needs it, and it takes its time

    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            connection = await psycopg.AsyncConnection.connect(address, autocommit=True)
            async with connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                await look()
                async for hint in connection.notifies():
                    await heard(_read(hint.payload))
        except (psycopg.Error, SQLAlchemyError) as error:
            log.warning("no hints from PostgreSQL: %s", str(error).strip().partition("\n")[0])
        except Exception:  # whatever it is, the next hint is heard
            log.exception("hints from PostgreSQL have failed")
        await asyncio.sleep(PAUSE)


def _read(payload: str) -> dict[str, int]:
    """The games and seqs of a message; none if it is not one of ours: anybody may send there."""
    try:
        return _HINT.validate_json(payload)
    except ValidationError:
        log.warning("no hint of ours: %.100r", payload)
        return {}
