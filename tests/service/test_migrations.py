"""The schema of the database: released databases open, and upgrades roll."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from click.testing import CliRunner, Result
from sqlalchemy import Connection, MetaData, create_engine, inspect, text

from commands import SECONDS
from noughts import Game, Rules
from noughts.cli.app import application
from noughts.service.play.events import Change, Event, NewGame, Seats, digest, new_id, now
from noughts.service.play.storage import Loaded, StoreError
from noughts.service.store import migrations
from noughts.service.store.dialects import store_at
from noughts.service.store.sql import DatabaseRefused, Store
from noughts.service.store.tables import ids, metadata
from service.serving import Postgres, Seat, code, serving, speaking_to

RELEASED = sorted((Path(__file__).parent / "data").glob("server-*.db"))


@contextmanager
def opened(url: str) -> Iterator[Store]:
    with closing(store_at(url)) as store:
        store.open()
        yield store


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    engine = create_engine(url)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def execute(url: str, *statements: str) -> None:
    with connected(url) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(application, arguments)


def exported(url: str) -> list[dict[str, Any]]:
    ended = run("export", f"--database-url={url}")
    assert ended.exit_code == 0, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


def new_game(rules: Rules) -> NewGame:
    return NewGame(new_id(), rules, "self", None, 1, None, False, None, now())


# Released databases


@pytest.fixture(params=RELEASED, ids=lambda path: path.stem)
def released(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Copy a database that a released version has left."""
    found: Path = request.param
    copy = tmp_path / found.name
    copyfile(found, copy)
    copyfile(found.with_suffix(".jsonl"), copy.with_suffix(".jsonl"))
    return copy


def into_postgresql(file: Path, postgresql: Postgres) -> str:
    """Copy the tables of an SQLite file into a new database, with the same revision or none."""
    url = postgresql.database()
    with connected(f"sqlite:///{file}") as source, connected(url) as target:
        revision = migrations.revision_of(source)
        migrations.upgrade(target, revision or "0001")
        if revision is None:
            target.execute(text("DROP TABLE alembic_version"))
        tables = MetaData()
        tables.reflect(target)
        for table in tables.sorted_tables:
            typed = MetaData()
            typed.reflect(source, only=[table.name])
            if rows := source.execute(typed.tables[table.name].select()).mappings().all():
                target.execute(table.delete())
                target.execute(table.insert(), [dict(row) for row in rows])
    return url


def test_released_sqlite_file_exports_the_same_and_is_played_on(released: Path) -> None:
    goes_on(f"sqlite:///{released}", released.with_suffix(".jsonl"))


def test_released_tables_in_postgresql_export_the_same_and_are_played_on(
    released: Path, postgresql: Postgres
) -> None:
    goes_on(into_postgresql(released, postgresql), released.with_suffix(".jsonl"))


def goes_on(url: str, expected: Path) -> None:
    """Export a database as it is and after its upgrade, then play on in each game."""
    games = [json.loads(line) for line in expected.read_text("utf-8").splitlines()]
    assert exported(url) == games
    with opened(url) as store:
        assert store.is_current()
        clocks = dict(store.clocks())
        given = [Seats(digest(game["id"]), game["id"], (1, 2)) for game in games]
        store.commit([Change(seats=(each,)) for each in given])
    assert exported(url) == games
    with serving(url) as server, speaking_to(server) as client:
        for game in games:
            seat = Seat(client, game["id"], token=game["id"])
            cell, *_ = replayed(game).legal_moves
            answer = seat.move(*cell)
            if game["id"] in clocks:  # its time has long been up; the server may end it meanwhile
                found = code(answer)
                assert found in {"timeout", "game_over"} or seat.state()["termination"], found
            else:
                assert answer.status_code == 201, answer.text


def replayed(game: dict[str, Any]) -> Game:
    shape = game.get("shape") or [game["n"]] * 2
    options = {name: game[name] for name in ("gravity", "variant") if name in game}
    return Game.replay(Rules(tuple(shape), game.get("k"), **options), map(tuple, game["moves"]))


def test_data_has_a_database_of_every_released_revision() -> None:
    """Add `server-RELEASE.db` of the revision before when you add one."""
    found = set()
    for path in RELEASED:
        with connected(f"sqlite:///{path}") as connection:
            found.add(migrations.revision_of(connection) or "0001")
    numbers = [f"{number:04}" for number in range(1, int(migrations.HEAD[:4]))]
    assert {revision[:4] for revision in found} >= set(numbers)


@pytest.mark.parametrize(
    "rules",
    [
        *map(Rules.gomoku, ("freestyle", "standard", "caro", "misere", "renju")),
        Rules.connect_four(),
        Rules(),
        Rules((6, 7), 4),
        Rules((7, 6), 4, gravity=True),
        Rules((6, 7), 4, gravity=True, variant="caro"),
        Rules((3, 5), 3),
        Rules((5, 3), 5),
        Rules((15, 15), 5, gravity=True),
        Rules((15, 15), 4),
        Rules((20, 20), 5, variant="standard"),
        Rules((4, 4), variant="misere"),
        Rules((19, 19), 5, variant="renju"),
    ],
    ids=str,
)
def test_upgrade_writes_rules_as_text(rules: Rules, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/old.db"
    with connected(url) as connection:
        migrations.upgrade(connection, "0001")
        insert_old(connection, "g", rules)
        migrations.upgrade(connection)
        assert connection.scalar(text("SELECT rules FROM games")) == str(rules)


def insert_old(connection: Connection, id: str, rules: Rules) -> None:
    """Insert a game as servers did that did not know the column `rules`."""
    connection.execute(
        text(
            "INSERT INTO games (id, rows, cols, k, gravity, variant, opponent, seat, listed, at, "
            "referee) VALUES (:id, :rows, :cols, :k, :gravity, :variant, 'self', 1, FALSE, 5, "
            "FALSE)"
        ),
        dict(
            zip(("rows", "cols"), rules.shape, strict=True),
            id=id,
            k=rules.k,
            gravity=rules.gravity,
            variant=rules.variant,
        ),
    )


def test_game_written_by_a_server_that_does_not_know_rules_is_read(database: str) -> None:
    rules = Rules((6, 7), 4, gravity=True, variant="caro")
    with opened(database) as store:
        with connected(database) as connection:
            insert_old(connection, "g", rules)
        (game,) = store.load(["g"])
        assert isinstance(game, Loaded)
        assert game.made.rules == rules
    assert [game["id"] for game in exported(database)] == ["g"]


# Revisions


def test_head_is_the_newest_of_numbered_revisions() -> None:
    script = ScriptDirectory(migrations.FOLDER, version_locations=[migrations.FOLDER])
    ids = [revision.revision for revision in script.walk_revisions()]
    assert ids[0] == migrations.HEAD
    assert [id[:4] for id in ids] == [f"{number:04}" for number in range(len(ids), 0, -1)]


@pytest.mark.parametrize("created", ["at once", "by revisions"])
def test_new_database_has_the_declared_tables(database: str, created: str) -> None:
    if created == "by revisions":
        with connected(database) as connection:
            migrations.upgrade(connection)
    with opened(database), connected(database) as connection:
        assert migrations.revision_of(connection) == migrations.HEAD
        context = MigrationContext.configure(connection)
        declared: Any = [metadata, ids.metadata]
        assert compare_metadata(context, declared) == []


Schema = dict[str, dict[str, Any]]


def schema(connection: Connection) -> Schema:
    """Return the columns of each table, and what else a row must fulfil."""
    found = inspect(connection)
    return {
        table: {
            "columns": {
                each["name"]: (str(each["type"]), each["nullable"], each["default"])
                for each in found.get_columns(table)
            },
            "constraints": [
                found.get_pk_constraint(table),
                found.get_foreign_keys(table),
                found.get_unique_constraints(table),
                found.get_check_constraints(table),
                [index for index in found.get_indexes(table) if index["unique"]],
            ],
        }
        for table in found.get_table_names()
    }


def faults(folder: Path, url: str) -> list[str]:
    """Run the revisions of a folder one by one; return what older servers could not live with."""
    script = ScriptDirectory(folder, version_locations=[folder])
    found: list[str] = []
    unused: dict[tuple[str, str], Any] = {}  # the revision that marked a column
    oldest = "0000"
    before: Schema = {}
    for revision in reversed([*script.walk_revisions()]):
        id, module = revision.revision, revision.module
        with connected(url) as connection:
            migrations.upgrade(connection, id, folder)
            after = schema(connection)
        needed = id.partition("_from_")[2] or "0000"
        if needed < oldest:
            found.append(f"{id} forgets that servers must know {oldest}")
        oldest = max(needed, oldest)
        for table, known in before.items():
            columns = after[table]["columns"] if table in after else {}
            for name, column in known["columns"].items():
                marked = unused.get((table, name))
                if name in columns and columns[name] == column:
                    continue
                if marked is None or number(marked.module.release) >= number(module.release):
                    found.append(f"{id} drops or changes {table}.{name}, which servers use")
                elif oldest < marked.revision[:4]:
                    found.append(f"{id} must be named {id[:4]}_from_{marked.revision[:4]}")
            for name, (_, nullable, default) in columns.items():
                if name not in known["columns"] and not nullable and default is None:
                    found.append(f"{id} adds {table}.{name}, which servers do not write")
            if columns and after[table]["constraints"] != known["constraints"]:
                found.append(f"{id} adds a constraint to {table}")
        for table, names in getattr(module, "unused", {}).items():
            unused |= {(table, name): revision for name in names}
        before = after
    return found


def number(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def test_revisions_leave_servers_of_the_previous_release_running(tmp_path: Path) -> None:
    assert faults(migrations.FOLDER, f"sqlite:///{tmp_path}/noughts.db") == []


@pytest.mark.parametrize(
    ("id", "release", "upgrade", "fault"),
    [
        ("0003", "0.2", "op.drop_column('games', 'name')", "drops or changes games.name"),
        ("0003", "0.1", "op.drop_column('games', 'k')", "drops or changes games.k"),
        ("0003", "0.2", "op.drop_column('games', 'k')", "must be named 0003_from_0002"),
        ("0003_from_0002", "0.2", "op.drop_column('games', 'k')", None),
        ("0003", "0.2", "op.drop_table('clocks')", "drops or changes clocks.at"),
        (
            "0003",
            "0.2",
            "op.execute('ALTER TABLE events RENAME text TO note')",
            "drops or changes events.text",
        ),
        (
            "0003",
            "0.2",
            "with op.batch_alter_table('due') as due:\n"
            "        due.add_column(sa.Column('x', sa.Integer, nullable=False))",
            "adds due.x, which servers do not write",
        ),
        ("0003", "0.2", "op.add_column('due', sa.Column('x', sa.Integer))", None),
        ("0003", "0.2", "op.create_index('x', 'games', ['name'])", None),
        ("0003", "0.2", "op.create_index('x', 'games', ['name'], unique=True)", "a constraint"),
        ("0003", "0.2", "op.create_table('x', sa.Column('y', sa.Integer, nullable=False))", None),
    ],
)
def test_revision_that_would_break_running_servers_is_found(
    id: str, release: str, upgrade: str, fault: str | None, tmp_path: Path
) -> None:
    folder = tmp_path / "revisions"
    folder.mkdir()
    for path in migrations.FOLDER.glob("m*.py"):
        copyfile(path, folder / path.name)
    (folder / "m0003.py").write_text(
        f"import sqlalchemy as sa\nfrom alembic import op\nrevision = {id!r}\n"
        f"down_revision = '0002'\nrelease = {release!r}\n\ndef upgrade():\n    {upgrade}\n"
    )
    found = faults(folder, f"sqlite:///{tmp_path}/noughts.db")
    assert any(fault in one for one in found) if fault else found == []


# Newer databases


def test_columns_of_a_newer_version_do_no_harm(database: str) -> None:
    with opened(database):
        pass
    execute(
        database,
        "ALTER TABLE games ADD COLUMN first TEXT",
        "ALTER TABLE games ADD COLUMN more INTEGER NOT NULL DEFAULT 7",
        "ALTER TABLE events ADD COLUMN more TEXT",
        "ALTER TABLE seats ADD COLUMN more TEXT",
        "ALTER TABLE due ADD COLUMN more TEXT",
        "ALTER TABLE clocks ADD COLUMN more TEXT",
        "CREATE TABLE more (id INTEGER)",
        "UPDATE alembic_version SET version_num = '0009_from_0002'",
    )
    with opened(database) as store:
        plays(store)
    assert run("migrate", "--check", database).exit_code == 0
    (game,) = exported(database)
    assert game["moves"] == [[5, 0]]


def plays(store: Store) -> NewGame:
    """Write and read a row of each table."""
    game = new_game(Rules.connect_four())
    given = Seats(digest(game.id), game.id, (1, 2))
    everything = Change(game=game, seats=(given,), due=(game.id, True), clock=(game.id, 5))
    move = Event(game.id, 1, "move", 1, "k", now(), cell=35)
    assert store.commit([everything]) == store.commit([Change(move)]) == [True]
    assert store.load([game.id]) == [Loaded(game, [move])]
    assert store.events({game.id: 0}) == [move]
    assert store.seats([given.token]) == [given]
    assert game.id in store.claim(now() + 1)
    assert (game.id, 5) in store.clocks()
    return game


OLD_RULES = "rows", "cols", "k", "gravity", "variant"


def drop_old_rules(database: str) -> None:
    """Do what the next release does."""
    execute(
        database,
        *(f"ALTER TABLE games DROP COLUMN {name}" for name in OLD_RULES),
        "UPDATE alembic_version SET version_num = '0003_from_0002'",
    )


def test_columns_that_the_next_release_drops_are_not_needed(database: str) -> None:
    with opened(database) as store:
        before = plays(store)
    drop_old_rules(database)
    with opened(database) as store:
        (found,) = store.load([before.id])
        assert isinstance(found, Loaded)
        assert found.made == before
        plays(store)
    assert len(exported(database)) == 2


def test_server_goes_on_while_the_next_release_drops_columns(postgresql: Postgres) -> None:
    database = postgresql.database()
    with opened(database) as store:
        plays(store)
        drop_old_rules(database)
        with pytest.raises(StoreError, match="rows"):  # the client gets 503, and tries again
            store.commit([Change(game=new_game(Rules()))])
        with pytest.raises(StoreError, match="the last write has failed"):
            store.alive()
        plays(store)
        store.alive()


def test_database_that_needs_a_newer_server_is_refused_in_one_sentence(database: str) -> None:
    with opened(database):
        pass
    execute(database, "UPDATE alembic_version SET version_num = '0009_from_0003'")
    uses: list[Callable[[Store], object]] = [
        Store.open,
        lambda store: next(store.export()),
    ]
    reason = "the tables, at revision 0009_from_0003, need a newer version of noughts"
    for use in uses:
        with closing(store_at(database)) as store, pytest.raises(DatabaseRefused) as refused:
            use(store)
        assert str(refused.value) == f"{database}: {reason}"
    for command in ("migrate", "export"):
        ended = run(
            command, *([database] if command == "migrate" else [f"--database-url={database}"])
        )
        assert (ended.exit_code, ended.stderr) == (2, f"noughts: {database}: {reason}\n")


# Upgrades


@pytest.mark.parametrize("revision", ["ae1027a6acf7", "0000", "3"])
def test_tables_that_alembic_keeps_for_another_program_are_refused(
    database: str, revision: str
) -> None:
    with opened(database):
        pass
    execute(database, f"UPDATE alembic_version SET version_num = '{revision}'")
    reason = f"the tables, at revision {revision}, belong to another program"
    for arguments in (["migrate", database], ["migrate", "--check", database]):
        ended = run(*arguments)
        assert (ended.exit_code, ended.stderr) == (2, f"noughts: {database}: {reason}\n")
    with pytest.raises(DatabaseRefused, match=reason), opened(database):
        pass


def test_upgrade_that_fails_leaves_the_tables_as_they_were(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/noughts.db"
    with connected(url) as connection:
        migrations.upgrade(connection, "0001")
        connection.execute(text("DROP TABLE alembic_version"))
        connection.execute(text("CREATE TABLE rules (x)"))
        connection.execute(text("ALTER TABLE games DROP COLUMN referee"))
        before = schema(connection)
    with pytest.raises(DatabaseRefused, match="games: it has no column referee"):
        store_at(url).open()
    with connected(url) as connection:
        assert schema(connection) == before


def test_servers_that_start_at_once_upgrade_the_tables_once(postgresql: Postgres) -> None:
    database = into_postgresql(RELEASED[0], postgresql)
    stores = [store_at(database) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(Store.open, stores))
    plays(stores[0])
    for store in stores:
        assert store.is_current()
        store.close()


def test_upgrade_gives_up_soon_if_a_table_is_in_use(postgresql: Postgres) -> None:
    database = into_postgresql(RELEASED[0], postgresql)
    with connected(database) as connection:
        connection.execute(text("SELECT * FROM games LIMIT 1"))
        with pytest.raises(DatabaseRefused, match="lock timeout"):
            store_at(database).open()
    with opened(database) as store:
        assert len([*store.export()]) == 9


def test_start_without_an_upgrade_does_not_import_alembic(tmp_path: Path) -> None:
    program = (
        "import sys, noughts.service.server, noughts.cli.export\n"
        "from noughts.service.store.dialects import store_at\n"
        "for _ in range(2):\n"
        f"    store = store_at('sqlite:///{tmp_path}/noughts.db')\n"
        "    store.open()\n    list(store.export())\n    store.close()\n"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=SECONDS).returncode == 0


# noughts migrate


def test_migrate_checks_then_upgrades(tmp_path: Path) -> None:
    copyfile(RELEASED[0], tmp_path / "old.db")
    url = f"sqlite:///{tmp_path}/old.db"
    before = (tmp_path / "old.db").read_bytes()
    needs = f"{url}: needs an upgrade to revision {migrations.HEAD}\n"
    for _ in range(2):
        checked = run("migrate", "--check", url)
        assert (checked.exit_code, checked.stdout, checked.stderr) == (1, needs, "")
    assert (tmp_path / "old.db").read_bytes()[100:] == before[100:]  # after SQLite's header
    upgraded = run("migrate", url)
    done = f"{url}: upgraded to revision {migrations.HEAD}\n"
    assert (upgraded.exit_code, upgraded.stdout, upgraded.stderr) == (0, done, "")
    for options in (["--check"], []):
        again = run("migrate", *options, url)
        assert (again.exit_code, again.stdout) == (0, f"{url}: up to date\n")


def test_migrate_without_arguments_upgrades_the_databases_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = [f"sqlite:///{tmp_path}/{name}.db" for name in ("one", "two")]
    for name in ("one", "two"):
        copyfile(RELEASED[0], tmp_path / f"{name}.db")
    monkeypatch.setenv("NOUGHTS_DATABASE_URL", " ".join(urls))
    assert run("migrate", "--check").exit_code == 1
    assert run("migrate").exit_code == 0
    assert run("migrate", "--check", *urls).exit_code == 0


def test_migrate_suggests_the_url_of_a_file(tmp_path: Path) -> None:
    ended = run("migrate", f"{tmp_path}/games.db")
    assert ended.exit_code == 2
    assert ended.stderr.endswith(f"; did you mean sqlite:///{tmp_path}/games.db?\n")


def test_migrate_refuses_a_missing_file_and_one_in_use(tmp_path: Path) -> None:
    missing = run("migrate", f"sqlite:///{tmp_path}/no.db")
    assert missing.exit_code == 2
    assert missing.stderr == f"noughts: no such file: {tmp_path}/no.db\n"
    assert [*tmp_path.iterdir()] == []
    copyfile(RELEASED[0], tmp_path / "old.db")
    url = f"sqlite:///{tmp_path}/old.db"
    (tmp_path / "link.db").symlink_to("old.db")
    with opened(f"sqlite:///{tmp_path}/link.db"):
        execute(url, "DELETE FROM alembic_version")
        ended = run("migrate", url)
    assert ended.exit_code == 2
    assert "another server is using" in ended.stderr
