"""Results written to unusual places, interrupted runs, and vast or odd arguments."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from time import sleep

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from commands import GAMES, NOUGHTS, SECONDS, noughts, process, started
from noughts import Game, Rules
from noughts.bulk import cluster, judge
from noughts.bulk.cluster import InvalidJob, Partition
from noughts.cli.app import application
from noughts.opponent.exact.perft import perft
from noughts.service.store.dialects import store_at

GOOD = b'{"id":1,"n":3,"moves":[[0,0]]}\n'
VERDICT = '{"id":1,"status":"pending","winner":null,"ply":1,"lines":[]}\n'


def bash(script: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["bash", "-c", script, "bash", NOUGHTS],
        cwd=cwd,
        input=GOOD,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )


def test_results_can_be_written_to_pipes_and_devices(tmp_path: Path) -> None:
    bash(
        '"$1" judge -o >(gzip > out.gz; : > done); while [ ! -e done ]; do sleep 0.01; done',
        tmp_path,
    )
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).decode() == VERDICT
    for place in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        assert bash(f'"$1" judge -o {place} | cat', tmp_path).stdout.decode() == VERDICT
    (tmp_path / "link").symlink_to("/dev/stdout")
    bash('echo before > log; "$1" judge -o link >> log; echo after >> log', tmp_path)
    assert (tmp_path / "log").read_text() == f"before\n{VERDICT}after\n"


@pytest.mark.parametrize("command", ["judge", "show"])
def test_commands_never_overwrite_their_input(tmp_path: Path, command: str) -> None:
    games = tmp_path / "games"
    games.write_bytes(GOOD)
    (tmp_path / "hard").hardlink_to(games)
    with games.open("rb") as file:
        results = [
            process(command, games, "-o", games),
            process(command, games, "-o", tmp_path / "hard"),
            process(command, "-o", games, stdin=file),
        ]
    for done in results:
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"would be overwritten while it is read\n" in done.stderr
    assert games.read_bytes() == GOOD
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("command", ["judge", "show", "export"])
def test_commands_never_replace_a_database(tmp_path: Path, command: str) -> None:
    file = tmp_path / "noughts.db"
    with closing(store_at(f"sqlite:///{file}")) as store:
        store.open()
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        read = [f"--database-url=sqlite:///{file}"] if command == "export" else [GAMES]
        result = noughts(command, *read, "--out", file)
        assert result.exit_code == 2
        assert result.stderr == (
            f"noughts: {file} is neither text nor Parquet, so it is not replaced\n"
        )
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.tier2("process")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
@pytest.mark.parametrize("out", ["out.jsonl", "out.parquet"])
def test_signal_leaves_no_files(tmp_path: Path, name: str, out: str) -> None:
    with started(NOUGHTS, "judge", "-o", tmp_path / out, stdin=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(GOOD * 1000 + b"oops\n")
        running.stdin.flush()
        assert running.stderr.readline().startswith(b"standard input:1001: ")
        assert [path.suffix for path in tmp_path.iterdir()] == [".part"]
        number = signal.Signals[name]
        running.send_signal(number)
        assert running.wait(SECONDS) == 128 + number
        assert running.stderr.read() == b""
    assert not list(tmp_path.iterdir())


def test_standard_input_may_lack_a_descriptor(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")
    result = CliRunner().invoke(application, ["judge", "-o", f"{tmp_path}/out"], input=GOOD)
    assert result.exit_code == 0
    (tmp_path / "out").write_text("old")
    assert bash('exec <&-; "$1" judge -o out', tmp_path).returncode in (1, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.tier2("process")
@pytest.mark.usefixtures("unmeasured")
def test_ctrl_c_during_startup_ends_quietly() -> None:
    random = Random(1)
    for _ in range(25):
        # Blocked until noughts can handle it, as in script/noughts; Python itself cannot.
        command = ("env", "--block-signal=INT", NOUGHTS, "judge")
        with started(*command, stdin=subprocess.PIPE) as running:
            sleep(random.uniform(0.005, 0.25))
            running.send_signal(signal.SIGINT)
            assert running.wait(SECONDS) in (130, -signal.SIGINT)  # env had not started yet
            assert running.stderr is not None
            assert running.stderr.read() == b""


@pytest.mark.tier2("process")
def test_interrupt_during_imports_is_kept(tmp_path: Path) -> None:
    """Even a module that swallows all exceptions while it loads does not swallow it."""
    swallowing = (
        "import os, signal, sys; sys.argv = ['noughts', '--version']\n"
        "class Swallowing:\n"
        "  def find_spec(self, *_):\n"
        "    try: os.kill(os.getpid(), signal.SIGINT)\n"
        "    except BaseException: pass\n"
        "from noughts.cli import main; sys.meta_path.insert(0, Swallowing()); main()"
    )
    done = subprocess.run([sys.executable, "-c", swallowing], capture_output=True, timeout=SECONDS)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_invalid_utf_8_is_not_a_cell() -> None:
    done = process("play", typed=b"\xff\xfe\nb2\nquit\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"or help." in done.stdout


def test_perft_refuses_vast_boards_in_one_sentence() -> None:
    done = process("perft", "--rules", "40000x40000,k=20000")
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "noughts: a 40000×40000 board is too large to count more than one ply\n"
    )
    with pytest.raises(ValueError, match="too large to count"):
        perft(Game(Rules((2**31 - 1,), k=10**9)), 2)


def test_number_of_threads_is_limited() -> None:
    moves = np.zeros((4, 1), np.int8)
    for threads in (1025, 10**8, 10**30):
        with pytest.raises(ValueError, match="threads must be 1 to 1,024, got 1"):
            judge(moves, threads=threads)
    assert len(judge(moves, threads=1024)) == 4


def test_concurrent_runs_cannot_share_a_directory(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": [3], "moves": [[0]]}), tmp_path / "games.parquet")
    out = tmp_path / "out"
    arguments: list[str | Path] = [
        "judge",
        tmp_path / "games.parquet",
        "--scheduler",
        "tcp://127.0.0.1:1",
    ]
    with cluster.claimed(out):
        done = process(*arguments, "--out", out)
        assert done.returncode == 2
        assert done.stderr.decode() == f"noughts: another run is writing verdicts to {out}\n"
    assert not list(out.iterdir())
    with cluster.claimed(out):
        pass


@pytest.mark.parametrize(
    "metadata",
    [
        "no json",
        "[" * 100_000,
        "[1]",
        "{}",
        json.dumps({"counts": 5}),
        json.dumps({"counts": {"won by 9": 1}}),
        json.dumps({"counts": {"\x1b[2J": 1}}),
        json.dumps({"counts": {"draw": "many"}}),
        "\ud800".encode("utf-8", "surrogatepass"),
    ],
)
def test_foreign_metadata_is_refused(tmp_path: Path, metadata: str | bytes) -> None:
    games, verdicts = tmp_path / "games.parquet", tmp_path / "verdicts.parquet"
    table = pa.table({"n": [3], "moves": [[0]]})
    pq.write_table(table, games)
    pq.write_table(table.replace_schema_metadata({b"noughts": metadata}), verdicts)
    with pytest.raises(InvalidJob, match="is not a file of verdicts"):
        cluster.finished(Partition(games, verdicts))
