"""Detection of formats, by a file's content or else its name."""

import re
from collections.abc import Callable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO

from noughts.errors import InvalidRecord
from noughts.game.rules import Rules, as_rules
from noughts.records.json_lines import Read, read_json_lines, unless_empty
from noughts.records.pos import read_pos, to_pos
from noughts.records.psq import read_psq, to_psq
from noughts.records.record import Record

FORMATS = ("jsonl", "parquet", "sgf", "psq", "pos")  # the suffixes of files that can be written
HEAD = 4096  # bytes examined to detect a file's format

# The beginning of a line of JSON. One such line is enough, whatever the other lines contain.
_LINE = re.compile(rb"(?:\A|\n)\s*+(?:\{\s*+[\"}]|\[\s*+[\"\[\]])")


def format_of(head: bytes, source: str = "") -> str | None:
    """Return the suffix of the format of a file with these first bytes; None if it is not text.

    If they do not decide, the name decides for SGF and Piskvork. The default is ``".jsonl"``.

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
    if suffix in (".sgf", ".psq"):
        return suffix
    return ".pos" if re.match(rb"[a-zA-Z][0-9]", begin) else ".jsonl"


def read_records(file: IO[bytes], source: str, rules: Rules | str | None = None) -> Iterator[Read]:
    """Yield the games of a text file in any format, in file order.

    A game that cannot be read is yielded as an `InvalidRecord`; reading continues after it if
    possible.

    Args:
        file: a binary file, either buffered or seekable.
        source: the file's name, for errors.
        rules: rules for formats whose files need not name them: all except JSON Lines.

    Raises:
        ModuleNotFoundError: the format is SGF, and ``noughts[records]`` is not installed.
    """
    rules = None if rules is None else as_rules(rules)
    name = format_of(head_of(file), source)
    if name == ".sgf":
        from noughts.records.sgf import read_sgf  # needs a library

        return unless_empty(read_sgf(file, source, rules), source)
    if name == ".psq":
        return unless_empty(read_psq(file, source, rules), source)
    if name == ".pos":
        return read_pos(file, source, rules)
    if name == ".jsonl":
        return read_json_lines(file, source)
    kind = "a Parquet file, not text" if name else "not a text file"
    return iter([InvalidRecord(f"this is {kind}", source)])


def writer_of(path: Path) -> Callable[[Record], str] | None:
    """Return a function that writes a record in the format of a file name; None if unknown.

    Raises:
        ModuleNotFoundError: the format is SGF, and ``noughts[records]`` is not installed.
    """
    suffix = path.suffix.lower()
    if suffix == ".sgf":
        from noughts.records.sgf import to_sgf  # needs a library

        return to_sgf
    if suffix == ".jsonl":
        return lambda record: f"{record.to_json()}\n"
    return {".psq": to_psq, ".pos": to_pos}.get(suffix)


def head_of(file: IO[bytes]) -> bytes:
    """Return the first bytes of a file without moving its position."""
    if isinstance(file, BufferedReader):
        return file.peek(HEAD)
    at = file.tell()
    head = file.read(HEAD)
    file.seek(at)
    return head
