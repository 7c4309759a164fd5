"""A store in a PostgreSQL database, which several servers may share."""

from collections.abc import Sequence
from json import dumps
from typing import Any

from sqlalchemy import URL, Connection, Table, create_engine, event, text

from noughts.service.store.hints import NotifyHints
from noughts.service.store.store import Store

MAKING = 0x6E6F7567  # the advisory lock under which tables are made


class PostgreSQL(Store):
    """The log of every game in a PostgreSQL database, at ``postgresql://USER@HOST/NAME``."""

    known = "json_each_text(CAST(:known AS json))"
    is_known = f"= ANY(ARRAY(SELECT key FROM {known}))"  # rows in one order: no deadlocks

    def __init__(self, url: URL) -> None:
        url = url.set(drivername="postgresql+psycopg")
        given = url.query.get("options", "")
        # Durable whatever the server's default is; a statement that hangs is cancelled.
        options = f"{given} -c statement_timeout=5000 -c synchronous_commit=on".strip()
        arguments = {"options": options, "connect_timeout": 5, "tcp_user_timeout": 10_000}  # s, ms
        engine = create_engine(url, pool_pre_ping=True, connect_args=arguments)
        event.listen(engine, "begin", _begin)
        super().__init__(engine)
        self.hints = NotifyHints(engine)

    def make_tables(self, connection: Connection) -> None:
        """Make the tables, one server at a time."""
        connection.execute(text(f"SELECT pg_advisory_xact_lock({MAKING})"))
        super().make_tables(connection)

    def rows(self, table: Table, rows: Sequence[Sequence[Any]]) -> tuple[str, tuple[Any, ...]]:
        """One JSON value: a parameter for each field would take Python several times longer."""
        keys = table.c.keys()
        given = dumps([dict(zip(keys, row, strict=True)) for row in rows], default=_hexadecimal)
        return f"SELECT * FROM json_populate_recordset(NULL::{table.name}, %s)", (given,)


def _hexadecimal(value: bytes) -> str:
    """Bytes, which JSON does not have, as PostgreSQL reads them."""
    return f"\\x{value.hex()}"


def _begin(connection: Connection) -> None:
    """Let the statements of a patient transaction take long."""
    if connection.get_execution_options().get("patient"):
        connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
