"""The server's process: it opens the database and the port, and serves until it is stopped."""

import asyncio
import faulthandler
import gc
import os
import signal
import socket
import sys
from functools import partial
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from noughts.errors import NoughtsError
from noughts.service.app import Service
from noughts.service.http.connection import Connection, Register
from noughts.service.http.files import PYTHON
from noughts.service.http.guard import SECURITY
from noughts.service.http.pyodide import Pyodide
from noughts.service.logs import LOGGING
from noughts.service.play.watch import Watchers
from noughts.service.settings import Settings
from noughts.service.store.dialects import opened, stores_at
from noughts.service.store.sql import DatabaseRefused
from noughts.system import allow_many_files, need_posix

SIGNALS = signal.SIGTERM, signal.SIGINT
GRACE = 0.5  # seconds between the end of the event streams and that of the server
GRACEFUL = 6  # seconds for answers in progress when the server ends
LAST = 9  # seconds from the signal until the process ends, even if it still waits
DOORS = 16  # copies of the listening socket
COLLECTED = 20_000, 20, 20  # new objects, young and older collections before the next
TURN = 0.0005  # seconds that a thread may run while others wait
UNACKNOWLEDGED = 30_000  # ms after which the kernel closes the connection of a silent reader


class CannotListen(NoughtsError):
    """There is no such address, or the port is taken."""


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM.

    Raises:
        DatabaseRefused: see `opened`; or several workers share an SQLite file.
        CannotListen: the port cannot be had.
        NeedsPosix: see `need_posix`; several workers, or PostgreSQL.
        NoPyodideError: it is not in the folder that is named.
    """
    Pyodide(settings.pyodide)
    stores = stores_at(settings.databases)
    if settings.workers > 1:
        need_posix("a server of several workers")
    if settings.workers > 1 and not all(store.notifications for store in stores):
        raise DatabaseRefused("an SQLite file serves one process: several need PostgreSQL")
    allow_many_files()  # each event stream is one, and 1024 is for programs that use select()
    with (
        listener(settings.host, settings.port) as sock,
        TemporaryDirectory() as shared,
        opened(stores),
    ):
        print(f"noughts is at {address(sock)} – Ctrl-C ends it", flush=True)
        config = uvicorn.Config(
            partial(application, settings),
            factory=True,
            http=Connection,
            workers=settings.workers,
            access_log=False,  # the dispatcher logs
            ws="none",
            log_config=LOGGING,
            proxy_headers=bool(settings.proxy),
            forwarded_allow_ips=settings.proxy or None,
            server_header=False,
            headers=SECURITY,
            timeout_graceful_shutdown=GRACEFUL,
        )
        if settings.workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = shared
            Multiprocess(config, doors(sock)).run()
        else:
            server = Server(config)
            # From here on no signal raises an exception, as Python might drop it and go on. At its
            # end uvicorn sends itself the signal again; nothing is left to do then.
            for number in SIGNALS:
                signal.signal(number, server.handle_exit)
            server.run(doors(sock))


class Server(uvicorn.Server):
    """uvicorn's server, which ends in time even if it is stopped while it starts."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to shut down."""
        end_at_last()
        super().handle_exit(sig, frame)


def application(settings: Settings) -> ASGIApp:
    """The application of this process.

    All players wait for the garbage collector, so it skips objects made at the start, which stay,
    and runs rarely, as few cycles are made. Threads get their turn soon, because all players of a
    transaction wait for the thread that writes it.
    """
    Connection.register = Register(0 if settings.proxy else settings.connections)
    Connection.policies = {PYTHON: Pyodide(settings.pyodide).policy}
    service = Service(settings)
    drain_on_signals(service.watchers)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTED)
    sys.setswitchinterval(TURN)
    return service.app


def drain_on_signals(watchers: Watchers) -> None:
    """Have SIGTERM and SIGINT end the event streams first; called in the event loop.

    uvicorn waits for open connections at its end, and event streams do not end by themselves. A
    second signal ends uvicorn without that.
    """
    loop = asyncio.get_running_loop()
    handlers: dict[int, Any] = {number: signal.getsignal(number) for number in SIGNALS}

    def drain(number: int, frame: FrameType | None) -> None:
        end = partial(handlers[number], number, frame)
        if watchers.closing:
            end()
        else:
            end_at_last()
            loop.call_soon_threadsafe(watchers.close)
            loop.call_soon_threadsafe(loop.call_later, GRACE, end)

    for number in SIGNALS:
        signal.signal(number, drain)


def end_at_last() -> None:
    """End the process after `LAST` seconds, and say where it hangs, perhaps waiting for a disk.

    Every confirmed move is on the disk by then.
    """
    faulthandler.dump_traceback_later(LAST, exit=True)


def listener(host: str, port: int) -> socket.socket:
    """A socket that listens at this host and port. Raises CannotListen."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        sock = socket.create_server((host, port), family=family)  # uvicorn sets the backlog
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]  # Python adds the address again
        raise CannotListen(f"cannot listen on {host}:{port}: {why}") from error
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # accepted connections inherit it
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED)
    return sock


def doors(sock: socket.socket) -> list[socket.socket]:
    """Copies of the socket, so that one turn of the event loop accepts many connections.

    uvloop accepts one a turn for each socket, and a turn that confirms a transaction to everybody
    takes some milliseconds. Windows refuses to wait for two copies of a socket.
    """
    if sys.platform == "win32":
        return [sock]
    return [sock, *(sock.dup() for _ in range(DOORS - 1))]


def address(sock: socket.socket) -> str:
    """The address that a browser opens."""
    host, port = sock.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
