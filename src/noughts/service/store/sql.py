"""The log of every game in SQL tables, in the same way for SQLite and PostgreSQL.

Every method blocks, so call it in a thread. The database decides which event was first: one is
inserted unless its place (game, seq) is taken. Changes reported as written are committed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from json import dumps
from math import inf
from operator import itemgetter
from typing import Any, ClassVar

import msgspec
import sqlalchemy as sa

from noughts.errors import NoughtsError
from noughts.game.rules import Rules
from noughts.service.play.events import (
    MARK,
    Change,
    Event,
    NewGame,
    Seats,
    check_time,
    monotonic,
    new_id,
    now,
)
from noughts.service.play.storage import (
    PAGE,
    SHOWN,
    DamagedGame,
    Loaded,
    Notifications,
    StoreError,
)
from noughts.service.store import migrations
from noughts.service.store.tables import (
    OLD_RULES,
    PREFIX,
    clocks,
    due,
    events,
    games,
    ids,
    metadata,
    seats,
)

OPEN_FOR = 24 * 3600 * 1000  # ms for which an open game is listed
AHEAD = 10_000  # ms; a time further ahead was noted by a clock that was wrong
RECENT = 10  # seconds for which a failed write counts
UNLESS_TAKEN = "ON CONFLICT DO NOTHING"
FORGOTTEN = 100  # games deleted in a transaction
FORGOTTEN_EVENTS = 5000  # of these games together
BATCH = 16  # games exported at a time; on 100×100 each may take megabytes

# Rules in the columns that `rules` replaces; `Rules.parse` reads this.
SPELLED = """
rows || 'x' || cols || ',k=' || k || CASE WHEN gravity THEN ',gravity' ELSE '' END
    || ',variant=' || variant
"""

Rows = Sequence[Sequence[Any]]  # the values of rows, each starting with the id of its game

_rules = lru_cache(maxsize=100)(Rules.parse)


class DatabaseRefused(NoughtsError):
    """The database cannot be used: another server uses it, or it belongs to something else."""


class DatabaseDown(DatabaseRefused):
    """The database does not answer."""


class Store(ABC):
    """The log of every game in a database: a `Storage`, with a subclass for each dialect.

    A statement is a transaction of its own, unless the execution options of the engine say how one
    begins: `writing` if it writes, `patient` if its statements may take long.
    """

    notifications: Notifications | None = None  # None if no other server may write to this store
    alone = True  # whether its server has no other database
    mark: ClassVar[str]  # a parameter in the driver's SQL
    known: ClassVar[str]  # SQL for a table of the keys and values in a JSON object, its parameter
    is_known: ClassVar[str]  # SQL that completes a condition: the column is a key of that object
    locks: ClassVar[Sequence[str]] = ()  # SQL after which no other process changes the schema

    def __init__(self, engine: sa.Engine) -> None:
        self.url: str = str(engine.url)
        self.threads: ThreadPoolExecutor = ThreadPoolExecutor(8, "store")
        self.prefix: str | None = None
        self.engine = engine
        self._writing = engine.execution_options(writing=True)
        self._at_once: sa.Engine = self._writing  # for a transaction of one statement
        self._failed = -inf  # when the last write failed, by `monotonic`
        self._written: dict[str, list[str]] = {}  # the columns to write, by table
        self._names: dict[str, str] = {}  # the same in SQL
        self._games: sa.Select[Any]  # rows of games, as `_game` reads them
        self._logs: str  # the same in SQL, of known games, each with the first page of its events
        for table in metadata.sorted_tables:
            self._use(table, {*table.c.keys()})

    @abstractmethod
    def rows(self, table: sa.Table, names: str, rows: Rows) -> tuple[str, tuple[Any, ...]]:
        """Return SQL for rows of the named columns, as INSERT takes them, and its parameters."""

    def open(self) -> None:
        """Take the database for this server, and create or upgrade its tables.

        Raises:
            DatabaseDown: the database does not answer.
            DatabaseRefused: another server uses this file, its tables belong to another program,
                or only a newer version of noughts can use them.
        """
        try:
            with self._refusing():
                self._prepare()
        except DatabaseRefused:
            self.close()
            raise

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Raise DatabaseDown or DatabaseRefused instead of StoreError."""
        try:
            yield
        except StoreError as error:
            down = isinstance(error.__cause__, sa.exc.OperationalError)
            raise (DatabaseDown if down else DatabaseRefused)(f"{self.url}: {error}") from None

    def _prepare(self) -> None:
        """Upgrade the tables if necessary, and learn the prefix. Raises StoreError."""
        with connected(self.engine) as connection:
            current = migrations.is_current(connection)
        if not current:
            with self._changing_schema() as connection:
                if not migrations.is_current(connection):  # another server may have been faster
                    _create_or_upgrade(connection)
                    self._learn_columns(connection)
        with connected(self.engine) as connection:
            self._learn_columns(connection)
            prefix = connection.scalar(sa.select(ids.c.prefix))
        if prefix is None and not self.alone:
            with self._changing_schema() as connection:
                prefix = connection.scalar(sa.select(ids.c.prefix))
                if prefix is None:  # no other server has drawn one
                    old = connection.scalar(sa.select(games.c.id).limit(1))
                    prefix = "" if old else new_id()[: PREFIX - 1] + MARK  # it was the only one
                    connection.execute(ids.insert().values(prefix=prefix))
        self.prefix = prefix or ""

    @contextmanager
    def _changing_schema(self) -> Iterator[sa.Connection]:
        """Run a transaction that may take long, one process at a time. Raises StoreError."""
        with connected(self._writing.execution_options(patient=True)) as connection:
            for statement in self.locks:
                connection.execute(sa.text(statement))
            yield connection

    def _learn_columns(self, connection: sa.Connection) -> None:
        """Look up which columns the tables have. Raises StoreError if one is missing."""
        for table in metadata.sorted_tables:
            found = migrations.columns_of(connection, table.name)
            spare = OLD_RULES if "rules" in found else {"rules"}
            migrations.require_columns(table.name, {*table.c.keys()}.difference(spare), found)
            self._use(table, found)

    def _use(self, table: sa.Table, found: set[str]) -> None:
        """Read and write these columns of a table, as far as this version knows them."""
        self._written[table.name] = [each.name for each in table.c if each.name in found]
        self._names[table.name] = ", ".join(f'"{name}"' for name in self._written[table.name])
        if table is games:
            untyped = sa.types.NullType()  # so a value of the wrong type concerns only its row
            columns = {name: sa.type_coerce(games.c[name], untyped) for name in NewGame._fields}
            rules: sa.ColumnElement[Any] = columns["rules"]
            if found.issuperset(OLD_RULES):
                spelled = f"coalesce(rules, {SPELLED})" if "rules" in found else SPELLED
                rules = sa.literal_column(spelled).label("rules")
            self._games = sa.select(*(columns | {"rules": rules}).values()).select_from(games)
            page = f"events ON events.game = games.id AND events.seq BETWEEN 1 AND {PAGE}"
            selected = str(self._games.add_columns(sa.text(_EVENT)).compile(self.engine))
            query = f"{selected} LEFT JOIN {page} WHERE games.id {self.is_known}"
            self._logs = f"{query} ORDER BY games.id, events.seq"

    def close(self) -> None:
        """Close the connections."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.engine.dispose()

    def is_current(self) -> bool:
        """Return whether the tables need no upgrade.

        Raises:
            DatabaseRefused: the database does not exist, or only a newer version of noughts can
                use it.
        """
        with self._refusing(), connected(self.engine) as connection:
            return migrations.is_current(connection)

    def alive(self) -> None:
        """Check that the database answers, and that the latest write did not fail just now."""
        if self.prefix is None or self._failed > -inf:
            self._prepare()  # a newer server may have upgraded the tables
        with connected(self.engine) as connection:
            connection.execute(sa.select(1))
        if monotonic() - self._failed < RECENT:
            raise StoreError("the last write has failed")

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes to different games to the disk in one transaction; return which were.

        A change comes too late if the place of its event, or its game's id, is taken.
        """
        alone = all(change == Change(change.event) for change in changes)
        try:
            with connected(self._at_once if alone else self._writing) as connection:
                logged = self._append(connection, events, [each.event for each in changes])
                timely = [each for each in changes if not each.event or logged(each.event.game)]
                new = [each.game and self._row(each.game) for each in timely]
                created = self._append(connection, games, new)
                written = [each for each in timely if not each.game or created(each.game.id)]
                self._follow_up(connection, written)
        except StoreError:
            self._failed = monotonic()
            raise
        self._failed = -inf
        kept = {*map(id, written)}
        return [id(change) in kept for change in changes]

    def _row(self, game: NewGame) -> tuple[Any, ...]:
        """Return the row of a game, with the columns that `_use` has noted."""
        rules = game.rules
        old = (*rules.shape, rules.k, rules.gravity, rules.variant)
        values = game._asdict() | dict(zip(OLD_RULES, old, strict=True))
        values["rules"] = str(rules)
        return tuple(values[name] for name in self._written[games.name])

    def _append(
        self, connection: sa.Connection, table: sa.Table, rows: Iterable[tuple[Any, ...] | None]
    ) -> Callable[[str], bool]:
        """Insert the rows whose places are free; the result says once for each game whether."""
        ordered = sorted((row for row in rows if row), key=itemgetter(0))  # no deadlocks
        free = self.insert_free(connection, table, ordered) if ordered else set()

        def takes(game: str) -> bool:
            first = game in free
            free.discard(game)
            return first

        return takes

    @abstractmethod
    def insert_free(self, connection: sa.Connection, table: sa.Table, rows: Rows) -> set[str]:
        """Insert the rows whose places are free, and return their games."""

    def _follow_up(self, connection: sa.Connection, changes: list[Change]) -> None:
        """Write the seats, due moves and clocks that come with the events."""
        given = [token for change in changes for token in change.seats]
        turns = dict(change.due for change in changes if change.due)
        deadlines = dict(change.clock for change in changes if change.clock)
        if given:
            held = sorted((t.token, t.game, "".join(map(str, t.seats))) for t in given)  # as above
            ending = "ON CONFLICT (token) DO UPDATE SET seats = excluded.seats"
            self.insert(connection, seats, held, ending)
        self._delete(connection, due, turns)
        if thinking := [(game, now()) for game, is_due in turns.items() if is_due]:
            self.insert(connection, due, thinking)
        self._delete(connection, clocks, [game for game, at in deadlines.items() if at is None])
        if running := sorted((game, at) for game, at in deadlines.items() if at is not None):
            self.insert(connection, clocks, running, UNLESS_TAKEN)

    def insert(
        self, connection: sa.Connection, table: sa.Table, rows: Rows, ending: str = ""
    ) -> sa.CursorResult[Any]:
        """Insert rows in one statement that ends with this SQL, and return its result."""
        # After each statement this thread, and all players with it, wait for the interpreter.
        names = self._names[table.name]
        given, values = self.rows(table, names, rows)
        statement = f"INSERT INTO {table.name} ({names}) {given} {ending}"
        return connection.exec_driver_sql(statement, values)

    def _delete(self, connection: sa.Connection, table: sa.Table, games: Iterable[str]) -> None:
        """Delete the rows of these games, in a third of the time of SQLAlchemy's own IN."""
        if given := dict.fromkeys(games):
            statement = f"DELETE FROM {table.name} WHERE game {self.is_known}"
            connection.exec_driver_sql(statement, (dumps(given),))

    def load(self, ids: Iterable[str]) -> list[Loaded | DamagedGame]:
        """Return these games with the first page of their logs, or why they cannot be read.

        Unknown games are not among them.
        """
        with connected(self.engine) as connection:
            rows = connection.exec_driver_sql(self._logs, (dumps(dict.fromkeys(ids)),)).all()
        found: list[Loaded | DamagedGame] = []
        width = len(NewGame._fields)
        for _, log in groupby(rows, key=itemgetter(0)):
            first, *later = log
            made = _game(first[:width])
            if isinstance(made, DamagedGame):
                found.append(made)
                continue
            events = [Event._make(row[width:]) for row in (first, *later) if row[width] is not None]
            found.append(Loaded(made, events))
        return found

    def events(self, known: Mapping[str, int]) -> list[Event]:
        """Return up to `PAGE` events of each game after its known seq, game by game.

        The driver's SQL takes two thirds of the processor time of SQLAlchemy's.
        """
        query = (
            f"SELECT {_EVENT} FROM {self.known} AS known JOIN events ON events.game = known.key "
            "AND events.seq > CAST(known.value AS INTEGER) "
            f"AND events.seq <= CAST(known.value AS INTEGER) + {PAGE} "  # seqs have no gaps
            "ORDER BY events.game, events.seq"
        )
        with connected(self.engine) as connection:
            rows = connection.exec_driver_sql(query, (dumps(known),))
            return [*map(Event._make, rows)]

    def seats(self, tokens: Iterable[bytes]) -> list[Seats]:
        """Return the seats of the tokens with these SHA-256; no unknown or damaged ones."""
        given = tuple(tokens)
        marks = ", ".join([self.mark] * len(given))
        query = f"SELECT token, game, seats FROM seats WHERE token IN ({marks})"
        with connected(self.engine) as connection:
            rows = connection.exec_driver_sql(query, given)
            return [
                Seats(row.token, row.game, tuple(map(int, row.seats)))
                for row in rows
                if row.seats in ("1", "2", "12")
            ]

    def open_games(self) -> list[NewGame]:
        """Return the listed games of the last day that have no opponent yet, the newest first."""
        with connected(self.engine) as connection:
            rows = connection.execute(_listed(self._games, joined=False).limit(SHOWN))
            return [game for game in map(_game, rows) if isinstance(game, NewGame)]

    def begun_games(self) -> list[str]:
        """Return the ids of the latest 200 listed games of the last day with two players."""
        with connected(self.engine) as connection:
            found = _listed(sa.select(games.c.id), joined=True)
            return list(connection.scalars(found.limit(200)))

    def clocks(self) -> list[tuple[str, int]]:
        """Return the games whose clock may run, each with the earliest time it can run out."""
        with connected(self.engine) as connection:
            rows = connection.execute(sa.select(clocks.c.game, clocks.c.at))
            return [(row.game, row.at if isinstance(row.at, int) else 0) for row in rows]

    def put_off(self, earliest: Mapping[str, int]) -> None:
        """Note new earliest times at which a clock can run out, where the clocks of games run.

        Games that another server is writing to are left out, so no server waits for another.
        """
        found = sa.select(clocks.c.game).where(clocks.c.game.in_(earliest))
        with connected(self._writing) as connection:
            held = connection.scalars(found.with_for_update(skip_locked=True))
            later = [(game, earliest[game]) for game in held]
            ending = "ON CONFLICT (game) DO UPDATE SET at = excluded.at"
            if later:
                self.insert(connection, clocks, later, ending)

    def claim(self, before: int) -> list[str]:
        """Return the games in which the computer's move has been due since before this time in ms.

        They become due now, so no server claims them again for as long. Games that another server
        is claiming or moving in are left to it.
        """
        overdue = (due.c.at < before) | (due.c.at > now() + AHEAD)
        found = sa.select(due.c.game).where(overdue).with_for_update(skip_locked=True)
        claimed = due.update().where(due.c.game.in_(found)).values(at=now()).returning(due.c.game)
        with connected(self._writing) as connection:
            return list(connection.scalars(claimed))

    def forget(self, before: int) -> tuple[int, bool]:
        """Delete some games that have been idle since this time in ms, the oldest first.

        A game that another server is writing to or deleting is left out. The latest events of a
        very long game are deleted before the rest.

        Returns:
            The number of games deleted, and whether there may be more to delete.
        """
        untouched = _untouched(before)
        with connected(self.engine) as connection:
            found = connection.scalars(untouched.limit(FORGOTTEN)).all()
        query = sa.select(games.c.id).where(games.c.id.in_(found)).with_for_update(skip_locked=True)
        with connected(self._writing) as connection:
            held = connection.scalars(query).all()  # no server can add an event to these now
            rows = connection.execute(untouched.where(games.c.id.in_(held))).all()
            forgotten, room = [], FORGOTTEN_EVENTS
            for id, length in rows:
                if length <= room:
                    room -= length
                    forgotten.append(id)
            if rows and not forgotten:
                id, length = rows[0]
                latest = events.c.seq > length - FORGOTTEN_EVENTS
                connection.execute(events.delete().where(events.c.game == id, latest))
            for table in (events, seats, due, clocks):
                self._delete(connection, table, forgotten)
            connection.execute(games.delete().where(games.c.id.in_(forgotten)))
        return len(forgotten), len(found) == FORGOTTEN or len(forgotten) < len(rows)

    def export(self) -> Iterator[tuple[NewGame | DamagedGame, list[Event]]]:
        """Yield every game with its events, in the order of creation, `BATCH` of them in memory.

        The tables stay as they are, even if an older version has created them.

        Raises:
            DatabaseRefused: the database does not exist, its tables belong to another program, or
                only a newer version of noughts can read them.
        """
        self.is_current()
        with self._refusing(), connected(self.engine) as connection:
            self._learn_columns(connection)
        order = sa.tuple_(games.c.at, games.c.id)
        query = self._games.order_by(games.c.at, games.c.id).limit(BATCH)
        last = (-(2**63), "")
        while True:
            with connected(self.engine.execution_options(patient=True)) as connection:
                batch = [*map(_game, connection.execute(query.where(order > last)))]
            logs: dict[str, list[Event]] = {game.id: [] for game in batch}
            known = dict.fromkeys(logs, 0)
            while known:
                for event in self.events(known):
                    logs[event.game].append(event)
                known = {id: len(logs[id]) for id in known if len(logs[id]) == known[id] + PAGE}
            yield from ((game, logs[game.id]) for game in batch)
            if len(batch) < BATCH:
                return
            last = batch[-1].at, batch[-1].id


_EVENT = ", ".join(f'events."{name}"' for name in Event._fields)


def _game(row: Sequence[Any]) -> NewGame | DamagedGame:
    """Return the game of a row, or why it cannot be read."""
    made = NewGame._make(row)
    try:
        return _checked(made)
    except (ValueError, TypeError) as error:
        return DamagedGame(made.id, made.at, error)


def _checked(game: NewGame) -> NewGame:
    """Return a game with values of the right types. Raises ValueError or TypeError."""
    rules = _rules(game.rules)
    if len(rules.shape) != 2 or rules.players != 2:
        raise ValueError(f"{rules} is not a game for two players on a board of rows and columns")
    if game.seat not in (1, 2):
        raise ValueError(f"unknown seat {game.seat!r}")
    check_time(game.at)
    typed = game._replace(rules=rules, listed=bool(game.listed), referee=bool(game.referee))
    try:
        return msgspec.convert(tuple(typed), NewGame)  # as it is, it would be taken unseen
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `$[")
        raise ValueError(f"{NewGame._fields[int(place.rstrip('`]'))]}: {reason}") from None


def _create_or_upgrade(connection: sa.Connection) -> None:
    """Create the tables as they are now, which is faster than revision by revision, or upgrade."""
    ours = {*metadata.tables, ids.name, "alembic_version"}
    if not ours.isdisjoint(sa.inspect(connection).get_table_names()):
        migrations.upgrade(connection)
        return
    for tables in (metadata, ids.metadata):
        tables.create_all(connection)
    column = "version_num VARCHAR(32) PRIMARY KEY"  # as Alembic has it
    connection.execute(sa.text(f"CREATE TABLE alembic_version ({column})"))
    connection.execute(sa.text(f"INSERT INTO alembic_version VALUES ('{migrations.HEAD}')"))


def _listed(query: sa.Select[Any], joined: bool) -> sa.Select[Any]:
    """Select the listed games of the last day with or without a second player, newest first."""
    first = sa.select(events.c.game).where(events.c.game == games.c.id, events.c.seq == 1).exists()
    found = query.where(games.c.listed, games.c.at > now() - OPEN_FOR)
    return found.where(first if joined else ~first).order_by(games.c.at.desc())


def _untouched(before: int) -> sa.Select[Any]:
    """Select the games that have been idle since this time in ms, and the numbers of events."""
    last = sa.select(events.c.seq, events.c.at).where(events.c.game == games.c.id)
    last = last.order_by(events.c.seq.desc()).limit(1)
    length, at = (
        last.with_only_columns(one).scalar_subquery() for one in (events.c.seq, events.c.at)
    )
    found = sa.select(games.c.id, sa.func.coalesce(length, 0))
    found = found.where(games.c.at < before, sa.func.coalesce(at, 0) < before)
    return found.order_by(games.c.at, games.c.id)


@contextmanager
def connected(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Run a transaction, committed at the end. Raises StoreError if the database fails."""
    try:
        with engine.begin() as connection:
            yield connection
    except sa.exc.SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip()
        raise StoreError(reason.partition("\n")[0]) from error
