"""Untrusted programs that answer lines of text, with limits on their time and output."""

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

MAX_TALK = 1 << 20  # bytes that a program may write before it answers
CHUNK = 1 << 16  # bytes read at once
TICK = 0.05  # seconds between checks that the program is alive
EXITING = 2.0  # seconds for a program to exit after it has closed its output
LEAVE = 0.5  # seconds that a program may take to exit

Reason = Literal["silent", "late", "crashed", "garbage", "refused"]


class EngineError(NoughtsError):
    """An engine or an agent has failed.

    Attributes:
        reason: "silent" if it did not answer; "late" if it answered too late; "crashed" if it could
            not be started or has exited; "garbage" if it wrote something else or far too much;
            "refused" if it answered with an error.
    """

    def __init__(self, message: str, reason: Reason) -> None:
        super().__init__(message)
        self.reason: Reason = reason


class Process:
    """A program in its own session, with pipes to and from it.

    Its standard error is dropped. It may write `MAX_TALK` bytes before an answer, and
    `noughts.engines.protocol.MAX_LINE` bytes of each line are read. Its output is only read while
    an answer is awaited, so a program that never stops writing is blocked.

    Raises:
        EngineError: "crashed", the program cannot be started.
        NeedsPosix: the system is not supported.
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
        """Drop all previous output and send these lines. Raises EngineError if it has failed."""
        self._talk = 0
        while self._receive():
            pass
        self._lines, self._talk = Lines(), 0
        self._read.clear()
        self._unsent += "".join(f"{line}\r\n" for line in lines).encode()
        self._send()

    def line(self, deadline: float) -> str | None:
        """Return the program's next line, or None if none arrives by this `perf_counter` time.

        Raises:
            EngineError: "crashed", the program has exited; "garbage", it does not stop writing.
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
            # before reading, so that output from before its exit counts; its pipes can outlive it
            ended = self._popen.poll() is not None
            self._send()
            if not self._receive() and ended and not self._read:
                raise EngineError(self._end(), "crashed")
        return self._read.popleft()

    def close(self) -> None:
        """Tell the program to exit; after at most `LEAVE` seconds kill its process group."""
        with self._popen:  # closes the pipes and waits until it has exited
            try:
                self._unsent += b"END\r\n"
                self._send()
                with suppress(TimeoutExpired):
                    self._popen.wait(LEAVE)
            finally:
                self.kill()

    def kill(self) -> None:
        """Kill it and its children at once, also while another thread waits for a line."""
        with suppress(ProcessLookupError, PermissionError):  # all have exited
            os.killpg(self._popen.pid, signal.SIGKILL)

    def _send(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""  # `line` notices if it has exited

    def _receive(self) -> bool:
        """Read up to `CHUNK` bytes from the program and return whether there were any.

        Raises:
            EngineError: "crashed", it has closed the pipe; "garbage", it does not stop writing.
        """
        try:
            chunk = os.read(self._from, CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            with suppress(TimeoutExpired):
                self._popen.wait(EXITING)
            raise EngineError(self._end(), "crashed")
        self._talk += len(chunk)
        if self._talk > MAX_TALK:
            raise EngineError(f"wrote more than {MAX_TALK:,} bytes without an answer", "garbage")
        self._read.extend(self._lines.of(chunk))
        return True

    def _end(self) -> str:
        code = self._popen.poll()
        if code is None:
            return "closed its output"
        return f"was killed by signal {-code}" if code < 0 else f"exited with status {code}"
