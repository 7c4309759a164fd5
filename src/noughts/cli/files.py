"""The files that commands read and write; ``-`` is standard input or output."""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from io import BufferedReader, FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from noughts.errors import NoughtsError
from noughts.records import Record
from noughts.records.addresses import Address, address_of, place
from noughts.records.addresses import reading as reading_address
from noughts.records.atomic import atomic_write

PROGRESS_EVERY = 500  # records
BUFFER = 1 << 19  # bytes; what is read is judged in pieces of about this size


class Interruptible(FileIO):
    """An open file; Ctrl-C ends the wait for its bytes, even in the moment when the wait begins.

    Then Python would answer the signal only after the wait. `signalled` is a descriptor that has
    something to read after a signal.
    """

    def __init__(self, file: FileIO, signalled: int) -> None:
        super().__init__(file.fileno(), closefd=False)
        self._waiting = select.poll()
        for descriptor in (self.fileno(), signalled):
            self._waiting.register(descriptor, select.POLLIN)

    def readinto(self, buffer: Any) -> int | None:
        """Wait for bytes, and read what has come."""
        self._waiting.poll()
        return super().readinto(buffer)


@contextmanager
def _interruptible(file: FileIO) -> Iterator[Interruptible]:
    """The file as an `Interruptible`; it stays open."""
    signalled, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    before = signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)
    try:
        yield Interruptible(file, signalled)
    finally:
        signal.set_wakeup_fd(before)
        os.close(wakeup)
        os.close(signalled)


@contextmanager
def opened(source: str) -> Iterator[BufferedReader]:
    """The bytes of a file, or of standard input."""
    if source != "-":
        with reading_address(address_of(source)) as file:
            yield BufferedReader(file, BUFFER)
        return
    given: Any = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    waits = isinstance(given, FileIO) and hasattr(select, "poll")
    with _interruptible(given) if waits else nullcontext(given) as raw:
        reader = BufferedReader(raw, BUFFER)
        yield reader
        reader.detach()  # or it would close standard input


def reading(
    source: str,
    games: Callable[[BufferedReader, str], Iterator[Any]],
    failed: list[str],
    show: Callable[..., None] | None,
) -> Iterator[Any]:
    """What `games` yields of a source. If it cannot be read to its end, say so; add it to `failed`.

    `show` is called with the source's name, how many bytes are read, and of how many if known.
    """
    name = source_name(source)
    try:
        with opened(source) as file:
            for count, game in enumerate(games(file, name)):
                if show and (count % PROGRESS_EVERY == 0 or not isinstance(game, Record)):
                    show(name, *place(file))
                yield game
    except (OSError, NoughtsError) as error:
        say_why(name, error)
        failed.append(source)


def say_why(name: Address, error: BaseException) -> None:
    """Say why a source cannot be read, or not to its end."""
    problem = (isinstance(error, OSError) and error.strerror) or error
    print(f"noughts: {name}: {problem}", file=sys.stderr)


def source_name(source: str) -> str:
    """What messages call a source."""
    return "standard input" if source == "-" else source


@contextmanager
def text_output(path: Address | None, inputs: Iterable[str] = ()) -> Iterator[TextIO]:
    """Standard output, or a file that `atomic_write` writes."""
    if path in (None, Path("-")):
        yield sys.stdout
        sys.stdout.flush()
        return
    with atomic_write(path, inputs) as binary:
        text = TextIOWrapper(binary, "utf-8", newline="\n")
        yield text
        text.detach()  # flushes, and leaves the file open
