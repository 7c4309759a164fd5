"""A real server in a process of its own, real databases for it, and players who speak to it."""

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


class Server:
    """``noughts serve`` on a free port.

    Args:
        database: its URL.
        options: more of the command line; the limits are off unless it or the environment has them.
        port: to listen on.
        before: Python that its process runs first, to shorten a time that tests would wait for.
    """

    def __init__(self, database: str, *options: str, port: int = 0, before: str = "") -> None:
        self.database = database
        given = " ".join([*options, *os.environ]).lower().replace("_", "-")
        unlimited = [f"{limit}=0" for limit in LIMITS if limit.strip("-") not in given]
        program = [str(Path(sys.executable).parent / "noughts")]
        if before:
            program = [sys.executable, "-c", f"{before}\nfrom noughts.cli import main\nmain()"]
        self._log = TemporaryFile("w+")  # noqa: SIM115  # as long as the server
        self.process = subprocess.Popen(
            [*program, "serve", f"--port={port}", f"--database={database}", *unlimited, *options],
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
        """SIGKILL: nothing is put in order; what it has logged."""
        return self.end(signal.SIGKILL)

    def stop(self) -> str:
        """SIGTERM, as an operator ends it; what it has logged."""
        return self.end(signal.SIGTERM)

    def end(self, number: int) -> str:
        """Send this signal, unless it has ended, and wait until it has; what it has logged."""
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
    """Processes that are started meanwhile are not measured for coverage: it slows them down."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
            patch.delenv(name)
        yield


@contextmanager
def serving(database: str, *options: str, port: int = 0, before: str = "") -> Iterator[Server]:
    """A server that is ended in the end, whatever happens."""
    server = Server(database, *options, port=port, before=before)
    try:
        yield server
    finally:
        server.stop()  # not killed: what it has run is counted as covered


# Forks a server for each line of arguments, and tells its process, and later how it has ended.
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
    """``noughts serve``, which is killed and started again many times, always on the same port.

    Every time it is a new process, forked from one that has imported what a server needs: that is
    most of what a start takes. It is not measured for coverage, which would be lost with it.

    Args:
        database: its URL.
    """

    def __init__(self, database: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        limits = [f"{limit}=0" for limit in LIMITS]
        self._arguments = ["serve", f"--port={self.port}", f"--database={database}", *limits]
        with unmeasured_processes():
            self._forking = subprocess.Popen(
                [sys.executable, "-c", FORKING],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )

    def start(self) -> None:
        """Start it, and wait until it listens."""
        assert self._forking.stdin is not None
        print(json.dumps(self._arguments), file=self._forking.stdin, flush=True)
        self._process = int(self._told())
        assert self.url in self._told()

    def kill(self) -> None:
        """SIGKILL: nothing is put in order."""
        os.kill(self._process, signal.SIGKILL)
        assert int(self._told()) == -signal.SIGKILL

    def close(self) -> None:
        """End it as an operator does, and start it no more."""
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
    """What clients speak to: a server, or a proxy before it."""

    url: str


def speaking_to(server: Served, **options: Any) -> httpx.Client:
    """A client of this server that keeps no cookies, and gives up what hangs."""
    # Hardly anything here is encrypted, and to load certificates takes longer than most tests.
    client = httpx.Client(base_url=server.url, timeout=SECONDS, verify=False, **options)
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


@contextmanager
def served(folder: Path, *options: str, before: str = "") -> Iterator[tuple[Server, httpx.Client]]:
    """A server with an SQLite file in this folder, and a client of it."""
    database = f"sqlite:///{folder}/noughts.db"
    with serving(database, *options, before=before) as server, speaking_to(server) as client:
        yield server, client


@dataclass
class Seat:
    """Somebody in a game: a player, or a spectator who has no token."""

    client: httpx.Client
    id: str
    token: str | None = None
    invite: str | None = None

    def state(self) -> dict[str, Any]:
        """The game's state."""
        answer = self.client.get(f"/api/games/{self.id}", headers=self._headers())
        assert answer.status_code == 200, answer.text
        state: dict[str, Any] = answer.json()
        return state

    def post(self, what: str, **body: Any) -> httpx.Response:
        """Post this, as it is."""
        path = f"/api/games/{self.id}/{what}"
        return self.client.post(path, json=body, headers=self._headers())

    def act(self, what: str, **body: Any) -> httpx.Response:
        """Post this, with the latest seq and a new key unless they are given."""
        seq = body.pop("seq", None)
        key = body.pop("key", None)
        seq = self.state()["seq"] if seq is None else seq
        return self.post(what, seq=seq, key=key or uuid4().hex, **body)

    def move(self, *cell: int, **body: Any) -> httpx.Response:
        """Move there; as `act`."""
        return self.act("moves", cell=cell, **body)

    def join(self, **body: Any) -> Seat:
        """Whoever joins by the invitation."""
        answer = self.post("join", **{"invite": self.invite, **body})
        assert answer.status_code == 200, answer.text
        return Seat(self.client, self.id, answer.json()["token"])

    @contextmanager
    def events(
        self, after: int | str | None = None, *, aside: bool = False
    ) -> Iterator[Iterator[Event]]:
        """The event stream: the events after this seq, or the state first.

        What the log does not have is left out, unless it is to be told `aside`.
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
    """The same player at another server, or at the same one after a restart."""
    return Seat(client, seat.id, seat.token, seat.invite)


def created(client: httpx.Client, **wish: Any) -> Seat:
    """Whoever makes this game; of 3×3 cells unless it says otherwise."""
    wish = wish if {"shape", "rules"} & {*wish} else {"n": 3, **wish}
    answer = client.post("/api/games", json=wish)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return Seat(client, made["id"], made["token"], made["invite"])


def two_friends(client: httpx.Client, **wish: Any) -> tuple[Seat, Seat]:
    """Players 1 and 2 of a new game."""
    first = created(client, **wish)
    return first, first.join()


def parsed(lines: Iterator[str], aside: bool = False) -> Iterator[Event]:
    """The events among these lines until the stream ends or the server goes down.

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
    """The state after an event with this data, as docs/server.md has clients work it out."""
    after = state | {name: value for name, value in data.items() if name in state}
    after["moves"] = state["moves"][: data["ply"]]
    if data["kind"] == "move":
        after["moves"] = [*after["moves"], data["cell"]]
    elif data["kind"] == "joined":
        after["players"] = [dict(player) for player in state["players"]]
        after["players"][data["seat"] - 1] |= {"name": data["name"], "joined": True}
    return after


def code(answer: httpx.Response) -> str:
    """Why an answer refuses: its code, which must be one of its status."""
    from noughts.service.play.api_errors import ERROR_CODES

    error = answer.json()["error"]
    assert answer.status_code == ERROR_CODES[error["code"]].status
    assert error["message"]
    found: str = error["code"]
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
    """Skip, or under continuous integration fail, for want of a program."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing: script/test installs it where apt-get may")
    pytest.skip(f"{what} is not installed")


class Postgres:
    """A PostgreSQL on a free port of the loopback.

    PostgreSQL does not run as root: there it runs as the user postgres, which its package makes.

    Args:
        folder: for its files.
        programs: where its programs are.
    """

    def __init__(self, folder: str, programs: Path) -> None:
        self._quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": folder, "check": True}
        as_user = []
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            as_user = ["runuser", "-u", "postgres", "--"]
        data = self._data = f"{folder}/data"
        init = [f"{programs}/initdb", "-D", data, "-A", "trust", "-U", "noughts", "-N"]
        subprocess.run([*as_user, *init], **self._quiet)
        self._port = free_port()
        options = (
            f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        )
        self._control = [*as_user, f"{programs}/pg_ctl", "-D", data, "-w"]
        self._start = ["-o", options, "-l", f"{folder}/log", "start"]
        self._numbers = count()
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        subprocess.run([*self._control, *self._start], **self._quiet)

    def kill(self) -> None:
        """End it at once; it recovers when it starts."""
        subprocess.run([*self._control, "-m", "immediate", "stop"], **self._quiet)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Have it hang: its processes are stopped, and its connections stay."""
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
        """The URL of a new database."""
        name = f"noughts{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name}")
        return self._url(name)

    def execute(self, statement: str, database: str = "") -> None:
        """Have it do something, in this database if that matters."""
        url = (database or self._url("postgres")).replace("+psycopg", "")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement.encode())

    def _url(self, name: str) -> str:
        return f"postgresql+psycopg://noughts@127.0.0.1:{self._port}/{name}"


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL of its own."""
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
    """A port of the loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
        return port
