"""A program that is spoken to in lines, which may do anything: it is bounded, timed and killed."""

from __future__ import annotations

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

MAX_TALK = 1 << 20
"""The bytes that a program may write before it answers."""

PIECE = 1 << 16  # bytes read at once
TICK = 0.05  # seconds between looks at whether the program still lives
LEAVE = 0.5  # seconds for a program to end when it is asked to

Reason = Literal["silent", "late", "crashed", "garbage", "refused"]


class EngineError(NoughtsError):
    """A program that plays has failed.

    Attributes:
        reason: how: "silent", it did not answer; "late", it answered too late; "crashed", it could
            not be started, or ended; "garbage", it wrote what is no answer, or far too much;
            "refused", it answered that it cannot do what was asked.
    """

    def __init__(self, message: str, reason: Reason) -> None:
        super().__init__(message)
        self.reason: Reason = reason


class Process:
    """A program in a session of its own, with pipes to and from it.

    What it writes to standard error is dropped. What it writes between a question and the answer is
    bounded by `MAX_TALK`, a line by `noughts.engines.protocol.MAX_LINE`; meanwhile the pipe is not
    read, so that a program that writes without end has to wait.

    Raises:
        EngineError: "crashed", the program cannot be started.
    """

    def __init__(self, words: Sequence[str]) -> None:
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
        """Begin to send these lines; what the program said before is forgotten.

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
        """The next line that the program writes; None if there is none by then.

        Args:
            deadline: a `perf_counter` reading.

        Raises:
            EngineError: "crashed", the program has ended; "garbage", it writes without end.
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
            # first, as what it wrote before it ended still counts; pipes may outlive a program
            ended = self._popen.poll() is not None
            self._send()
            if not self._receive() and ended and not self._read:
                raise EngineError(self._end(), "crashed")
        return self._read.popleft()

    def close(self) -> None:
        """Ask the program to end, and kill it and its children after `LEAVE` seconds at most.

        Its children are those in its process group. One that has left the group lives on.
        """
        with self._popen:  # which closes the pipes, and waits for its end
            try:
                self._unsent += b"END\r\n"
                self._send()
                with suppress(TimeoutExpired):
                    self._popen.wait(LEAVE)
            finally:
                self.kill()

    def kill(self) -> None:
        """Kill it and its children at once; another thread that awaits a line finds it ended."""
        with suppress(ProcessLookupError, PermissionError):  # nobody is left
            os.killpg(self._popen.pid, signal.SIGKILL)

    def _send(self) -> None:
        """Send as much as the program takes now."""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self._to, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""  # `line` tells whether it has ended

    def _receive(self) -> bool:
        """Take what the program has written so far, at most `PIECE` bytes; whether there was any.

        Raises:
            EngineError: "crashed", it has closed the pipe; "garbage", it writes without end.
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
