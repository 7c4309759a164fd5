"""The server under load: starting it, stopping it, and the resources it uses."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qsl, urlsplit

from noughts.service.settings import SETTINGS, option

LIMITS = [
    option(each.name)
    for each in SETTINGS
    if isinstance(each.default, int) and each.metadata["least"] == 0
    if each.name not in {"port", "retention_days"}
]
PATIENCE = 15  # seconds for the server to exit


class ServerFailed(Exception):
    """The server did not start, or must not be loaded."""


class Server:
    """A server and, if it was started here, its processes.

    Args:
        url: its URL, or its proxy's.
        pids: its processes; their children are counted too.
        others: the URLs of its other processes, if each has its own.
        proxy: the proxy's process.
        database: the database's URL, if it is known.
    """

    def __init__(
        self,
        url: str,
        *pids: int,
        others: Sequence[str] = (),
        proxy: int | None = None,
        database: str | None = None,
    ) -> None:
        self.url = url
        self.urls = [url, *others]
        self.pids = pids
        self.database = database
        self._proxy = () if proxy is None else (proxy,)

    def cpu_seconds(self) -> float | None:
        """Return the processor time used so far, without the proxy's; None if it is unknown."""
        return _total(self.pids, _cpu_seconds)

    def proxy_cpu_seconds(self) -> float | None:
        """Return the proxy's processor time used so far."""
        return _total(self._proxy, _cpu_seconds)

    def megabytes(self) -> float | None:
        """Return the resident memory; None if it is unknown."""
        return _total(self.pids, _megabytes)


@contextmanager
def started(database: str | None, limited: bool = False, *options: str) -> Iterator[Server]:
    """Start ``noughts serve`` on a free port, by default with a temporary SQLite file.

    Args:
        database: its URL; None for the temporary file.
        limited: whether it keeps its default limits; otherwise they are disabled.
        options: further options of the command.

    Raises:
        ServerFailed: it did not start.
    """
    with TemporaryDirectory(prefix="noughts-load-") as folder:
        command = [str(Path(sys.executable).parent / "noughts"), "serve", "--port=0"]
        database = database or f"sqlite:///{folder}/noughts.db"
        command += [f"--database-url={database}"]
        command += [] if limited else [f"{limit}=0" for limit in LIMITS]
        command += options
        with (Path(folder) / "log").open("w+") as log:
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # Ctrl-C reaches only this process, which then stops it
            )
            try:
                yield Server(_url(process, log.name), process.pid, database=database)
            except Exception as error:
                if process.poll() is not None:
                    raise ServerFailed(f"the server exited: {_last_line(log.name)}") from error
                raise
            finally:
                _end(process)


def _url(process: subprocess.Popen[str], log: str) -> str:
    assert process.stdout is not None
    printed = process.stdout.readline()
    found = [word for word in printed.split() if word.startswith("http://")]
    if not found:
        process.wait(PATIENCE)
        raise ServerFailed("the server did not start")
    return found[0].rstrip("/")


def _last_line(log: str) -> str:
    return (Path(log).read_text().splitlines() or ["it logged nothing"])[-1]


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def require_loopback(url: str) -> None:
    """Check that this URL is on this machine, so that no other machine is loaded.

    Raises:
        ServerFailed: it is not.
    """
    parts = urlsplit(url)
    host = dict(parse_qsl(parts.query)).get("host", parts.hostname or "")
    with suppress(ValueError):  # a path names a socket
        if host == "localhost" or host.startswith("/") or ip_address(host).is_loopback:
            return
    raise ServerFailed(f"only servers on this machine can be loaded, got {host!r}")


def _total(pids: Sequence[int], measure: Callable[[int], float]) -> float | None:
    if not pids or not Path("/proc/self/stat").exists():
        return None
    return sum(measure(process) for pid in pids for process in _family(pid))


def _family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    found = [pid]
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += _family(int(child))
    return found


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6
