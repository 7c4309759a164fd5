"""Responses: those that are complete before they are sent, event streams and streams of verdicts.

The log of a game is the queue of its streams; a stream only remembers how far it has sent it, so a
slow reader takes little memory. A reader that accepts nothing for too long is dropped, and its
browser connects again.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from tempfile import SpooledTemporaryFile
from threading import Lock, Semaphore
from typing import Any, cast

import msgspec
from starlette.types import Receive, Scope, Send

from noughts.bulk.chunks import BLOCK, JudgePool, split
from noughts.errors import InvalidRecord, NoughtsError
from noughts.records.compression import GZIP, ZIP, ZSTANDARD, decompressed
from noughts.records.formats import HEAD, Reading
from noughts.records.json_lines import EMPTY
from noughts.records.record import NO_RULES
from noughts.service.http.models import ErrorDetail, ErrorLine, Problem, StateAnswer
from noughts.service.metrics import DROPPED
from noughts.service.play.api_errors import APIError
from noughts.service.play.events import monotonic
from noughts.service.play.game_cache import LiveGame, Thought
from noughts.service.play.state import frame
from noughts.service.play.storage import StoreError
from noughts.service.play.subscriptions import Here, Subscriptions
from noughts.system import processors

Headers = tuple[tuple[bytes, bytes], ...]

NO_STORE: Headers = ((b"cache-control", b"no-store"),)
JSON = b"application/json"
PROBLEM = b"application/problem+json"

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


def error_response(root: str, refused: APIError, *headers: tuple[bytes, bytes]) -> Response:
    """Return a response of a server at this path that reports this error as problem details."""
    if refused.retry_after is not None:
        headers += ((b"retry-after", b"%d" % refused.retry_after),)
    if refused.status == 401:
        headers += ((b"www-authenticate", b"Bearer"),)
    body = _encode(Problem.of(refused, root))
    return Response(body, PROBLEM, refused.status, NO_STORE + headers)


PATIENCE = 10  # seconds for a reader to accept data; checked at each heartbeat
RETRY = 1000  # ms after which a browser reconnects
# An event, as scripts in a page cannot see comments. Pages of the last release expect `beat`.
HEARTBEAT = frame("heartbeat", {}) + frame("beat", {})
SHUTDOWN = b"retry: 100\n" + frame("shutdown", {})  # reconnect now: other servers are ready
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
        leaving = asyncio.create_task(_gone(receive, self._woken.set))
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


async def _gone(receive: Receive, left: Callable[[], object]) -> None:
    """Wait until the client has left, then call a function."""
    while (await receive())["type"] != "http.disconnect":
        pass
    left()


JUDGED_AT_ONCE = 32  # requests to judge that a process answers; each keeps up to 6 MB
KEPT = 1 << 20  # bytes of verdicts in memory; a temporary file holds more
MOST_UNREAD = 256_000_000  # bytes of verdicts, or a few clients could fill the disk
PORTION = 1 << 16  # bytes of verdicts that are sent at once
UNREAD = GZIP, ZSTANDARD, ZIP, b"PAR1"  # beginnings of bodies that are not text or gzipped text
BODY = "body"  # of the posted games, in the ids of games without ids
REWORDED = {
    NO_RULES: "the game does not name its rules: add them to the URL, for example ?rules=gomoku",
    EMPTY: "no record: the body is empty",
}
OPTION = re.compile(r"--(rules|format|origin)\b(?: (top|bottom)\b)?")  # of the command
LINES = b"application/x-ndjson"
VERDICTS: dict[str, object] = {
    "type": "http.response.start",
    "status": 200,
    "headers": ((b"content-type", LINES), (b"x-accel-buffering", b"no"), *NO_STORE),
}


class Judges:
    """The threads that judge posted games.

    Few of them judge at the same time, so that players need not wait. A thread that waits for its
    client lets the others judge.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(JUDGED_AT_ONCE, "judge")
        self.turns: Semaphore = Semaphore(max(1, processors() - 1))

    def start(self, judge: Callable[[], None]) -> asyncio.Future[None]:
        """Run this function in a thread."""
        return asyncio.get_running_loop().run_in_executor(self._threads, judge)


@dataclass(frozen=True)
class Allowance:
    """The limits of a client whose games are judged.

    Attributes:
        take_games: Counts games; returns how many of them are allowed.
        take_bytes: The same for bytes that are read or written.
        no_games, no_bytes: Return the error of a client that is allowed no more.
        seconds: The time for a request.
    """

    take_games: Callable[[int], int]
    take_bytes: Callable[[int], int]
    no_games: Callable[[], APIError]
    no_bytes: Callable[[], APIError]
    seconds: float


class VerdictStream:
    """The response to POST /api/judge, as an ASGI application.

    A thread judges the games while they arrive. It never waits for the client to read, since many
    clients read only after they have sent everything.
    """

    def __init__(
        self,
        reading: Reading,
        judges: Judges,
        allowance: Allowance,
        leave: Callable[[], None],  # called once the thread has ended
    ) -> None:
        self.status = 200
        self._reading = reading
        self._judges = judges
        self._allowance = allowance
        self._leave = leave
        self._deadline = monotonic() + allowance.seconds
        self._least = HEAD  # bytes of the next piece of the body, to detect the format
        self._complete = False  # whether the whole body has arrived
        self._stopped = False
        self.refused: APIError | None = None  # the last line, or the whole response
        self._piece: Future[bytes] | None = None  # that the thread is waiting for
        self._leaving: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send verdicts until all games are judged, or until the client leaves."""
        self._loop = asyncio.get_running_loop()
        self._receive = receive
        self._verdicts = Overflowing(self._loop)
        work = self._judges.start(self._judge)
        try:
            lines = await self._verdicts.take()
            if self.refused and not lines:
                self.status = self.refused.status
                answer = error_response(scope["root_path"], self.refused)
                await answer(scope, receive, send)
                return
            await send(VERDICTS)
            while lines and not self._stopped:
                await self._send(send, lines)
                lines = await self._verdicts.take()
            if self.refused and not self._stopped:
                await self._send(send, _error_line(self.refused))
                await self._discard()
            if not self._stopped:
                await send({"type": "http.response.body"})
        finally:
            self._stop()
            if self._leaving:
                self._leaving.cancel()
            work.add_done_callback(self._close)

    async def _send(self, send: Send, lines: bytes) -> None:
        """Send a part of the response; stop if the client should read it, but does not."""
        message = {"type": "http.response.body", "body": lines, "more_body": True}
        sending = asyncio.create_task(_sent(send, message))
        try:
            while not (await asyncio.wait({sending}, timeout=PATIENCE))[0]:
                if self._complete or self._verdicts.ended:
                    DROPPED.inc()
                    self._stop()
                    return
        finally:
            sending.cancel()

    async def _discard(self) -> None:
        """Receive the rest of the body for a while, as some clients send everything first."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while not (self._complete or self._stopped):
                    await self._message()

    async def _message(self) -> bytes:
        """Receive some bytes of the body; stop if the client has left."""
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self._stop()
        elif not message.get("more_body", False):
            self._complete = True
            self._leaving = asyncio.create_task(_gone(self._receive, self._stop))
        found: bytes = message.get("body", b"")
        return found

    async def _next_piece(self) -> bytes:
        """Return a piece of the body, empty at its end. Raises APIError if it takes too long."""
        piece = b""
        try:
            async with asyncio.timeout(PATIENCE):
                while len(piece) < self._least and not (self._complete or self._stopped):
                    piece += await self._message()
        except TimeoutError:
            raise APIError("too_slow", f"no data has arrived for {PATIENCE} seconds") from None
        self._least = 1
        return piece

    def _stop(self) -> None:
        """Make the thread end at its next step; called in the event loop."""
        self._stopped = True
        self._verdicts.end()
        if self._piece:
            self._piece.cancel()

    def _close(self, work: asyncio.Future[None]) -> None:
        self._verdicts.close()
        self._leave()

    # In the thread

    def _judge(self) -> None:
        """Judge the games of the body."""
        try:
            with self._judges.turns:
                self._judge_all()
        except CancelledError:  # the client has left, or the server ends
            pass
        except APIError as refused:
            self.refused = refused
        except (NoughtsError, ModuleNotFoundError) as error:  # a format may need a library
            self.refused = APIError("malformed", worded(error))
        except Exception:
            log.exception("cannot judge posted games")
            self.refused = APIError("failed")
        self._verdicts.end()

    def _judge_all(self) -> None:
        sent = unzipped(BufferedReader(_Body(self._wait), BLOCK))
        games = BufferedReader(_Body(lambda: self._counted(sent.read1(BLOCK))), BLOCK)
        if games.peek(HEAD).startswith(UNREAD):
            raise APIError("bad_encoding")
        for _, result in JudgePool(1, as_json=True).judge(split(games, BODY, self._reading)):
            for part in result.parts:
                self._put(part if isinstance(part, bytes) else _problem_line(part))
            if result.failure:
                raise result.failure

    def _wait(self) -> bytes:
        """Wait for a piece of the body, while other threads judge."""
        self._check()
        self._piece = asyncio.run_coroutine_threadsafe(self._next_piece(), self._loop)
        self._judges.turns.release()
        try:
            piece = self._piece.result()
        finally:
            self._judges.turns.acquire()
        self._check()
        return piece

    def _counted(self, data: bytes) -> bytes:
        """Count bytes and return them. Raises APIError if the client is not allowed them."""
        self._check()
        if self._allowance.take_bytes(len(data)) < len(data):
            raise self._allowance.no_bytes()
        return data

    def _put(self, lines: bytes) -> None:
        """Pass verdicts on. Raises APIError if the client is not allowed all of them."""
        self._check()
        if self._verdicts.unread > MOST_UNREAD:
            most = f"{MOST_UNREAD / 1e6:g} MB"
            message = f"more than {most} of verdicts are waiting; read them while you send games"
            raise APIError("too_slow", message)
        number = lines.count(b"\n")
        allowed = self._allowance.take_games(number)
        if allowed < number:
            lines = b"".join(lines.splitlines(keepends=True)[:allowed])
        self._verdicts.put(self._counted(lines))
        if allowed < number:
            raise self._allowance.no_games()

    def _check(self) -> None:
        """Raise an error if the client has left, or if its time is up."""
        if self._stopped:
            raise CancelledError
        if monotonic() > self._deadline:
            most = f"{self._allowance.seconds:g} seconds"
            raise APIError("too_slow", f"a request may take at most {most}; send fewer games")


async def _sent(send: Send, message: dict[str, Any]) -> None:
    """Send a part of a response, and let the event loop pass it on before the next."""
    await send(message)
    await asyncio.sleep(0)


def _problem_line(problem: NoughtsError) -> bytes:
    """Return the line in place of the verdict on a game that cannot be read."""
    line = problem.line if isinstance(problem, InvalidRecord) else None
    return _error_line(APIError("malformed", worded(problem)), line)


def _error_line(refused: APIError, line: int | None = None) -> bytes:
    return _encode(ErrorLine(ErrorDetail.of(refused), line)) + b"\n"


def worded(problem: Exception) -> str:
    """Return a message that names parameters of the request, and not options of the command."""
    message = str(problem.args[0])
    if message in REWORDED:
        return REWORDED[message]
    return OPTION.sub(lambda it: f"?{it[1]}={it[2] or '…'}", message)


def unzipped(file: BufferedReader[Any]) -> BufferedReader[Any]:
    """Return the file, decompressed if it is gzip."""
    head = file.peek(HEAD)
    found = decompressed(file, head, BODY) if head.startswith(GZIP) else None
    return cast("BufferedReader[Any]", next(found)[0]) if found else file


class _Body(RawIOBase):
    """A stream of the pieces that a function returns, the last of them empty."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or memoryview(self._read())
        length = min(len(buffer), len(self._rest))
        buffer[:length], self._rest = self._rest[:length], self._rest[length:]
        return length


class Overflowing:
    """Bytes that a thread puts in and the event loop takes out; many of them are in a file.

    Attributes:
        ended: whether nothing more will be added.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._file = SpooledTemporaryFile(KEPT)  # noqa: SIM115  # until `close`
        self._lock = Lock()
        self._put = self._taken = 0  # bytes
        self._ready = asyncio.Event()
        self.ended = False

    @property
    def unread(self) -> int:
        """The number of bytes that have been put in and not taken out."""
        return self._put - self._taken

    @property
    def stored(self) -> int:
        """The number of bytes in the file, at most twice those that are unread, or `KEPT` more."""
        return self._put

    def put(self, data: bytes) -> None:
        """Add bytes at the end."""
        with self._lock:
            wake = self._put == self._taken
            if self._taken > max(self.unread, KEPT):
                self._move_to_front()
            self._file.seek(self._put)
            self._file.write(data)
            self._put += len(data)
        if wake:
            self._loop.call_soon_threadsafe(self._ready.set)

    def _move_to_front(self) -> None:
        """Move the bytes that have not been taken, so that the file is at most twice as large."""
        for at in range(self._taken, self._put, PORTION):
            self._file.seek(at)
            portion = self._file.read(PORTION)
            self._file.seek(at - self._taken)
            self._file.write(portion)
        self._put -= self._taken
        self._taken = 0
        self._file.truncate(self._put)

    def end(self) -> None:
        """Add nothing more; what is there can still be taken."""
        self.ended = True
        with suppress(RuntimeError):  # the event loop is closed
            self._loop.call_soon_threadsafe(self._ready.set)

    async def take(self) -> bytes:
        """Wait for bytes and take them; return none at the end."""
        while True:
            self._ready.clear()
            ended = self.ended
            if self._put > KEPT:  # on a disk
                data = await asyncio.to_thread(self._next)
            else:
                data = self._next()
            if data or ended:
                return data
            await self._ready.wait()

    def _next(self) -> bytes:
        with self._lock:
            self._file.seek(self._taken)
            data = self._file.read(PORTION)
            self._taken += len(data)
            if self._taken == self._put:
                self._file.seek(0)
                self._file.truncate()
                self._put = self._taken = 0
        return data

    def close(self) -> None:
        """Delete the file."""
        self._file.close()
