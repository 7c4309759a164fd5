"""Middleware: limits and security checks that apply to every connection and request.

It limits rates, connections, and the size and duration of requests. It rejects requests for other
hosts, posts that are not JSON and posts from pages of other origins, and defines the security
headers of every response.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from itertools import islice
from math import ceil, floor, inf
from threading import Lock
from typing import Any, ClassVar, NoReturn, cast
from urllib.parse import urlsplit

from starlette.types import Receive, Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from noughts.service.http.responses import error_response
from noughts.service.play.api_errors import APIError
from noughts.service.play.events import monotonic
from noughts.system import most_files

# Limits per client

MAX_ADDRESSES = 100_000  # that are remembered
ROUNDING = 1e-6  # actions; sums of fractions of a minute are not exact


class RateLimit:
    """A limit on actions per minute of each client, in a row or all at once; 0 disables it.

    A leaky bucket, kept as the time at which it will be empty (the generic cell rate algorithm).
    Threads may share it.
    """

    def __init__(self, what: str, per_minute: int) -> None:
        self._what = what
        self._per_minute = per_minute
        self._empty: dict[str, float] = {}
        self._pruned = 0.0
        self._lock = Lock()

    def check(self, who: str) -> None:
        """Count one more action of this client. Raises APIError if there are too many."""
        if not self.take(who, 1):
            raise self.refusal(who)

    def take(self, who: str, wanted: int) -> int:
        """Count actions of this client; return how many of those wanted it may perform."""
        if not self._per_minute:
            return wanted
        now, each = monotonic(), 60 / self._per_minute
        with self._lock:
            if len(self._empty) > MAX_ADDRESSES and now - self._pruned > 1:  # slow if many
                self._pruned = now
                self._empty = {one: at for one, at in self._empty.items() if at > now}
            ahead = max(0.0, self._empty.get(who, now) - now)
            taken = min(wanted, floor((60 - ahead) / each + ROUNDING))
            if taken:
                self._empty[who] = now + ahead + taken * each
        return taken

    def refusal(self, who: str) -> APIError:
        """Return the error that tells this client when it may perform the next action."""
        ahead = self._empty.get(who, 0.0) - monotonic() + 60 / self._per_minute
        wait = max(1, ceil(ahead - 60))
        message = f"{self._what}: at most {self._per_minute} per minute; try again in {wait} s"
        return APIError("too_many", message, retry_after=wait)


class ConcurrencyLimit:
    """A limit on how many of something each client may have at once; 0 disables the limit."""

    def __init__(self, what: str, most: int) -> None:
        self._what = what
        self._most = most
        self._taken: dict[str, int] = {}

    def take(self, who: str) -> Callable[[], None]:
        """Take a place; return a function that gives it back. Raises APIError if none is free."""
        taken = self._taken.get(who, 0)
        if self._most and taken >= self._most:
            message = f"{self._what}: at most {self._most} at the same time"
            raise APIError("too_many", message, retry_after=10)
        self._taken[who] = taken + 1
        return partial(self._leave, who)

    def _leave(self, who: str) -> None:
        self._taken[who] -= 1
        if not self._taken[who]:
            del self._taken[who]


@lru_cache(maxsize=10_000)
def client_network(address: str) -> str:
    """Return the address, or the /64 network of an IPv6 address, which belongs to one customer."""
    if ":" in address:
        with suppress(ValueError):
            found = IPv6Address(address)
            if not found.ipv4_mapped:
                return str(IPv6Address(int(found) >> 64 << 64))
    return address


def client_address(scope: Scope) -> str:
    """Return the address that a request comes from; "unknown" if a proxy names no address."""
    return _parsed(scope["client"][0]) if scope["client"] else "unknown"


@lru_cache(maxsize=10_000)
def _parsed(client: str) -> str:
    try:
        return str(ip_address(client))
    except ValueError:
        return "unknown"


# Security

MAX_BODY = 4096  # bytes
ENCODINGS = {b"", b"identity", b"gzip", b"x-gzip"}  # of posted games
MAX_HOSTS = 1000  # that are remembered
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
SECURITY = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
]
"""The headers of every response, as uvicorn takes them."""


class Hosts:
    """The names by which browsers may reach this server; IP addresses are always allowed.

    Another site can point its own name at this server's address (DNS rebinding), and its scripts
    could then read the responses to that name. An IP address cannot be pointed elsewhere.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {"localhost", *(name.lower() for name in names)}
        self._is_own = lru_cache(MAX_HOSTS)(self._allows)

    def check(self, scope: Scope) -> None:
        """Check that a request names this server as its host. Raises APIError if it does not."""
        for name, host in scope["headers"]:
            if name == b"host" and not self._is_own(host):
                raise APIError("wrong_host")

    def _allows(self, host: bytes) -> bool:
        try:
            name = (urlsplit(f"//{host.decode('latin-1')}").hostname or "").removesuffix(".")
        except ValueError:
            return False
        with suppress(ValueError):
            return bool(ip_address(name))
        return name in self._names


def check_origin(scope: Scope) -> None:
    """Check that no page of another site sent this post. Raises APIError if one did."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    own = b"%b://%b" % (scope["scheme"].encode(), headers.get(b"host", b""))
    site = headers.get(b"sec-fetch-site", b"none")
    if headers.get(b"origin", own) != own or site not in {b"same-origin", b"none"}:
        raise APIError("cross_origin")


def media_type(scope: Scope) -> str:
    """Return the type of a body without its parameters, in lower case; empty if unknown."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    type = headers.get(b"content-type", b"").partition(b";")[0]
    return type.strip().lower().decode("latin-1")


def check_encoding(scope: Scope) -> None:
    """Check that a body is not compressed, or by gzip. Raises APIError if it is otherwise."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    if headers.get(b"content-encoding", b"").strip().lower() not in ENCODINGS:
        raise APIError("bad_encoding")


async def read_json(scope: Scope, receive: Receive) -> bytes:
    """Read the body of a post. Raises APIError if it is too large or not JSON."""
    if media_type(scope) != "application/json":
        raise APIError("not_json")
    return await read_body(receive, MAX_BODY)


async def read_body(receive: Receive, most: int) -> bytes:
    """Read a body of at most `most` bytes. Raises APIError if it is larger or incomplete."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise APIError("too_slow", "the body is incomplete")
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > most:
            raise APIError("too_large", f"the body is larger than {most} bytes")
    return body


def own_path(root: str, path: str) -> str:
    """Return the path of a request below that of the server, `root`.

    uvicorn puts the latter before the former, as many proxies remove it; others have left it.
    """
    path = path.removeprefix(root)
    if root and f"{path}/".startswith(f"{root}/"):
        path = path.removeprefix(root)
    return path or "/"


# Connections

MAX_HEAD = 16 * 1024  # bytes of a request line and its headers
MAX_HEADERS = 100
CHUNK = 1024  # bytes parsed before these limits are checked, as each header costs time
MAX_REQUEST = 1024 * 1024  # bytes of a whole request; `read_body` allows far fewer
MAX_PIPELINED = 16  # requests that wait for earlier ones on the same connection
REQUEST_SECONDS = 10  # from the start of the connection, or from the first byte
RESERVED = 128  # file descriptors for everything but connections
IDLE_AT_ONCE = 64  # connections closed at once when descriptors run short
SWEEP_PAUSE = 1.0  # seconds between such sweeps
RETRY_AFTER = 10  # seconds
CLOSE = b"connection", b"close"

log: logging.Logger = logging.getLogger("noughts")


class Register:
    """The connections of a process, at most `per_address` from one address; 0 disables that."""

    def __init__(self, per_address: int) -> None:
        self._places = ConcurrencyLimit("connections", per_address)
        self._all: dict[Connection, Callable[[], None]] = {}  # oldest first; gives its place back
        self._last_sweep = 0.0

    def enter(self, connection: Connection, address: str) -> None:
        """Count a connection. Raises APIError if there are too many."""
        leave = self._places.take(client_network(address))
        if len(self._all) >= max_connections():
            self._close_idle()
            if len(self._all) >= max_connections():
                leave()
                raise _too_many("the server cannot accept another connection")
        self._all[connection] = leave

    def leave(self, connection: Connection) -> None:
        """Remove a connection, if it was counted."""
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
        log.warning("file descriptors run short: closed %d idle connections, kept %d", gone, kept)


def max_connections() -> int:
    """Return how many connections this process may have, by its limit of file descriptors."""
    return max(1, most_files() - RESERVED)


def _too_many(message: str) -> APIError:
    return APIError("too_many", message, retry_after=RETRY_AFTER)


class Outgoing:
    """A transport that joins everything written in one iteration of the event loop.

    uvicorn writes the head of a response before its body, and each packet costs time in the kernel.
    Sent together, a move takes the server 3% less time. It has the methods that uvicorn uses.
    """

    _unsent: ClassVar[list[Outgoing]] = []  # of all connections, sent by one callback

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        self._parts: list[bytes] = []
        self.get_extra_info: Any = transport.get_extra_info
        self.is_closing: Any = transport.is_closing
        self.pause_reading: Any = transport.pause_reading
        self.resume_reading: Any = transport.resume_reading

    def write(self, data: bytes) -> None:
        """Send this at the end of the iteration."""
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
    """A connection of uvicorn, with limits.

    uvicorn itself limits neither the size of headers nor how long a request may take to arrive. A
    request that is rejected here reaches neither the dispatcher nor its log.
    """

    register: Register = Register(per_address=0)  # all connections of this process
    policies: Mapping[str, str] = {}  # content policies by path, where they differ from `POLICY`
    streamed: Container[str] = ()  # paths whose handlers limit the size and time of bodies
    _received = 0  # bytes of the incoming request, without the chunk in which it began
    _aside = 0  # those of its head, or since a part of its body, such as trailers
    _most: float = 0  # bytes that it may have so far; 0 if there is none
    _refused: APIError | None = None
    _timer: asyncio.TimerHandle | None = None
    _answered: RequestResponseCycle | None = None

    @property
    def idle(self) -> bool:
        """Whether no request is being answered; one may be incoming."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def _is_next(self) -> bool:
        """Whether the next response belongs to the incoming request and has not begun."""
        if self._most > MAX_HEAD:  # its body is incoming
            return not (self.cycle.response_started or self.pipeline)
        return self.idle

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection or reject it; end it if no request arrives in time."""
        super().connection_made(cast("asyncio.Transport", Outgoing(transport)))
        self._timer = self.loop.call_later(REQUEST_SECONDS, self._time_out)
        try:
            self.register.enter(self, self.client[0] if self.client else "unknown")
        except APIError as refused:
            self._end(refused)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection, and end the response in progress.

        uvicorn ends the response to the latest request, which may be waiting for an earlier one.
        """
        self.register.leave(self)
        self._stop_timer()
        if self._answered:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        cycle.scope["path"] = own_path(self.root_path, cycle.scope["path"])
        if policy := self.policies.get(cycle.scope["path"]):
            headers = dict(cycle.default_headers) | {b"content-security-policy": policy.encode()}
            cycle.default_headers = [*headers.items()]
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Parse the data in chunks, and check the limits after each."""
        for start in range(0, len(data), CHUNK):
            if self.transport.is_closing() or self.parser.should_upgrade():
                return
            chunk = data[start : start + CHUNK]
            self._received += len(chunk)
            self._aside += len(chunk)
            super().data_received(chunk)
            if self._most:
                self._check_incoming()

    def _check_incoming(self) -> None:
        """Check that the incoming request is not too large, and start its timer."""
        in_head = self._most == MAX_HEAD
        is_large = self._received > self._most or self._aside > MAX_HEAD
        if is_large or len(self.headers) > MAX_HEADERS:
            self._end(APIError("head_too_large" if in_head else "too_large"))
        elif self._timer is None and self._most < inf:
            self._timer = self.loop.call_later(REQUEST_SECONDS, self._time_out)

    def on_message_begin(self) -> None:
        """Start counting a request."""
        self._most, self._aside = MAX_HEAD, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Answer the request, unless its headers are too large or too many requests wait."""
        if len(self.headers) > MAX_HEADERS:
            self._refuse(APIError("head_too_large", f"there are more than {MAX_HEADERS} headers"))
        if self._received > MAX_HEAD:  # this may include the body
            sizes = (len(name) + len(value) + 4 for name, value in self.headers)
            if len(self.url) + sum(sizes) > MAX_HEAD:
                self._refuse(APIError("head_too_large"))
        if self.parser.should_upgrade() and any(
            name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
            for name, value in self.headers
        ):  # the parser does not read it
            message = "a request that asks for another protocol must not have a body"
            self._refuse(APIError("bad_request", message))
        if len(self.pipeline) >= MAX_PIPELINED:
            self._refuse(_too_many(f"at most {MAX_PIPELINED} requests may wait"))
        super().on_headers_complete()
        self.headers = []  # of trailers: a client could name another one in them
        self._most, self._aside = MAX_REQUEST, 0
        path = own_path(self.root_path, self.scope["path"])  # unless it was answered at once
        if self.scope["method"] == "POST" and path.rstrip("/") in self.streamed:
            self._most = inf
            self._stop_timer()

    def on_body(self, body: bytes) -> None:
        """Pass on a part of the body."""
        self._aside = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop counting the request."""
        self._received = self._most = 0
        self._stop_timer()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Limit the rest of a streamed body that was answered before its end."""
        super().on_response_complete()
        if self._most == inf and self.cycle.response_complete:
            self._received, self._most = 0, MAX_REQUEST
            self._timer = self.loop.call_later(REQUEST_SECONDS, self._time_out)

    def _unsupported_upgrade_warning(self) -> None:
        """Answer a request for another protocol in this one, and close the connection.

        The parser takes its body for the next request, but a proxy knows only one request.
        """
        self.cycle.keep_alive = False

    def send_400_response(self, msg: str) -> None:
        """Reject a request that is not HTTP, or that was too large for the parser."""
        self._end(self._refused or APIError("bad_request"))

    def _refuse(self, refused: APIError) -> NoReturn:
        """Stop the parser, which then calls `send_400_response`."""
        self._refused = refused
        raise refused

    def _time_out(self) -> None:
        """End a connection whose request takes too long to arrive, or does not begin."""
        self._timer = None
        self._end(APIError("too_slow") if self._most else None)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _end(self, refused: APIError | None) -> None:
        """Close the connection; report the error unless that might answer another request."""
        if refused and self._is_next and not self.transport.is_closing():
            answer = error_response(self.root_path, refused)
            headers = *self.server_state.default_headers, *answer.headers, CLOSE
            start = f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}".encode()
            lines = start, *(b"%b: %b" % header for header in headers), b"", answer.body
            self.transport.write(b"\r\n".join(lines))
        self.transport.close()
