"""Responses: those that are complete before they are sent, and event streams.

The log of a game is the queue of its streams; a stream only remembers how far it has sent it, so a
slow reader takes little memory. A reader that accepts nothing for too long is dropped, and its
browser connects again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic

import msgspec
from starlette.types import Receive, Scope, Send

from noughts.service.http.models import ErrorAnswer, StateAnswer
from noughts.service.metrics import DROPPED
from noughts.service.play.api_errors import APIError
from noughts.service.play.game_cache import LiveGame, Thought
from noughts.service.play.state import frame
from noughts.service.play.storage import StoreError
from noughts.service.play.subscriptions import Here, Subscriptions

Headers = tuple[tuple[bytes, bytes], ...]

NO_STORE: Headers = ((b"cache-control", b"no-store"),)
JSON = b"application/json"

_encode = msgspec.json.Encoder().encode


class Response:
    """A complete response, as an ASGI application; Starlette's takes longer for every move.

    It adds the type and length of the body to the given headers.
    """

    def __init__(
        self, body: bytes, media_type: bytes, status: int = 200, headers: Headers = NO_STORE
    ) -> None:
        self.status = status
        self.body = body
        about: Headers = ((b"content-type", media_type),)
        if status != 304:  # a 304 has none
            about += ((b"content-length", b"%d" % len(body)),)
        self.headers: Headers = *about, *headers

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send the response."""
        start = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        await send(start)
        await send({"type": "http.response.body", "body": self.body})


def json_response(body: msgspec.Struct, status: int = 200, headers: Headers = NO_STORE) -> Response:
    """Return a response with this body as JSON."""
    return Response(_encode(body), JSON, status, headers)


def error_response(refused: APIError, *headers: tuple[bytes, bytes]) -> Response:
    """Return a response that reports this error."""
    if refused.retry_after is not None:
        headers += ((b"retry-after", b"%d" % refused.retry_after),)
    if refused.status == 401:
        headers += ((b"www-authenticate", b"Bearer"),)
    return json_response(ErrorAnswer.of(refused), refused.status, NO_STORE + headers)


PATIENCE = 10  # seconds for a reader to accept data; checked at each heartbeat
RETRY = 1000  # ms after which a browser reconnects
# An event, as scripts in a page cannot see comments. Pages of the last release expect `beat`.
HEARTBEAT = frame("heartbeat", {}) + frame("beat", {})
SHUTDOWN = frame("shutdown", {})
START: dict[str, object] = {
    "type": "http.response.start",
    "status": 200,
    "headers": (
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"x-accel-buffering", b"no"),  # tells nginx to pass events on at once
        *NO_STORE,
    ),
}

log: logging.Logger = logging.getLogger("noughts")


class EventStream:
    """The response to GET …/events, as an ASGI application."""

    status = 200

    def __init__(
        self,
        live: LiveGame,
        subscriptions: Subscriptions,
        seats: tuple[int, ...],  # of the reader; none for a spectator
        after: int | None,  # the last seq that the reader has; None to send the whole state first
        page: Callable[[int], Awaitable[tuple[bytes, int]]],  # old events after a seq; their last
        leave: Callable[[], None],  # called at the end
    ) -> None:
        self._live = live
        self._page = page
        self._subscriptions = subscriptions
        self._seats = seats
        self._after = after
        self._here: Here | None = None  # as last sent
        self._thought: Thought | None = None  # as last sent
        self._leave = leave
        self._woken = asyncio.Event()
        self._sending: float | None = None  # since when the reader has had data to accept
        self._patience = asyncio.timeout(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what is available, and wait for more, until the reader leaves."""
        if scope["method"] == "HEAD":
            self._leave()
            await send(START)
            await send({"type": "http.response.body"})
            return
        leaving = asyncio.create_task(_gone(receive, self._woken))
        try:
            with self._subscriptions.subscribed(self._live.id, self._wake, self._seats):
                async with self._patience:
                    await self._send_all(send, leaving)
        except TimeoutError:
            DROPPED.inc()
        except StoreError as error:
            log.warning("the database is not responding: %s", error)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._leave()

    def _wake(self) -> None:
        """Check for news; drop a reader that has not accepted the last data in time."""
        self._woken.set()
        if self._sending is not None and monotonic() - self._sending > PATIENCE:
            self._sending = None
            self._patience.reschedule(0)

    async def _send_all(self, send: Send, leaving: asyncio.Task[None]) -> None:
        await send(START)
        body = b"retry: %d\n\n%b%b" % (RETRY, await self._news(), self._aside())
        while not leaving.done():
            closing = self._subscriptions.closing  # read before waiting for the reader
            ending = closing or self._live.forgotten
            if closing:
                body += SHUTDOWN
            self._sending = monotonic()
            await send({"type": "http.response.body", "body": body, "more_body": not ending})
            self._sending = None
            if ending:
                return
            if self._after == self._live.seq:
                await self._woken.wait()
            self._woken.clear()
            body = await self._news() + self._aside()
            body = body or (b"" if self._subscriptions.closing else HEARTBEAT)

    async def _news(self) -> bytes:
        """Return the events that the reader does not have yet, or the first page of them."""
        live = self._live
        if self._after is None or self._after > live.seq:
            self._after = live.seq
            return frame("state", StateAnswer.of(live), live.seq)
        news, seq = live.recent.last(live.seq - self._after), live.seq
        if news is None:
            news, seq = await self._page(self._after)
        self._after = seq
        return news

    def _aside(self) -> bytes:
        """Return news that is not in the log: presence, and the advice behind a computer's move."""
        here, thought = self._subscriptions.here(self._live.id), self._live.thought
        body = b""
        if here is not self._here:
            body = here.encode()
            self._here = here
        if thought and thought is not self._thought and thought.seq == self._after:
            body += frame("thought", thought)
            self._thought = thought
        return body


async def _gone(receive: Receive, woken: asyncio.Event) -> None:
    """Wait until the reader has left, and wake the stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    woken.set()
