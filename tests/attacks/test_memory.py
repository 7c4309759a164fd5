"""Records whose memory, time or ids could break a run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commands import NOUGHTS, process
from noughts import Rules
from noughts.bulk import judge, judge_batch, judge_record, parquet, winning_lines
from noughts.bulk.verdict import MAX_LISTED
from noughts.records import Record

MEASURED = """
import resource, subprocess, sys
try: done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, timeout=60)
finally: print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
sys.exit(done.returncode)
"""

VAST = [
    {"n": 40000, "k": 20000, "moves": [[20000, 20000]]},
    {"shape": [46340, 46340], "k": 20000, "moves": [[20000, 20000], [0, 0], [20001, 20001]]},
    {"shape": [2**31 - 1], "k": 10**9, "moves": [[10**9], [0]]},
    {"shape": [2**31 - 1], "k": 10**9, "moves": [[10**9], [0]], "early_draw": True},
    {"shape": [40000, 40000], "k": 20000, "moves": [[20000, 20000]], "early_draw": True},
]


def takes_little(*arguments: str | Path, saying: bytes = b"") -> int:
    """Run a command, which must use less than 300 MB and 60 s; return its exit code."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, NOUGHTS, *arguments],
        capture_output=True,
        check=False,
        timeout=100,
    )
    assert int(done.stdout) < 300, done
    assert saying in done.stderr
    return done.returncode


@pytest.mark.tier2("load")
@pytest.mark.usefixtures("unmeasured")
def test_vast_boards_use_little_memory(tmp_path: Path) -> None:
    lines = [json.dumps(game) for game in VAST]
    odd = [json.dumps(game | {"odd": None}) for game in VAST]  # read one by one
    (tmp_path / "games.jsonl").write_text("\n".join(lines + odd))
    rows = [{"shape": [game["n"]] * 2 if "n" in game else game["shape"]} | game for game in VAST]
    table = pa.Table.from_pylist([{k: v for k, v in row.items() if k != "n"} for row in rows])
    pq.write_table(table, tmp_path / "games.parquet")
    for name in ("games.jsonl", "games.parquet"):
        assert takes_little("judge", tmp_path / name, "-o", tmp_path / "out") in (0, 1)
    for number, line in enumerate(lines):
        (tmp_path / f"{number}.jsonl").write_text(line)
        for command in ("show", "trace"):
            assert takes_little(command, tmp_path / f"{number}.jsonl") == 2
    for command in ("play", "perft", "solve"):
        assert takes_little(command, "--rules", "40000x40000,k=20000") == 2


def test_verdict_lists_a_limited_number_of_cells() -> None:
    k = 2000
    mine = [*range(k - 1), *range(k, 2 * k - 1), k - 1]
    theirs = range(2 * k + 1, 7 * k, 2)
    cells = [cell for both in zip(mine, theirs, strict=False) for cell in both][: 2 * len(mine) - 1]
    rules = Rules((7 * k,), k)
    verdict = judge_record(Record(rules, tuple((cell,) for cell in cells)))
    assert (verdict.status, verdict.winner) == ("won", 1)
    assert len(verdict.lines) == MAX_LISTED // k
    moves = np.array([cells, cells])
    lines, offsets = winning_lines(moves, rules, judge(moves, rules))
    assert offsets.tolist() == [0, MAX_LISTED // k, 2 * MAX_LISTED // k]
    assert lines[0].tolist() == [cell for (cell,) in verdict.lines[0]]


def write(path: Path, n: int, rows: int, moves: np.ndarray, **columns: pa.Array) -> Path:
    each = len(moves) // rows
    lists = pa.ListArray.from_arrays(np.arange(0, len(moves) + 1, each, dtype=np.int32), moves)
    pq.write_table(pa.table({"n": np.full(rows, n), "moves": lists} | columns), path)
    return path


@pytest.mark.tier2("load")
@pytest.mark.usefixtures("unmeasured")
def test_long_games_use_little_memory(tmp_path: Path) -> None:
    moves = np.tile(np.random.default_rng(1).permutation(10_000).astype(np.int16)[:3000], 20_000)
    file = write(tmp_path / "long.parquet", 100, 20_000, moves)
    assert takes_little("judge", file, "-o", tmp_path / "out.parquet") in (0, 1)


@pytest.mark.tier2("load")
@pytest.mark.usefixtures("unmeasured")
def test_constant_moves_use_little_memory(tmp_path: Path) -> None:
    file = write(tmp_path / "many.parquet", 100, 10_000, np.zeros(10**8, np.int8))
    assert file.stat().st_size < 100_000
    assert takes_little("judge", file, "-o", tmp_path / "out.parquet") == 1
    assert pq.read_metadata(tmp_path / "out.parquet").num_rows == 10_000


@pytest.mark.tier2("load")
@pytest.mark.usefixtures("unmeasured")
def test_game_beyond_the_limit_is_refused_before_reading(tmp_path: Path) -> None:
    file = write(tmp_path / "one.parquet", 100, 1, np.zeros(10**8, np.int8))
    said = b"games must have at most 2,097,152 moves on average, got"
    assert takes_little("judge", file, saying=said) == 2


@pytest.mark.parametrize("text", [pa.string(), pa.large_string()])
def test_invalid_utf_8_in_an_id_affects_no_other_game(tmp_path: Path, text: pa.DataType) -> None:
    ids = pa.array([b"a", b"\xff", None, b"\xed\xa0\x80", b"b"], pa.large_binary())
    ids = ids.cast(pa.binary() if text == pa.string() else pa.large_binary()).view(text)
    games = {"id": ids, "n": pa.array([3, 3, 4, 0, 3]), "moves": pa.array([[0]] * 5)}
    rows = judge_batch(pa.record_batch(games)).to_pylist()
    assert [row["id"] for row in rows] == ["a", None, None, None, "b"]
    assert [row["status"] for row in rows] == ["pending", None, "pending", None, "pending"]
    pq.write_table(pa.table(games), tmp_path / "games.parquet")
    for out in ("out.jsonl", "out.parquet"):
        done = process("judge", tmp_path / "games.parquet", "-o", tmp_path / out)
        assert done.returncode == 1
        assert b"games.parquet:2: id must be UTF-8\n" in done.stderr
        assert b"3 games: 3 pending\n2 lines could not be read\n" in done.stderr
    assert len(pq.read_table(tmp_path / "out.parquet")) == 5


def test_lone_surrogate_in_an_id_affects_no_other_game(tmp_path: Path) -> None:
    typed = b'{"id":"\\ud800","n":3,"moves":[]}\n{"id":"b","n":3,"moves":[]}\n'
    out = tmp_path / "out.parquet"
    assert process("judge", "-o", out, typed=typed).returncode == 0
    assert pq.read_table(out)["id"].to_pylist() == ["\\ud800", "b"]
    assert b'{"id":"\\ud800",' in process("judge", typed=typed).stdout


@pytest.mark.parametrize(("plies", "groups"), [(0, 1), (3, 3)])
def test_written_row_groups_have_a_limit_of_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plies: int, groups: int
) -> None:
    monkeypatch.setattr(parquet, "MOVES", 5)
    out = tmp_path / "games.parquet"
    games = [Record(Rules(), ((0, 0), (0, 1), (1, 1))[:plies], f"g{i}") for i in range(5)]
    with out.open("wb") as file:
        parquet.write_rows(map(parquet.row_of, games), parquet.GAMES, file)
    assert pq.read_metadata(out).num_row_groups == groups
    assert [len(moves) for moves in pq.read_table(out)["moves"].to_pylist()] == [plies] * 5
