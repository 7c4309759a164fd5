"""The server under load: started here, ended here, and what it uses."""

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

from noughts.service.settings import SETTINGS

LIMITS = [
    each.name
    for each in SETTINGS
    if isinstance(each.default, int) and each.metadata["least"] == 0
    if each.name not in {"port", "keep"}
]
PATIENCE = 15  # seconds for the server to end by itself


class ServerFailed(Exception):
    """The server did not start, or is not one to be put under load."""


class Server:
    """A server, and the processes it consists of where they were started here.

    Args:
        url: its address, or that of the proxy before it.
        pids: the processes; their children are counted, too.
        proxy: the process of the proxy.
        database: its URL, if it is known.
    """

    def __init__(
        self, url: str, *pids: int, proxy: int | None = None, database: str | None = None
    ) -> None:
        self.url = url
        self.pids = pids
        self.database = database
        self._proxy = () if proxy is None else (proxy,)

    def cpu_seconds(self) -> float | None:
        """Processor time used so far, without the proxy's; None where it cannot be told."""
        return _total(self.pids, _cpu_seconds)

    def proxy_cpu_seconds(self) -> float | None:
        """That of the proxy."""
        return _total(self._proxy, _cpu_seconds)

    def megabytes(self) -> float | None:
        """Resident memory now; None where it cannot be told."""
        return _total(self.pids, _megabytes)


@contextmanager
def started(
    database: str | None, workers: int, limited: bool = False, *options: str
) -> Iterator[Server]:
    """``noughts serve`` on a free port, by default on an SQLite file that is deleted later.

    Its limits are off unless it is to be `limited`. It is given these options, too.

    Raises:
        ServerFailed: it did not start.
    """
    with TemporaryDirectory(prefix="noughts-load-") as folder:
        command = [str(Path(sys.executable).parent / "noughts"), "serve", "--port=0"]
        database = database or f"sqlite:///{folder}/noughts.db"
        command += [f"--database={database}"]
        command += [f"--workers={workers}"]
        command += [] if limited else [f"--{limit}=0" for limit in LIMITS]
        command += options
        with (Path(folder) / "log").open("w+") as log:
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # Ctrl-C ends it from here, not from the terminal
            )
            try:
                yield Server(_url(process, log.name), process.pid, database=database)
            except Exception as error:
                if process.poll() is not None:
                    raise ServerFailed(f"the server ended: {_last_line(log.name)}") from error
                raise
            finally:
                _end(process)


def _url(process: subprocess.Popen[str], log: str) -> str:
    assert process.stdout is not None
    said = process.stdout.readline()
    found = [word for word in said.split() if word.startswith("http://")]
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
    """See that this address is on this machine: nobody else asked for the load.

    Raises:
        ServerFailed: it is not.
    """
    parts = urlsplit(url)
    host = dict(parse_qsl(parts.query)).get("host", parts.hostname or "")
    with suppress(ValueError):  # a path is that of a socket
        if host == "localhost" or host.startswith("/") or ip_address(host).is_loopback:
            return
    raise ServerFailed(f"only a server on this machine is put under load, not {host!r}")


def _total(pids: Sequence[int], measure: Callable[[int], float]) -> float | None:
    if not pids or not Path("/proc/self/stat").exists():
        return None
    return sum(measure(process) for pid in pids for process in _family(pid))


def _family(pid: int) -> list[int]:
    """A process and its descendants."""
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
