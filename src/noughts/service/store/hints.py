"""Hints between servers that share a PostgreSQL database: which games have news, who is here.

A hint is sent after the commit, in few messages for many games, and may be lost. It carries the
events, so nobody reads them again. A server that misses one reads the log; every server also looks
there by itself now and then.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from noughts.service.play.events import Event, new_id
from noughts.service.play.storage import Heard, Met, StoreError
from noughts.service.play.subscriptions import Streams

CHANNEL = "noughts"
MOST = 16  # events in one message: PostgreSQL allows 8000 bytes, and an event may take 440
MOST_STREAMS = 100  # games in one message
PAUSE = 1.0  # seconds before reconnecting
NOTIFY = "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message"

log: logging.Logger = logging.getLogger("noughts")


class Message(msgspec.Struct):
    """What a server says to the others: events, or its streams of games."""

    events: list[Event] = []
    streams: dict[str, Streams] = {}


_decoder = msgspec.json.Decoder(Message)


class NotifyHints:
    """Hints by PostgreSQL's NOTIFY: the id of the server that sends, a space and a message.

    They are sent by the engine, and listened to on a connection with these arguments.
    """

    def __init__(self, engine: Engine, arguments: Mapping[str, Any]) -> None:
        self._engine = engine
        self._arguments = arguments
        self._server = new_id()
        self._streams: dict[str, Streams] = {}
        self._task: asyncio.Task[None] | None = None

    def tell(self, events: list[Event]) -> None:
        """Send the other servers these events, in a thread."""
        groups = (events[start : start + MOST] for start in range(0, len(events), MOST))
        self._send([Message(group) for group in groups])

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Inform the other servers of the event streams of these games, soon."""
        self._streams |= streams
        if self._task is None:
            self._task = asyncio.create_task(self._send_all())

    async def close(self) -> None:
        """Wait until all is sent."""
        if self._task:
            await self._task

    async def _send_all(self) -> None:
        """Send until nothing is left."""
        while self._streams:
            streams = {id: self._streams.pop(id) for id in list(self._streams)[:MOST_STREAMS]}
            await asyncio.to_thread(self._send, [Message(streams=streams)])
        self._task = None

    def _send(self, messages: list[Message]) -> None:
        if not messages:
            return
        said = [f"{self._server} {msgspec.json.encode(each).decode()}" for each in messages]
        try:
            with self._engine.begin() as connection:
                connection.exec_driver_sql(NOTIFY, (CHANNEL, said))
        except SQLAlchemyError as error:  # the others find out by themselves, a little later
            log.warning("cannot send hints to PostgreSQL: %s", error.__cause__ or error)

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass what other servers say to `heard` and `met`; call `look` after connecting."""
        import psycopg  # slow to import, and SQLite does not need it

        while True:
            try:
                connect = psycopg.AsyncConnection.connect(**self._arguments, autocommit=True)
                async with await connect as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await look()
                    async for notification in connection.notifies():
                        said = notification.payload
                        if not said.startswith(self._server) and (found := read(said)):
                            server, message = found
                            await heard(message.events)
                            met(server, message.streams)
            except (psycopg.Error, StoreError) as error:
                log.warning(
                    "PostgreSQL sends no notifications: %s", str(error).strip().partition("\n")[0]
                )
            except Exception:  # of any kind: the next hint may be fine
                log.exception("hints from PostgreSQL have failed")
            await asyncio.sleep(PAUSE)


def read(said: str) -> tuple[str, Message] | None:
    """Who sends what, or None if it is not ours: any client of the database may send here."""
    server, _, message = said.partition(" ")
    try:
        return server, _decoder.decode(message)
    except msgspec.DecodeError:
        log.warning("not a hint of ours: %.100r", said)
        return None
