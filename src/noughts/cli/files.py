"""The files that commands read and write; ``-`` is standard input or output."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from io import BufferedReader, FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from noughts.cli import interrupts_held_back
from noughts.errors import InvalidRecord, NoughtsError
from noughts.records import Record
from noughts.records.atomic import atomic_write

PROGRESS_EVERY = 500  # records
BUFFER = 1 << 19  # bytes; what is read is judged in pieces of about this size


class Interruptible(FileIO):
    """An open file whose bytes may be long in coming: a signal ends the process at once.

    Python answers a signal between two steps of its own. One that comes after the last step and
    before the system waits for bytes would be answered only when they are there.

    Args:
        file: what to read.
        signalled: a descriptor that has something to read once there was a signal.
    """

    def __init__(self, file: FileIO, signalled: int) -> None:
        super().__init__(file.fileno(), closefd=False)
        self._waiting = select.poll()
        for descriptor in (self.fileno(), signalled):
            self._waiting.register(descriptor, select.POLLIN)

    def readinto(self, buffer: Any) -> int | None:
        """Read what has come, at least a byte; wait for it if need be."""
        self._waiting.poll()
        return super().readinto(buffer)


@contextmanager
def interruptible(file: FileIO) -> Iterator[Interruptible]:
    """The same file, which stays open; a signal ends the wait for its bytes."""
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
        with FileIO(source) as file:
            yield BufferedReader(file, BUFFER)
        return
    given: Any = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    with interruptible(given) if isinstance(given, FileIO) else nullcontext(given) as raw:
        reader = BufferedReader(raw, BUFFER)
        yield reader
        reader.detach()  # or it would close standard input


def reading(
    source: str,
    games: Callable[[BufferedReader, str], Iterator[Any]],
    failed: list[str],
    show: Callable[..., None] | None,
) -> Iterator[Any]:
    """The games of a source; shows how far it is read, and reports it if it cannot be.

    Args:
        source: the name of a file, or ``-``.
        games: gives the games of a file of this name.
        failed: the sources that could not be read to their end are added here.
        show: shows the source's name, and how many bytes are done, of how many if that is known.
    """
    name = source_name(source)
    try:
        with opened(source) as file:
            for count, game in enumerate(games(file, name)):
                if show and (count % PROGRESS_EVERY == 0 or not isinstance(game, Record)):
                    show(name, *_place(file))
                yield game
    except (OSError, NoughtsError) as error:
        problem = error.strerror if isinstance(error, OSError) else error
        print(f"noughts: {name}: {problem}", file=sys.stderr)
        failed.append(source)


def parquet_batches(file: BufferedReader) -> Iterator[Any]:
    """The games of a Parquet file, batch by batch.

    Raises:
        NoughtsError: the file cannot be read, or PyArrow is not installed.
    """
    parquet = parquet_module()
    if not file.seekable():
        raise InvalidRecord("Parquet cannot be read from a pipe: name the file")
    yield from parquet.read_parquet(file)


def parquet_module() -> Any:
    """`noughts.bulk.parquet`.

    Raises:
        NoughtsError: PyArrow is not installed.
    """
    parquet = bulk("parquet")
    if parquet is None:
        raise NoughtsError('Parquet needs PyArrow: pip install "noughts[batch]"')
    return parquet


def bulk(name: str) -> Any:
    """A module of `noughts.bulk`, or None where what it needs is not installed."""
    try:
        with interrupts_held_back():
            return import_module(f"noughts.bulk.{name}")
    except ModuleNotFoundError as error:
        if error.name not in {"numpy", "pyarrow"}:
            raise
        return None


def _place(file: BufferedReader) -> tuple[int, int | None]:
    """How many bytes have been read, of how many if that is known."""
    return (file.tell(), os.fstat(file.fileno()).st_size) if file.seekable() else (0, None)


def source_name(source: str) -> str:
    """What messages call a source."""
    return "standard input" if source == "-" else source


@contextmanager
def text_output(path: Path | None, inputs: Iterable[str] = ()) -> Iterator[TextIO]:
    """Standard output, or a file that `atomic_write` writes."""
    if path in (None, Path("-")):
        yield sys.stdout
        sys.stdout.flush()
        return
    with atomic_write(path, inputs) as binary:
        text = TextIOWrapper(binary, "utf-8", newline="\n")
        yield text
        text.detach()  # writes what is still to be written, and leaves the file open
