"""A real server in a process of its own, and real databases for it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import pytest

LIMITS = ("creating", "joining", "moving", "streams")
BIN = Path("/usr/lib/postgresql")


class Server:
    """``noughts serve`` on a free port.

    Args:
        database: its URL.
        options: more of the command line; the limits are off unless they name them.
    """

    def __init__(self, database: str, *options: str, port: int = 0) -> None:
        unlimited = [f"--{limit}=0" for limit in LIMITS if not any(limit in o for o in options)]
        command = [str(Path(sys.executable).parent / "noughts"), "serve", f"--port={port}"]
        self._log = TemporaryFile("w+")  # noqa: SIM115  # as long as the server
        self.process = subprocess.Popen(
            [*command, f"--database={database}", *unlimited, *options],
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
            self.process.communicate(timeout=30)
            self._log.seek(0)
            with self._log:
                self._logged = self._log.read()
        return self._logged


@contextmanager
def serving(database: str, *options: str, port: int = 0) -> Iterator[Server]:
    """A server that is ended in the end, whatever happens."""
    server = Server(database, *options, port=port)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


def missing(what: str) -> Any:
    """Skip, or under continuous integration fail, for want of a program."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing: script/test installs it where apt-get may")
    pytest.skip(f"{what} is not installed")


def postgres_programs() -> Path | None:
    """Where PostgreSQL's programs are."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(BIN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL of its own on a free port of the loopback; the URL of an empty database.

    PostgreSQL does not run as root: there it runs as the user postgres, which its package makes.
    """
    programs = postgres_programs()
    if programs is None:
        missing("PostgreSQL")
    assert programs is not None
    with TemporaryDirectory(prefix="noughts-pg-") as folder:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
            as_user = ["runuser", "-u", "postgres", "--"]
        else:
            as_user = []
        data = f"{folder}/data"
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "cwd": folder, "check": True}
        init = [f"{programs}/initdb", "-D", data, "-A", "trust", "-U", "noughts", "-N"]
        subprocess.run([*as_user, *init], **quiet)
        port = free_port()
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        control = [*as_user, f"{programs}/pg_ctl", "-D", data, "-w"]
        log = ["-l", f"{folder}/log"]
        subprocess.run([*control, "-o", options, *log, "start"], **quiet)
        try:
            yield f"postgresql+psycopg://noughts@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **quiet)


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
        return port
