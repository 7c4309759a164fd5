"""script/lab load: its report is correct, and each of its checks can fail. No time is asserted."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from commands import SECONDS
from lab.load.capacity import needs
from lab.load.play import Match, play, spread
from lab.load.process import Server as Loaded
from lab.load.process import ServerFailed, require_loopback
from lab.load.watch import watch
from lab.load.wire import Address, Connection, LoadError, ServerEvent, Stream, first, read_event
from service.serving import Postgres, Server, served, serving

ROOT = Path(__file__).parent.parent
LOAD = [sys.executable, "-m", "lab.load"]

pytestmark = pytest.mark.tier2("load")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(f"sqlite:///{tmp_path_factory.mktemp('load')}/noughts.db") as started:
        yield started


@pytest.mark.usefixtures("unmeasured")
def test_load_reports_figures(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    few = ["--games=1,3", "--seconds=1", "--watchers=5", "--streams=6", f"--json={file}"]
    done = subprocess.run([*LOAD, *few], env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "noughts under load: sqlite, 1 process" in done.stdout
    report = json.loads(file.read_text())
    assert [row["games"] for row in report["play"]] == [1, 3]
    for row in report["play"]:
        assert row["moves"] > 0
        assert row["games_checked"] >= row["games"]
        assert row["moves_per_second"] == pytest.approx(row["moves"] / row["seconds"])
        for times in (row["post_ms"], row["stream_ms"]):
            assert 0 < times["p50"] <= times["p99"] <= times["max"]
    assert report["watch"]["watchers"] == 5
    assert report["watch"]["moves"] == 9
    assert (report["idle"]["streams"], report["idle"]["games"]) == (6, 3)
    assert report["attack"]["moves"] > 0
    assert min(report["attack"]["tried"].values()) > 0


@pytest.mark.usefixtures("unmeasured")
def test_load_reports_needs_of_many_players(tmp_path: Path, postgresql: Postgres) -> None:
    file, database = tmp_path / "figures.json", postgresql.database()
    options = ["--only=costs", "--seconds=1", "--streams=20", f"--database-url={database}"]
    done = subprocess.run(
        [*LOAD, *options, f"--json={file}"], env=environment(), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "1,000,000 players, one move per game in 10 s" in done.stdout
    report = json.loads(file.read_text())
    assert list(report["costs"]) == list(COSTS)
    assert report["costs"].pop("stream_bytes") >= 0  # twenty streams may fit into free memory
    assert min(report["costs"].values()) > 0


COSTS = {
    "moves": 5.0,
    "server_us": 200.0,
    "heard_us": 10.0,
    "database_us": 50.0,
    "idle_us": 5.0,
    "stream_bytes": 2e4,
    "sent_bytes": 2e3,
    "commits": 0.1,
    "logged_bytes": 500.0,
    "stored_bytes": 2e3,
}


def test_needs_computes_resources_from_costs() -> None:
    few = needs(COSTS, 2000, 10)
    assert (few.moves, few.games, few.databases, few.servers) == (100, 20, 1, 1)
    assert (few.memory, few.sent, few.commits, few.streams) == (4e7, 2e5, 10, 2000)
    # Each server spends half of its time on 30,000 moves of others, and 190 µs on each of its own.
    most = needs(COSTS, 600_000, 10)
    assert (most.moves, most.databases) == (30_000, 1)
    assert most.servers == 29  # (30,000 × 190 µs + 600,000 × 5 µs) / 0.3
    assert needs(COSTS, 600_020, 10).databases == 2


def test_ctrl_c_stops_the_server_too(tmp_path: Path) -> None:
    database = f"--database-url=sqlite:///{tmp_path}/noughts.db"
    load = subprocess.Popen(
        [*LOAD, "--only=play", "--games=2", database], env=environment(), stderr=subprocess.PIPE
    )
    file = tmp_path / "noughts.db"
    while not file.exists():
        sleep(0.05)
    sleep(1)
    load.send_signal(signal.SIGINT)
    _, errors = load.communicate(timeout=SECONDS)
    assert load.returncode == 130
    assert b"Traceback" not in errors
    with serving(f"sqlite:///{tmp_path}/noughts.db"):  # fails if the first server still has it
        pass


@pytest.mark.parametrize("clock", [None, 30])
def test_play_measures_a_running_server(server: Server, clock: int | None) -> None:
    measured = asyncio.run(play(Loaded(server.url), games=2, seconds=1, clock=clock))
    assert measured["moves"] > 0
    assert measured["server_cpu"] is None  # its processes are unknown


ELSEWHERE = [
    "http://example.org:8000",
    "http://192.0.2.1:8000",
    "http://[2001:db8::1]",
    "http://localhost.example",
    "postgresql+psycopg://me@127.0.0.1/games?host=example.org",
]
HERE = [
    "http://localhost:8000",
    "http://[::1]:8000",
    "postgresql+psycopg://me@127.0.0.2:5432/games",
    "postgresql+psycopg://me@/games?host=/run/postgresql",
]


@pytest.mark.parametrize("url", ELSEWHERE)
def test_require_loopback_rejects_other_machines(url: str) -> None:
    with pytest.raises(ServerFailed, match="only servers on this machine"):
        require_loopback(url)


@pytest.mark.parametrize("url", HERE)
def test_require_loopback_accepts_this_machine(url: str) -> None:
    require_loopback(url)


def failure(server: Server) -> str:
    """Return the error of a load of one game."""
    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(play(Loaded(server.url), games=1, seconds=0.2))
    return str(first(raised.value))


def test_play_reports_that_limits_must_be_disabled(tmp_path: Path) -> None:
    with served(tmp_path, "--move-limit=1") as (limited, _):
        assert "limits must be disabled" in failure(limited)


SEEN = {2: (0, 0), 3: (1, 1), 4: (2, 2)}


@pytest.mark.parametrize(
    "seen",
    [
        {2: (0, 0), 3: (1, 1)},  # a move is lost
        {**SEEN, 5: (0, 1)},  # a move was never confirmed
        {**SEEN, 4: (2, 1)},  # a move differs
        {3: (1, 1), 2: (0, 0), 4: (2, 2)},  # out of order
    ],
)
def test_match_check_compares_confirmed_and_seen_moves(seen: dict[int, Any]) -> None:
    match = Match("g", confirmed=dict(SEEN))
    match.check("it", dict(SEEN))
    with pytest.raises(LoadError, match="confirmed"):
        match.check("it", seen)


def test_watch_reports_a_missing_event(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(block: bytes, at: float) -> ServerEvent | None:
        event = read_event(block, at)
        return None if event and event.seq == 4 else event

    monkeypatch.setattr("lab.load.wire.read_event", forgetful)
    monkeypatch.setattr("lab.load.watch.PATIENCE", 1)
    with pytest.raises(LoadError, match="2 watchers received no event"):
        asyncio.run(watch(Loaded(server.url), 2))


def test_play_reports_a_duplicate_event(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Stream.on_body
    monkeypatch.setattr(Stream, "on_body", lambda self, body: heard(self, body * 2))
    assert "after 1" in failure(server)


def test_play_reports_a_move_missing_from_the_log(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect = Connection.expect

    async def forgetful(self: Connection, *request: Any) -> Any:
        answer = await expect(self, *request)
        if "moves" in answer:
            del answer["moves"][-1]
        return answer

    monkeypatch.setattr(Connection, "expect", forgetful)
    assert "the log saw" in failure(server)


def test_connection_reports_a_server_that_died(tmp_path: Path) -> None:
    async def meet(server: Server) -> None:
        async with Address(server.url).connection() as connection:
            await connection.expect(200, "GET", "/healthz")
            server.kill()
            await connection.expect(200, "GET", "/healthz")

    with served(tmp_path) as (started, _), pytest.raises(LoadError, match="closed the connection"):
        asyncio.run(meet(started))


def test_spread_returns_percentiles() -> None:
    assert spread([]) is None
    assert spread([float(time) for time in range(1000, 0, -1)]) == {
        "p50": 501,
        "p99": 991,
        "max": 1000,
    }
