"""How answers are sent: the head and the first of the body in one packet."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

STATUS_LINES = {int(each): f"HTTP/1.1 {each} {each.phrase}\r\n".encode() for each in HTTPStatus}
BODILESS = {204, 304}
CLOSE = (b"connection", b"close")
CHUNKED = (b"transfer-encoding", b"chunked")

Header = tuple[bytes, bytes]


class Sender:
    """What an application sends its answer by, as ASGI has it.

    uvicorn's own sends the head before the body, which costs the kernel 10 µs. And it checks all
    headers by regular expressions, even those that every answer has. Together that was a seventh of
    what a move took.

    A `content-length` must be true, as it is not compared with the body.

    Args:
        cycle: the request and its answer, as uvicorn knows them.
    """

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle
        self._head = b""

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        """Send a part of the answer; wait while the client accepts nothing."""
        cycle = self._cycle
        if cycle.flow.write_paused and not cycle.disconnected:
            await cycle.flow.drain()
        if cycle.disconnected:
            return
        if message["type"] == "http.response.start":
            self._begin(message["status"], [*message["headers"]])
        else:
            self._go_on(message.get("body", b""), message.get("more_body", False))

    def _begin(self, status: int, headers: list[Header]) -> None:
        """Make the head of the answer; it waits for the body."""
        cycle = self._cycle
        cycle.response_started = True
        cycle.waiting_for_100_continue = False
        measured = any(name == b"content-length" for name, _ in headers)
        cycle.chunked_encoding = not measured and status not in BODILESS
        if cycle.chunked_encoding:
            headers.append(CHUNKED)
        if not cycle.keep_alive:
            headers.append(CLOSE)
        self._head = head(status, cycle.default_headers, headers)

    def _go_on(self, body: bytes, more: bool) -> None:
        """Send this part of the body."""
        cycle = self._cycle
        if cycle.scope["method"] == "HEAD":
            body = b""
        elif cycle.chunked_encoding:
            body = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
            body += b"" if more else b"0\r\n\r\n"
        cycle.transport.write(self._head + body)
        self._head = b""
        if not more:
            cycle.response_complete = True
            cycle.message_event.set()
            if not cycle.keep_alive:
                cycle.transport.close()
            cycle.on_response()


def head(status: int, common: Iterable[Header], headers: Iterable[Header]) -> bytes:
    """The head of an answer, as it is sent.

    Args:
        status: the HTTP status.
        common: the headers of all answers; uvicorn makes them anew once a second.
        headers: those of this answer.

    Raises:
        ValueError: a header holds a line break, which would make it two.
    """
    parts = STATUS_LINES[status], _common(tuple(common)), _fields(headers), b"\r\n"
    return b"".join(parts)


def _fields(headers: Iterable[Header]) -> bytes:
    """Headers as they are sent."""
    lines = [b"%b: %b\r\n" % header for header in headers]
    sent = b"".join(lines)
    if sent.count(b"\n") != len(lines):
        raise ValueError(f"a header has a line break: {sent!r}")
    return sent


_common = lru_cache(maxsize=2)(_fields)
