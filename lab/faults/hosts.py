"""The test bed: two databases in synchronous replication, three servers and a host for players."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg

from lab.faults.network import GOOD, Host, Link, Network
from lab.load.process import LIMITS

BIN = Path("/usr/lib/postgresql")
PORT = 5432
SPACE = "192m"  # the size of a database's disk
CONNECTIONS = 60
NAMESPACES = [  # runs a command in namespaces that end together with this process
    *("setpriv", "--pdeathsig=KILL", "unshare", "--net", "--pid", "--mount-proc"),
    *("--fork", "--kill-child"),
]
OPTIONS = {
    "listen_addresses": "*",
    "max_connections": CONNECTIONS,
    "shared_buffers": "16MB",
    "min_wal_size": "16MB",
    "max_wal_size": "48MB",
    "wal_keep_size": "16MB",
    "wal_sender_timeout": "5s",
    "wal_receiver_timeout": "5s",
    "wal_retrieve_retry_interval": "500ms",
    "logging_collector": "off",
}


class BedFailed(Exception):
    """The test bed failed, not the server."""


def postgres_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, if it is installed."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(BIN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return versions[-1].parent if versions else None


def obstacle() -> str | None:
    """Return why the test bed cannot run here; None if it can."""
    if not Path("/dev/net/tun").exists() or not shutil.which("unshare"):
        return "network namespaces and /dev/net/tun are missing; Linux is needed"
    if os.geteuid() or subprocess.run([*NAMESPACES, "true"], capture_output=True).returncode:
        return "only root can create network namespaces"
    if not postgres_programs():
        return "PostgreSQL is not installed"
    return None


class Database:
    """A PostgreSQL on its own host, with its own disk."""

    def __init__(self, host: Host, folder: Path) -> None:
        self.host = host
        self.disk = folder
        self._data = folder / "data"
        folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SPACE}", "noughts", str(folder)]
        subprocess.run(mount, check=True)
        shutil.chown(folder, "postgres", "postgres")
        self._log = folder.with_suffix(".log").open("ab")
        self.process: subprocess.Popen[bytes] | None = None

    def create(self) -> None:
        """Create its files, as a primary without a standby."""
        self._run("initdb", "-A", "trust", "-U", "noughts", "-N", "--wal-segsize=1")
        with (self._data / "pg_hba.conf").open("a") as file:
            file.write("host all all 10.9.0.0/24 trust\nhost replication all 10.9.0.0/24 trust\n")
        with (self._data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in OPTIONS.items())

    def copy(self, primary: Database) -> None:
        """Create its files again, as the standby of this primary."""
        shutil.rmtree(self._data, ignore_errors=True)
        source = f"host={primary.host.address} port={PORT} user=noughts"
        self._run("pg_basebackup", "-d", source, "-R", "-c", "fast")

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = self._command("postgres", f"-k{self.disk}")
        self.process = self.host.start(command, stdout=self._log, stderr=self._log, cwd=self.disk)
        self.wait_for("SELECT 1")

    def end(self, number: int) -> None:
        """Send it this signal and wait until it has exited."""
        assert self.process
        self.process.send_signal(number)
        self.process.wait(60)

    def ask(self, statement: str) -> Any:
        """Return the first value of a statement's result, if it has one."""
        address = f"host={self.host.address} port={PORT} user=noughts dbname=postgres"
        with psycopg.connect(address, autocommit=True, connect_timeout=3) as connection:
            found = connection.execute(statement.encode())
            row = found.fetchone() if found.description else None
            return row[0] if row else None

    def wait_for(self, statement: str, seconds: float = 30) -> None:
        """Wait until this statement's result is true."""
        end, last = monotonic() + seconds, "no"
        while monotonic() < end:
            try:
                if self.ask(statement):
                    return
            except psycopg.Error as error:
                last = str(error).strip()
            sleep(0.1)
        raise BedFailed(f"{self.host.address}: {statement}: {last}")

    def replicate(self, *, synchronously: bool) -> None:
        """Make commits wait for the standby, or not."""
        names = "*" if synchronously else ""
        self.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.ask("SELECT pg_reload_conf()")

    def wait_for_standby(self) -> None:
        """Wait until a standby is up to date and commits wait for it."""
        self.wait_for("SELECT sync_state = 'sync' FROM pg_stat_replication")

    def fill(self) -> None:
        """Fill its disk."""
        with (self.disk / "ballast").open("wb", buffering=0) as file:
            for size in 65536, 4096:  # to the last page
                with suppress(OSError):
                    while True:
                        file.write(bytes(size))

    def empty(self) -> None:
        """Free its disk again, and restart the database if it has exited."""
        (self.disk / "ballast").unlink()
        assert self.process
        if self.process.poll() is not None:
            self.start()

    def _command(self, program: str, *arguments: str) -> list[str]:
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        return [*user, f"{postgres_programs()}/{program}", "-D", str(self._data), *arguments]

    def _run(self, program: str, *arguments: str) -> None:
        command = self._command(program, *arguments)
        self.host.run(command, stdout=self._log, stderr=self._log, cwd=self.disk)


class Server:
    """``noughts serve`` on its own host, with its own clock."""

    def __init__(self, host: Host, database: str, folder: Path, bug: str | None) -> None:
        self.host = host
        self.url = f"http://{host.address}:8000"
        self._folder = folder
        self._log = folder.with_suffix(".log").open("ab")
        self._clock = folder.with_suffix(".clock")
        first = f"from lab.faults.clock import follow; follow({str(self._clock)!r})"
        if bug:
            first += f"; from lab.faults.injected_bugs import {bug}; {bug}()"
        program = f"{first}; from noughts.cli import main; main()"
        self._command = [sys.executable, "-c", program, "serve", f"--host={host.address}"]
        self._command += [f"--database-url={database}", *(f"{limit}=0" for limit in LIMITS)]
        self.process: subprocess.Popen[bytes] | None = None
        self.set_clock(0)

    def set_clock(self, seconds: int) -> None:
        """Set its clock this far ahead of real time, or behind it."""
        new = self._clock.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self._clock)  # the file is never empty

    def start(self) -> None:
        """Start it and wait until it listens."""
        self.process = self.host.start(self._command, stdout=subprocess.PIPE, stderr=self._log)
        assert self.process.stdout
        if b"http" not in self.process.stdout.readline():
            raise BedFailed(f"the server at {self.url} did not start; see {self._log.name}")

    def end(self, number: int) -> None:
        """Send it this signal and wait until it has exited."""
        self.signal(number)
        assert self.process
        self.process.wait(15)

    def signal(self, number: int) -> None:
        """Send it this signal."""
        assert self.process
        self.process.send_signal(number)


class Bed:
    """The whole test bed, started.

    Args:
        folder: for the databases, and for the logs of databases and servers.
        bug: the bug to inject into the servers.
    """

    def __init__(self, folder: Path, bug: str | None = None) -> None:
        self.network = Network()
        self.players = self.network.here()
        hosts = [self.network.host() for _ in range(5)]
        self.hosts = [self.players, *hosts]
        self.network.start()
        self.primary = Database(hosts[0], folder / "database1")
        self.standby = Database(hosts[1], folder / "database2")
        self.primary.create()
        self.primary.start()
        self.primary.ask("CREATE DATABASE noughts")
        self.join_standby()
        places = "&".join(f"host={host.address}:{PORT}" for host in hosts[:2])
        self.database = (
            f"postgresql+psycopg://noughts@/noughts?{places}&target_session_attrs=read-write"
        )
        self.servers = [
            Server(host, self.database, folder / f"server{number}", bug)
            for number, host in enumerate(hosts[2:], 1)
        ]
        for server in self.servers:
            server.start()

    def join_standby(self) -> None:
        """Copy the primary to the standby, and make commits wait for it."""
        self.standby.copy(self.primary)
        self.standby.start()
        self.primary.replicate(synchronously=True)
        self.primary.wait_for_standby()

    def lose_primary(self) -> None:
        """Make the primary's host vanish without closing its connections."""
        self.link(self.primary.host, self.hosts, Link(cut=True))
        self.primary.end(signal.SIGKILL)

    def promote(self) -> None:
        """Promote the standby to primary; its commits wait for no standby."""
        self.standby.replicate(synchronously=False)
        self.standby.ask("SELECT pg_promote()")
        self.primary, self.standby = self.standby, self.primary

    def restore(self) -> None:
        """Make commits wait for the standby again; a host that was lost comes back empty."""
        assert self.standby.process
        if self.standby.process.poll() is not None:
            self.link(self.standby.host, self.hosts, GOOD)
            self.join_standby()
        self.primary.wait_for_standby()

    def link(self, host: Host, others: list[Host], link: Link) -> None:
        """Set the link between this host and each of the others."""
        for other in others:
            self.network.set(host, other, link)
