"""``noughts export`` writes the games of a database as records."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from noughts import Rules
from noughts.bulk import judge_record
from noughts.cli.app import application
from noughts.records import Record, read_records
from noughts.service.play.events import Change, Event, NewGame, Seats, digest, now
from noughts.service.play.storage import StoreError
from noughts.service.store.dialects import store_at
from noughts.service.store.sql import Store
from service.serving import Seat, Server, code, created, serving, speaking_to, two_friends


def export(database: str, *options: str) -> Result:
    return CliRunner().invoke(application, ["export", f"--database-url={database}", *options])


def test_export_writes_every_game_as_it_stands(database: str, tmp_path: Path) -> None:
    with serving(database) as server, speaking_to(server) as client:
        alone = created(client, opponent="self")
        for cell in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]:
            alone.move(*cell)
        resigned, _ = two_friends(client, shape=[2, 4], k=2)
        resigned.move(1, 3)
        resigned.act("resign")
        waiting = created(client, shape=[6, 7], k=4, gravity=True, variant="caro")
        lines = export(database)  # while the server goes on
        parquet = export(database, f"--out={tmp_path}/games.parquet")
    assert (lines.exit_code, parquet.exit_code) == (0, 0)
    assert lines.stderr == parquet.stderr == "3 games\n"
    games = [json.loads(line) for line in lines.stdout.splitlines()]
    found = [(game["id"], game["status"], game["winner"], len(game["moves"])) for game in games]
    assert found == [
        (alone.id, "won", 1, 5),
        (resigned.id, "resigned", 2, 1),
        (waiting.id, "waiting", None, 0),
    ]
    records = list(read_records(BytesIO(lines.stdout.encode()), "here"))
    verdicts = [judge_record(record) for record in records if isinstance(record, Record)]
    assert [(one.winner, one.claim) for one in verdicts] == [
        (1, "confirmed"),
        (None, "undecided"),
        (None, None),
    ]
    rows = pq.read_table(tmp_path / "games.parquet").to_pylist()
    assert [(row["id"], row["status"], row["winner"], len(row["moves"])) for row in rows] == found
    assert (rows[1]["shape"], rows[1]["k"], rows[1]["moves"]) == ([2, 4], 2, [7])
    assert [(row["gravity"], row["variant"]) for row in rows[1:]] == [
        (False, "freestyle"),
        (True, "caro"),
    ]
    ends = ["line", "resignation", None]
    assert [g["termination"] for g in games] == [row["termination"] for row in rows] == ends
    results = [1, 2, None]
    assert [game.get("result") for game in games] == [row["result"] for row in rows] == results
    assert (games[2]["gravity"], games[2]["variant"]) == (True, "caro")


@pytest.mark.parametrize("name", ["nothing.db", "text.db"])
def test_export_refuses_a_file_that_is_not_a_database(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.db").write_text("no database\n" * 100)
    ended = export(f"sqlite:///{tmp_path}/{name}", f"--out={tmp_path}/games.jsonl")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("noughts: ")
    assert f"{tmp_path}/{name}" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "games.jsonl").exists()
    assert (tmp_path / "nothing.db").exists() is False


def test_export_writes_to_standard_output_for_a_dash(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with speaking_to(server) as client:
        created(client)
    assert export(server.database, "-o", "-").stdout == export(server.database).stdout != ""
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("name", ["games.jsonl", "games.parquet"])
def test_export_that_fails_leaves_nothing_behind(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def broken(_: Store) -> Iterator[Any]:
        raise StoreError("the disk is gone")
        yield

    (tmp_path / "to").mkdir()
    (tmp_path / "to" / name).write_text("before")
    monkeypatch.setattr(Store, "export", broken)
    ended = export(server.database, f"--out={tmp_path}/to/{name}")
    assert (ended.exit_code, ended.stderr) == (2, "noughts: the disk is gone\n")
    assert [path.read_text() for path in (tmp_path / "to").iterdir()] == ["before"]


def test_export_names_a_file_it_cannot_write(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/noughts.db"
    with closing(store_at(database)) as store:
        store.open()
    program = Path(sys.executable).parent / "noughts"
    ended = subprocess.run(
        [program, "export", f"--database-url={database}", f"--out={tmp_path}/no/games.jsonl"],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    assert ended.stderr == f"noughts: {tmp_path}/no/games.jsonl: No such file or directory\n"


# Rows that cannot be read

DAMAGES = {
    "unknown name": ("UPDATE games SET rules = 'chess'", "unknown rules 'chess'"),
    "unknown variant": ("UPDATE games SET rules = '3x3,variant=chess'", "chess"),
    "unknown option": ("UPDATE games SET rules = '3x3,wrap'", "unknown rules 'wrap'"),
    "three players": ("UPDATE games SET rules = '5x5,players=3'", "5x5,players=3"),
    "impossible rules": ("UPDATE games SET rules = '3x3,k=9'", "k must be"),
    "opponent": ("UPDATE games SET opponent = 'alien'", "alien"),
    "seat": ("UPDATE games SET seat = 3", "seat"),
    "cell off the board": ("UPDATE events SET cell = 99", "board"),
    "negative cell": ("UPDATE events SET cell = -1", "board"),
    "no cell": ("UPDATE events SET cell = NULL", ""),
    "taken cell": ("UPDATE events SET cell = 4", "taken"),
    "kind": ("UPDATE events SET kind = 'castling'", "castling"),
    "gap": ("UPDATE events SET seq = 7 WHERE seq = 2", "cannot follow"),
    "text for a number": ("UPDATE games SET seat = 'white'", "seat"),
    "text for a time": ("UPDATE games SET at = 'yesterday'", "unknown time 'yesterday'"),
    "time before 1970": ("UPDATE games SET at = -1", "unknown time -1"),
    "time after 9999": (f"UPDATE games SET at = {2**62}", "unknown time"),
    "bytes for a name": ("UPDATE games SET name = x'FF'", "name: Expected"),
    "text for seconds": ("UPDATE games SET seconds = 'many'", "seconds: Expected"),
    "text for a cell": ("UPDATE events SET cell = 'A1'", "'A1'"),
    "text for an event's time": ("UPDATE events SET at = 'noon'", "unknown time 'noon'"),
    "unknown seat of an event": ("UPDATE events SET seat = 9", "seat 9"),
    "text for bytes": ("UPDATE games SET invite = 'white', seat = 0", "seat"),
}
"""Statements that damage a game, each with words of the reason."""


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, str]]:
    """Create a database of damaged games, with words of each reason; only the last is fine."""
    url = f"sqlite:///{tmp_path_factory.mktemp('damaged')}/noughts.db"
    reasons = {}
    with closing(store_at(url)) as store:
        store.open()
        for number, (name, (statement, reason)) in enumerate(
            [*DAMAGES.items(), ("fine", ("", ""))]
        ):
            id = f"game{number:012}"
            game = NewGame(id, Rules(), "friend", None, 1, name, True, digest(id), now() + number)
            given = Seats(digest(id), id, (1, 2))
            joined = Event(id, 1, "joined", 2, "j", now(), text="Bob")
            moves = [
                Event(id, 2 + ply, "move", 1 + ply % 2, f"{ply}", now(), ply + 3) for ply in (0, 1)
            ]
            changes = [Change(game=game, seats=(given,), clock=(id, now() - 1000)), Change(joined)]
            for change in [*changes, *map(Change, moves)]:
                store.commit([change])
            if statement:
                reasons[id] = reason
                where = "AND" if "WHERE" in statement else "WHERE"
                kind = " AND kind = 'move'" if "events" in statement else ""
                key = "game" if "events" in statement else "id"
                with store.engine.begin() as connection:
                    connection.execute(text(f"{statement} {where} {key} = '{id}'{kind}"))
    return url, reasons


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_export_skips_and_names_games_that_cannot_be_read(
    damaged: tuple[str, dict[str, str]], tmp_path: Path, suffix: str
) -> None:
    url, reasons = damaged
    out = tmp_path / f"games.{suffix}"
    ended = export(url, f"--out={out}")
    assert ended.exit_code == 1
    *named, count = ended.stderr.splitlines()
    assert count == "1 game"
    for line, (id, reason) in zip(sorted(named), reasons.items(), strict=True):
        assert line.startswith(f"noughts: game {id} cannot be read: ")
        assert reason in line
    if suffix == "jsonl":
        (game,) = map(json.loads, out.read_text().splitlines())
        assert (len(game["moves"]), game["status"]) == (2, "playing")
    else:
        assert pq.read_table(out).num_rows == 1


def test_server_answers_damaged_games_with_one_error_and_serves_the_rest(
    damaged: tuple[str, dict[str, str]],
) -> None:
    url, reasons = damaged
    fine = f"game{len(reasons):012}"
    with serving(url) as server, speaking_to(server) as client:
        for id in reasons:
            seat = Seat(client, id, token=id)
            answers = [
                client.get(f"/api/games/{id}"),
                client.get(f"/api/games/{id}/events"),
                client.get(f"/api/games/{id}/record.json"),
                seat.post("moves", cell=[0, 0], seq=3, key="k"),
                seat.post("join", invite=id),
            ]
            assert {code(answer) for answer in answers} == {"damaged"}
            assert client.get(f"/g/{id}").status_code == 200
        assert Seat(client, fine, token=fine).move(0, 0).status_code == 201
        assert client.get("/api/games?listed=open").status_code == 200
        assert client.get("/readyz").status_code == 200
        mine = created(client, listed=True)
        (listed,) = client.get("/api/games?listed=open").json()["games"]
        assert listed["id"] == mine.id
    logged = server.stop()
    assert [logged.count(f"game {id} cannot be read") for id in reasons] == [1] * len(reasons)


def test_lobby_skips_open_games_that_cannot_be_read(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/noughts.db"
    with closing(store_at(url)) as store:
        store.open()
        for id in ("a", "b", "c"):
            game = NewGame(id, Rules(), "friend", None, 1, None, True, digest(id), now())
            store.commit([Change(game=game)])
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE games SET rules = 'chess' WHERE id = 'a'"))
            connection.execute(text("UPDATE games SET at = 'yesterday' WHERE id = 'c'"))
        assert [game.id for game in store.open_games()] == ["b"]


def test_clock_that_cannot_be_read_is_checked_at_once(tmp_path: Path) -> None:
    with closing(store_at(f"sqlite:///{tmp_path}/noughts.db")) as store:
        store.open()
        for id in ("a", "b"):
            game = NewGame(id, Rules(), "friend", None, 1, None, True, digest(id), now())
            store.commit([Change(game=game, clock=(id, 5))])
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE clocks SET at = 'noon' WHERE game = 'a'"))
        assert sorted(store.clocks()) == [("a", 0), ("b", 5)]


def test_export_of_several_databases_names_a_game_of_an_unknown_time(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path}/{id}.db" for id in "ab"]
    for url, id in zip(urls, "ab", strict=True):
        with closing(store_at(url)) as store:
            store.open()
            game = NewGame(id, Rules(), "friend", None, 1, None, True, digest(id), now())
            store.commit([Change(game=game)])
            with store.engine.begin() as connection:
                connection.execute(text("UPDATE games SET at = 'yesterday' WHERE id = 'a'"))
    ended = export(urls[0], f"--database-url={urls[1]}")
    assert ended.exit_code == 1
    assert [json.loads(line)["id"] for line in ended.stdout.splitlines()] == ["b"]
    assert "game a cannot be read: unknown time 'yesterday'" in ended.stderr
