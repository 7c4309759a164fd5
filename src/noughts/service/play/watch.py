"""Who watches: event streams, woken when their game has something new.

A stream remembers how far it has read, and the game's log is the queue; so a slow reader takes no
memory, and one that accepts nothing for long is dropped: its browser asks again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain

from starlette.types import Receive, Scope, Send

from noughts.service.metrics import DROPPED, STREAMS
from noughts.service.play.live import LiveGame
from noughts.service.play.state import frame

HEARTBEAT = 15  # seconds between signs of life: proxies cut a silent connection
PATIENCE = 10  # seconds that a reader may take to accept what is sent; looked at with each beat
RETRY = 1000  # ms after which a browser asks again
BEAT = b"event: beat\ndata: {}\n\n"  # a browser's page cannot see a comment
AT_ONCE = 100  # events: what is written to a reader that takes nothing is in memory


@dataclass(eq=False, slots=True)
class Watcher:
    """One event stream, as the others see it.

    Attributes:
        news: set whenever there may be news of its game.
        sending: since when its reader has been accepting what is sent; None while there is nothing.
        patience: ends the stream when it is over.
    """

    news: asyncio.Event = field(default_factory=asyncio.Event)
    sending: float | None = None
    patience: asyncio.Timeout = field(default_factory=lambda: asyncio.timeout(None))


class Watchers:
    """All event streams of this server."""

    def __init__(self) -> None:
        self.closing = False
        self._of: dict[str, set[Watcher]] = {}

    def watched(self) -> list[str]:
        """The ids of the games that are watched."""
        return list(self._of)

    def wake(self, game: str) -> None:
        """Have the streams of a game look for news."""
        for watcher in self._of.get(game, ()):
            watcher.news.set()

    def wake_all(self) -> None:
        """Have every stream give a sign of life."""
        for game in self._of:
            self.wake(game)

    def close(self) -> None:
        """Have every stream say goodbye."""
        self.closing = True
        self.wake_all()

    @contextmanager
    def watching(self, game: str) -> Iterator[Watcher]:
        """A stream of the game, from its begin to its end."""
        watcher = Watcher()
        self._of.setdefault(game, set()).add(watcher)
        STREAMS.inc()
        try:
            yield watcher
        finally:
            STREAMS.dec()
            self._of[game].discard(watcher)
            if not self._of[game]:
                del self._of[game]

    async def beat(self) -> None:
        """Keep all streams alive; runs for ever."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            self._drop_the_slow()
            self.wake_all()

    def _drop_the_slow(self) -> None:
        """End the streams whose readers accept nothing: one look at all, as timers cost."""
        now = asyncio.get_running_loop().time()
        for watcher in chain.from_iterable(self._of.values()):
            if watcher.sending is not None and now - watcher.sending > PATIENCE:
                watcher.patience.reschedule(now)


class EventStream:
    """The answer to GET …/events: the game's log from `after` on, and what comes.

    Args:
        live: the game, which follows its log as long as this is held.
        watchers: where to be woken.
        after: the seq that the reader knows; None for one who knows nothing, and is first sent the
            whole state.
    """

    def __init__(self, live: LiveGame, watchers: Watchers, after: int | None) -> None:
        self._live = live
        self._watchers = watchers
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is, and wait for more, until the reader leaves."""
        with self._watchers.watching(self._live.state.id) as watcher:
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [
                        (b"content-type", b"text/event-stream; charset=utf-8"),
                        (b"cache-control", b"no-store"),
                        (b"x-accel-buffering", b"no"),  # asks nginx to pass events on at once
                    ],
                }
            )
            leaving = asyncio.create_task(_gone(receive, watcher.news))
            try:
                async with watcher.patience:
                    await self._send_all(send, watcher, leaving)
            except TimeoutError:
                DROPPED.inc()
            finally:
                leaving.cancel()

    async def _send_all(self, send: Send, watcher: Watcher, leaving: asyncio.Task[None]) -> None:
        time, news = asyncio.get_running_loop().time, watcher.news
        body = f"retry: {RETRY}\n\n".encode() + self._news()
        while True:
            closing = self._watchers.closing  # as it was before the reader accepted this
            if closing:
                body += b"event: bye\ndata: {}\n\n"
            watcher.sending = time()
            await send({"type": "http.response.body", "body": body, "more_body": not closing})
            watcher.sending = None
            if closing:
                return
            if self._after == self._live.state.seq:
                await news.wait()
            if leaving.done():
                return
            news.clear()
            body = self._news() or (b"" if self._watchers.closing else BEAT)

    def _news(self) -> bytes:
        """What the reader does not know yet."""
        state = self._live.state
        if self._after is None or self._after > state.seq:
            self._after = state.seq
            return frame("state", state.seq, state.payload())
        after, self._after = self._after, min(state.seq, self._after + AT_ONCE)
        return b"".join(state.log[after : self._after])


async def _gone(receive: Receive, news: asyncio.Event) -> None:
    """Wait until the reader has left, and wake the stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    news.set()
