"""A program that may do anything: it is asked in lines of text, limited, timed and killed."""

import os
import signal
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from time import perf_counter
from typing import Literal

from noughts.engines.protocol import Lines
from noughts.errors import NoughtsError
from noughts.system import need_posix

MAX_TALK = 1 << 20
"""The bytes that a program may write before it answers."""

PIECE = 1 << 16  # bytes read at once
TICK = 0.05  # seconds between checks that the program is alive
LEAVE = 0.5  # seconds that a program may take to end

Reason = Literal["silent", "late", "crashed", "garbage", "refused"]


class EngineError(NoughtsError):
    """A program that plays has failed.

    Attributes:
        reason: "silent", it did not answer; "late", it answered too late; "crashed", it could not
            be started, or ended; "garbage", it wrote something else, or far too much; "refused", it
            answered that it cannot do what was asked.
    """

    def __init__(self, message: str, reason: Reason) -> None:
        super().__init__(message)
        self.reason: Reason = reason


class Process:
    """A program in its own session, with pipes to and from it.

    Its standard error is dropped. Before an answer it may write `MAX_TALK` bytes; of each line
    `noughts.engines.protocol.MAX_LINE` are read. The pipe is read only while an answer is awaited,
    so a program that never stops writing has to wait.

    Raises:
        EngineError: "crashed", the program cannot be started.
        NeedsPosix: programs cannot be watched here.
    """

    def __init__(self, words: Sequence[str]) -> None:
        need_posix("an engine that is a program")
        try:
            self._popen = Popen(
                words, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise EngineError(f"cannot be started by {words[0]!r}: {why}", "crashed") from None
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._to, self._from = self._popen.stdin.fileno(), self._popen.stdout.fileno()
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)
        self._unsent = b""
        self._lines, self._read = Lines(), deque[str]()
        self._talk = 0

    def ask(self, *lines: str) -> None:
        """Begin to send these lines; what the program wrote before is forgotten.

        Raises:
            EngineError: as `line`.
        """
        self._talk = 0
        while self._receive():
            pass
        self._lines, self._talk = Lines(), 0
        self._read.clear()
        self._unsent += "".join(f"{line}\r\n" for line in lines).encode()
        self._send()

    def line(self, deadline: float) -> str | None:
        """The next line that the program writes; None if there is none by this `perf_counter` time.

        Raises:
            EngineError: "crashed", the program has ended; "garbage", it does not stop writing.
        """
        while not self._read:
            left = deadline - perf_counter()
            if left <= 0:
                return None
            with DefaultSelector() as selector:
                selector.register(self._from, EVENT_READ)
                if self._unsent:
                    selector.register(self._to, EVENT_WRITE)
                selector.select(min(left, TICK))
            # Asked before reading: what it wrote before it ended counts. Its pipes may outlive it.
            ended = self._popen.poll() is not None
            self._send()
            if not self._receive() and ended and not self._read:
                raise EngineError(self._end(), "crashed")
        return self._read.popleft()

    def close(self) -> None:
        """Ask the program to end; after at most `LEAVE` seconds kill its process group."""
        with self._popen:  # closes the pipes, and waits until it has ended
            try:
                self._unsent += b"END\r\n"
                self._send()
                with suppress(TimeoutExpired):
                    self._popen.wait(LEAVE)
            finally:
                self.kill()

    def kill(self) -> None:
        """Kill it and its children at once; a thread that waits for a line finds it ended."""
        with suppress(ProcessLookupError, PermissionError):  # none is left
            os.killpg(self._popen.pid, signal.SIGKILL)

    def _send(self) -> None:
        """Send as much as the program takes now."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""  # `line` notices if it has ended

    def _receive(self) -> bool:
        """Take up to `PIECE` bytes that the program has written; return whether there were any.

        Raises:
            EngineError: "crashed", it has closed the pipe; "garbage", it does not stop writing.
        """
        try:
            piece = os.read(self._from, PIECE)
        except BlockingIOError:
            return False
        if not piece:
            with suppress(TimeoutExpired):
                self._popen.wait(TICK)
            raise EngineError(self._end(), "crashed")
        self._talk += len(piece)
        if self._talk > MAX_TALK:
            raise EngineError(f"wrote more than {MAX_TALK:,} bytes and no answer", "garbage")
        self._read.extend(self._lines.of(piece))
        return True

    def _end(self) -> str:
        """How the program ended."""
        code = self._popen.poll()
        if code is None:
            return "closed its output"
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
