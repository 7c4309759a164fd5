"""A store in an SQLite file, for one server."""

import os
from itertools import chain
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, Connection, Table, create_engine, event

from noughts.service.play.events import Change
from noughts.service.play.storage import StoreError
from noughts.service.store.sql import UNLESS_TAKEN, DatabaseRefused, Rows, Store
from noughts.system import lock


class Taken(Exception):
    """The place of a row is taken."""


class SQLite(Store):
    """The log of every game in an SQLite file, at ``sqlite:///FILE``."""

    mark = "?"
    known = "json_each(?)"
    is_known = f"IN (SELECT key FROM {known})"

    def __init__(self, url: URL) -> None:
        if not url.database or url.database == ":memory:":
            raise DatabaseRefused("games in memory would be lost: write sqlite:///FILE")
        if url.query or url.database.startswith("file:"):
            raise DatabaseRefused("an SQLite database has no options here: write sqlite:///FILE")
        engine = create_engine(url)
        event.listen(engine, "do_connect", self._look_before)
        event.listen(engine, "connect", _make_durable)
        event.listen(engine, "begin", _begin)
        super().__init__(engine)
        self._path = Path(url.database)
        self._lock: IO[bytes] | None = None
        self._opened: os.stat_result | None = None

    def open(self) -> None:
        """Lock the file itself, under whichever name, then open the store.

        SQLite's own locks would let two servers take turns. They (fcntl) do not conflict with this
        one (flock), but closing the file would release them too.
        """
        try:
            self._lock = self._path.open("ab")
            lock(self._lock.fileno())
        except BlockingIOError:
            self.close()
            raise DatabaseRefused(
                f"another server is using {self._path}: stop it, or use another file"
            ) from None
        except OSError as error:
            raise DatabaseRefused(f"{self._path}: {error.strerror}") from None
        super().open()

    def close(self) -> None:
        """Close the connections, then unlock the file."""
        super().close()
        if self._lock:
            self._lock.close()
            self._lock = None

    def is_current(self) -> bool:
        """Return whether the tables need no upgrade; connecting would create a missing file."""
        if not self._path.is_file():
            raise DatabaseRefused(f"no such file: {self._path}")
        return super().is_current()

    def alive(self) -> None:
        """Check that the database answers, and that its file is still there."""
        super().alive()
        self._look()

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes, and check that they are in the file that a later start will read."""
        try:
            written = super().commit(changes)
        except Taken:  # written one by one, each shows whether it came too late
            alone = len(changes) == 1
            written = [not alone and self.commit([change])[0] for change in changes]
        self._look()
        return written

    def insert_free(self, connection: Connection, table: Table, rows: Rows) -> set[str]:
        """Insert these rows; return their games. Raises Taken if a place is not free."""
        # RETURNING would have the thread wait for the interpreter at each row.
        if self.insert(connection, table, rows, UNLESS_TAKEN).rowcount < len(rows):
            raise Taken
        return {row[0] for row in rows}

    def _look_before(self, *_: object) -> None:
        """Check the file before each connection except the first, so that none creates it again."""
        if self._opened:
            self._look()

    def _look(self) -> None:
        """Check that the file is still the one that was opened first, not deleted or replaced."""
        try:
            found = self._path.stat()
        except OSError as error:
            raise StoreError(f"{self._path}: {error.strerror}") from None
        self._opened = self._opened or found
        if not os.path.samestat(self._opened, found):
            raise StoreError(f"{self._path} is no longer the file that was opened")

    def rows(self, table: Table, names: str, rows: Rows) -> tuple[str, tuple[Any, ...]]:
        """Return VALUES (?, …), (?, …), …: SQLite's driver binds parameters quickly."""
        row = f"({', '.join('?' * len(rows[0]))})"
        return f"VALUES {', '.join([row] * len(rows))}", tuple(chain.from_iterable(rows))


def _make_durable(connection: Any, _record: Any) -> None:
    """Make committed transactions survive a loss of power; keep temporary files in memory."""
    connection.isolation_level = None  # `_begin` begins transactions, not Python's driver
    for pragma in "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY":
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """Begin a transaction: a writer that began as a reader could be refused the lock later."""
    options = connection.get_execution_options()
    if options.get("writing"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif options.get("patient"):
        connection.exec_driver_sql("BEGIN")
