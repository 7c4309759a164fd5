"""Hints between servers that share a PostgreSQL database: which games have news, who is here.

A hint is sent after the commit, in one message for many games, and may be lost. A server that gets
one reads the log; every server also looks there by itself now and then.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping

import msgspec
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from noughts.service.play.events import Event, new_id
from noughts.service.play.presence import Streams
from noughts.service.play.storage import Heard, Met, StoreError

CHANNEL = "noughts"
MOST = 200  # games in one message: PostgreSQL allows 8000 bytes
MOST_STREAMS = 100  # the same, with the streams of each
PAUSE = 1.0  # seconds before reconnecting

log = logging.getLogger("noughts")


class Message(msgspec.Struct):
    """What a server says to the others: the latest events of games, or its streams of games."""

    server: str
    events: dict[str, int] = {}
    streams: dict[str, Streams] = {}


class NotifyHints:
    """Hints by PostgreSQL's NOTIFY; news that comes while a message is sent goes into the next."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._server = new_id()
        self._latest: dict[str, int] = {}
        self._streams: dict[str, Streams] = {}
        self._task: asyncio.Task[None] | None = None

    def tell(self, events: Iterable[Event]) -> None:
        """Inform the other servers of these events, soon."""
        self._latest |= {event.game: event.seq for event in events}
        self._start()

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Inform the other servers of the event streams of these games, soon."""
        self._streams |= streams
        self._start()

    def _start(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._send_all())

    async def close(self) -> None:
        """Wait until all is sent."""
        if self._task:
            await self._task

    async def _send_all(self) -> None:
        """Send until nothing is left."""
        while self._latest or self._streams:
            events = {id: self._latest.pop(id) for id in list(self._latest)[:MOST]}
            streams = {id: self._streams.pop(id) for id in list(self._streams)[:MOST_STREAMS]}
            messages = [Message(self._server, events)] if events else []
            messages += [Message(self._server, streams=streams)] if streams else []
            try:
                await asyncio.to_thread(self._send, messages)
            except SQLAlchemyError as error:  # the others find out by themselves, a little later
                log.warning("cannot send hints to PostgreSQL: %s", error.__cause__ or error)
        self._task = None

    def _send(self, messages: list[Message]) -> None:
        with self._engine.begin() as connection:
            for message in messages:
                payload = msgspec.json.encode(message).decode()
                connection.execute(select(func.pg_notify(CHANNEL, payload)))

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass what other servers say to `heard` and `met`; call `look` after connecting."""
        import psycopg  # slow to import, and SQLite does not need it

        url = self._engine.url.set(drivername="postgresql")
        address = url.render_as_string(hide_password=False)
        while True:
            try:
                connect = psycopg.AsyncConnection.connect(address, autocommit=True)
                async with await connect as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await look()
                    async for notification in connection.notifies():
                        said = read(notification.payload)
                        if said and said.server != self._server:
                            await heard(said.events)
                            met(said.server, said.streams)
            except (psycopg.Error, StoreError) as error:
                log.warning("no hints from PostgreSQL: %s", str(error).strip().partition("\n")[0])
            except Exception:  # of any kind: the next hint may be fine
                log.exception("hints from PostgreSQL have failed")
            await asyncio.sleep(PAUSE)


def read(payload: str) -> Message | None:
    """The message, or None if it is not ours: any client of the database may send here."""
    try:
        return msgspec.json.decode(payload, type=Message)
    except msgspec.DecodeError:
        log.warning("not a hint of ours: %.100r", payload)
        return None
