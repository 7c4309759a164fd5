"""The files that commands read and write; ``-`` is standard input or output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader, FileIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from noughts.records.atomic import atomic_write

NEEDS_PYARROW = 'Parquet needs PyArrow: pip install "noughts[batch]"'
BUFFER = 1 << 19  # bytes; what is read is judged in pieces of about this size


@contextmanager
def opened(source: str) -> Iterator[BufferedReader]:
    """The bytes of a file, or of standard input."""
    if source == "-":
        raw: Any = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
        reader = BufferedReader(raw, BUFFER)
        yield reader
        reader.detach()  # or it would close standard input
    else:
        with FileIO(source) as file:
            yield BufferedReader(file, BUFFER)


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
