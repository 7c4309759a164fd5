"""Who watches: event streams, woken when their game has something new.

A stream remembers how far it has read, and the game's log is the queue; so a slow reader takes no
memory, and one that accepts nothing, not even a sign of life, is dropped: its browser asks again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.types import Receive, Scope, Send

from noughts.service.metrics import DROPPED, STREAMS
from noughts.service.state import Open, frame

HEARTBEAT = 15  # seconds between signs of life: proxies cut a silent connection
PATIENCE = 10  # seconds that a reader may take to accept a sign of life
RETRY = 1000  # ms after which a browser asks again
BEAT = b"event: beat\ndata: {}\n\n"  # a browser's page cannot see a comment
AT_ONCE = 100  # events: what is written to a reader that takes nothing is in memory


class Watchers:
    """All event streams of this server."""

    def __init__(self) -> None:
        self.closing = False
        self._of: dict[str, set[asyncio.Event]] = {}

    def watched(self) -> list[str]:
        """The ids of the games that are watched."""
        return list(self._of)

    def wake(self, game: str) -> None:
        """Have the streams of a game look for news."""
        for watcher in self._of.get(game, ()):
            watcher.set()

    def wake_all(self) -> None:
        """Have every stream give a sign of life."""
        for game in self._of:
            self.wake(game)

    def close(self) -> None:
        """Have every stream say goodbye."""
        self.closing = True
        self.wake_all()

    @contextmanager
    def watching(self, game: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever there may be news of the game."""
        watcher = asyncio.Event()
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
            self.wake_all()


class EventStream:
    """The answer to GET …/events: the game's log from `after` on, and what comes.

    Args:
        opened: the game, which follows its log as long as this is held.
        watchers: where to be woken.
        after: the seq that the reader knows; None for one who knows nothing, and is first sent the
            whole state.
    """

    def __init__(self, opened: Open, watchers: Watchers, after: int | None) -> None:
        self._opened = opened
        self._watchers = watchers
        self._after = after

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what there is, and wait for more, until the reader leaves."""
        with self._watchers.watching(self._opened.state.id) as news:
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
            leaving = asyncio.create_task(_gone(receive, news))
            try:
                async with asyncio.timeout(HEARTBEAT + PATIENCE) as patience:
                    await self._send_all(send, news, leaving, patience)
            except TimeoutError:
                DROPPED.inc()
            finally:
                leaving.cancel()

    async def _send_all(
        self,
        send: Send,
        news: asyncio.Event,
        leaving: asyncio.Task[None],
        patience: asyncio.Timeout,
    ) -> None:
        body = f"retry: {RETRY}\n\n".encode() + self._news()
        while True:
            closing = self._watchers.closing  # as it was before the reader accepted this
            if closing:
                body += b"event: bye\ndata: {}\n\n"
            await send({"type": "http.response.body", "body": body, "more_body": not closing})
            if closing:
                return
            _renew(patience)
            if self._after == self._opened.state.seq:
                await news.wait()
            if leaving.done():
                return
            news.clear()
            body = self._news() or (b"" if self._watchers.closing else BEAT)

    def _news(self) -> bytes:
        """What the reader does not know yet."""
        state = self._opened.state
        if self._after is None or self._after > state.seq:
            self._after = state.seq
            return frame("state", state.seq, state.payload())
        after, self._after = self._after, min(state.seq, self._after + AT_ONCE)
        return b"".join(state.log[after : self._after])


def _renew(patience: asyncio.Timeout) -> None:
    """Be patient until some time after the next sign of life; not each time, as timers cost."""
    until = asyncio.get_running_loop().time() + HEARTBEAT + PATIENCE
    if until - (patience.when() or 0) > PATIENCE / 2:
        patience.reschedule(until)


async def _gone(receive: Receive, news: asyncio.Event) -> None:
    """Wait until the reader has left, and wake the stream."""
    while (await receive())["type"] != "http.disconnect":
        pass
    news.set()
