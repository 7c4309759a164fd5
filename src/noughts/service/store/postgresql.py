"""A store in a PostgreSQL database, which several servers may share."""

import select
from collections.abc import Sequence
from json import dumps
from typing import Any

from sqlalchemy import URL, Connection, Table, create_engine, event, text
from sqlalchemy.exc import DisconnectionError

from noughts.service.play.events import Change, Event, NewGame
from noughts.service.play.storage import Notifications
from noughts.service.store.hints import NotifyHints
from noughts.service.store.store import UNLESS_TAKEN, Store
from noughts.system import need_posix

MAKING = 0x6E6F7567  # the advisory lock under which tables are made
VANISHED = {  # how soon a host is given up that says nothing, not even that it has gone
    "connect_timeout": 2,  # seconds, for each host that the address has
    "tcp_user_timeout": 4000,  # ms without an acknowledgement
    "keepalives_idle": 2,  # seconds without an answer until it is asked whether it is there
    "keepalives_interval": 1,
    "keepalives_count": 2,
}


class PostgreSQL(Store):
    """The log of every game in a PostgreSQL database, at ``postgresql://USER@HOST/NAME``."""

    known = "json_each_text(CAST(:known AS json))"
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
        # As the engine connects: the address may have several hosts.
        arguments = {**engine.dialect.create_connect_args(url)[1], **arguments}
        self._notify = NotifyHints(engine, arguments)
        self.notifications: Notifications | None = self._notify

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes, and send the events to the other servers before anybody here sees them.

        So a player who answers an event at another server finds it known there.
        """
        written = super().commit(changes)
        logged = [each.event for each, ok in zip(changes, written, strict=True) if ok]
        self._notify.tell([event for event in logged if event])
        return written

    def make_tables(self, connection: Connection) -> None:
        """Make the tables, one server at a time."""
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MAKING})"))
        super().make_tables(connection)

    def insert_free(
        self, connection: Connection, table: Table, rows: Sequence[Event | NewGame]
    ) -> set[str]:
        """Insert those of these rows whose places are free; return their games."""
        ending = f"{UNLESS_TAKEN} RETURNING {table.c[0].name}"
        return {game for (game,) in self.insert(connection, table, rows, ending)}

    def rows(self, table: Table, rows: Sequence[Sequence[Any]]) -> tuple[str, tuple[Any, ...]]:
        """One JSON value: a parameter for each field would take Python several times longer."""
        keys = table.c.keys()
        given = dumps([dict(zip(keys, row, strict=True)) for row in rows], default=_hexadecimal)
        return f"SELECT * FROM json_populate_recordset(NULL::{table.name}, %s)", (given,)


def _hexadecimal(value: bytes) -> str:
    """Bytes, which JSON does not have, as PostgreSQL reads them."""
    return f"\\x{value.hex()}"


def _check_open(connection: Any, _record: object, _proxy: object) -> None:
    """See that the database has not closed a connection: a ping would cost a round trip."""
    unread = select.poll()
    unread.register(connection.fileno(), select.POLLIN)
    if unread.poll(0):
        raise DisconnectionError


def _begin(connection: Connection) -> None:
    """Begin a transaction of several statements; let those of a patient one take long."""
    options = connection.get_execution_options()
    if options.get("writing") or options.get("patient"):
        connection.exec_driver_sql("BEGIN")
    if options.get("patient"):
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
