"""A real server in its own process, real databases and players."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, Protocol
from uuid import uuid4

import httpx
import psycopg
import pytest

from commands import SECONDS
from lab.faults.hosts import postgres_programs
from lab.load.process import LIMITS

FROZEN = "from noughts.service.http import middleware; middleware.monotonic = lambda: 1000.0"
"""Stops the clock of a server's limits: they never recover, however slow the machine is."""


class Server:
    """``noughts serve`` on a free port.

    Args:
        database: The URL of its database.
        options: More options; limits are disabled unless these or the environment set them.
        port: The port to listen on.
        before: Python code that its process runs first, for example to shorten a delay.
        version: The folder with the package of another version, which has the same limits.
    """

    def __init__(
        self,
        database: str,
        *options: str,
        port: int = 0,
        before: str = "",
        version: Path | None = None,
    ) -> None:
        self.database = database
        given = " ".join([*options, *os.environ]).lower().replace("_", "-")
        unlimited = [f"{limit}=0" for limit in LIMITS if limit.strip("-") not in given]
        program = [str(Path(sys.executable).parent / "noughts")]
        where = "database" if version else "database-url"
        if before:
            program = [sys.executable, "-c", f"{before}\nfrom noughts.cli import main\nmain()"]
        self._log = TemporaryFile("w+")  # noqa: SIM115  # as long as the server
        self.process = subprocess.Popen(
            [
                *program,
                "serve",
                f"--port={port}",
                f"--{where}={database}",
                *unlimited,
                *options,
            ],
            env=os.environ | ({"PYTHONPATH": str(version)} if version else {}),
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)/", said)
        if not found:
            raise RuntimeError(f"the server did not start: {said}{self._wait()}")
        self.url = found[0].rstrip("/")
        self.port = int(found[1])

    def kill(self) -> str:
        """Send SIGKILL and return the log."""
        return self.end(signal.SIGKILL)

    def stop(self) -> str:
        """Send SIGTERM and return the log."""
        return self.end(signal.SIGTERM)

    def end(self, number: int) -> str:
        """Send a signal, wait until the server has ended, and return the log."""
        self.process.send_signal(number)
        return self._wait()

    def _wait(self) -> str:
        if not self._log.closed:
            try:
                self.process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.communicate()
                raise
            self._log.seek(0)
            with self._log:
                self._logged = self._log.read()
        return self._logged


@contextmanager
def unmeasured_processes() -> Iterator[None]:
    """Measure no coverage in processes started in this context, as that slows them down."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
            patch.delenv(name)
        yield


@contextmanager
def serving(database: str, *options: str, port: int = 0, before: str = "") -> Iterator[Server]:
    """Run a server, and stop it at the end."""
    server = Server(database, *options, port=port, before=before)
    try:
        yield server
    finally:
        server.stop()  # not killed, so that its coverage is saved


# Forks a server for each line of arguments; prints its process id and later its exit status.
FORKING = """
import json, os, sys
import psycopg
import noughts.service.server
from noughts.cli import main

for line in sys.stdin:
    if not os.fork():
        print(os.getpid(), flush=True)
        sys.argv[1:] = json.loads(line)
        main()
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""


class Reborn:
    """``noughts serve``, killed and restarted many times on the same port.

    Each time, a new process is forked from one that has imported the server, which takes most of
    the time of a start. Its coverage is not measured, as killing it would lose the data.

    Args:
        database: The URL of its database.
    """

    def __init__(self, database: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        limits = [f"{limit}=0" for limit in LIMITS]
        self._arguments = ["serve", f"--port={self.port}", f"--database-url={database}", *limits]
        with unmeasured_processes():
            self._forking = subprocess.Popen(
                [sys.executable, "-c", FORKING],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )

    def start(self) -> None:
        """Start the server and wait until it listens."""
        assert self._forking.stdin is not None
        print(json.dumps(self._arguments), file=self._forking.stdin, flush=True)
        self._process = int(self._told())
        assert self.url in self._told()

    def kill(self) -> None:
        """Send SIGKILL."""
        os.kill(self._process, signal.SIGKILL)
        assert int(self._told()) == -signal.SIGKILL

    def close(self) -> None:
        """Stop the server for good."""
        try:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGTERM)
            assert self._forking.communicate(timeout=SECONDS)[0] == "0\n"
        except subprocess.TimeoutExpired:
            os.kill(self._process, signal.SIGKILL)
            self._forking.communicate()
            raise

    def _told(self) -> str:
        assert self._forking.stdout is not None
        return self._forking.stdout.readline()


# Players


@dataclass
class Event:
    """A server-sent event."""

    kind: str = ""
    seq: int = -1
    data: dict[str, Any] = field(default_factory=dict)


class Served(Protocol):
    """A server, or a proxy in front of it."""

    url: str


def speaking_to(server: Served, **options: Any) -> httpx.Client:
    """Return a client of this server that keeps no cookies and has a timeout."""
    # Hardly anything here is encrypted, and loading certificates takes longer than most tests.
    client = httpx.Client(base_url=server.url, timeout=SECONDS, verify=False, **options)
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


@contextmanager
def served(folder: Path, *options: str, before: str = "") -> Iterator[tuple[Server, httpx.Client]]:
    """Run a server with an SQLite file in this folder, and a client of it."""
    database = f"sqlite:///{folder}/noughts.db"
    with serving(database, *options, before=before) as server, speaking_to(server) as client:
        yield server, client


@dataclass
class Seat:
    """A player in a game, or a spectator without a token."""

    client: httpx.Client
    id: str
    token: str | None = None
    invite: str | None = None

    def state(self) -> dict[str, Any]:
        """Return the state of the game."""
        answer = self.client.get(f"/api/games/{self.id}", headers=self._headers())
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()
        return state

    def post(self, what: str, **body: Any) -> httpx.Response:
        """Post this body unchanged."""
        path = f"/api/games/{self.id}/{what}"
        return self.client.post(path, json=body, headers=self._headers())

    def act(self, what: str, **body: Any) -> httpx.Response:
        """Post this body, by default with the latest seq and a new key."""
        seq = body.pop("seq", None)
        key = body.pop("key", None)
        seq = self.state()["seq"] if seq is None else seq
        return self.post(what, seq=seq, key=key or uuid4().hex, **body)

    def move(self, *cell: int, **body: Any) -> httpx.Response:
        """Play this cell; see `act`."""
        return self.act("moves", cell=cell, **body)

    def join(self, **body: Any) -> Seat:
        """Join by the invitation; return the second player."""
        answer = self.post("join", **{"invite": self.invite, **body})
        assert answer.status_code == 200, answer.text
        return Seat(self.client, self.id, answer.json()["token"])

    @contextmanager
    def events(
        self, after: int | str | None = None, *, aside: bool = False
    ) -> Iterator[Iterator[Event]]:
        """Yield the events after this seq, or the state first.

        Events that are not in the log are left out, unless `aside` is true.
        """
        headers = {name.encode(): value.encode() for name, value in self._headers().items()}
        if after is not None:
            headers[b"Last-Event-ID"] = str(after).encode()
        path = f"/api/games/{self.id}/events"
        with self.client.stream("GET", path, headers=headers) as answer:
            assert answer.status_code == 200
            yield parsed(answer.iter_lines(), aside)

    def _headers(self) -> dict[str, str]:
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}


def elsewhere(seat: Seat, client: httpx.Client) -> Seat:
    """Return the same player at another server, or at a restarted one."""
    return Seat(client, seat.id, seat.token, seat.invite)


def created(client: httpx.Client, **wish: Any) -> Seat:
    """Create a game, by default on a 3×3 board; return its first player."""
    wish = wish if {"shape", "rules"} & {*wish} else {"n": 3, **wish}
    answer = client.post("/api/games", json=wish)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Seat(client, made["id"], made["token"], made["invite"])


def two_friends(client: httpx.Client, **wish: Any) -> tuple[Seat, Seat]:
    """Create a game and join it; return players 1 and 2."""
    first = created(client, **wish)
    return first, first.join()


def parsed(lines: Iterator[str], aside: bool = False) -> Iterator[Event]:
    """Yield the events among these lines until the stream ends or the server stops.

    `heartbeat` is left out; so are `presence` and `thought`, unless `aside` is true.
    """
    left_out = {"heartbeat", "beat"} | (set() if aside else {"presence", "thought"})
    event = Event()
    with suppress(httpx.RemoteProtocolError, httpx.ReadError):
        for line in lines:
            name, _, value = line.partition(": ")
            if name == "event":
                event.kind = value
            elif name == "id":
                event.seq = int(value)
            elif name == "data":
                event.data = json.loads(value)
            elif not line and event.kind:
                if event.kind not in left_out:
                    yield event
                event = Event()


def followed(state: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """Return the state after an event with this data, computed as docs/server.md describes."""
    after = state | {name: value for name, value in data.items() if name in state}
    after["moves"] = state["moves"][: data["ply"]]
    if data["kind"] == "move":
        after["moves"] = [*after["moves"], data["cell"]]
    elif data["kind"] == "joined":
        after["players"] = [dict(player) for player in state["players"]]
        after["players"][data["seat"] - 1] |= {"name": data["name"], "joined": True}
    return after


def code(answer: httpx.Response) -> str:
    """Return the error code of an answer, which must match its status and be described for it."""
    from noughts.service.http.routes import codes, find
    from noughts.service.play.api_errors import ERROR_CODES

    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    found: str = problem["code"]
    assert answer.status_code == problem["status"] == ERROR_CODES[found].status
    assert problem["type"] == f"/docs#error-{found}"
    assert problem["title"]
    assert problem["detail"]
    if found in ("not_found", "wrong_method", "wrong_host"):  # perhaps of no route
        return found
    route = find(answer.request.url.path)[0][answer.request.method]
    assert found in codes(route), f"{route.path} does not describe {found}"
    return found


# Databases

DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.tier2("database"))]


def new_database(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the URL of an empty database of the kind that is the fixture's parameter."""
    if request.param == "sqlite":
        return f"sqlite:///{folder}/noughts.db"
    found: Postgres = request.getfixturevalue("postgresql")
    return found.database()


def missing(what: str) -> Any:
    """Skip the test because a program is missing; fail it in continuous integration."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing: script/test installs it where apt-get may")
    pytest.skip(f"{what} is not installed")


class Postgres:
    """A PostgreSQL server on a free port of the loopback interface.

    PostgreSQL does not run as root, so it then runs as the user postgres of its package.

    Args:
        folder: The folder for its files.
        programs: The folder of its programs.
        settings: More settings, as options of its command.
    """

    def __init__(self, folder: str, programs: Path, settings: str = "") -> None:
        self._quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": folder, "check": True}
        self._programs = programs
        self._as_user = []
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            self._as_user = ["runuser", "-u", "postgres", "--"]
        data = self._data = f"{folder}/data"
        if not Path(data).exists():
            self._run("initdb", "-D", data, "-A", "trust", "-U", "noughts", "-N")
        self._port = free_port()
        options = (
            f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
            f" {settings}"
        )
        self._control = ["pg_ctl", "-D", data, "-w"]
        self._start = ["-o", options, "-l", f"{folder}/log", "start"]
        self._numbers = count()
        self.start()

    def start(self) -> None:
        """Start the database and wait until it answers."""
        self._run(*self._control, *self._start)

    def kill(self) -> None:
        """Stop it immediately; it recovers at the next start."""
        self._run(*self._control, "-m", "immediate", "stop")

    def copy(self, folder: str) -> None:
        """Copy its files, for another server in that folder to recover from."""
        if self._as_user:
            shutil.chown(folder, "postgres", "postgres")
        url = self.url("postgres").replace("+psycopg", "")
        self._run("pg_basebackup", "-d", url, "-D", f"{folder}/data", "-c", "fast")
        signal = Path(folder, "data", "recovery.signal")
        signal.touch()
        if self._as_user:
            shutil.chown(signal, "postgres", "postgres")

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, f"{self._programs}/{program}", *arguments]
        subprocess.run(command, **self._quiet)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Make it hang: stop its processes but keep its connections."""
        leader = int(Path(self._data, "postmaster.pid").read_text().split()[0])
        found = Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
        processes = [leader, *map(int, found)]
        try:
            for process in processes:
                os.kill(process, signal.SIGSTOP)
            yield
        finally:
            for process in processes:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

    def database(self) -> str:
        """Create a database and return its URL."""
        name = f"noughts{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def execute(self, statement: str, database: str = "") -> Any:
        """Execute a statement, in this database if given; return its first value, if any."""
        url = (database or self.url("postgres")).replace("+psycopg", "")
        with psycopg.connect(url, autocommit=True) as connection:
            done = connection.execute(statement.encode())
            row = done.fetchone() if done.description else None
            return row and row[0]

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql+psycopg://noughts@127.0.0.1:{self._port}/{name}"


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Run a separate PostgreSQL server."""
    programs = postgres_programs()
    if programs is None:
        missing("PostgreSQL")
    assert programs is not None
    with TemporaryDirectory(prefix="noughts-pg-") as folder:
        found = Postgres(folder, programs)
        try:
            yield found
        finally:
            found.kill()


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
        return port
