"""The server process: it opens the databases and the port, and serves until it is stopped."""

import asyncio
import faulthandler
import gc
import json
import logging
import os
import signal
import socket
import sys
from datetime import UTC, datetime
from functools import partial
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from noughts.errors import NoughtsError
from noughts.service.app import Service
from noughts.service.http.assets import PYTHON, Pyodide
from noughts.service.http.middleware import POLICY, SECURITY, Connection, Register
from noughts.service.http.routes import STREAMED
from noughts.service.play.subscriptions import Subscriptions
from noughts.service.settings import Settings
from noughts.service.store.dialects import opened, stores_at
from noughts.service.store.sql import DatabaseRefused
from noughts.system import allow_many_files, need_posix

SIGNALS = signal.SIGTERM, signal.SIGINT
GRACE = 0.5  # seconds from the signal, for proxies to notice at /readyz, until streams end
GRACEFUL = 6  # seconds for requests in progress when the server ends
LAST = 9  # seconds from the signal to the forced end of the process
SOCKETS = 16  # copies of the listening socket
GC_THRESHOLDS = 20_000, 20, 20  # new objects, and younger collections, before a collection
SWITCH_INTERVAL = 0.0005  # seconds that a thread may run while others wait
UNACKNOWLEDGED = 30_000  # ms after which the kernel closes the connection of a silent client


class CannotListen(NoughtsError):
    """The address does not exist, or the port is taken."""


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises:
        DatabaseRefused: See `opened`, or several workers would share an SQLite file.
        CannotListen: The address does not exist, or the port is taken.
        NeedsPosix: Several workers and PostgreSQL need a POSIX system.
        NoPyodideError: The folder given for Pyodide does not contain it.
    """
    Pyodide(settings.pyodide)
    stores = stores_at(settings.databases)
    if settings.workers > 1:
        need_posix("a server of several workers")
    if settings.workers > 1 and not all(store.notifications for store in stores):
        raise DatabaseRefused("SQLite allows one worker; use PostgreSQL for several")
    allow_many_files()  # each event stream needs one; the usual limit of 1024 is for select()
    with (
        listener(settings.host, settings.port) as sock,
        TemporaryDirectory() as shared,
        opened(stores),
    ):
        print(f"Serving noughts at {url_of(sock)} (press Ctrl-C to stop)", flush=True)
        config = uvicorn.Config(
            partial(application, settings),
            factory=True,
            http=Connection,
            workers=settings.workers,
            access_log=False,  # the dispatcher logs requests
            ws="none",
            log_config=logging_configuration(settings),
            root_path=settings.root_path,
            proxy_headers=bool(settings.proxy),
            forwarded_allow_ips=settings.proxy or None,
            server_header=False,
            headers=SECURITY,
            timeout_graceful_shutdown=GRACEFUL,
        )
        if settings.workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = shared
            Multiprocess(config, socket_copies(sock)).run()
        else:
            server = Server(config)
            # From here on, signals do not raise exceptions, which Python might drop. At its end
            # uvicorn sends itself the signal again; nothing is left to do then.
            for number in SIGNALS:
                signal.signal(number, server.handle_exit)
            server.run(socket_copies(sock))


class Server(uvicorn.Server):
    """A uvicorn server that ends in time even if it is stopped while it starts."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Start to shut down."""
        end_at_last()
        super().handle_exit(sig, frame)


def application(settings: Settings) -> ASGIApp:
    """Create the application of this process.

    The garbage collector delays all players, so it skips the objects that exist now and runs
    rarely, as few reference cycles are created. Threads switch quickly, as all players of a
    transaction wait for the thread that writes it.
    """
    Connection.register = Register(0 if settings.proxy else settings.connections)
    Connection.streamed = STREAMED
    ancestors = settings.frame_ancestors.replace(",", " ") or "'none'"
    Connection.policies = {
        PYTHON: Pyodide(settings.pyodide).policy,
        "/learn": POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {ancestors}"),
    }
    service = Service(settings, stores_at(settings.databases))
    drain_on_signals(service.subscriptions)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL)
    return service.app


def drain_on_signals(subscriptions: Subscriptions) -> None:
    """Make SIGTERM and SIGINT fail `/readyz`, then end the event streams, then the server.

    uvicorn waits for open connections when it ends, and event streams do not end by themselves. A
    second signal skips the pause for proxies. Called in the event loop.
    """
    loop = asyncio.get_running_loop()
    handlers: dict[int, Any] = {number: signal.getsignal(number) for number in SIGNALS}

    def drain(number: int, frame: FrameType | None) -> None:
        def end() -> None:
            subscriptions.close()
            handlers[number](number, frame)

        if subscriptions.draining:
            loop.call_soon_threadsafe(end)
        else:
            end_at_last()
            subscriptions.draining = True
            loop.call_soon_threadsafe(loop.call_later, GRACE, end)

    for number in SIGNALS:
        signal.signal(number, drain)


def end_at_last() -> None:
    """End the process after `LAST` seconds, and print where it hangs, for example on a disk.

    Every confirmed move is on the disk by then.
    """
    faulthandler.dump_traceback_later(LAST, exit=True)


def listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens on this host and port. Raises CannotListen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        sock = socket.create_server((host, port), family=family)  # uvicorn sets the backlog
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]  # Python adds the address again
        raise CannotListen(f"cannot listen on {host}:{port}: {why}") from error
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # accepted connections inherit it
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED)
    return sock


def socket_copies(sock: socket.socket) -> list[socket.socket]:
    """Copy the socket, so that one iteration of the event loop accepts many connections.

    uvloop accepts one connection per socket and iteration, and an iteration that confirms a
    transaction to all its players takes milliseconds. Windows cannot wait for copies of a socket.
    """
    if sys.platform == "win32":
        return [sock]
    return [sock, *(sock.dup() for _ in range(SOCKETS - 1))]


def url_of(sock: socket.socket) -> str:
    """Return the URL that a browser opens."""
    host, port = sock.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class TextLines(logging.Formatter):
    """A formatter that writes the time and level before each line of a message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # logging's name
        """Format the message, with the time and level before each of its lines."""
        before = f"{record.asctime} {record.levelname} "
        return before + record.message.replace("\n", f"\n{before}")


class JSONLines(logging.Formatter):
    """A formatter that writes an object for each line of a message; a traceback is in the last."""

    def format(self, record: logging.LogRecord) -> str:
        """Format the message."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = [
            {"time": at, "level": record.levelname, "logger": record.name, "message": line}
            for line in record.getMessage().split("\n")
        ]
        if record.exc_info:
            said[-1]["traceback"] = self.formatException(record.exc_info)
        return "\n".join(json.dumps(each) for each in said)


FORMATTERS = {"text": TextLines, "json": JSONLines}


def logging_configuration(settings: Settings) -> dict[str, object]:
    """Return the configuration of a process's logging, for `logging.config.dictConfig`."""
    level = settings.log_level.upper()
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": FORMATTERS[settings.log_format]}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {"uvicorn": {"level": "ERROR" if level == "ERROR" else "WARNING"}},
    }
