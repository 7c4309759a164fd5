"""A small HTTP client, which uses little time because it shares the machine with the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from ssl import CERT_NONE, PROTOCOL_TLS_CLIENT, SSLContext
from time import perf_counter
from typing import Any, TypeVar
from urllib.parse import urlsplit

from httptools import HttpResponseParser


class LoadError(Exception):
    """The server did something that it must never do."""


def first(error: BaseException) -> BaseException:
    """Return the first error of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a request, and its time (perf_counter, like all times here)."""

    status: int
    body: bytes
    at: float

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """A server-sent event and its time."""

    kind: str
    seq: int
    data: bytes
    at: float


def received() -> int:
    """Return the number of bytes that all connections have received so far."""
    return _Wire.received


class _Wire(asyncio.Protocol):
    """A connection that reads HTTP responses."""

    received = 0

    def __init__(self) -> None:
        self._parser = HttpResponseParser(self)
        self._transport: Any = None
        self._closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        _Wire.received += len(data)
        self._parser.feed_data(data)

    @property
    def closed(self) -> bool:
        """Whether the connection is closed or being closed."""
        return bool(self._transport.is_closing())

    def connection_lost(self, _error: Exception | None) -> None:
        if not self._closing:
            self.lost()

    def lost(self) -> None:
        """Handle a connection that the server closed."""

    def close(self) -> None:
        self._closing = True
        self._transport.abort()  # like browsers; TLS would wait for the server to close, too


Wire = TypeVar("Wire", bound=_Wire)


class Connection(_Wire):
    """A persistent connection for one request at a time."""

    def __init__(self, host: str) -> None:
        super().__init__()
        self._host = host
        self._body = b""
        self._answer: asyncio.Future[Answer] | None = None

    async def request(
        self, method: str, path: str, body: object = None, token: str | None = None
    ) -> Answer:
        """Send a request and wait for the response."""
        content = b"" if body is None else json.dumps(body).encode()
        lines = f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\n"
        if token:
            lines += f"Authorization: Bearer {token}\r\n"
        if content:
            lines += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(f"{lines}\r\n".encode() + content)
        return await self._answer

    async def expect(
        self, status: int, method: str, path: str, body: object = None, token: str | None = None
    ) -> Any:
        """Send a request and return the JSON of the response.

        Raises:
            LoadError: the response has another status.
        """
        answer = await self.request(method, path, body, token)
        if answer.status != status:
            raise unexpected(method, path, answer)
        return answer.json()

    def on_message_begin(self) -> None:
        self._body = b""

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        if self._answer and not self._answer.done():
            status = self._parser.get_status_code()
            self._answer.set_result(Answer(status, self._body, perf_counter()))

    def lost(self) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_exception(LoadError("the server closed the connection of a request"))


class Stream(_Wire):
    """A game's events as they arrive.

    Args:
        heard: called with each event.
        failed: called when the server closes the stream, or responds with an error.
    """

    def __init__(
        self, heard: Callable[[ServerEvent], None], failed: Callable[[LoadError], None]
    ) -> None:
        super().__init__()
        self._heard = heard
        self._failed = failed
        self._unread = b""

    def ask(self, host: str, game: str) -> None:
        """Request the events of a game."""
        path = f"/api/games/{game}/events"
        self._transport.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status != 200:
            self._failed(LoadError(f"an event stream got the status {status}"))

    def on_body(self, body: bytes) -> None:
        at = perf_counter()
        *blocks, self._unread = (self._unread + body).split(b"\n\n")
        for block in blocks:
            if event := read_event(block, at):
                self._heard(event)

    def lost(self) -> None:
        self._failed(LoadError("the server closed an event stream"))


def read_event(block: bytes, at: float) -> ServerEvent | None:
    """Read a block of a stream; return None unless it is an event."""
    fields = dict(line.split(b": ", 1) for line in block.split(b"\n"))
    if b"id" not in fields:
        return None
    return ServerEvent(fields[b"event"].decode(), int(fields[b"id"]), fields[b"data"], at)


def unexpected(method: str, path: str, answer: Answer) -> LoadError:
    """Return the error for an unexpected response."""
    hint = (
        " (its limits must be disabled, for example with --move-limit 0)"
        if answer.status == 429
        else ""
    )
    return LoadError(f"{method} {path}: {answer.status} {answer.body.decode()}{hint}")


class Address:
    """The server's URL, from which connections are opened.

    Args:
        url: http://HOST:PORT, or https://HOST:PORT with any certificate.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 80
        self.name = parts.netloc
        self._tls = None
        if parts.scheme == "https":
            self._tls = SSLContext(PROTOCOL_TLS_CLIENT)
            self._tls.check_hostname, self._tls.verify_mode = False, CERT_NONE

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Open a connection for requests, and close it at the end."""
        connection = await self.connect()
        try:
            yield connection
        finally:
            connection.close()

    async def connect(self) -> Connection:
        """Open a connection for requests."""
        return await self._connected(partial(Connection, self.name))

    async def stream(
        self,
        game: str,
        heard: Callable[[ServerEvent], None],
        failed: Callable[[LoadError], None],
    ) -> Stream:
        """Open the event stream of a game."""
        make = partial(Stream, heard, failed)
        stream = await self._connected(make)
        stream.ask(self.name, game)
        return stream

    async def _connected(self, make: Callable[[], Wire]) -> Wire:
        loop = asyncio.get_running_loop()
        return (await loop.create_connection(make, self.host, self.port, ssl=self._tls))[1]
