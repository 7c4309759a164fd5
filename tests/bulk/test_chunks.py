"""Judging files by several threads and processes."""

from __future__ import annotations

import os
import signal
from io import BufferedReader, FileIO
from pathlib import Path
from random import Random
from select import select
from threading import get_ident

import pyarrow as pa
import pytest

from bulk.batching import by_numbers, parquet, random_record, run
from commands import NOUGHTS, SECONDS, started
from noughts import Rules
from noughts.bulk import chunks
from noughts.bulk import parquet as parquet_files
from noughts.records import CallList
from noughts.records.formats import Reading

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


def call_list(random: Random) -> str:
    """Create a call list that may lack its arguments, or have duplicated lines."""
    cells = [(row, col, random.choice((1, 2))) for row in range(2) for col in range(2)]
    names, arguments = CallList(2, tuple(random.sample(cells, 3))).to_json().split("\n")
    return "\n".join([names] * random.choice((1, 1, 1, 2)) + [arguments] * random.choice((1, 1, 2)))


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_output_does_not_depend_on_jobs(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(suffix)
    games = [random_record(random, Rules(), number) for number in range(400)]
    lines, calls = tmp_path / "games.jsonl", tmp_path / "calls"
    lines.write_text(
        "".join(f"{game.to_json()}\n{'oops ' * (i % 99 > 97)}\n" for i, game in enumerate(games))
    )
    calls.write_text("".join(f"{call_list(random)}\n" for _ in range(300)))
    rows = [parquet(tmp_path / name, by_numbers(games), row_group_size=70) for name in "ab"]
    wrong = parquet(tmp_path / "wrong", pa.record_batch({"n": [3] * 99}))
    monkeypatch.setattr(chunks, "BLOCK", 1000)
    monkeypatch.setattr(parquet_files, "ROWS", 32)
    texts = [] if suffix == ".parquet" else [lines, calls, calls]
    sources = [rows[0], *texts, wrong, tmp_path / "missing", rows[1]]
    results = []
    for jobs in (1, 3):
        out = tmp_path / f"out-{jobs}{suffix}"
        result = run(*sources, "--jobs", str(jobs), "--out", out)
        results.append((out.read_bytes(), result.exit_code, result.stderr.split(" games")[0]))
    assert results[0] == results[1]
    assert results[0][1] == 2
    assert results[0][2].count("noughts: ") == 2


class Watched(FileIO):
    """A file that records the threads that use it, in order."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.threads: list[int] = []

    def seek(self, to: int, whence: int = os.SEEK_SET, /) -> int:
        self.threads.append(get_ident())
        return super().seek(to, whence)

    def tell(self) -> int:
        self.threads.append(get_ident())
        return super().tell()


def test_reading_ahead_uses_the_file_on_one_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`tell` on another thread would move the position of the thread that reads."""
    random = Random(0)
    games = [random_record(random, Rules(), number) for number in range(400)]
    path = parquet(tmp_path / "games", by_numbers(games), row_group_size=20)
    monkeypatch.setattr(parquet_files, "ROWS", 20)
    with Watched(path) as raw, BufferedReader(raw) as file:
        ahead = chunks.split(file, str(path), Reading())
        progress = [next(ahead).progress, next(ahead).progress]
        raw.threads.clear()
        progress += [chunk.progress for chunk in ahead]
        assert len({*raw.threads} - {get_ident()}) == len({*raw.threads}) == 1
    assert progress == sorted(progress)
    assert len(progress) == 20
    assert {size for _, size in progress} == {path.stat().st_size}


@pytest.mark.tier2("process")
@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("how", ["interrupted", "unread"])
def test_worker_processes_exit_with_the_command(how: str, tmp_path: Path) -> None:
    calls = tmp_path / "calls"
    calls.write_text('["TicTacToe"]\n[[1]]\n' * 1_000_000)
    with started(NOUGHTS, "judge", calls, "--jobs", "2") as judge:
        assert judge.stdout is not None
        assert judge.stderr is not None
        while len(found := processes_of(judge.pid)) < 2:  # a worker and the resource tracker
            assert judge.stdout.read(7)
        ends = [os.pidfd_open(number) for number in found]
        if how == "interrupted":  # as by a terminal
            os.killpg(judge.pid, signal.SIGINT)
        else:
            judge.stdout.close()
        assert judge.communicate(timeout=SECONDS)[1] == b""
        assert judge.returncode == (130 if how == "interrupted" else 141)
        for end in ends:
            assert select([end], [], [], SECONDS)[0], "a process is still running"
            os.close(end)


def processes_of(parent: int) -> list[int]:
    """Return the child processes of all threads of a process."""
    threads = Path(f"/proc/{parent}/task").iterdir()
    return [int(number) for each in threads for number in (each / "children").read_text().split()]
