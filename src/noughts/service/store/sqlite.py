"""A store in an SQLite file, for one server."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL, Connection, Table, create_engine, event

from noughts.service.play.events import Event, NewGame
from noughts.service.store.store import DatabaseRefused, Store


class SQLite(Store):
    """The log of every game in an SQLite file.

    Args:
        url: ``sqlite:///FILE``.
    """

    known = "json_each(:known)"

    def __init__(self, url: URL) -> None:
        engine = create_engine(url)
        event.listen(engine, "connect", _make_durable)
        event.listen(engine, "begin", _begin)
        super().__init__(engine)
        self._lock: IO[bytes] | None = None

    def open(self) -> None:
        """Lock a file beside the database, then bring the tables up to date.

        SQLite's own locks would let two servers take turns.
        """
        database = self.url.database
        if not database or database == ":memory:":
            raise DatabaseRefused("games in memory would be lost: write sqlite:///FILE")
        path = Path(f"{Path(database).resolve()}.lock")  # the same by any name
        try:
            self._lock = path.open("ab")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise DatabaseRefused(
                f"another server is using {database}: end it, or give this one a file of its own "
                "with --database sqlite:///FILE"
            ) from None
        except OSError as error:
            raise DatabaseRefused(f"{database}: {error.strerror}") from None
        super().open()

    def close(self) -> None:
        """Let go of the file."""
        super().close()
        if self._lock:
            self._lock.close()
            self._lock = None

    def export(self) -> Iterator[tuple[NewGame, list[Event]]]:
        """Every game with its events, if there is such a file: to connect would make it."""
        file = self.url.database or ""
        if not Path(file).is_file():
            raise DatabaseRefused(f"there is no file {file}")
        return super().export()

    def rows(self, table: Table, rows: Sequence[Sequence[Any]]) -> tuple[str, tuple[Any, ...]]:
        """VALUES (?, …), (?, …), …: to bind parameters takes SQLite's driver no time."""
        row = f"({', '.join('?' * len(table.c))})"
        return f"VALUES {', '.join([row] * len(rows))}", tuple(chain.from_iterable(rows))


def _make_durable(connection: Any, _record: Any) -> None:
    """Have what COMMIT has returned from survive a loss of power."""
    connection.isolation_level = None  # transactions begin below, not in Python's driver
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """Begin a transaction: a writer that began as a reader could be refused the lock later."""
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
