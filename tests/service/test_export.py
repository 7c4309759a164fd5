"""``noughts export``: all games of a database, as records."""

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

from noughts.bulk import judge_record
from noughts.cli.app import application
from noughts.records import Record, read_records
from noughts.service.play.storage import StoreError
from noughts.service.store.database import store_at
from noughts.service.store.store import Store
from service.serving import Server, created, serving, speaking_to, two_friends


def export(database: str, *options: str) -> Result:
    return CliRunner().invoke(application(), ["export", f"--database={database}", *options])


def test_every_game_is_exported_as_it_stands(database: str, tmp_path: Path) -> None:
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
def test_what_is_no_database_is_not_exported(tmp_path: Path, name: str) -> None:
    (tmp_path / "text.db").write_text("no database\n" * 100)
    ended = export(f"sqlite:///{tmp_path}/{name}", f"--out={tmp_path}/games.jsonl")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("noughts: ")
    assert f"{tmp_path}/{name}" in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "games.jsonl").exists()
    assert (tmp_path / "nothing.db").exists() is False


def test_a_dash_is_standard_output(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with speaking_to(server) as client:
        created(client)
    assert export(server.database, "-o", "-").stdout == export(server.database).stdout != ""
    assert not (tmp_path / "-").exists()


@pytest.mark.parametrize("name", ["games.jsonl", "games.parquet"])
def test_an_export_that_fails_leaves_nothing_behind(
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


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/noughts.db"
    with closing(store_at(database)) as store:
        store.open()
    program = Path(sys.executable).parent / "noughts"
    ended = subprocess.run(
        [program, "export", f"--database={database}", f"--out={tmp_path}/no/games.jsonl"],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    assert ended.stderr == f"noughts: {tmp_path}/no/games.jsonl: No such file or directory\n"
