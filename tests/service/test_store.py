"""The store: SQLite and PostgreSQL behave alike."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Barrier
from time import sleep

import pytest
from sqlalchemy import create_engine, event, func, inspect, select

from commands import SECONDS
from noughts import Rules
from noughts.service.play.events import (
    Change,
    Event,
    NewGame,
    Seats,
    digest,
    new_id,
    new_secret,
    now,
)
from noughts.service.play.storage import PAGE, SHOWN, Loaded, StoreError, in_time
from noughts.service.store.dialects import store_at
from noughts.service.store.sql import (
    BATCH,
    OPEN_FOR,
    DatabaseRefused,
    Store,
)
from noughts.service.store.tables import due, events, metadata
from service.serving import Postgres, serving


@contextmanager
def opened(url: str) -> Iterator[Store]:
    store = store_at(url)
    store.open()
    try:
        yield store
    finally:
        store.close()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with opened(database) as found:
        yield found


def new_game(**fields: object) -> NewGame:
    known = {"id": new_id(), "rules": Rules(), "opponent": "friend", "level": None}
    more = {"seat": 1, "name": "Ada", "listed": False, "invite": digest("come"), "at": now()}
    return NewGame(**{**known, **more, **fields})  # type: ignore[arg-type]


def make(store: Store, **fields: object) -> NewGame:
    game = new_game(**fields)
    assert store.commit([Change(game=game)]) == [True]
    return game


def due_now(store: Store, before: int | None = None) -> list[str]:
    """Return the games in which a computer is to move, by the table itself."""
    query = select(due.c.game).where(due.c.at < (now() + 1 if before is None else before))
    with store.engine.connect() as connection:
        return list(connection.scalars(query))


def move(game: NewGame, seq: int, key: str = "k") -> Event:
    return Event(game.id, seq, "move", 1 + seq % 2, key, now(), cell=seq)


def test_store_reads_what_was_written(store: Store) -> None:
    game = make(store, name="Ada Løvelace 漢", level="strong", opponent="computer")
    entries = [
        Event(game.id, 1, "joined", 2, "a", 1, text="Bob"),
        Event(game.id, 2, "move", 1, "b" * 64, 2**42, cell=9999),
        Event(game.id, 3, "takeback", 1, "c", 3, ply=0),
    ]
    for entry in entries:
        assert store.commit([Change(entry)]) == [True]
    assert store.load([game.id]) == [Loaded(game, entries)]
    assert store.events({game.id: 0}) == entries
    assert store.events({game.id: 2}) == entries[2:]


def test_store_finds_nothing_of_unknown_games(store: Store) -> None:
    assert store.load(["nobody"]) == []
    assert store.events({}) == []
    assert store.events({"nobody": 0}) == []
    assert store.seats([digest("nobody")]) == []


def test_commit_writes_one_event_per_place(store: Store) -> None:
    game = make(store)
    first, second = move(game, 1, "first"), move(game, 1, "second")
    given = Seats(digest("token"), game.id, (2,))
    assert store.commit([Change(first)]) == [True]
    assert store.commit([Change(second, seats=(given,), due=(game.id, True))]) == [False]
    assert store.events({game.id: 0}) == [first]
    assert store.seats([given.token]) == []  # it came with an event that was not written
    assert due_now(store) == []


def test_commit_writes_changes_whose_places_are_free(store: Store) -> None:
    games = [make(store) for _ in range(5)]
    store.commit([Change(move(games[1], 1, "before")), Change(move(games[3], 1, "before"))])
    assert store.commit([Change(move(game, 1)) for game in games]) == [1, 0, 1, 0, 1]
    assert sorted((e.game, e.seq) for e in store.events({game.id: 0 for game in games})) == sorted(
        (game.id, 1) for game in games
    )


def test_commit_creates_a_game_once(store: Store) -> None:
    game, others = new_game(), [new_game(), new_game()]
    again = game._replace(name="Eve", at=1)
    given = Seats(digest("token"), game.id, (1,))
    first, second, between = (Change(game=each) for each in (game, *others))
    late = Change(game=again, seats=(given,))
    assert store.commit([late._replace(game=game, seats=()), second, late]) == [True, True, False]
    assert store.commit([first, between, late]) == [False, True, False]
    made = store.load([each.id for each in (game, *others)])
    assert sorted(each.made.id for each in made if isinstance(each, Loaded)) == sorted(
        each.id for each in (game, *others)
    )
    assert store.seats([given.token]) == []


def test_events_of_a_long_game_are_paged(store: Store) -> None:
    game = make(store)
    store.commit([Change(move(game, seq)) for seq in range(1, PAGE + 3)])
    first = store.events({game.id: 0})
    assert store.load([game.id]) == [Loaded(game, first)]
    pages = [first, *(store.events({game.id: after}) for after in (PAGE, PAGE + 2))]
    assert [len(page) for page in pages] == [PAGE, 2, 0]
    assert [event.seq for page in pages for event in page] == [*range(1, PAGE + 3)]


def test_events_accepts_any_number_of_games(store: Store) -> None:
    first, second = make(store), make(store)
    store.commit([Change(move(first, 1)), Change(move(second, 1))])
    nobody = [f"{number}" for number in range(70_000)]
    found = store.events(dict.fromkeys([first.id, *nobody, second.id], 0))
    assert {(event.game, event.seq) for event in found} == {(first.id, 1), (second.id, 1)}


def test_commit_that_fails_writes_nothing(store: Store) -> None:
    game = make(store)
    with pytest.raises(StoreError):
        store.commit([Change(move(game, 1)), Change(move(new_game(), 1))])  # no such game
    assert store.events({game.id: 0}) == []


def test_commit_lets_one_of_two_writers_win_a_place(database: str) -> None:
    with opened(database) as store:
        stores = [store, store_at(database)]
        game, start = make(store), Barrier(2)

        def race(number: int) -> list[bool]:
            won = []
            for seq in range(1, 31):
                start.wait(timeout=SECONDS)
                won += stores[number].commit([Change(move(game, seq, f"of {number}"))])
            return won

        with ThreadPoolExecutor(2) as threads:
            wins = list(threads.map(race, range(2)))
        stores[1].close()
        assert all(first != second for first, second in zip(*wins, strict=True))
        winners = [f"of {0 if first else 1}" for first in wins[0]]
        assert [event.key for event in store.events({game.id: 0})] == winners


def test_seats_are_found_by_token(store: Store) -> None:
    game, token = new_game(), new_secret()
    both = Seats(digest(token), game.id, (1, 2))
    assert store.commit([Change(game=game, seats=(both,))]) == [True]
    assert store.seats([digest(f"{token}x"), digest(token)]) == [both]
    assert both.token == sha256(token.encode()).digest()


def test_due_moves_stay_until_they_are_played(store: Store) -> None:
    game, other = new_game(), new_game()
    before = now()
    store.commit([Change(game=g, due=(g.id, g is game)) for g in (game, other)])
    assert due_now(store, before) == []
    assert due_now(store) == [game.id]
    store.commit([Change(move(g, 1), due=(g.id, g is other)) for g in (game, other)])
    assert due_now(store) == [other.id]
    store.commit([Change(move(other, 2), due=(other.id, True))])  # due again
    assert due_now(store) == [other.id]


def test_claim_gives_an_overdue_move_to_one_server(database: str) -> None:
    with opened(database) as store:
        other = store_at(database)
        begun = now()
        made = [new_game(opponent="computer") for _ in range(20)]
        store.commit([Change(game=game, due=(game.id, True)) for game in made])
        assert store.claim(begun - 1) == []
        before = now() + 1
        sleep(0.01)
        with ThreadPoolExecutor(2) as threads:
            claimed = [*threads.map(lambda store: store.claim(before), (store, other))]
        assert sorted(claimed[0] + claimed[1]) == sorted(game.id for game in made)
        assert store.claim(before) == []
        assert len(store.claim(now() + 1)) == 20  # none has been played: they are due again
        other.close()


def test_claim_takes_a_move_that_a_wrong_clock_has_noted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(opponent="computer")
    with monkeypatch.context() as clock:
        clock.setattr("noughts.service.store.sql.now", lambda: now() + 30_000)
        store.commit([Change(game=game, due=(game.id, True))])
    assert store.claim(now() - 1000) == [game.id]
    assert store.claim(now() - 1000) == []  # it is due from now on


def test_put_off_changes_running_clocks_only(store: Store) -> None:
    running, over = make(store), make(store)
    for game in (running, over):
        store.commit([Change(clock=(game.id, 5))])
    store.commit([Change(clock=(over.id, None))])
    store.put_off({running.id: 9, over.id: 9})
    assert store.clocks() == [(running.id, 9)]
    store.put_off({})


def test_open_games_lists_recent_games_with_a_free_seat(store: Store) -> None:
    make(store)
    make(store, listed=True, at=now() - OPEN_FOR - 1)
    taken = make(store, listed=True)
    store.commit([Change(Event(taken.id, 1, "joined", 2, "k", now()))])
    free = [make(store, listed=True, at=now() - 1000 + number) for number in range(SHOWN + 1)]
    assert store.open_games() == free[:0:-1]  # the newest first; one too many


def test_export_yields_games_and_events_in_order_of_creation(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(store.export()) == []
    monkeypatch.setattr("noughts.service.store.sql.BATCH", 3)
    assert BATCH != 3
    games = sorted((new_game(at=number // 2) for number in range(6)), key=lambda g: (g.at, g.id))
    store.commit([Change(game=game) for game in reversed(games)])
    logs = [[move(game, seq + 1) for seq in range(number)] for number, game in enumerate(games)]
    for entry in [entry for log in logs for entry in log]:
        store.commit([Change(entry)])
    assert list(store.export()) == list(zip(games, logs, strict=True))


# Deleting idle games


def test_forget_deletes_idle_games_in_small_steps(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noughts.service.store.sql.FORGOTTEN", 3)
    monkeypatch.setattr("noughts.service.store.sql.FORGOTTEN_EVENTS", 6)
    lengths = [20, 2, 2, 2, 2, 0, 7]
    old = [make(store, at=number) for number in range(len(lengths))]
    touched, young = make(store, at=1), make(store, at=200)
    for game, length in [*zip(old, lengths, strict=True), (touched, 30)]:
        store.commit([Change(move(game, seq)._replace(at=3)) for seq in range(1, length + 1)])
        given = Seats(digest(game.id), game.id, (1,))
        store.commit([Change(seats=(given,), due=(game.id, True), clock=(game.id, 9))])
    store.commit([Change(move(touched, 31)._replace(at=100))])
    sizes, more = [], True
    while more:
        left = rows(store)
        count, more = store.forget(before=100)
        sizes.append((count, left["events"] - rows(store)["events"]))
    assert sum(count for count, _ in sizes) == len(old)
    assert all(count <= 3 and events <= 6 for count, events in sizes)
    kept = store.load(game.id for game in [*old, touched, young])
    assert {each.made for each in kept if isinstance(each, Loaded)} == {touched, young}
    assert rows(store) == {"games": 2, "events": 31, "seats": 1, "due": 1, "clocks": 1}
    assert store.forget(before=100) == (0, False)


def rows(store: Store) -> dict[str, int]:
    """Return the number of rows of each table."""
    with store.engine.connect() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
        }


def test_forget_skips_a_game_with_a_move_in_progress(postgresql: Postgres) -> None:
    with opened(postgresql.database()) as store:
        game = make(store, at=1)
        latest = move(game, 1)
        with store.engine.execution_options(writing=True).begin() as connection:
            store.insert(connection, events, [latest])
            assert store.forget(before=100) == (0, False)
        assert store.forget(before=100) == (0, False)
        assert store.events({game.id: 0}) == [latest]


def test_forget_at_two_servers_deletes_each_game_once(postgresql: Postgres) -> None:
    database = postgresql.database()
    with opened(database) as store, closing(store_at(database)) as other:
        store.commit([Change(game=new_game(at=number)) for number in range(500)])

        def forget(store: Store) -> int:
            count = 0
            while rows(store)["games"]:
                count += store.forget(before=1000)[0]
            return count

        with ThreadPoolExecutor(2) as threads:
            assert sum(threads.map(forget, [store, other])) == 500


# Tables


def test_sqlite_finds_games_by_index(tmp_path: Path) -> None:
    queries = []
    with opened(f"sqlite:///{tmp_path}/noughts.db") as store, store.engine.connect() as connection:
        event.listen(store.engine, "before_cursor_execute", lambda *about: queries.append(about))
        store.open_games()
        next(store.export(), None)
        found = [about[2:4] for about in queries if about[2].startswith("SELECT games")]
        for (query, values), index in zip(
            found, ("listed (at>?)", "made ((at,id)>(?,?))"), strict=True
        ):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", values).all()
            assert plan[0].detail == f"SEARCH games USING INDEX games_{index}"
            assert not any("TEMP B-TREE" in step.detail for step in plan)


def test_reopened_database_has_its_games(database: str) -> None:
    with opened(database) as store:
        rules = Rules((6, 7), 4, gravity=True, variant="caro")
        game = make(store, rules=rules, before="first")
    with opened(database) as store:
        assert store.load([game.id]) == [Loaded(game, [])]


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("games", "ALTER TABLE games DROP COLUMN referee"),
        ("due", "DROP TABLE due"),
        ("clocks", "DROP TABLE clocks; CREATE TABLE clocks (tick INTEGER)"),
    ],
)
def test_database_that_lacks_a_column_is_refused_in_one_sentence(
    database: str, table: str, change: str
) -> None:
    with opened(database) as store, store.engine.begin() as connection:
        make(store)
        for statement in change.split("; "):
            connection.exec_driver_sql(statement)
    for use in (Store.open, lambda store: next(store.export())):
        with pytest.raises(DatabaseRefused) as refused, closing(store_at(database)) as store:
            use(store)
        made = "another version of noughts, or another program, has created the table"
        assert re.search(rf'({made}|no such table:|relation) "?{table}\b', str(refused.value))
        assert "\n" not in str(refused.value)


def test_tables_of_another_program_are_left_alone(database: str) -> None:
    engine = create_engine(database)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE events (day INTEGER)")
    with pytest.raises(DatabaseRefused, match="another program, has created the table events"):
        store_at(database).open()
    assert inspect(engine).get_table_names() == ["events"]
    engine.dispose()


def test_servers_that_start_at_once_create_the_tables_once(postgresql: Postgres) -> None:
    database = postgresql.database()
    stores = [store_at(database) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(Store.open, stores))
    game = make(stores[0])
    assert stores[1].load([game.id]) == [Loaded(game, [])]
    for store in stores:
        store.close()


def test_waiting_can_be_cancelled_just_as_the_answer_arrives() -> None:
    async def cancelled() -> None:
        answer = asyncio.get_running_loop().create_future()
        waiting = asyncio.create_task(in_time(answer))
        await asyncio.sleep(0)
        answer.set_result(None)
        waiting.cancel()
        await waiting

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


# SQLite


def test_sqlite_connections_are_durable(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path}/noughts.db") as store:
        connections = [store.engine.connect() for _ in range(3)]
        for connection in connections:
            found = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
            assert found == ["wal", 2, 1]  # 2 is FULL
            connection.close()


def test_sqlite_writer_takes_the_lock_at_once(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path}/noughts.db") as store:
        writing = store.engine.execution_options(writing=True)
        other = sqlite3.connect(tmp_path / "noughts.db", timeout=0)
        with writing.begin(), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        with store.engine.begin():
            other.execute("BEGIN IMMEDIATE")  # readers do not
        other.close()


@pytest.mark.tier2("process")
def test_sqlite_file_in_use_refuses_a_second_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/noughts.db"
    (tmp_path / "link.db").symlink_to("noughts.db")
    with opened(url):
        for same in (url, f"sqlite:///{tmp_path}/link.db"):
            with pytest.raises(DatabaseRefused, match=r"another server is using .*\.db: stop it"):
                store_at(same).open()
        with pytest.raises(RuntimeError, match="another server is using"), serving(url):
            pass
    with serving(url) as server:
        with pytest.raises(DatabaseRefused, match="another server is using"):
            store_at(url).open()
        server.kill()
        with opened(url):
            pass


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "not the URL of a database: write sqlite:///FILE or"),
        ("mysql://host/name", "mysql is not supported: use sqlite or postgresql"),
        ("sqlite://", "games in memory would be lost"),
        ("sqlite:///:memory:", "games in memory would be lost"),
        ("sqlite:///{tmp}/no/such/folder.db", "No such file or directory"),
        ("sqlite:///{tmp}", "Is a directory"),
        ("sqlite:///{tmp}/text", "file is not a database"),
        ("postgresql://secret:word@127.0.0.1:1/x", r"secret:\*\*\*@127.0.0.1:1/x: connection.*"),
    ],
)
def test_unusable_database_is_refused_in_one_line(url: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text(
        "This is not a database, but it is long enough to look like one.\n" * 9
    )
    with pytest.raises(DatabaseRefused, match=reason) as refused:
        store_at(url.format(tmp=tmp_path)).open()
    assert "\n" not in str(refused.value)
