"""A store in a PostgreSQL database that several servers may share, and their notifications.

After a commit a server notifies the others of the new events, in few messages for many games, so
they need not read them. A notification may be lost. The log decides: a server that has missed one
reads the log, and every server also looks there regularly.
"""

import asyncio
import logging
import select
from collections.abc import Awaitable, Callable, Mapping
from json import dumps
from typing import Any

import msgspec
from sqlalchemy import URL, Connection, Engine, Table, create_engine, event
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError

from noughts.service.play.events import Change, Event, new_id
from noughts.service.play.storage import Heard, Met, Notifications, StoreError
from noughts.service.play.subscriptions import Streams
from noughts.service.store.sql import UNLESS_TAKEN, Rows, Store
from noughts.system import need_posix

SCHEMA = 0x6E6F7567  # the advisory lock under which tables are created and upgraded
LOCKED = 2000  # ms that an upgrade waits for a table; queries wait behind it
CHANNEL = "noughts"
MOST = 16  # events in one message: PostgreSQL allows 8000 bytes, and an event may take 440
MOST_STREAMS = 100  # games in one message
PAUSE = 1.0  # seconds before reconnecting
NOTIFY = "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message"
VANISHED = {  # how soon a host is given up that no longer answers
    "connect_timeout": 2,  # seconds, for each host in the URL
    "tcp_user_timeout": 4000,  # ms without an acknowledgement
    "keepalives_idle": 2,  # seconds without data before the first probe
    "keepalives_interval": 1,
    "keepalives_count": 2,
}

log: logging.Logger = logging.getLogger("noughts")


class Message(msgspec.Struct):
    """A message to the other servers: events, or this server's streams of games."""

    events: list[Event] = []
    streams: dict[str, Streams] = {}


_decoder = msgspec.json.Decoder(Message)


class Notify:
    """Notifications by PostgreSQL's NOTIFY: the id of the sending server, a space and a message.

    The engine sends them; a connection with these arguments listens.
    """

    def __init__(self, engine: Engine, arguments: Mapping[str, Any]) -> None:
        self._engine = engine
        self._arguments = arguments
        self._server = new_id()
        self._streams: dict[str, Streams] = {}
        self._task: asyncio.Task[None] | None = None

    def send(self, events: list[Event]) -> None:
        """Send these events to the other servers; blocks."""
        groups = (events[start : start + MOST] for start in range(0, len(events), MOST))
        self._send([Message(group) for group in groups])

    def announce(self, streams: Mapping[str, Streams]) -> None:
        """Inform the other servers of the event streams of these games soon."""
        self._streams |= streams
        if self._task is None:
            self._task = asyncio.create_task(self._send_all())

    async def close(self) -> None:
        """Wait until everything is sent."""
        if self._task:
            await self._task

    async def _send_all(self) -> None:
        while self._streams:
            streams = {id: self._streams.pop(id) for id in list(self._streams)[:MOST_STREAMS]}
            await asyncio.to_thread(self._send, [Message(streams=streams)])
        self._task = None

    def _send(self, messages: list[Message]) -> None:
        if not messages:
            return
        payloads = [f"{self._server} {msgspec.json.encode(each).decode()}" for each in messages]
        try:
            with self._engine.begin() as connection:
                connection.exec_driver_sql(NOTIFY, (CHANNEL, payloads))
        except SQLAlchemyError as error:  # the others find the events in the log, a little later
            log.warning("cannot send notifications by PostgreSQL: %s", error.__cause__ or error)

    async def listen(self, heard: Heard, look: Callable[[], Awaitable[None]], met: Met) -> None:
        """Pass events of other servers to `heard`, streams to `met`; `look` after connecting."""
        import psycopg  # slow to import, and SQLite does not need it

        while True:
            try:
                connect = psycopg.AsyncConnection.connect(**self._arguments, autocommit=True)
                async with await connect as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await look()
                    async for notification in connection.notifies():
                        payload = notification.payload
                        if not payload.startswith(self._server) and (found := read(payload)):
                            server, message = found
                            await heard(message.events)
                            met(server, message.streams)
            except (psycopg.Error, StoreError) as error:
                reason = str(error).strip().partition("\n")[0]
                log.warning("no notifications from PostgreSQL: %s", reason)
            except Exception:  # of any kind: the next notification may be fine
                log.exception("a notification from PostgreSQL has failed")
            await asyncio.sleep(PAUSE)


def read(payload: str) -> tuple[str, Message] | None:
    """Return the sending server and its message, or None: any client of the database may notify."""
    server, _, message = payload.partition(" ")
    try:
        return server, _decoder.decode(message)
    except msgspec.DecodeError:
        log.warning("not a notification of ours: %.100r", payload)
        return None


class PostgreSQL(Store):
    """The log of every game in a PostgreSQL database, at ``postgresql://USER@HOST/NAME``."""

    mark = "%s"
    known = "json_each_text(CAST(%s AS json))"
    locks = f"SELECT pg_advisory_xact_lock({SCHEMA})", f"SET LOCAL lock_timeout = {LOCKED}"
    is_known = f"= ANY(ARRAY(SELECT key FROM {known}))"  # rows in one order: no deadlocks

    def __init__(self, url: URL) -> None:
        need_posix("a PostgreSQL database")
        url = url.set(drivername="postgresql+psycopg")
        given = url.query.get("options", "")
        # Durable whatever the server's default is. A statement that hangs is cancelled, and so is
        # the transaction of a server that has vanished: others wait for the places it has taken.
        limits = "-c statement_timeout=5000 -c idle_in_transaction_session_timeout=5000"
        options = f"{given} {limits} -c synchronous_commit=on".strip()
        arguments: dict[str, Any] = {"options": options, **VANISHED}
        engine = create_engine(url, isolation_level="AUTOCOMMIT", connect_args=arguments)
        event.listen(engine, "checkout", _check_open)
        event.listen(engine, "begin", _begin)
        super().__init__(engine)
        self._at_once = engine  # a statement is a transaction: one round trip
        # As the engine connects: the URL may have several hosts.
        arguments = {**engine.dialect.create_connect_args(url)[1], **arguments}
        self._notify = Notify(engine, arguments)
        self.notifications: Notifications | None = self._notify

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes, and send the events to the other servers before anyone here sees them."""
        written = super().commit(changes)  # a player's next request may reach another server
        logged = [each.event for each, ok in zip(changes, written, strict=True) if ok]
        self._notify.send([event for event in logged if event])
        return written

    def insert_free(self, connection: Connection, table: Table, rows: Rows) -> set[str]:
        """Insert the rows whose places are free, and return their games."""
        ending = f"{UNLESS_TAKEN} RETURNING {table.c[0].name}"
        return {game for (game,) in self.insert(connection, table, rows, ending)}

    def rows(self, table: Table, names: str, rows: Rows) -> tuple[str, tuple[Any, ...]]:
        """Return one JSON value: a parameter per field would take Python several times longer."""
        keys = self._written[table.name]
        fields = [dict(zip(keys, row, strict=True)) for row in rows]
        given = dumps(fields, default=lambda value: f"\\x{value.hex()}")  # bytes, which JSON lacks
        return f"SELECT {names} FROM json_populate_recordset(NULL::{table.name}, %s)", (given,)


def _check_open(connection: Any, _record: object, _proxy: object) -> None:
    """Check that the database has not closed a connection; a ping would cost a round trip."""
    unread = select.poll()
    unread.register(connection.fileno(), select.POLLIN)
    if unread.poll(0):
        raise DisconnectionError


def _begin(connection: Connection) -> None:
    """Begin a transaction of several statements; lift the time limit of a patient one."""
    options = connection.get_execution_options()
    if options.get("writing") or options.get("patient"):
        connection.exec_driver_sql("BEGIN")
    if options.get("patient"):
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
