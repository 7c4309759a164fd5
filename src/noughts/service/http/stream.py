"""Event streams: the log of a game as server-sent events, the old ones and those to come.

The log is the queue of a stream, which remembers how far it has sent it: a slow reader takes little
memory. A reader that accepts nothing for long is dropped; its browser connects again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic

from starlette.types import Receive, Scope, Send

from noughts.service.http.answer import NO_STORE
from noughts.service.http.models import StateAnswer
from noughts.service.metrics import DROPPED
from noughts.service.play.live import LiveGame, Thought
from noughts.service.play.presence import Here
from noughts.service.play.state import frame
from noughts.service.play.storage import StoreError
from noughts.service.play.watch import Watchers

PATIENCE = 10  # seconds that a reader may take to accept what is sent; checked with each beat
RETRY = 1000  # ms after which a browser connects again
BEAT = frame("beat", {})  # an event, because scripts of a page cannot see comments
BYE = frame("bye", {})
START: dict[str, object] = {
    "type": "http.response.start",
    "status": 200,
    "headers": (
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"x-accel-buffering", b"no"),  # asks nginx to pass events on at once
        *NO_STORE,
    ),
}

log: logging.Logger = logging.getLogger("noughts")


class EventStream:
    """The answer to GET …/events, an ASGI application."""

    status = 200

    def __init__(
        self,
        live: LiveGame,
        watchers: Watchers,
        seats: tuple[int, ...],  # of the reader; a spectator has none
        after: int | None,  # the seq that the reader knows; None: send the whole state first
        page: Callable[[int], Awaitable[tuple[bytes, int]]],  # old events after a seq; their last
        leave: Callable[[], None],  # called at the end
    ) -> None:
        self._live = live
        self._page = page
        self._watchers = watchers
        self._seats = seats
        self._after = after
        self._here: Here | None = None  # as it was sent
        self._thought: Thought | None = None  # as it was sent
        self._leave = leave
        self._woken = asyncio.Event()
        self._sending: float | None = None  # since when the reader has had something to accept
        self._patience = asyncio.timeout(None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is, and wait for more, until the reader leaves."""
        if scope["method"] == "HEAD":
            self._leave()
            await send(START)
            await send({"type": "http.response.body"})
            return
        leaving = asyncio.create_task(_gone(receive, self._woken))
        try:
            with self._watchers.watching(self._live.id, self._wake, self._seats):
                async with self._patience:
                    await self._send_all(send, leaving)
        except TimeoutError:
            DROPPED.inc()
        except StoreError as error:
            log.warning("the database does not answer: %s", error)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._leave()

    def _wake(self) -> None:
        """Look for news; drop a reader who has not accepted the last in time."""
        self._woken.set()
        if self._sending is not None and monotonic() - self._sending > PATIENCE:
            self._sending = None
            self._patience.reschedule(0)

    async def _send_all(self, send: Send, leaving: asyncio.Task[None]) -> None:
        await send(START)
        body = b"retry: %d\n\n%b%b" % (RETRY, await self._news(), self._aside())
        while not leaving.done():
            closing = self._watchers.closing  # before this waits for the reader
            ending = closing or self._live.forgotten
            if closing:
                body += BYE
            self._sending = monotonic()
            await send({"type": "http.response.body", "body": body, "more_body": not ending})
            self._sending = None
            if ending:
                return
            if self._after == self._live.seq:
                await self._woken.wait()
            self._woken.clear()
            body = await self._news() + self._aside()
            body = body or (b"" if self._watchers.closing else BEAT)

    async def _news(self) -> bytes:
        """The events that the reader does not know yet, or the first page of them."""
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
        """News that is in no log: who has the game open; what the computer thought of its move."""
        here, thought = self._watchers.here(self._live.id), self._live.thought
        body = b""
        if here is not self._here:
            body = here.told()
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
