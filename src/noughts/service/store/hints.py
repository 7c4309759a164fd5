"""Hints between the servers that share a PostgreSQL database: which games have news, who is here.

A hint is sent after the commit, in one message for many games, and may be lost. Who hears one
reads the log; and every server looks there by itself now and then.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeVar

import msgspec
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from noughts.service.play.events import Event, new_id
from noughts.service.play.presence import Streams
from noughts.service.play.storage import Heard, Met, StoreError

CHANNEL = "noughts"
PRESENCE = "noughts_presence"
MOST = 200  # games in one message: PostgreSQL allows 8000 bytes
MOST_PRESENT = 100  # the same, with the streams of each
PAUSE = 1.0  # seconds before connecting anew

T = TypeVar("T")


class Announcement(msgspec.Struct):
    """What one server says of its event streams, by game."""

    server: str
    streams: dict[str, Streams]


log = logging.getLogger("noughts")


class NotifyHints:
    """Hints by PostgreSQL's NOTIFY; what is told while one message is sent goes into the next.

    Args:
        engine: connects to the database.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._server = new_id()
        self._latest: dict[str, int] = {}
        self._streams: dict[str, Streams] = {}
        self._task: asyncio.Task[None] | None = None

    def tell(self, events: Iterable[Event]) -> None:
        """Tell the other servers of these events, soon."""
        self._latest |= {event.game: event.seq for event in events}
        self._start()

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Tell the other servers of the event streams of these games, soon."""
        self._streams |= streams
        self._start()

    def _start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._send_all())

    async def close(self) -> None:
        """Wait for what is being sent."""
        if self._task:
            await self._task

    async def _send_all(self) -> None:
        """Send until nothing is left."""
        while self._latest or self._streams:
            news = {id: self._latest.pop(id) for id in list(self._latest)[:MOST]}
            streams = {id: self._streams.pop(id) for id in list(self._streams)[:MOST_PRESENT]}
            messages = [(CHANNEL, msgspec.json.encode(news))] if news else []
            if streams:
                announced = Announcement(self._server, streams)
                messages.append((PRESENCE, msgspec.json.encode(announced)))
            try:
                await asyncio.to_thread(self._send, messages)
            except SQLAlchemyError as error:  # the others look for themselves, a little later
                log.warning("no hints to PostgreSQL: %s", error.__cause__ or error)
        self._task = None

    def _send(self, messages: list[tuple[str, bytes]]) -> None:
        with self._engine.begin() as connection:
            for channel, message in messages:
                connection.execute(select(func.pg_notify(channel, message.decode())))

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass on every hint to `heard` and every announcement to `met`, for ever.

        After each new connection call `look`.
        """
        import psycopg  # here: with SQLite nobody needs it, and it takes its time

        url = self._engine.url.set(drivername="postgresql")
        address = url.render_as_string(hide_password=False)
        while True:
            try:
                connect = psycopg.AsyncConnection.connect(address, autocommit=True)
                async with await connect as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await connection.execute(f"LISTEN {PRESENCE}")
                    await look()
                    async for hint in connection.notifies():
                        if hint.channel == CHANNEL:
                            await heard(read(hint.payload, dict[str, int]) or {})
                        elif (
                            said := read(hint.payload, Announcement)
                        ) and said.server != self._server:
                            met(said.server, said.streams)
            except (psycopg.Error, StoreError) as error:
                log.warning("no hints from PostgreSQL: %s", str(error).strip().partition("\n")[0])
            except Exception:  # whatever it is, the next hint is heard
                log.exception("hints from PostgreSQL have failed")
            await asyncio.sleep(PAUSE)


def read(message: str, kind: type[T]) -> T | None:
    """What a message says; None if it is not of this kind: anybody may send there."""
    try:
        return msgspec.json.decode(message, type=kind)
    except msgspec.DecodeError:
        log.warning("no hint of ours: %.100r", message)
        return None
