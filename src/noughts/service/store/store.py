"""The store: the log of every game, in SQLite or PostgreSQL.

Everything here blocks, and is meant to be called in a thread. The database decides who was first:
an event is inserted unless its place (game, seq) is taken, and what is returned as written has been
committed.
"""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import count, islice
from pathlib import Path
from typing import IO, Any, TypeVar

from sqlalchemy import (
    JSON,
    URL,
    Connection,
    Engine,
    LargeBinary,
    Select,
    Table,
    bindparam,
    column,
    create_engine,
    event,
    func,
    inspect,
    make_url,
    select,
    text,
    true,
    tuple_,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from noughts.errors import NoughtsError
from noughts.service.play.events import Change, Event, NewGame, Seats, now
from noughts.service.store.tables import VERSION, due, events, games, seats

MIGRATIONS = Path(__file__).parent / "migrations"
OPEN_FOR = 24 * 3600 * 1000  # ms; who left an open game that long does not wait any more
SHOWN = 50  # open games
BATCH = 1000  # games exported at a time
WAIT = 5.5  # seconds for an answer; a statement of PostgreSQL is ended after five
PLACES, IDS = 2000, 5000  # asked for at a time: a query of PostgreSQL has 65,535 parameters
SHA_256 = 32  # bytes
MIGRATING = 0x6E6F7567  # the advisory lock of PostgreSQL under which tables are made
_T = TypeVar("_T")


class DatabaseRefused(NoughtsError):
    """The database cannot be used: another server has it, or it is of no known kind."""


class DatabaseHangs(SQLAlchemyError):
    """The database takes what it is asked and does not answer."""


async def in_time(answer: Awaitable[_T]) -> _T:
    """What the database answers, to a question asked in a thread; that may go on for ever.

    Raises:
        DatabaseHangs: it takes too long.
    """
    try:
        async with asyncio.timeout(WAIT):  # unlike wait_for it never takes back a cancellation
            return await answer
    except TimeoutError:
        raise DatabaseHangs(f"no answer in {WAIT} seconds") from None


class Store:
    """The log of every game.

    Args:
        url: ``sqlite:///noughts.db``, or ``postgresql+psycopg://user@host/name``.

    Raises:
        DatabaseRefused: the address is no such URL.
    """

    def __init__(self, url: str) -> None:
        try:
            self.url = make_url(url)
        except ArgumentError:
            raise DatabaseRefused(
                f"{url!r} is no address of a database: write sqlite:///FILE or "
                "postgresql+psycopg://USER@HOST/NAME"
            ) from None
        dialect = self.url.get_backend_name()
        if dialect == "sqlite":
            insert: Any = _insert_on_sqlite
            self._as_it_reads = _as_sqlite_reads
        elif dialect == "postgresql":
            self.url = self.url.set(drivername="postgresql+psycopg")
            insert = _insert_on_postgresql
            self._as_it_reads = _as_postgresql_reads
        else:
            raise DatabaseRefused(f"{dialect} is not supported: use sqlite or postgresql")
        self._append_all = insert(events).on_conflict_do_nothing()
        self._make_all, self._give_all = insert(games), insert(seats)
        self.shared = dialect == "postgresql"
        """Whether other servers may write too."""
        options = _postgresql_options(self.url) if self.shared else {}
        self.engine = create_engine(self.url, pool_pre_ping=self.shared, connect_args=options)
        if not self.shared:
            _prepare_sqlite(self.engine)
        self._writing = self.engine.execution_options(writing=True)
        self._lock: IO[bytes] | None = None

    def find(self) -> None:
        """See that there is a database to read, without taking it.

        Raises:
            DatabaseRefused: there is no such file.
        """
        if not self.shared and not Path(self.url.database or "").is_file():
            raise DatabaseRefused(f"there is no file {self.url.database or ''}")

    def open(self) -> None:
        """Take the database for this server, and bring its tables up to date.

        Raises:
            DatabaseRefused: another server has this file, nothing answers there, or what does is
                no database of ours.
        """
        if not self.shared:
            self._lock_file()
        try:
            with self._writing.begin() as connection:
                if self.shared:  # several servers may start at once
                    connection.execute(text("SET LOCAL statement_timeout = 0"))
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATING})"))
                migrate(connection)
        except DBAPIError as error:
            self.close()
            reason = str(error.orig).strip().splitlines()[0]
            raise DatabaseRefused(f"{self.url}: {reason}") from None
        except DatabaseRefused:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()
        if self._lock:
            self._lock.close()
            self._lock = None

    def _lock_file(self) -> None:
        """Hold a lock beside the file: SQLite's own locks would let two servers take turns."""
        if not self.url.database or self.url.database == ":memory:":
            raise DatabaseRefused("games in memory would be lost: write sqlite:///FILE")
        path = Path(f"{Path(self.url.database).resolve()}.lock")  # the same by any name
        try:
            self._lock = path.open("ab")
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.close()
            raise DatabaseRefused(
                f"another server is using {self.url.database}: end it, or give this one a "
                "file of its own with --database sqlite:///FILE"
            ) from None
        except OSError as error:
            raise DatabaseRefused(f"{self.url.database}: {error.strerror}") from None

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write the changes in one transaction; which of them were written.

        One that was not came too late: the place of its event was taken. The changes must be about
        different games. When this returns, what was written is on the disk.
        """
        logged = sorted(change.event for change in changes if change.event)  # no deadlocks
        with self._writing.begin() as connection:
            written = self._append(connection, logged) if logged else set()
            accepted = [not change.event or change.event in written for change in changes]
            self._follow_up(connection, [c for c, ok in zip(changes, accepted, strict=True) if ok])
        return accepted

    def _append(self, connection: Connection, logged: list[Event]) -> set[Event]:
        """Insert the events whose place is free; those that are in the log now."""
        rows = [entry._asdict() for entry in logged]
        if connection.execute(self._append_all, {"rows": rows}).rowcount == len(logged):
            return set(logged)
        query = _at([(entry.game, entry.seq) for entry in logged])
        return {Event(*row) for row in connection.execute(query)}

    def _follow_up(self, connection: Connection, changes: list[Change]) -> None:
        """Write what comes of the events that were written."""
        if made := [asdict(change.game) for change in changes if change.game]:
            connection.execute(self._make_all, self._as_it_reads(made, "invite"))
        if given := [seat for change in changes for seat in change.seats]:
            rows = [
                {"token": seat.token, "game": seat.game, "seats": "".join(map(str, seat.seats))}
                for seat in given
            ]
            connection.execute(self._give_all, self._as_it_reads(rows, "token"))
        if done := [change.about for change in changes if change.due is not None]:
            connection.execute(due.delete().where(due.c.game.in_(done)))
        if waiting := [change.about for change in changes if change.due]:
            at = now()
            connection.execute(due.insert(), [{"game": game, "at": at} for game in waiting])

    def game(self, id: str) -> NewGame | None:
        """How this game was made; None if there is none."""
        with self.engine.connect() as connection:
            row = connection.execute(select(games).where(games.c.id == id)).one_or_none()
        return NewGame(**row._mapping) if row else None

    def events(self, id: str, after: int = 0) -> list[Event]:
        """The events of a game after the one with this seq, in their order."""
        query = select(events).where(events.c.game == id, events.c.seq > after)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(events.c.seq)).all()
        return [Event(*row) for row in rows]

    def at(self, places: list[tuple[str, int]]) -> list[Event]:
        """The events at these places (game, seq), so far as there are any, in their order."""
        places = sorted(places)
        with self.engine.connect() as connection:
            return [
                Event(*row)
                for some in _batches(places, PLACES)
                for row in connection.execute(_at(some))
            ]

    def latest(self, ids: Iterable[str]) -> dict[str, int]:
        """The seq of the latest event of each of these games that has any."""
        query = select(events.c.game, func.max(events.c.seq)).group_by(events.c.game)
        with self.engine.connect() as connection:
            return {
                game: seq
                for some in _batches(ids, IDS)
                for game, seq in connection.execute(query.where(events.c.game.in_(some)))
            }

    def seats(self, token: bytes) -> Seats | None:
        """What the token with this SHA-256 stands for; None if there is none."""
        query = select(seats).where(seats.c.token == token)
        with self.engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return Seats(row.token, row.game, tuple(map(int, row.seats))) if row else None

    def open_games(self) -> list[NewGame]:
        """The listed games of the last day that nobody has joined, the newest first."""
        with self.engine.connect() as connection:
            return [NewGame(**row._mapping) for row in connection.execute(_open_games())]

    def due(self, before: int) -> list[str]:
        """The games in which a computer has had to move since before this time, in ms."""
        query = select(due.c.game).where(due.c.at < before)
        with self.engine.connect() as connection:
            return list(connection.scalars(query))

    def claim(self, before: int) -> list[str]:
        """The games that are `due`, which from now on are not, for any server, for as long again.

        What another one claims meanwhile, or just does, is left to it.
        """
        found = select(due.c.game).where(due.c.at < before).with_for_update(skip_locked=True)
        claimed = due.update().where(due.c.game.in_(found)).values(at=now()).returning(due.c.game)
        with self._writing.begin() as connection:
            return list(connection.scalars(claimed))

    def export(self) -> Iterator[tuple[NewGame, list[Event]]]:
        """Every game with its events, in the order they were made; memory does not grow with it."""
        last = (-1, "")
        while True:
            with self._snapshot() as connection:
                made = [NewGame(**row._mapping) for row in connection.execute(_made_after(last))]
                logs: dict[str, list[Event]] = {game.id: [] for game in made}
                wanted = select(events).where(events.c.game.in_(logs))
                for row in connection.execute(wanted.order_by(events.c.game, events.c.seq)):
                    logs[row.game].append(Event(*row))
            yield from ((game, logs[game.id]) for game in made)
            if len(made) < BATCH:
                return
            last = made[-1].at, made[-1].id

    @contextmanager
    def _snapshot(self) -> Iterator[Connection]:
        """A connection that sees the database as it is now, whatever is written meanwhile."""
        isolated = {"isolation_level": "REPEATABLE READ"} if self.shared else {}
        with self.engine.connect().execution_options(**isolated) as connection:
            if self.shared:  # nobody waits for an export
                connection.execute(text("SET LOCAL statement_timeout = 0"))
            yield connection

    def alive(self) -> None:
        """Ask the database something.

        Raises:
            sqlalchemy.exc.SQLAlchemyError: it does not answer.
        """
        with self.engine.connect() as connection:
            connection.execute(select(1))


def _batches(items: Iterable[_T], most: int) -> Iterator[list[_T]]:
    """The items in lists of so many at most; as `itertools.batched` of Python 3.12."""
    rest = iter(items)
    while batch := list(islice(rest, most)):
        yield batch


def _open_games() -> Select[Any]:
    """The query for the games that anybody may join."""
    joined = select(events.c.game).where(events.c.game == games.c.id, events.c.seq == 1)
    return (
        select(games)
        .where(games.c.listed, games.c.at > now() - OPEN_FOR, ~joined.exists())
        .order_by(games.c.at.desc())
        .limit(SHOWN)
    )


def _made_after(last: tuple[int, str]) -> Select[Any]:
    """The query for the games made after the one with this (at, id)."""
    made = tuple_(games.c.at, games.c.id)
    order = select(games).order_by(games.c.at, games.c.id).limit(BATCH)
    return order.where(made > tuple_(*last))


def _at(places: list[tuple[str, int]]) -> Select[Any]:
    """The query for the events at these places (game, seq)."""
    query = select(events).where(tuple_(events.c.game, events.c.seq).in_(places))
    return query.order_by(events.c.game, events.c.seq)


# One statement of a fixed text inserts any number of rows, which come as one JSON value: the
# database works it off by itself, while this process answers others. A statement for each row, or
# a parameter for each of its fields, would take several times as long of its time; and a thread
# that waits for its turn after each row would hold up the whole transaction.


def _insert_on_sqlite(table: Table) -> sqlite.Insert:
    """INSERT … SELECT … FROM json_each(:rows)."""
    row = func.json_each(bindparam("rows", type_=JSON)).table_valued("value").c.value
    fields: list[Any] = []
    for column_ in table.c:
        field = func.json_extract(row, f"$.{column_.name}")
        if isinstance(column_.type, LargeBinary):  # see _as_sqlite_reads
            field = func.substr(bindparam("bytes", type_=LargeBinary), field, column_.type.length)
        fields.append(field)
    chosen = select(*fields).where(true())  # without WHERE it would read ON as a join's
    return sqlite.insert(table).from_select(table.c.keys(), chosen)


def _as_sqlite_reads(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The rows, whose SHA-256 of this name JSON cannot hold: it says where in `bytes` they are."""
    places = count(1, SHA_256)
    placed = [{**row, name: next(places) if row[name] else None} for row in rows]
    return {"rows": placed, "bytes": b"".join(row[name] for row in rows if row[name])}


def _insert_on_postgresql(table: Table) -> postgresql.Insert:
    """INSERT … SELECT … FROM json_to_recordset(:rows)."""
    columns = [column(c.name, c.type) for c in table.c]
    rows = func.json_to_recordset(bindparam("rows", type_=JSON)).table_valued(*columns)
    chosen = select(rows.render_derived(with_types=True))
    return postgresql.insert(table).from_select(table.c.keys(), chosen)


def _as_postgresql_reads(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The rows, with the SHA-256 of this name in hexadecimal."""
    return {"rows": [{**row, name: row[name] and f"\\x{row[name].hex()}"} for row in rows]}


def migrate(connection: Connection) -> None:
    """Bring the tables up to date, in the connection's transaction.

    Raises:
        DatabaseRefused: they were made by a version that is not known here.
    """
    if _version(connection) == VERSION:
        return
    # Here, since a server that finds all up to date starts that much sooner.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        url = connection.engine.url
        raise DatabaseRefused(f"{url} was made by another version: {error}") from None


def _version(connection: Connection) -> str | None:
    """Which migration was the last; None before the first."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _postgresql_options(url: URL) -> dict[str, Any]:
    """Durable whatever the server's default; and what hangs is given up."""
    given = url.query.get("options", "")
    return {
        "options": f"{given} -c statement_timeout=5000 -c synchronous_commit=on".strip(),
        "connect_timeout": 5,  # seconds
        "tcp_user_timeout": 10_000,  # ms
    }


def _prepare_sqlite(engine: Engine) -> None:
    """Make SQLite durable: what COMMIT has returned from survives a loss of power."""

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin below, not in Python's driver
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        # A writer takes the lock at once: if it began as a reader it could be refused later.
        writing = connection.get_execution_options().get("writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
