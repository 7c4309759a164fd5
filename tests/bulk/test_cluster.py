"""Judging on a cluster: a real scheduler, and workers that are killed, all on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from select import select
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import Result
from distributed import Future

from bulk.batching import by_numbers, parquet, random_record, run
from commands import NOUGHTS, SECONDS, started
from noughts import Rules
from noughts.bulk import batches, cluster
from noughts.bulk.cluster import InvalidJob, NoScheduler, Partition, finished, partitions
from noughts.errors import InvalidRecord
from noughts.records import Record

needs_cluster = pytest.mark.tier2("process")

# Loopback only. Dask opens the dashboard's port even without a dashboard.
LOCAL = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")

# Preloaded by a worker that stops in the middle of a partition: it reports that it has stopped, and
# waits for an order to continue. Batches are small, so that a partition has several of them.
STOPPING = """
import os
from itertools import count
from pathlib import Path
from noughts.bulk import batches, parquet

parquet.ROWS = 16
batch_number = count(1)
if batches.judged_batch.__module__ == batches.__name__:  # Dask loads this file twice
    judged_batch = batches.judged_batch

def stopping(batch, **more):
    if next(batch_number) == int(os.environ["STOP_AT"]):
        Path(os.environ["REPORTS"]).write_text("stopped")
        with open(os.environ["ORDERS"]) as orders:
            orders.readline()
    return judged_batch(batch, **more)

batches.judged_batch = stopping
"""


class Stop:
    """A point at which a worker stops until `go_on` is called."""

    def __init__(self, folder: Path, batch: int) -> None:
        folder.mkdir()
        self._reports = named_pipe(folder / "reports")
        self._orders = named_pipe(folder / "orders")
        (folder / "stopping.py").write_text(STOPPING)
        self.options = ("--preload", folder / "stopping.py")
        self.environment = {
            "STOP_AT": str(batch),
            "REPORTS": str(folder / "reports"),
            "ORDERS": str(folder / "orders"),
        }

    def wait(self) -> None:
        """Wait until the worker has stopped."""
        assert select([self._reports], [], [], SECONDS)[0], "the worker does not stop"
        assert os.read(self._reports, 100) == b"stopped"

    def go_on(self) -> None:
        os.write(self._orders, b"go on\n")


def named_pipe(path: Path) -> int:
    """Create a pipe and open it for reading and writing, so that opening it never blocks."""
    os.mkfifo(path)
    return os.open(path, os.O_RDWR)


@contextmanager
def scheduler() -> Iterator[str]:
    """Run a scheduler; yield its address."""
    with scheduler_process() as (_, address):
        yield address


@contextmanager
def scheduler_process() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    command = (sys.executable, "-m", "distributed.cli.dask_scheduler", *LOCAL, "--port", "0")
    with started(*command, stdout=subprocess.DEVNULL) as running:
        address = wait_for_line(running.stderr, "Scheduler at:").split()[-1]
        yield running, address


@contextmanager
def worker(address: str, tmp_path: Path, stop: Stop | None = None) -> Iterator[Any]:
    """Run a worker process of one thread; wait until it has registered with the scheduler."""
    command = (sys.executable, "-m", "distributed.cli.dask_worker", address, *LOCAL, "--no-nanny")
    options: list[str | Path] = ["--nthreads", "1", "--local-directory", tmp_path / "dask"]
    environment = dict(os.environ)
    if stop:
        options, environment = [*options, *stop.options], environment | stop.environment
    with started(*command, *options, stdout=subprocess.DEVNULL, environment=environment) as running:
        wait_for_line(running.stderr, "Registered to:")
        yield running


def wait_for_line(stream: IO[bytes] | None, words: str) -> str:
    """Wait for the first line that contains these words, and return it."""
    assert stream is not None
    lines = []
    for line in stream:
        lines.append(line.decode())
        if words in lines[-1]:
            return lines[-1]
    raise AssertionError("".join(lines))


def write_games(folder: Path, count: int = 8, each: int = 40) -> list[Path]:
    """Write a partitioned data set with legal and illegal games and unreadable rows."""
    folder.mkdir()
    files = []
    for number in range(count):
        games = [random_record(Random(100 * number + i), Rules(), None) for i in range(each)]
        games = [Record(g.rules, g.moves, f"{number}-{i}") for i, g in enumerate(games)]
        table = pa.Table.from_batches([by_numbers(games)])
        nonsense = pa.array([[0, 3] if i == 7 else [3, 3] for i in range(each)])
        table = table.set_column(table.schema.get_field_index("shape"), "shape", nonsense)
        files.append(folder / f"part-{number}.parquet")
        pq.write_table(table, files[-1])
    return files


def on_cluster(address: str, *arguments: str | Path) -> Result:
    return run("--scheduler", address, *arguments)


def ids_of(folder: Path) -> Counter[str]:
    return Counter(
        name
        for file in folder.iterdir()
        for name in pq.read_table(file, columns=["id"])["id"].to_pylist()
    )


def identities(folder: Path) -> dict[str, tuple[int, int]]:
    """Return numbers that change whenever a file is written, even with the same content."""
    return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns) for file in folder.iterdir()}


@needs_cluster
def test_killed_worker_loses_and_repeats_nothing(tmp_path: Path) -> None:
    files, out = write_games(tmp_path / "games"), tmp_path / "out"
    pattern = tmp_path / "games" / "*.parquet"
    here, there = Stop(tmp_path / "here", 1), Stop(tmp_path / "there", 5)  # of three a partition
    with (
        scheduler() as address,
        worker(address, tmp_path, here),
        worker(address, tmp_path, there) as doomed,
        started(NOUGHTS, "judge", pattern, "--scheduler", address, "--out", out) as judging,
    ):
        here.wait()
        there.wait()
        assert sorted(path.suffix for path in out.iterdir()) == [".parquet", ".part", ".part"]
        early = identities(out)
        doomed.send_signal(signal.SIGKILL)
        here.go_on()
        errors = judging.communicate(timeout=SECONDS)[1].decode()
        assert judging.returncode == 1  # some games are illegal
        assert errors.startswith("8 partitions: 8 judged\n312 games: "), errors
        assert errors.endswith("8 lines could not be read\n")

        assert sorted(path.name for path in out.iterdir()) == [file.name for file in files]
        whole = {name for name in early if name.endswith(".parquet")}
        assert all(identities(out)[name] == early[name] for name in whole)
        assert ids_of(out) == Counter(f"{n}-{i}" for n in range(8) for i in range(40))
        alone = tmp_path / "alone.parquet"
        for file in files:
            assert run(file, "--out", alone).exit_code == 1
            assert pq.read_table(out / file.name).equals(pq.read_table(alone))

        before = identities(out)
        again = on_cluster(address, pattern, "--out", out)
        assert identities(out) == before
        assert again.stderr == errors.replace("8 judged", "8 finished before")
        assert again.exit_code == 1


@needs_cluster
def test_results_of_a_dead_worker_are_read_from_its_verdicts(tmp_path: Path) -> None:
    write_games(tmp_path / "games", 4)
    todo = partitions([str(tmp_path / "games" / "*")], tmp_path / "out")
    stop = Stop(tmp_path / "stop", 10)  # in the last partition, of three batches each
    with (
        ThreadPoolExecutor(1) as pool,
        scheduler_process() as (running, address),
        worker(address, tmp_path, stop) as doomed,
        cluster.connected(address) as client,
    ):
        results = cluster.judge_partitions(client, todo)
        found = [next(results)]
        stop.wait()
        for key in sorted(client.futures)[:3]:  # wait until the client knows that they are judged
            assert Future(key, client).exception(SECONDS) is None
        os.utime(todo[1].games)  # invalidates the verdicts, so that the worker's result is used
        found.append(next(results))
        # From now on only the files have results: a stopped scheduler does not notice the death of
        # its worker.
        running.send_signal(signal.SIGSTOP)
        doomed.send_signal(signal.SIGKILL)
        found.append(pool.submit(next, results).result(SECONDS))
        running.send_signal(signal.SIGKILL)
        with pytest.raises(NoScheduler):
            next(results)
    counts = [cluster.judge_partition(partition) for partition in todo[:3]]
    assert found == list(zip(todo, counts, strict=False))


@needs_cluster
def test_changed_games_are_judged_again_despite_a_corrupt_file(
    tmp_path: Path,
) -> None:
    files, out = write_games(tmp_path / "games", 4), tmp_path / "out"
    files[2].write_bytes(files[2].read_bytes()[:-50])
    pattern = tmp_path / "games" / "*.parquet"
    with scheduler() as address, worker(address, tmp_path):
        result = on_cluster(address, pattern, "--out", out)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"noughts: {files[2]}: cannot read this as Parquet")
        assert "\n4 partitions: 3 judged, 1 failed\n" in result.stderr
        before = identities(out)
        assert sorted(before) == [files[i].name for i in (0, 1, 3)]

        parquet(files[0], by_numbers([Record(Rules(), ((0, 0),), "new")]))
        parquet(files[2], by_numbers([Record(Rules(), ((0, 0),), "fixed")]))
        result = on_cluster(address, pattern, "--out", out)
        assert "4 partitions: 2 judged, 2 finished before\n" in result.stderr
        after = identities(out)
        new = {name for name in after if after[name] != before.get(name)}
        assert new == {files[0].name, files[2].name}
        assert ids_of(out)["new"] == ids_of(out)["fixed"] == 1
        assert ids_of(out).total() == 82
    assert on_cluster(address, pattern, "--out", out).exit_code == 1  # needs no scheduler


@needs_cluster
def test_ctrl_c_cancels_waiting_partitions(tmp_path: Path) -> None:
    write_games(tmp_path / "games")
    stop, out = Stop(tmp_path / "stop", 1), tmp_path / "out"
    pattern = tmp_path / "games" / "*.parquet"
    with (
        scheduler() as address,
        worker(address, tmp_path, stop),
        started(NOUGHTS, "judge", pattern, "--scheduler", address, "--out", out) as judging,
        cluster.connected(address) as client,
    ):
        stop.wait()
        judging.send_signal(signal.SIGINT)
        assert judging.communicate(timeout=SECONDS) == (b"", b"")
        assert judging.returncode == 130
        waiting = client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))
        assert waiting == 0
        assert [path.suffix for path in out.iterdir()] == [".part"]


@needs_cluster
def test_lost_scheduler_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_games(tmp_path / "games", 1)
    monkeypatch.setattr(cluster, "SECONDS", 0.5)
    with scheduler_process() as (running, address), cluster.connected(address) as client:
        results = cluster.judge_partitions(
            client, partitions([str(tmp_path / "games" / "*")], tmp_path / "out")
        )
        running.send_signal(signal.SIGKILL)
        with pytest.raises(NoScheduler, match=f"lost the Dask scheduler at {address}"):
            next(results)
    result = on_cluster(address, tmp_path / "games" / "*", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr == f"noughts: no Dask scheduler answers at {address}\n"
    for address in ("nonsense://x", "tcp://127.0.0.1:notaport"):
        result = on_cluster(address, tmp_path / "games" / "*", "--out", tmp_path / "out")
        assert result.exit_code == 2
        assert result.stderr == f"noughts: no Dask scheduler answers at {address}\n"


@needs_cluster
def test_judge_waits_for_a_worker(tmp_path: Path) -> None:
    write_games(tmp_path / "games", 1)
    pattern, out = tmp_path / "games" / "*", tmp_path / "out"
    with (
        scheduler() as address,
        started(NOUGHTS, "judge", pattern, "--scheduler", address, "--out", out) as judging,
    ):
        assert "has no workers yet" in wait_for_line(judging.stderr, "noughts:")
        with worker(address, tmp_path):
            assert judging.wait(SECONDS) == 1


# --- without a cluster ----------------------------------------------------------------------------


def names(found: list[Partition], folder: Path) -> list[tuple[str, str]]:
    return [
        (os.path.relpath(each.games, folder), os.path.relpath(each.verdicts, folder / "out"))
        for each in found
    ]


def test_partitions_keep_their_path_from_the_first_wildcard_on(tmp_path: Path) -> None:
    for name in ("2023/a.parquet", "2024/a.parquet", "2024/[b].parquet", "2024/c.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    out = tmp_path / "out"

    def named(*patterns: str) -> list[tuple[str, str]]:
        return names(partitions([str(tmp_path / pattern) for pattern in patterns], out), tmp_path)

    assert named("*/a.parquet") == [
        ("2023/a.parquet", "2023/a.parquet"),
        ("2024/a.parquet", "2024/a.parquet"),
    ]
    assert named("2024/*.parquet", "2024/a.parquet") == [
        ("2024/[b].parquet", "[b].parquet"),
        ("2024/a.parquet", "a.parquet"),
    ]
    assert named("2024/[b].parquet") == [("2024/[b].parquet", "[b].parquet")]
    assert len(named("**/*.parquet")) == 3
    out.mkdir()
    (out / "a.parquet").touch()
    assert len(named("**/*.parquet")) == 3  # verdicts are not taken for games
    with pytest.raises(
        InvalidJob, match=r"2023/a\.parquet and .*2024/a\.parquet would both become"
    ):
        named("2023/*", "2024/*")


@pytest.mark.parametrize("pattern", ["none*", "none", "", "out/*"])
def test_pattern_without_matches_is_rejected(
    tmp_path: Path, pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "verdicts").touch()
    result = on_cluster("tcp://127.0.0.1:1", pattern, "--out", tmp_path / "out")
    assert result.stderr == f"noughts: no file matches {pattern}\n"
    assert result.exit_code == 2


def test_verdicts_never_replace_other_files(tmp_path: Path) -> None:
    games = write_games(tmp_path / "games", 1)[0]
    out = tmp_path / "out"
    out.write_text("mine")
    result = on_cluster("tcp://127.0.0.1:1", games, "--out", out)
    assert result.exit_code == 2
    assert result.stderr == f"noughts: {out} is a file; the verdicts need a directory\n"
    out.unlink()
    out.mkdir()
    for others in (b"mine", games.read_bytes()):
        (out / games.name).write_bytes(others)
        result = on_cluster("tcp://127.0.0.1:1", games, "--out", out)
        assert result.exit_code == 2
        assert "exists and is not a file of verdicts" in result.stderr
        assert (out / games.name).read_bytes() == others


@pytest.mark.parametrize("arguments", [["games.parquet"], ["--out", "x"], ["-", "--out", "x"]])
def test_scheduler_option_needs_files_and_a_directory(arguments: list[str]) -> None:
    result = on_cluster("tcp://127.0.0.1:1", *arguments)
    assert result.exit_code == 2
    assert "--scheduler needs files, and a directory as --out" in result.stderr


def test_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "noughts.bulk.cluster")
    monkeypatch.delattr("noughts.bulk.cluster")
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = on_cluster("tcp://127.0.0.1:1", "x", "--out", tmp_path)
    assert result.exit_code == 2
    assert "noughts: judging on a cluster requires Dask: " in result.stderr


def test_finished_partition_is_not_judged_again(tmp_path: Path) -> None:
    write_games(tmp_path / "games", 1)
    (partition,) = partitions([str(tmp_path / "games" / "*")], tmp_path / "out" / "deep")
    assert finished(partition) is None
    counts = cluster.judge_partition(partition)
    before = identities(Path(partition.verdicts).parent)
    assert counts == cluster.judge_partition(partition) == finished(partition)
    assert (counts.total(), counts["unreadable"]) == (40, 1)
    assert identities(Path(partition.verdicts).parent) == before


def test_games_changed_during_judging_leave_no_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (games,) = write_games(tmp_path / "games", 1)
    (partition,) = partitions([str(games)], tmp_path / "out")

    judged_batch = batches.judged_batch

    def changing(batch: pa.RecordBatch, rules: Rules | None) -> batches.Judged:
        os.utime(games)
        return judged_batch(batch, rules=rules)

    monkeypatch.setattr(batches, "judged_batch", changing)
    with pytest.raises(InvalidRecord, match="the file changed while it was being read"):
        cluster.judge_partition(partition)
    assert not list(Path(partition.verdicts).parent.iterdir())


def test_part_files_of_killed_workers_are_removed(tmp_path: Path) -> None:
    write_games(tmp_path / "games", 1)
    (partition,) = partitions([str(tmp_path / "games" / "*")], tmp_path / "out")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / f"{Path(partition.verdicts).name}.0123.part").touch()
    cluster.judge_partition(partition)
    assert list((tmp_path / "out").iterdir()) == [partition.verdicts]
