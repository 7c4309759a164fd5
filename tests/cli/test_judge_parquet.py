"""The command `noughts judge`: Parquet files of games and of verdicts."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bulk.batching import (
    ALL_RULES,
    GOOD,
    by_coordinates,
    by_numbers,
    expected,
    parquet,
    random_record,
    run,
)
from commands import NOUGHTS, SECONDS, process, python, started
from noughts import Rules
from noughts.bulk import chunks, judge_record
from noughts.bulk import parquet as parquet_files
from noughts.records import Record

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


@pytest.mark.parametrize("group", [3, 1000])
def test_parquet_agrees_with_single_records(tmp_path: Path, group: int) -> None:
    games = [random_record(Random(i), ALL_RULES[i // 3 % 7], i) for i in range(100)]
    file = parquet(tmp_path / "games", by_coordinates(games), row_group_size=group)
    result = run(file)
    assert result.stdout == "".join(judge_record(game).to_json() + "\n" for game in games)
    lines = "".join(game.to_json() + "\n" for game in games).encode()
    assert result.stderr == run(typed=lines).stderr
    assert result.exit_code == 1


def test_unreadable_rows_are_counted_and_reported(tmp_path: Path) -> None:
    games = pa.record_batch({"id": [5, 6, 7], "n": [0, 3, 0], "moves": [[0], [0], [0]]})
    file = parquet(tmp_path / "games.parquet", games)
    out = tmp_path / "out.parquet"
    options: list[list[str | Path]] = [[], ["--out", out]]
    for arguments in options:
        result = run(file, *arguments)
        assert result.exit_code == 1
        reason = "every side of the board must be at least 1, got 0"
        assert result.stderr == (
            f"{file}:1: {reason}\n{file}:3: {reason}\n"
            "1 game: 1 pending\n2 lines could not be read\n"
        )
        assert result.stdout.count("\n") == (0 if arguments else 1)
    rows = pq.read_table(out).to_pylist()
    assert [row["status"] for row in rows] == [None, "pending", None]
    assert [row["id"] for row in rows] == [5, 6, 7]


def test_unreadable_parquet_file_exits_2(tmp_path: Path) -> None:
    games = by_numbers([Record(Rules(), ((0, 0),))] * 1000)
    whole = parquet(tmp_path / "whole", games, compression="none").read_bytes()
    wrong = parquet(tmp_path / "wrong", pa.record_batch({"n": [3]}))
    bad = tmp_path / "bad"
    for data in (whole[:-100], whole[: len(whole) // 2], b"PAR1", wrong.read_bytes()):
        bad.write_bytes(data)
        result = run(bad, "-", typed=GOOD)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"noughts: {bad}: ")
        assert result.stderr.endswith("1 game: 1 won by player 1\n")
    done = process("judge", typed=whole)
    assert done.returncode == 2
    assert done.stderr.startswith(
        b"noughts: standard input: Parquet cannot be read from a pipe: pass the file's name\n"
    )


def test_parquet_without_pyarrow_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = parquet(tmp_path / "games", by_numbers([Record(Rules(), ())]))
    monkeypatch.setattr(chunks, "bulk_module", lambda _: None)
    result = run(file)
    assert result.exit_code == 2
    assert ": Parquet requires PyArrow: " in result.stderr
    assert run(file, "--out", tmp_path / "out.parquet").exit_code == 2


PEAK = """
import sys
from pathlib import Path
from noughts.cli import main
try:
    main()
finally:
    (peak,) = (line for line in Path("/proc/self/status").open() if line.startswith("VmHWM"))
    print(peak.split()[1])
"""


def peak_memory(*arguments: str | Path) -> int:
    """Return the peak of the command's memory in bytes."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *arguments], capture_output=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout) * 1024


@pytest.mark.tier2("load")
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is unknown")
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    games = pa.table(
        {"n": pa.array([3] * 10**6, pa.int8()), "moves": pa.array([[0, 4, 8]] * 10**6)}
    )
    few, many = tmp_path / "few", tmp_path / "many"
    for file, times in (few, 2), (many, 6):  # even `few` keeps all jobs busy
        more = pa.concat_tables([games] * times).combine_chunks()
        pq.write_table(more, file, row_group_size=10**7, use_dictionary=False, compression="none")
    del games, more
    larger = many.stat().st_size - few.stat().st_size
    assert larger > 50e6
    peaks = [peak_memory("judge", file, "--out", tmp_path / "out.parquet") for file in (few, many)]
    assert peaks[1] - peaks[0] < larger / 4


def test_judging_parquet_imports_only_what_it_needs(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": [3], "moves": [[0]]}), tmp_path / "games.parquet")
    done = python(
        "import os, sys; from noughts.cli import main\n"
        f"os.chdir({str(tmp_path)!r})\n"
        "sys.argv = ['noughts', 'judge', 'games.parquet', '--out', 'v.parquet']\n"
        "try: main()\n"
        "finally: print({'rich', 'noughts.opponent', 'pyarrow.compute'} & {*sys.modules})"
    )
    assert (done.stdout, done.returncode) == ("set()\n", 0)
    assert pq.read_metadata(tmp_path / "v.parquet").num_rows == 1


# --- noughts judge --out x.parquet ----------------------------------------------------------------


def test_verdicts_are_written_as_parquet(tmp_path: Path) -> None:
    out = tmp_path / "verdicts.parquet"
    games = [random_record(Random(i), ALL_RULES[i // 3 % 7], i) for i in range(100)]
    file = parquet(tmp_path / "games", by_coordinates(games))
    assert run(file, "--out", out).stdout == ""
    assert pq.read_table(out).to_pylist() == expected(games)
    assert pq.read_metadata(out).num_row_groups == 1
    lines = tmp_path / "games.jsonl"
    lines.write_text("".join(game.to_json() + "\n" for game in games))
    named = [row | {"id": str(row["id"])} for row in expected(games)]
    assert run(lines, "--out", out).exit_code == 1
    assert pq.read_table(out).to_pylist() == named
    assert run(lines, file, "--out", out).exit_code == 1
    assert pq.read_table(out).to_pylist() == named * 2
    lines.write_text("\n\n")
    assert run(lines, "--out", out).exit_code == 1
    assert pq.read_table(out).to_pylist() == named * 2  # no game was read


def test_single_verdicts_are_collected_for_parquet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_files, "ROWS", 2)
    out = tmp_path / "verdicts.parquet"
    huge = b'{"id":"h","n":1' + b"0" * 30 + b',"k":3,"moves":[]}\n'
    done = run("--out", out, typed=b"oops\n" + GOOD * 3 + huge)
    assert done.exit_code == 1
    assert "standard input:5: a board has at most 2,147,483,647 cells" in done.stderr
    rows = pq.read_table(out).to_pylist()
    assert [row["status"] for row in rows] == ["won"] * 3
    assert rows[0]["lines"] == [[0, 1, 2]]


@pytest.mark.parametrize("typed", [b'["TicTacToe"]\n[[2]]\n', GOOD + b'["TicTacToe"]\n[[2]]\n'])
def test_call_lists_cannot_be_written_as_parquet(tmp_path: Path, typed: bytes) -> None:
    result = run("--out", tmp_path / "out.parquet", typed=typed)
    assert result.exit_code == 2
    assert result.stderr == "noughts: answers to call lists cannot be written as Parquet\n"
    assert not list(tmp_path.iterdir())


def test_mixed_ids_are_rejected(tmp_path: Path) -> None:
    file = parquet(tmp_path / "games", by_numbers([Record(Rules(), (), 5)]))
    result = run(file, "-", "--out", tmp_path / "out.parquet", typed=GOOD)
    assert result.exit_code == 2
    assert result.stderr == "noughts: cannot mix int64 and string ids in one file\n"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.tier2("process")
@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl"])
def test_interrupted_run_keeps_the_old_output(tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    out.write_text("old")
    with started(NOUGHTS, "judge", "-", "--out", out, stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(GOOD * 1000 + b"oops\n")
        running.stdin.flush()
        assert running.stderr.readline().startswith(b"standard input:1001: ")  # is half-way through
        assert sorted(path.suffix for path in tmp_path.iterdir()) == [out.suffix, ".part"]
        running.send_signal(signal.SIGINT)
        assert running.wait(SECONDS) == 130
    assert list(tmp_path.iterdir()) == [out]
    assert out.read_text() == "old"


def test_replaced_file_keeps_permissions_and_links(tmp_path: Path) -> None:
    games, out, link = tmp_path / "games", tmp_path / "out.jsonl", tmp_path / "link"
    games.write_bytes(GOOD)
    out.write_text("old")
    out.chmod(0o600)
    link.symlink_to(out)
    assert run(games, "--out", link).exit_code == 0
    assert link.is_symlink()
    assert out.read_text().count("\n") == 1
    assert out.stat().st_mode & 0o777 == 0o600
    assert run(games, "--out", "/dev/null").exit_code == 0
    assert Path("/dev/null").is_char_device()
