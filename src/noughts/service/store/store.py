"""The store: the log of every game; what SQLite and PostgreSQL have in common.

Every method blocks, so call it in a thread. The database decides which event was first: one is
inserted unless its place (game, seq) is taken. What is reported as written is committed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from json import dumps
from math import inf
from operator import itemgetter
from time import monotonic
from typing import Any, ClassVar

from sqlalchemy import (
    Connection,
    CursorResult,
    Engine,
    Select,
    Table,
    func,
    inspect,
    select,
    text,
    tuple_,
)
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from noughts.errors import NoughtsError
from noughts.service.play.events import MARK, Change, Event, NewGame, Seats, new_id, now
from noughts.service.play.storage import PAGE, SHOWN, Notifications, StoreError
from noughts.service.store.tables import PREFIX, clocks, due, events, games, ids, metadata, seats

OPEN_FOR = 24 * 3600 * 1000  # ms after which nobody waits in an open game any more
THREADS = 8  # in which a database is asked
BEGUN = 200  # games that may be listed to watch
AHEAD = 60_000  # ms; a time this far ahead was noted before the clock was set back
RECENT = 10  # seconds for which a failed write counts
UNLESS_TAKEN = "ON CONFLICT DO NOTHING"
FORGOTTEN = 100  # games deleted in a transaction
FORGOTTEN_EVENTS = 5000  # of these games together
BATCH = 16  # games exported at a time; on 100×100 each may take megabytes


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
    known: ClassVar[str]  # SQL for a table of the keys and values in the JSON object :known
    is_known: ClassVar[str]  # SQL that completes a condition: the column is a key of :known

    def __init__(self, engine: Engine) -> None:
        self.url: str = str(engine.url)
        self.threads: ThreadPoolExecutor = ThreadPoolExecutor(THREADS, "store")
        self.prefix: str | None = None
        self.engine = engine
        self._writing = engine.execution_options(writing=True)
        self._at_once: Engine = self._writing  # for a transaction of one statement
        self._failed = -inf  # when the last write failed, by `monotonic`

    @abstractmethod
    def rows(self, table: Table, rows: Sequence[Sequence[Any]]) -> tuple[str, tuple[Any, ...]]:
        """SQL for these rows, as an INSERT takes them, and its parameters."""

    def open(self) -> None:
        """Take the database for this server, and make its tables if there are none.

        Raises:
            DatabaseDown: no database answers.
            DatabaseRefused: another server uses this file, or its tables belong to another version.
        """
        try:
            self._prepare()
        except StoreError as error:
            self.close()
            down = isinstance(error.__cause__, OperationalError)
            raise (DatabaseDown if down else DatabaseRefused)(f"{self.url}: {error}") from None

    def _prepare(self) -> None:
        """Make the tables if there are none, and learn the prefix. Raises StoreError."""
        with connected(self._writing.execution_options(patient=True)) as connection:
            self.make_tables(connection)
            prefix = self._find_prefix(connection)
        self.prefix = prefix

    def make_tables(self, connection: Connection) -> None:
        """Make the tables if there are none. Raises StoreError if they are not as expected."""
        if not inspect(connection).has_table(games.name):
            metadata.create_all(connection)
        check_tables(connection)
        for table in metadata.sorted_tables:
            for index in table.indexes:  # those that an earlier version did not make
                index.create(connection, checkfirst=True)

    def _find_prefix(self, connection: Connection) -> str:
        """The prefix: drawn once, when this is first one of several; none if it has games then."""
        if self.alone and not inspect(connection).has_table(ids.name):
            return ""
        ids.create(connection, checkfirst=True)
        prefix: str | None = connection.scalar(select(ids.c.prefix))
        if prefix is None:
            old = connection.scalar(select(games.c.id).limit(1))
            prefix = "" if old else new_id()[: PREFIX - 1] + MARK
            connection.execute(ids.insert().values(prefix=prefix))
        return prefix

    def close(self) -> None:
        """Close the connections."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.engine.dispose()

    def alive(self) -> None:
        """Check that the database answers, and that the latest write did not fail just now."""
        if self.prefix is None:
            self._prepare()
        with connected(self.engine) as connection:
            connection.execute(select(1))
        if monotonic() - self._failed < RECENT:
            raise StoreError("the last write has failed")

    def commit(self, changes: list[Change]) -> list[bool]:
        """Write changes to different games in one transaction; say which of them were written.

        A change comes too late if the place of its event, or its game's id, is taken. What is
        written is on the disk.
        """
        alone = all(change == Change(change.event) for change in changes)
        try:
            with connected(self._at_once if alone else self._writing) as connection:
                logged = self._append(connection, events, [each.event for each in changes])
                timely = [each for each in changes if not each.event or logged(each.event.game)]
                made = self._append(connection, games, [each.game for each in timely])
                written = [each for each in timely if not each.game or made(each.game.id)]
                self._follow_up(connection, written)
        except StoreError:
            self._failed = monotonic()
            raise
        self._failed = -inf
        kept = {*map(id, written)}
        return [id(change) in kept for change in changes]

    def _append(
        self, connection: Connection, table: Table, rows: Iterable[Event | NewGame | None]
    ) -> Callable[[str], bool]:
        """Insert the rows whose places are free; the result says of each game once whether."""
        ordered = sorted((row for row in rows if row), key=itemgetter(0))  # no deadlocks
        free = self.insert_free(connection, table, ordered) if ordered else set()

        def takes(game: str) -> bool:
            first = game in free
            free.discard(game)
            return first

        return takes

    @abstractmethod
    def insert_free(
        self, connection: Connection, table: Table, rows: Sequence[Event | NewGame]
    ) -> set[str]:
        """Insert those of these rows whose places are free; return their games."""

    def _follow_up(self, connection: Connection, changes: list[Change]) -> None:
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
        self, connection: Connection, table: Table, rows: Sequence[Sequence[Any]], ending: str = ""
    ) -> CursorResult[Any]:
        """Insert rows in one statement that ends with this SQL; return what that returns.

        One, because after each statement this thread waits for the interpreter, and all players in
        the transaction wait with it.
        """
        given, values = self.rows(table, rows)
        statement = f"INSERT INTO {table.name} {given} {ending}"
        return connection.exec_driver_sql(statement, values)

    def _delete(self, connection: Connection, table: Table, games: Iterable[str]) -> None:
        """Delete the rows of these games, in a third of the time of SQLAlchemy's own IN."""
        if given := dict.fromkeys(games):
            statement = text(f"DELETE FROM {table.name} WHERE game {self.is_known}")
            connection.execute(statement, {"known": dumps(given)})

    def games(self, ids: Iterable[str]) -> list[NewGame]:
        """How these games were made, those that there are."""
        query = select(games).where(text(f"id {self.is_known}"))
        with connected(self.engine) as connection:
            rows = connection.execute(query, {"known": dumps(dict.fromkeys(ids))})
            return [NewGame(*row) for row in rows]

    def events(self, known: Mapping[str, int]) -> list[Event]:
        """The events of these games after the seq that is known of each, game by game in order.

        Of each game they are at most `PAGE`: seqs have no gaps.
        """
        query = (
            f"SELECT events.* FROM {self.known} AS known JOIN events ON events.game = known.key "
            "AND events.seq > CAST(known.value AS INTEGER) "
            f"AND events.seq <= CAST(known.value AS INTEGER) + {PAGE} "
            "ORDER BY events.game, events.seq"
        )
        with connected(self.engine) as connection:
            rows = connection.execute(text(query), {"known": dumps(known)})
            return [Event(*row) for row in rows]

    def seats(self, tokens: Iterable[bytes]) -> list[Seats]:
        """The seats that the tokens with these SHA-256 stand for, those that are known."""
        query = select(seats).where(seats.c.token.in_(tokens))
        with connected(self.engine) as connection:
            rows = connection.execute(query)
            return [Seats(row.token, row.game, tuple(map(int, row.seats))) for row in rows]

    def open_games(self) -> list[NewGame]:
        """The listed games of the last day that nobody has joined, the newest first."""
        with connected(self.engine) as connection:
            query = _listed(joined=False).limit(SHOWN)
            return [NewGame(*row) for row in connection.execute(query)]

    def begun_games(self) -> list[str]:
        """The ids of the latest listed games of the last day that somebody has joined."""
        with connected(self.engine) as connection:
            return list(connection.scalars(_listed(joined=True).limit(BEGUN)))

    def clocks(self) -> list[tuple[str, int]]:
        """The games whose clock may run, each with the earliest time at which it can be up."""
        with connected(self.engine) as connection:
            return [(row.game, row.at) for row in connection.execute(select(clocks))]

    def put_off(self, earliest: Mapping[str, int]) -> None:
        """Write new earliest times at which somebody's time is up, where the clocks of games run.

        Games that another server is writing to are left out, so no server waits for another.
        """
        found = select(clocks.c.game).where(clocks.c.game.in_(earliest))
        with connected(self._writing) as connection:
            held = connection.scalars(found.with_for_update(skip_locked=True))
            later = [(game, earliest[game]) for game in held]
            ending = "ON CONFLICT (game) DO UPDATE SET at = excluded.at"
            if later:
                self.insert(connection, clocks, later, ending)

    def claim(self, before: int) -> list[str]:
        """The games in which the computer's move has been due since before this time in ms.

        They become due now, so no server claims them again for as long. Games that another server
        is claiming or moving in are left to it.
        """
        overdue = (due.c.at < before) | (due.c.at > now() + AHEAD)
        found = select(due.c.game).where(overdue).with_for_update(skip_locked=True)
        claimed = due.update().where(due.c.game.in_(found)).values(at=now()).returning(due.c.game)
        with connected(self._writing) as connection:
            return list(connection.scalars(claimed))

    def forget(self, before: int) -> tuple[int, bool]:
        """Delete some games that nobody has touched since this time in ms, the oldest first.

        Returns how many, and whether there may be more. A game that another server is writing to
        or deleting is left out. Of a very long one, the latest events go before the rest.
        """
        untouched = _untouched(before)
        with connected(self.engine) as connection:
            found = connection.scalars(untouched.limit(FORGOTTEN)).all()
        locked = select(games.c.id).where(games.c.id.in_(found)).with_for_update(skip_locked=True)
        with connected(self._writing) as connection:
            held = connection.scalars(locked).all()  # nobody can add an event to these now
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

    def export(self) -> Iterator[tuple[NewGame, list[Event]]]:
        """Every game with its events, in the order they were made, `BATCH` of them in memory.

        Raises:
            DatabaseRefused: there is no database, or its tables belong to another version.
        """
        try:
            with connected(self.engine) as connection:
                check_tables(connection)
        except StoreError as error:
            raise DatabaseRefused(f"{self.url}: {error}") from None
        order = tuple_(games.c.at, games.c.id)
        query = select(games).order_by(games.c.at, games.c.id).limit(BATCH)
        last = (-1, "")
        while True:
            with connected(self.engine.execution_options(patient=True)) as connection:
                batch = [NewGame(*row) for row in connection.execute(query.where(order > last))]
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


def _listed(joined: bool) -> Select[Any]:
    """The listed games of the last day that somebody has joined, or nobody, the newest first."""
    first = select(events.c.game).where(events.c.game == games.c.id, events.c.seq == 1).exists()
    found = select(games).where(games.c.listed, games.c.at > now() - OPEN_FOR)
    return found.where(first if joined else ~first).order_by(games.c.at.desc())


def _untouched(before: int) -> Select[Any]:
    """The games that nobody has touched since this time in ms, and the numbers of their events."""
    last = select(events.c.seq, events.c.at).where(events.c.game == games.c.id)
    last = last.order_by(events.c.seq.desc()).limit(1)
    length, at = (
        last.with_only_columns(one).scalar_subquery() for one in (events.c.seq, events.c.at)
    )
    found = select(games.c.id, func.coalesce(length, 0))
    found = found.where(games.c.at < before, func.coalesce(at, 0) < before)
    return found.order_by(games.c.at, games.c.id)


def check_tables(connection: Connection) -> None:
    """Check that the tables are those that this version makes; raises StoreError otherwise."""
    for table in metadata.sorted_tables:
        found = connection.execute(text(f"SELECT * FROM {table.name} LIMIT 0"))
        if [*found.keys()] != table.columns.keys():
            raise StoreError(
                f"another version of noughts, or another program, has made the table {table.name}"
            )


@contextmanager
def connected(engine: Engine) -> Iterator[Connection]:
    """A transaction that is committed at the end. Raises StoreError if the database fails."""
    try:
        with engine.begin() as connection:
            yield connection
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip()
        raise StoreError(reason.partition("\n")[0]) from error
