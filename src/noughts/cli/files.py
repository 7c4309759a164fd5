"""Input and output files of commands; ``-`` is standard input or output."""

import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from io import BufferedReader, FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from noughts.errors import InvalidRecord, NoughtsError
from noughts.records import Record
from noughts.records.atomic import atomic_write
from noughts.records.storage import Location, open_raw, parse_location, progress_of

PROGRESS_EVERY = 500  # records
BUFFER = 1 << 19  # bytes, about the size of a chunk of lines


class Interruptible(FileIO):
    """An open file whose reads Ctrl-C interrupts, even if it comes just before the wait for data.

    Otherwise Python would handle such a signal only after the wait. `signalled` is a descriptor
    that becomes readable on a signal.
    """

    def __init__(self, file: FileIO, signalled: int) -> None:
        super().__init__(file.fileno(), closefd=False)
        self._waiting = select.poll()
        for descriptor in (self.fileno(), signalled):
            self._waiting.register(descriptor, select.POLLIN)

    def readinto(self, buffer: Any) -> int | None:
        """Wait for data, then read what is available."""
        self._waiting.poll()
        return super().readinto(buffer)


@contextmanager
def _interruptible(file: FileIO) -> Iterator[Interruptible]:
    """Wrap a file as an `Interruptible`; leave it open on exit."""
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
    """Open a file, or standard input, for reading bytes."""
    if source != "-":
        with open_raw(parse_location(source)) as file:
            yield BufferedReader(file, BUFFER)
        return
    given: Any = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    waits = isinstance(given, FileIO) and hasattr(select, "poll")
    with _interruptible(given) if waits else nullcontext(given) as raw:
        reader = BufferedReader(raw, BUFFER)
        yield reader
        reader.detach()  # otherwise it would close standard input


def read_source(
    source: str,
    games: Callable[[BufferedReader, str], Iterator[Any]],
    failed: list[str],
    show: Callable[..., None] | None,
) -> Iterator[Any]:
    """Yield the games of a source; if it cannot be read to its end, report the error.

    Args:
        source: a path, a URL or ``-``.
        games: a function that yields the games of an open file with this name.
        failed: a list to which the source is added if it cannot be read.
        show: a function that shows progress: the source's name, the bytes read, and its size if
            known.
    """
    name = source_name(source)
    try:
        with opened(source) as file:
            for count, game in enumerate(games(file, name)):
                if show and (count % PROGRESS_EVERY == 0 or not isinstance(game, Record)):
                    show(name, *progress_of(file))
                yield game
    except (OSError, NoughtsError) as error:
        print_read_error(name, error)
        failed.append(source)


def print_read_error(name: Location, error: BaseException) -> None:
    """Print why a source could not be read to its end."""
    problem: object = (isinstance(error, OSError) and error.strerror) or error
    if isinstance(error, InvalidRecord) and error.line is None:
        problem = error.args[0]  # without the name
    print(f"noughts: {name}: {problem}", file=sys.stderr)


def source_name(source: str) -> str:
    """Return the name of a source in messages."""
    return "standard input" if source == "-" else source


@contextmanager
def text_output(path: Location | None, inputs: Iterable[str] = ()) -> Iterator[TextIO]:
    """Open standard output, or a file by `atomic_write`, for writing text."""
    if path in (None, Path("-")):
        yield sys.stdout
        sys.stdout.flush()
        return
    with atomic_write(path, inputs) as binary:
        text = TextIOWrapper(binary, "utf-8", newline="\n")
        yield text
        text.detach()  # flush, and leave the file open
