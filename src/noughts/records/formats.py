"""The formats of records, and the detection of a file's format, by its content or else its name."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO

from noughts.errors import InvalidRecord, did_you_mean, short_repr
from noughts.game.rules import Rules, as_rules
from noughts.records.boards import is_flat_board, read_boards, to_board
from noughts.records.delimited import HEADER, is_header, read_delimited, to_csv
from noughts.records.json_lines import Read, read_json_document, read_json_lines, unless_empty
from noughts.records.move_lists import read_move_lists, to_move_list
from noughts.records.moves import Origin
from noughts.records.pos import read_pos, to_pos
from noughts.records.psq import read_psq, to_psq
from noughts.records.record import Record

HEAD = 4096  # bytes examined to detect a file's format

Reader = Callable[[IO[bytes], str, Rules | None, Origin | None], Iterator[Read]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files of games.

    Attributes:
        title: its name in messages.
        suffix: the suffix of its files.
        read: a function of an open file, its name, the rules of games that do not name theirs, and
            where row 1 is; None for Parquet, which `noughts.bulk` reads.
        write: a function that writes a record; None if it is not written, or not as text.
        holds: the parts of a record that a file can hold, besides the moves.
        header: the beginning of a file.
        single: whether a file holds one game.
    """

    title: str
    suffix: str
    read: Reader | None = None
    write: Callable[[Record], str] | None = None
    holds: frozenset[str] = frozenset()
    header: str = ""
    single: bool = False


def _read_sgf(
    file: IO[bytes], source: str, rules: Rules | None, origin: Origin | None
) -> Iterator[Read]:
    from noughts.records.sgf import read_sgf  # needs a library

    return read_sgf(file, source, rules)


def _to_sgf(record: Record) -> str:
    from noughts.records.sgf import to_sgf  # needs a library

    return to_sgf(record)


def _without_origin(
    read: Callable[[IO[bytes], str, Rules | None], Iterator[Read]],
) -> Reader:
    return lambda file, source, rules, origin: read(file, source, rules)


_ALL = frozenset({"id", "rules", "result", "names", "comment"})

KNOWN = {
    "jsonl": Format(
        "JSON Lines",
        ".jsonl",
        _without_origin(read_json_lines),
        lambda record: f"{record.to_json()}\n",
        _ALL,
    ),
    "json": Format("JSON", ".json", _without_origin(read_json_document)),
    "parquet": Format("Parquet", ".parquet", holds=frozenset({"id", "rules", "result"})),
    "csv": Format(
        "CSV", ".csv", read_delimited, to_csv, frozenset({"id", "rules", "result"}), HEADER
    ),
    "moves": Format("move lists", ".txt", read_move_lists, to_move_list, _ALL),
    "boards": Format(
        "boards", ".board", _without_origin(read_boards), to_board, frozenset({"shape"})
    ),
    "sgf": Format("SGF", ".sgf", _read_sgf, _to_sgf, _ALL | {"notes"}),
    "psq": Format(
        "Piskvork",
        ".psq",
        _without_origin(read_psq),
        to_psq,
        frozenset({"rules", "result", "names", "times"}),
        single=True,
    ),
    "pos": Format("positions", ".pos", read_pos, to_pos, frozenset()),
}
"""The formats by name, which is also the word for ``--format`` and ``--to``."""

FORMATS = tuple(name for name, each in KNOWN.items() if each.write or name == "parquet")
"""The names of the formats that can be written."""

_BY_SUFFIX = {each.suffix: name for name, each in KNOWN.items()} | {
    ".tsv": "csv",
    ".ndjson": "jsonl",
    ".data": "boards",
    ".pgn": "moves",
    ".rec": "psq",
}
# The beginning of a line of JSON. One such line is enough, whatever the other lines contain.
_LINE = re.compile(rb"(?:\A|\n)\s*+(?:\{\s*+[\"}]|\[\s*+[\"\[\]])")
_MOVE = re.compile(rb"(?:1\. ?)?[(\[]? ?(?:[a-zA-Z]{0,2}[0-9]{1,3}|-?[0-9]+, ?-?[0-9]+)\b")
_POSITION = re.compile(rb"(?:[a-z][0-9]{1,2})+\s*$")
_BOARD = re.compile(
    r"[\s|+─│┼×·.\-_=XOxo012●○BWbw,\[\]]*[XOxo12●○._|·-][\s|+─│┼×·.\-_=XOxo012●○BWbw,\[\]]*"
)


def format_of(head: bytes, source: str = "") -> str | None:
    """Return the name of the format of a file with these first bytes; None if it is not text.

    If they do not decide, the file's name does. The default is ``"jsonl"``.

    >>> [format_of(head) for head in [b"(;GM[4]", b"Piskvorky 15x15, 0:0, 0", b"h8h9", b"{", b"x"]]
    ['sgf', 'psq', 'pos', 'json', 'jsonl']
    >>> [format_of(head) for head in [b"4453", b"h8 i9", b"XOX", b"id,moves", b'{"n": 3}']]
    ['moves', 'moves', 'boards', 'csv', 'jsonl']
    >>> format_of(b"x", "game.sgf")
    'sgf'
    """
    if head.startswith(b"PAR1"):
        return "parquet"
    if b"\0" in head[:HEAD] and not _LINE.search(head):
        return None
    text = head.removeprefix(b"\xef\xbb\xbf")
    begin = text.lstrip()
    if re.match(rb"\((?!\s*[-(0-9])", begin):
        return "sgf"
    if begin.startswith(b"Piskvorky"):
        return "psq"
    named = _BY_SUFFIX.get(Path(source).suffix.lower())
    if begin.startswith((b"{", b"[")) and not re.match(rb"\[[A-Za-z]\w*\s+\"", begin):
        return "json" if _spans_lines(begin, named) else "jsonl"
    if named in ("sgf", "psq"):
        return named
    lines = text[:HEAD].decode(errors="replace").splitlines()
    first = next((line for line in lines if line.strip() and line.strip()[0] != "#"), "")
    if begin.startswith(b"["):
        return "moves"
    if is_header(first):
        return "csv"
    if _POSITION.match(first.encode()) and named != "moves":
        return "pos"
    if named in ("pos", "csv"):
        return named
    if is_flat_board(first.strip()) or _are_boards([line for line in lines if line.strip()]):
        return "boards"
    if _MOVE.match(begin) or re.fullmatch(r"\s*[a-z]( [a-z])*\s*", first):
        return "moves"
    return named or "jsonl"


def _spans_lines(begin: bytes, named: str | None) -> bool:
    """Return whether JSON that begins like this is a document, and not one value per line."""
    first, newline, rest = begin.partition(b"\n")
    line, after = first.strip(), rest.lstrip(b" \t\r\n")[:1]
    if line in (b"{", b"["):
        second, _, third = rest.strip().partition(b"\n")
        games = after == b"{" and second.rstrip().endswith(b"}") and third.startswith(b"{")
        return not games  # the line is a mistake in a file of one game per line
    if line.startswith(b"[{") or line.startswith(b"[ {"):
        return True
    complete = line.endswith((b"}", b"]"))
    return bool(newline) and not complete and after not in (b"{", b"[", b"") and named != "jsonl"


def _are_boards(lines: list[str]) -> bool:
    """Return whether lines look like rows of marks, and not like moves."""
    rows = lines[:3]
    if not rows or not all(_BOARD.fullmatch(row) or _names(row) for row in rows):
        return False
    marks = "".join(rows)
    if re.search("[XOxo●○BWbw|_·]|[.-]{2}", re.sub(r"^[A-Za-z ]+$", "", marks)):
        return True
    # Digits alone can be columns: a board has empty cells, and rows of the same length.
    return (
        "0" in marks
        and len({len(row.split()) for row in rows}) == 1
        and len(rows) > 1
        and (not re.search("[3-9]", marks))
    )


def _names(row: str) -> bool:
    """Return whether a line can be the names of columns above a board, or a row with its name."""
    return bool(
        re.fullmatch(r"\s+[A-Za-z0-9](\s+[A-Za-z0-9])+", row)
        or re.fullmatch(r"\s*[0-9]{1,2}\s+[\[\]XOxo.·×\-_ ]+", row)
    )


def read_records(
    file: IO[bytes],
    source: str,
    rules: Rules | str | None = None,
    *,
    format: str | None = None,
    origin: Origin | None = None,
) -> Iterator[Read]:
    """Yield the games of a file in any format but Parquet, in file order.

    A game that cannot be read is yielded as an `InvalidRecord`; reading continues after it if
    possible.

    Args:
        file: a binary file, either buffered or seekable. Compressed files are decompressed.
        source: the file's name, for errors.
        rules: the rules of games that do not name their own.
        format: the name of the format, one of `FORMATS` or ``json``; None to detect it.
        origin: where row 1 is in the names of cells, ``top`` or ``bottom``; None to follow the
            format.

    Raises:
        ModuleNotFoundError: the format is SGF, and ``noughts[records]`` is not installed.
        ValueError: there is no such format.
    """
    rules = None if rules is None else as_rules(rules)
    if format is not None and format not in KNOWN:
        raise ValueError(
            f"unknown format {short_repr(format)}: expected one of {', '.join(KNOWN)}"
            + did_you_mean(format, KNOWN)
        )
    name = format or format_of(head_of(file), source)
    read = KNOWN[name].read if name else None
    if read is None:
        kind = "a Parquet file, not text" if name else "not a text file"
        return iter([InvalidRecord(f"this is {kind}", source)])
    games = read(file, source, rules, origin)
    return games if name == "pos" else unless_empty(games, source)


def writer_of(path: Path) -> Callable[[Record], str] | None:
    """Return a function that writes a record in the format of a file name; None if unknown.

    Raises:
        ModuleNotFoundError: the format is SGF, and ``noughts[records]`` is not installed.
    """
    known = _BY_SUFFIX.get(path.suffix.lower())
    return KNOWN[known].write if known else None


def head_of(file: IO[bytes]) -> bytes:
    """Return the first bytes of a file without moving its position."""
    if isinstance(file, BufferedReader):
        return file.peek(HEAD)
    at = file.tell()
    head = file.read(HEAD)
    file.seek(at)
    return head
