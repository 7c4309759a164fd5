"""Databases that vanish, fail or are opened twice, and concurrent equal requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier

import httpx
import pytest
from click.testing import CliRunner
from sqlalchemy import text

from commands import SECONDS
from noughts import Rules
from noughts.cli.app import application
from noughts.service.play.events import Change, Event, NewGame, now
from noughts.service.play.storage import StoreError
from noughts.service.store.dialects import store_at
from noughts.service.store.sql import DatabaseRefused, Store
from service.serving import Postgres, Seat, code, created, serving, speaking_to


@contextmanager
def opened(database: str) -> Iterator[Store]:
    with closing(store_at(database)) as store:
        store.open()
        yield store


def game(name: str, at: int = 0) -> NewGame:
    return NewGame(name, Rules(), "self", None, 1, None, False, None, at or now())


@pytest.mark.tier2("database")
def test_moves_are_unavailable_once_the_file_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "noughts.db"
    with serving(f"sqlite:///{file}") as server, speaking_to(server) as client:
        seat = created(client, opponent="self")
        assert seat.move(0, 0).status_code == 201
        assert client.get("/readyz").status_code == 200
        file.unlink()
        for _ in range(3):
            assert code(seat.post("moves", cell=[1, 1], seq=1, key="again")) == "unavailable"
        assert client.get("/readyz").status_code == 503
        assert not file.exists()
    assert not file.exists()


@pytest.mark.tier2("database")
def test_moves_are_unavailable_once_the_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "noughts.db"
    with serving(f"sqlite:///{file}") as server, speaking_to(server) as client:
        seat = created(client, opponent="self")
        with opened(f"sqlite:///{tmp_path}/other.db"):
            pass
        (tmp_path / "other.db").replace(file)
        assert code(seat.post("moves", cell=[1, 1], seq=0, key="again")) == "unavailable"
        assert client.get("/readyz").status_code == 503


@pytest.mark.tier2("database")
def test_server_whose_writes_fail_is_not_ready(tmp_path: Path) -> None:
    full = "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (1 << 20, 1 << 20))"
    quiet = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"
    with (
        serving(f"sqlite:///{tmp_path}/noughts.db", before=f"{full}; {quiet}") as server,
        speaking_to(server) as client,
    ):
        answers: list[httpx.Response] = []
        while not answers or answers[-1].status_code == 201:
            answers.append(client.post("/api/games", json={"n": 3}))
            assert len(answers) < 5000
        assert code(answers[-1]) == "unavailable"
        assert client.get("/readyz").status_code == 503
        for made in (answers[0], answers[-2]):  # confirmed games are stored
            assert Seat(client, made.json()["id"]).state()["seq"] == 0


def test_database_file_is_locked_under_every_name(tmp_path: Path) -> None:
    file = tmp_path / "noughts.db"
    with opened(f"sqlite:///{file}"):
        (tmp_path / "hard.db").hardlink_to(file)
        (tmp_path / "soft.db").symlink_to(file)
        for beside in tmp_path.glob("*.lock"):
            beside.unlink()
        for name in ("noughts.db", "hard.db", "soft.db"):
            with pytest.raises(DatabaseRefused, match="another server is using"):
                store_at(f"sqlite:///{tmp_path}/{name}").open()
        for address in (f"sqlite:///file:{file}?uri=true", f"sqlite:///{file}?mode=rw"):
            with pytest.raises(DatabaseRefused, match="no options"):
                store_at(address)
    with opened(f"sqlite:///{tmp_path}/hard.db"):
        pass


def test_first_start_leaves_only_the_database(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path}/noughts.db"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["noughts.db"]


def test_concurrent_equal_events_have_one_winner(database: str) -> None:
    with opened(database) as store, closing(store_at(database)) as other:
        store.commit([Change(game=game("g"))])
        start = Barrier(2)
        same = [Change(Event("g", seq, "move", 1, "key", 5, cell=seq)) for seq in range(1, 31)]

        def write(at: Store) -> list[bool]:
            wins = []
            for change in same:
                start.wait(timeout=SECONDS)
                wins += at.commit([change])
            return wins

        with ThreadPoolExecutor(2) as threads:
            wins = list(threads.map(write, (store, other)))
        assert all(first != second for first, second in zip(*wins, strict=True))


def test_concurrent_equal_requests_at_two_servers_are_done_once(postgresql: Postgres) -> None:
    database = postgresql.database()
    with (
        serving(database) as one,
        serving(database) as two,
        speaking_to(one) as first,
        speaking_to(two) as second,
        ThreadPoolExecutor(2) as threads,
    ):
        seat = created(first, shape=[10, 10], k=5, opponent="self")
        seats = [seat, Seat(second, seat.id, seat.token)]
        for seq in range(40):
            body = {"cell": divmod(seq, 10), "seq": seq, "key": f"key-{seq}"}
            answers = list(threads.map(lambda at, b=body: at.post("moves", **b), seats))
            assert sorted(answer.status_code for answer in answers) == [200, 201], body
            assert answers[0].json() == answers[1].json()


def test_computers_are_claimed_after_the_clock_is_set_back(database: str) -> None:
    with opened(database) as store:
        store.commit([Change(game=game("g"), due=("g", True))])
        assert store.claim(now() - 5000) == []
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE due SET at = at + 3600000"))  # an hour ahead
        assert store.claim(now() - 5000) == ["g"]
        assert store.claim(now() - 5000) == []


def test_damaged_event_affects_only_its_game(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/noughts.db"
    with opened(database) as store:
        for number in range(20):
            store.commit([Change(game=game(f"g{number:02}", 1 + number))])
            store.commit([Change(Event(f"g{number:02}", 1, "move", 1, "key", 5, cell=4))])
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE events SET cell = 99 WHERE game = 'g07'"))
            connection.execute(text("UPDATE events SET seq = 3 WHERE game = 'g09'"))
    for options in ([], ["--out", f"{tmp_path}/games.parquet"]):
        result = CliRunner().invoke(application, ["export", "--database-url", database, *options])
        assert result.exit_code == 1
        assert "g07" in result.stderr
        assert "g09" in result.stderr
        assert "18 games" in result.stderr
        if not options:
            ids = [json.loads(line)["id"] for line in result.stdout.splitlines()]
            assert ids == [f"g{number:02}" for number in range(20) if number not in {7, 9}]


def test_store_reports_that_its_file_is_gone(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path}/noughts.db") as store:
        store.alive()
        (tmp_path / "noughts.db").unlink()
        with pytest.raises(StoreError, match="No such file"):
            store.alive()
        with pytest.raises(StoreError, match="No such file"):
            store.commit([Change(game=game("g"))])
