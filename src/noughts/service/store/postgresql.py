"""A store in a PostgreSQL database, which several servers may share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from json import dumps
from typing import Any

from sqlalchemy import URL, Connection, Table, TextClause, create_engine, text
from sqlalchemy.dialects import postgresql

from noughts.service.store.hints import NotifyHints
from noughts.service.store.store import Store, connected

MIGRATING = 0x6E6F7567  # the advisory lock under which tables are made


class PostgreSQL(Store):
    """The log of every game in a PostgreSQL database.

    Args:
        url: ``postgresql://USER@HOST/NAME``, with any driver.
    """

    known = "json_each_text(CAST(:known AS json))"

    def __init__(self, url: URL) -> None:
        url = url.set(drivername="postgresql+psycopg")
        given = url.query.get("options", "")
        # Durable whatever the server's default is; and what hangs is given up.
        options = f"{given} -c statement_timeout=5000 -c synchronous_commit=on".strip()
        arguments = {"options": options, "connect_timeout": 5, "tcp_user_timeout": 10_000}  # s, ms
        super().__init__(create_engine(url, pool_pre_ping=True, connect_args=arguments))
        self.hints = NotifyHints(self.engine)

    def find(self) -> None:
        """Leave that to the first question."""

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """A transaction that makes tables; it waits for other servers that start."""
        with self.writing() as connection:
            _take_time(connection)
            connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database, however long it takes."""
        engine = self.engine.execution_options(isolation_level="REPEATABLE READ")
        with connected(engine) as connection:
            _take_time(connection)
            yield connection

    def insert(
        self, connection: Connection, table: Table, rows: Sequence[Sequence[Any]], otherwise: str
    ) -> int:
        """Insert what PostgreSQL reads from one JSON value.

        A parameter for each field would take Python several times as long.
        """
        keys = table.c.keys()
        given = dumps([dict(zip(keys, row, strict=True)) for row in rows], default=_hexadecimal)
        return connection.execute(_insert(table, otherwise), {"rows": given}).rowcount


@cache
def _insert(table: Table, otherwise: str) -> TextClause:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    fields = ", ".join(f'"{column.name}" {column.type.compile(dialect)}' for column in table.c)
    rows = f"json_to_recordset(CAST(:rows AS json)) AS given({fields})"
    return text(f"INSERT INTO {table.name} SELECT * FROM {rows} {otherwise}")


def _hexadecimal(value: bytes) -> str:
    """Bytes, which JSON does not have, as PostgreSQL reads them."""
    return f"\\x{value.hex()}"


def _take_time(connection: Connection) -> None:
    """Have no statement of this transaction given up."""
    connection.execute(text("SET LOCAL statement_timeout = 0"))
