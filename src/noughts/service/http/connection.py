"""Connections: how many there may be, what a request may weigh, and how long it may take to come.

uvicorn reads and writes HTTP; it would read a header without end, and wait for ever for the rest of
a request. What is refused here has reached neither the dispatcher nor its log.
"""

from __future__ import annotations

import asyncio
import logging
import resource
from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from itertools import islice
from time import monotonic
from typing import Any, NoReturn

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from noughts.service.http.guard import SECURITY
from noughts.service.http.limits import neighbourhood
from noughts.service.http.models import ErrorAnswer
from noughts.service.play.refusal import Refused

MAX_HEAD = 16 * 1024  # bytes of a request line and its headers
MAX_HEADERS = 100
MAX_REQUEST = 1024 * 1024  # bytes of a whole request: a larger body was refused long before
MAX_PIPELINED = 16  # requests on one connection that wait for the one before
SECONDS = 10  # for a request to come, from the start of its connection or from its first byte
RESERVED = 128  # descriptors for all that is not a connection
AT_ONCE = 64  # idle connections closed where descriptors run short
PAUSE = 1.0  # seconds between looks for them

log = logging.getLogger("noughts")


class Register:
    """The connections of a process, counted in all and by address.

    Args:
        by_address: how many one address may have; 0 is no limit.
        trusted: addresses of proxies, which may have any number.
    """

    def __init__(self, by_address: int, trusted: frozenset[str] = frozenset()) -> None:
        self._by_address = by_address
        self._trusted = trusted
        self._count: Counter[str] = Counter()
        self._all: dict[Connection, str] = {}  # the oldest first
        self._looked = 0.0

    def enter(self, connection: Connection, address: str) -> None:
        """Count a connection.

        Raises:
            Refused: there are too many.
        """
        who = neighbourhood(address)
        most = self._by_address
        if most and self._count[who] >= most and address not in self._trusted:
            raise Refused("too_many", f"connections: at most {most} at the same time")
        if len(self._all) >= room():
            self._close_idle()
            if len(self._all) >= room():
                raise Refused("too_many", "the server has no room for another connection")
        self._all[connection] = who
        self._count[who] += 1

    def leave(self, connection: Connection) -> None:
        """Forget a connection, if it was counted."""
        who = self._all.pop(connection, None)
        if who is not None:
            self._count[who] -= 1
            if not self._count[who]:
                del self._count[who]

    def _close_idle(self) -> None:
        """Close the oldest connections that wait for nothing, at most once in `PAUSE` seconds."""
        if monotonic() - self._looked < PAUSE:
            return
        self._looked = monotonic()
        idle: Iterator[Connection] = (each for each in self._all if each.idle)
        closed = list(islice(idle, AT_ONCE))
        for connection in closed:
            connection.transport.close()
            self.leave(connection)
        log.warning(
            "descriptors run short: %d connections; closed %d idle ones",
            len(self._all),
            len(closed),
        )


def room() -> int:
    """How many connections this process may have, by the limit of its descriptors."""
    return max(1, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVED)


class Connection(HttpToolsProtocol):
    """A connection, as uvicorn reads it, within limits.

    Args:
        register: counts it.
        of_uvicorn: what uvicorn makes a protocol of.
    """

    def __init__(self, register: Register, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._register = register
        self._received = 0  # bytes of the request that is coming
        self._coming = False  # a request has begun, and is not complete
        self._in_head = True
        self._refused: Refused | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or refuse it; a silent one is not kept."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._timer = self.loop.call_later(SECONDS, self._late)
        try:
            self._register.enter(self, self.client[0] if self.client else "-")
        except Refused as refused:
            self._end(refused)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._register.leave(self)
        self._in_time()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has come, and see that it is not too much."""
        if self.transport.is_closing():
            return
        self._received += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if not self._coming:
            self._received = 0
            self._in_time()
        elif self._received > (MAX_HEAD if self._in_head else MAX_REQUEST):
            self._end(Refused("head_too_large" if self._in_head else "too_large"))
        elif self._timer is None:
            self._timer = self.loop.call_later(SECONDS, self._late)

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        self._coming = self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header, unless there are too many: each costs more time than to send it."""
        if len(self.headers) >= MAX_HEADERS:
            self._refuse(Refused("head_too_large", f"there are more than {MAX_HEADERS} headers"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Answer the request, unless its headers are too large."""
        head = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if self._received > MAX_HEAD and head > MAX_HEAD:
            self._refuse(Refused("head_too_large"))
        if len(self.pipeline) >= MAX_PIPELINED:
            self._refuse(Refused("too_many", f"at most {MAX_PIPELINED} requests may wait"))
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self._coming = False
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read, or was found too large while it was read."""
        self._end(self._refused or Refused("bad_request"))

    def _refuse(self, refused: Refused) -> NoReturn:
        """Have the parser stop: it then calls `send_400_response`."""
        self._refused = refused
        raise refused

    def _late(self) -> None:
        """Give up a request that takes too long to come, or does not begin."""
        self._timer = None
        self._end(Refused("too_slow") if self._coming else None)

    def _in_time(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _end(self, refused: Refused | None) -> None:
        """Close the connection; say why, unless an answer is on its way."""
        if refused and self.idle and not self.transport.is_closing():
            self.transport.write(_answer(refused))
        self.transport.close()


def _answer(refused: Refused) -> bytes:
    """The answer that says why, as it is sent."""
    body = msgspec.json.encode(ErrorAnswer.of(refused))
    status = HTTPStatus(refused.status)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
        *SECURITY,
    ]
    lines = [f"HTTP/1.1 {status} {status.phrase}".encode(), *map(b": ".join, headers), b"", body]
    return b"\r\n".join(lines)
