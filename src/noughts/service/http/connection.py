"""Connections: how many there may be, how large a request may be, and how long it may take to come.

uvicorn itself limits neither the size of headers nor the time that a request takes to come. A
request that is refused here reaches neither the dispatcher nor its log.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from itertools import islice
from time import monotonic
from typing import Any, ClassVar, NoReturn, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from noughts.service.http.answer import refusal
from noughts.service.http.limits import Places, neighbourhood
from noughts.service.play.refusal import Refused
from noughts.system import most_files

MAX_HEAD = 16 * 1024  # bytes of a request line and its headers
MAX_HEADERS = 100
PIECE = 1024  # bytes parsed before these limits are checked: each header costs time
MAX_REQUEST = 1024 * 1024  # bytes of a whole request; the guard refuses a body much sooner
MAX_PIPELINED = 16  # requests on one connection that wait for the one before
REQUEST_SECONDS = 10  # from the start of its connection, or from its first byte
RESERVED = 128  # descriptors for everything but connections
IDLE_AT_ONCE = 64  # closed where descriptors run short
SWEEP_PAUSE = 1.0  # seconds from one such sweep to the next
RETRY_AFTER = 10  # seconds
CLOSE = b"connection", b"close"

log: logging.Logger = logging.getLogger("noughts")


class Register:
    """The connections of a process: `by_address` at most from one address; 0 is no limit."""

    def __init__(self, by_address: int) -> None:
        self._places = Places("connections", by_address)
        self._all: dict[Connection, Callable[[], None]] = {}  # oldest first; gives its place back
        self._last_sweep = 0.0

    def enter(self, connection: Connection, address: str) -> None:
        """Count a connection.

        Raises:
            Refused: there are too many.
        """
        leave = self._places.take(neighbourhood(address))
        if len(self._all) >= room():
            self._close_idle()
            if len(self._all) >= room():
                leave()
                raise _too_many("the server has no room for another connection")
        self._all[connection] = leave

    def leave(self, connection: Connection) -> None:
        """Forget a connection, if it was counted."""
        if leave := self._all.pop(connection, None):
            leave()

    def _close_idle(self) -> None:
        """Close the oldest idle connections, at most once in `SWEEP_PAUSE` seconds."""
        if monotonic() - self._last_sweep < SWEEP_PAUSE:
            return
        self._last_sweep = monotonic()
        closed = list(islice((each for each in self._all if each.idle), IDLE_AT_ONCE))
        for connection in closed:
            connection.transport.close()
            self.leave(connection)
        kept, gone = len(self._all), len(closed)
        log.warning("descriptors run short: %d connections; closed %d idle ones", kept, gone)


def room() -> int:
    """How many connections this process may have, by the limit of its descriptors."""
    return max(1, most_files() - RESERVED)


def _too_many(message: str) -> Refused:
    return Refused("too_many", message, retry_after=RETRY_AFTER)


class Outgoing:
    """A transport that sends at the end of a turn of the event loop what was written in it.

    uvicorn writes the head of an answer before its body, and each packet costs the kernel time:
    joined, a move takes 3 % less of the server's. It has the methods that uvicorn uses.
    """

    _unsent: ClassVar[list[Outgoing]] = []  # of all connections: one callback sends it

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self._parts: list[bytes] = []
        self.get_extra_info: Any = transport.get_extra_info
        self.is_closing: Any = transport.is_closing
        self.pause_reading: Any = transport.pause_reading
        self.resume_reading: Any = transport.resume_reading

    def write(self, data: bytes) -> None:
        """Send this at the end of the turn."""
        if not self._parts:
            if not self._unsent:
                asyncio.get_running_loop().call_soon(self._send_all)
            self._unsent.append(self)
        self._parts.append(data)

    def close(self) -> None:
        """Send what was written, then close the connection."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._parts and not self.is_closing():
            self._transport.write(b"".join(self._parts))
        self._parts.clear()

    @classmethod
    def _send_all(cls) -> None:
        unsent, cls._unsent = cls._unsent, []
        for each in unsent:
            each._send()


class Connection(HttpToolsProtocol):
    """A connection of uvicorn, with limits."""

    register: Register = Register(by_address=0)  # of all connections of this process
    policies: Mapping[str, str] = {}  # of the paths whose content policy is not that of all others
    _received = 0  # bytes of the request that is coming, without the `PIECE` in which it began
    _most = 0  # bytes that it may have so far; 0 if none is coming
    _refused: Refused | None = None
    _timer: asyncio.TimerHandle | None = None
    _answered: RequestResponseCycle | None = None

    @property
    def idle(self) -> bool:
        """Whether no request is being answered; one may be coming."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def _is_next(self) -> bool:
        """Whether the next answer belongs to the request that is coming, and has not begun."""
        if self._most == MAX_REQUEST:  # its body is coming
            return not (self.cycle.response_started or self.pipeline)
        return self.idle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or refuse it; end it if no request comes in time."""
        super().connection_made(cast("asyncio.Transport", Outgoing(transport)))
        self._timer = self.loop.call_later(REQUEST_SECONDS, self._time_out)
        try:
            self.register.enter(self, self.client[0] if self.client else "unknown")
        except Refused as refused:
            self._end(refused)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and end the answer in progress.

        uvicorn ends the answer to the latest request, which may still wait for an earlier one.
        """
        self.register.leave(self)
        self._stop_timer()
        if self._answered:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        if policy := self.policies.get(cycle.scope["path"]):
            headers = dict(cycle.default_headers) | {b"content-security-policy": policy.encode()}
            cycle.default_headers = [*headers.items()]
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Parse what has come, and check after each piece that it is not too much."""
        for start in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            piece = data[start : start + PIECE]
            self._received += len(piece)
            super().data_received(piece)
            if self._most:
                self._check_coming()

    def _check_coming(self) -> None:
        """Check that the request that is coming is not too large, and start its timer."""
        in_head = self._most == MAX_HEAD
        if self._received > self._most or (in_head and len(self.headers) > MAX_HEADERS):
            self._end(Refused("head_too_large" if in_head else "too_large"))
        elif self._timer is None:
            self._timer = self.loop.call_later(REQUEST_SECONDS, self._time_out)

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        self._most = MAX_HEAD
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Answer the request, unless its headers are too large, or too many requests wait."""
        if len(self.headers) > MAX_HEADERS:
            self._refuse(Refused("head_too_large", f"there are more than {MAX_HEADERS} headers"))
        if self._received > MAX_HEAD:  # the body may be in it
            sizes = (len(name) + len(value) + 4 for name, value in self.headers)
            if len(self.url) + sum(sizes) > MAX_HEAD:
                self._refuse(Refused("head_too_large"))
        if len(self.pipeline) >= MAX_PIPELINED:
            self._refuse(_too_many(f"at most {MAX_PIPELINED} requests may wait"))
        self._most = MAX_REQUEST
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self._received = self._most = 0
        self._stop_timer()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that is not HTTP, or that was found too large while it was parsed."""
        self._end(self._refused or Refused("bad_request"))

    def _refuse(self, refused: Refused) -> NoReturn:
        """Stop the parser, which then calls `send_400_response`."""
        self._refused = refused
        raise refused

    def _time_out(self) -> None:
        """End a connection whose request takes too long to come, or does not begin."""
        self._timer = None
        self._end(Refused("too_slow") if self._most else None)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _end(self, refused: Refused | None) -> None:
        """Close the connection; say why, unless that would seem to answer another request."""
        if refused and self._is_next and not self.transport.is_closing():
            answer = refusal(refused)
            headers = *self.server_state.default_headers, *answer.headers, CLOSE
            start = f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}".encode()
            lines = start, *(b"%b: %b" % header for header in headers), b"", answer.body
            self.transport.write(b"\r\n".join(lines))
        self.transport.close()
