"""Which format a file is in: its content tells, or in doubt its name, as when it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO

from noughts.errors import InvalidRecord
from noughts.game.rules import Rules
from noughts.records.json_lines import Read, read_json_lines
from noughts.records.pos import read_pos, to_pos
from noughts.records.psq import read_psq, to_psq
from noughts.records.record import Record

HEAD = 4096  # bytes of a file that tell its format
NAMED = (".sgf", ".psq")  # formats that a file's name tells where its content does not

_LINE = re.compile(
    rb"(?:\A|\n)\s*+(?:\{\s*+[\"}]|\[\s*+[\"\[\]])"
)  # of JSON, however odd others are


def format_of(head: bytes, source: str = "") -> str | None:
    """The suffix of the format that a file begins like; None for no text.

    In doubt the file's name tells whether it is SGF or Piskvork's, and else it is ``".jsonl"``.

    >>> [format_of(head) for head in [b"(;GM[4]", b"Piskvorky 15x15, 0:0, 0", b"h8h9", b"{", b"x"]]
    ['.sgf', '.psq', '.pos', '.jsonl', '.jsonl']
    >>> format_of(b"x", "game.sgf")
    '.sgf'
    """
    if head.startswith(b"PAR1"):
        return ".parquet"
    if b"\0" in head[:HEAD] and not _LINE.search(head):
        return None
    begin = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:9]
    if begin.startswith(b"("):
        return ".sgf"
    if begin.startswith(b"Piskvorky"):
        return ".psq"
    if begin.startswith((b"{", b"[")):
        return ".jsonl"
    suffix = Path(source).suffix.lower()
    if suffix in NAMED:
        return suffix
    return ".pos" if re.match(rb"[a-zA-Z][0-9]", begin) else ".jsonl"


def read_records(file: IO[bytes], source: str, rules: Rules | None = None) -> Iterator[Read]:
    """The games of a file of text, one after the other, whatever their format.

    What cannot be read comes as an `InvalidRecord`, and the reading goes on where it can.

    Args:
        file: opened for reading bytes; buffered, or one that can seek.
        source: the name of the file, for the errors.
        rules: the rules of games that do not tell theirs, in formats other than JSON Lines.

    Raises:
        ModuleNotFoundError: the format is SGF, and ``noughts[records]`` is not installed.
    """
    name = format_of(head_of(file), source)
    if name == ".sgf":
        from noughts.records.sgf import read_sgf  # needs a library

        return read_sgf(file, source, rules)
    if name == ".psq":
        return read_psq(file, source, rules)
    if name == ".pos":
        return read_pos(file, source, rules)
    if name == ".jsonl":
        return read_json_lines(file, source)
    problem = "these are no records that can be read as text" if name else "this is no file of text"
    return iter([InvalidRecord(problem, source)])


def writer_of(path: Path) -> Callable[[Record], str] | None:
    """How a game is written to a text file of this name; None if its suffix names no format.

    Raises:
        ModuleNotFoundError: the format is SGF, and ``noughts[records]`` is not installed.
    """
    suffix = path.suffix.lower()
    if suffix == ".sgf":
        from noughts.records.sgf import to_sgf  # needs a library

        return to_sgf
    return WRITERS.get(suffix)


def to_json_line(record: Record) -> str:
    """The record as a line of JSON, with its newline."""
    return record.to_json() + "\n"


WRITERS = {".jsonl": to_json_line, ".psq": to_psq, ".pos": to_pos}
"""How a game is written, by the suffix of the file; SGF needs a library and is not among them."""


def head_of(file: IO[bytes]) -> bytes:
    """The first bytes of a file, which are still to be read."""
    if isinstance(file, BufferedReader):
        return file.peek(HEAD)
    at = file.tell()
    head = file.read(HEAD)
    file.seek(at)
    return head
