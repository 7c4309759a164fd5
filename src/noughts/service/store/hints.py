"""Hints between the servers that share a PostgreSQL database: which games have news.

A hint is sent after the commit, in one message for many games, and may be lost. Who hears one
reads the log; and every server looks there by itself now and then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

import msgspec
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from noughts.service.play.events import Event
from noughts.service.play.storage import Heard, StoreError

CHANNEL = "noughts"
MOST = 200  # games in one message: PostgreSQL allows 8000 bytes
PAUSE = 1.0  # seconds before connecting anew

log = logging.getLogger("noughts")


class NotifyHints:
    """Hints by PostgreSQL's NOTIFY; what is told while one message is sent goes into the next.

    Args:
        engine: connects to the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._latest: dict[str, int] = {}
        self._task: asyncio.Task[None] | None = None

    def tell(self, events: Iterable[Event]) -> None:
        """Tell the other servers of these events, soon."""
        self._latest |= {event.game: event.seq for event in events}
        if self._task is None:
            self._task = asyncio.create_task(self._send_all())

    async def close(self) -> None:
        """Wait for what is being sent."""
        if self._task:
            await self._task

    async def _send_all(self) -> None:
        """Send until nothing is left."""
        while self._latest:
            news = {id: self._latest.pop(id) for id in list(self._latest)[:MOST]}
            try:
                await asyncio.to_thread(self._send, news)
            except SQLAlchemyError as error:  # the others look for themselves, a little later
                log.warning("no hints to PostgreSQL: %s", error.__cause__ or error)
        self._task = None

    def _send(self, news: dict[str, int]) -> None:
        message = msgspec.json.encode(news).decode()
        with self._engine.begin() as connection:
            connection.execute(select(func.pg_notify(CHANNEL, message)))

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]]) -> None:
        """Pass on every hint to `heard`, for ever; after each new connection call `look`."""
        import psycopg  # here: with SQLite nobody needs it, and it takes its time

        url = self._engine.url.set(drivername="postgresql")
        address = url.render_as_string(hide_password=False)
        while True:
            try:
                connect = psycopg.AsyncConnection.connect(address, autocommit=True)
                async with await connect as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await look()
                    async for hint in connection.notifies():
                        await heard(read(hint.payload))
            except (psycopg.Error, StoreError) as error:
                log.warning("no hints from PostgreSQL: %s", str(error).strip().partition("\n")[0])
            except Exception:  # whatever it is, the next hint is heard
                log.exception("hints from PostgreSQL have failed")
            await asyncio.sleep(PAUSE)


def read(message: str) -> dict[str, int]:
    """The latest seq by game; nothing if the message is not a hint: anybody may send there."""
    try:
        return msgspec.json.decode(message, type=dict[str, int])
    except msgspec.DecodeError:
        log.warning("no hint of ours: %.100r", message)
        return {}
