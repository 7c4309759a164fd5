"""The formats of records, and the detection of a file's format, by its content or else its name."""

import codecs
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO

from noughts.errors import InvalidRecord, did_you_mean, short_repr
from noughts.game.diagram import joined_rows, names_columns
from noughts.game.rules import Rules, as_rules
from noughts.records.boards import is_flat_board, read_boards, to_board
from noughts.records.compression import decompressed
from noughts.records.delimited import HEADER, is_header, read_delimited, to_csv
from noughts.records.json_lines import (
    EMPTY,
    Read,
    read_json_document,
    read_json_lines,
    unless_empty,
)
from noughts.records.move_lists import read_move_lists, to_move_list
from noughts.records.moves import Origin
from noughts.records.pos import read_pos, to_pos
from noughts.records.psq import read_psq, to_psq
from noughts.records.record import Record, usual_id
from noughts.records.renlib import CENTRE as RENLIB_CENTRE
from noughts.records.renlib import HEADER as RENLIB_HEADER
from noughts.records.renlib import read_renlib
from noughts.records.rif import read_rif

HEAD = 4096  # bytes examined to detect a file's format

Reader = Callable[[IO[bytes], str, Rules | None, Origin | None], Iterator[Read]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files of games.

    Attributes:
        suffix: the suffix of its files.
        read: a function of an open file, its name, the rules of games that do not name theirs, and
            where row 1 is; None for Parquet, which `noughts.bulk` reads.
        write: a function that writes a record; None if it is not written, or not as text.
        holds: the parts of a record that a file can hold, besides the moves: some of `PARTS`.
        usual: the rules that a file without rules has; None if it always names them.
        header: the beginning of a file.
        between: the text between two games.
        footer: the end of a file.
        single: whether a file holds one game.
    """

    suffix: str
    read: Reader | None = None
    write: Callable[[Record], str] | None = None
    holds: frozenset[str] = frozenset()
    usual: Rules | None = None
    header: str = ""
    between: str = ""
    footer: str = ""
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


PARTS: dict[str, Callable[[Record], object]] = {
    "ids": lambda record: record.id is not None,
    "rules": lambda record: True,
    "results": lambda record: record.result is not None,
    "names of players": lambda record: any(record.names),
    "comments": lambda record: record.comment,
    "comments on moves": lambda record: any(note.comment for note in record.notes),
    "times": lambda record: any(note.took is not None for note in record.notes),
    "clocks": lambda record: any(
        (note.left, note.moves_left) != (None, None) for note in record.notes
    ),
    "the order of moves": lambda record: record.moves,
    "line breaks": lambda record: any("\n" in text for text in (record.comment, *record.names)),
}
"""The parts of records in words, each with a function that tells whether a record has it."""

_ALL = frozenset(PARTS)
_GAMES = _ALL - {"comments on moves", "times", "clocks"}
_PLAIN = _GAMES - {"names of players", "comments"}
_LINES = _GAMES - {"line breaks"}

KNOWN = {
    "jsonl": Format(
        ".jsonl",
        read_json_lines,
        lambda record: f"{record.to_json()}\n",
        _GAMES,
    ),
    "json": Format(
        ".json", read_json_document, Record.to_json, _GAMES, None, "[\n", ",\n", "\n]\n"
    ),
    "parquet": Format(".parquet", holds=_PLAIN),
    "csv": Format(".csv", read_delimited, to_csv, _PLAIN, header=HEADER),
    "moves": Format(".txt", read_move_lists, to_move_list, _LINES),
    "boards": Format(".board", _without_origin(read_boards), to_board, usual=Rules()),
    "sgf": Format(".sgf", _read_sgf, _to_sgf, _ALL),
    "psq": Format(
        ".psq",
        _without_origin(read_psq),
        to_psq,
        _LINES - {"ids", "comments"} | {"times"},
        single=True,
    ),
    "rif": Format(".rif", _without_origin(read_rif)),
    "lib": Format(".lib", _without_origin(read_renlib)),
    "pos": Format(".pos", read_pos, to_pos, frozenset({"the order of moves"}), Rules.gomoku()),
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
_LINE = re.compile(rb"(?:\A|\n)[^\S\n]*+(?:\{\s*+[\"}]|\[\s*+[\"\[\]])")
_COMMENTS = re.compile(rb"\A(?:\s*+#[^\n]*+(?:\n|\Z))++")
_MOVE = re.compile(rb"(?:1\. ?)?[(\[]? ?(?:[a-zA-Z]{0,2}[0-9]+|-?[0-9]+, ?-?[0-9]+)\b")
# An array or tuples as Python prints them, or in braces as in C: [[ 0 -1], ((None, 'X', {{0, 1.
_ARRAY = re.compile(
    rb"(?:np\.|numpy\.)?array\(\[|\(\s*\([^;]|[\[{]\s*\{\s*[^\s\"]"
    rb"|\[\s*[\[(]\s*(?:-?[0-9]+\.?\s+-?[0-9]|'|None)"
)
_TUPLES = re.compile(rb"\[\s*\(\s*-?[0-9]")  # cells as Python prints them: [(7, 7), (8, 8)]
_WEB_PAGE = re.compile(rb"(?:<!doctype\s+html|<html)\b", re.IGNORECASE)
_JOINED = re.compile(r"[XOxoRYryBWbw.\-_0-9]+(?:[/|][XOxoRYryBWbw.\-_0-9]+)+(?: .*)?")
# Names of cells without spaces are positions, whatever the file is called: row 1 is at the bottom.
_POSITION = re.compile(r"\s*(?:[a-z][0-9]{1,2}){2,}(?!\S)", re.IGNORECASE)
_JOINED_CELLS = re.compile(r"\s*(?:[a-z][0-9]{1,2})+\s*", re.IGNORECASE)
_LETTERS = re.compile(r"\s*[a-i](?:[ ,-]?[a-i])*\s*", re.IGNORECASE)  # of columns
_BOARD = re.compile(r"[\s|+×·.\-_=XOxo012●○BWbw,;\[\]\u2500-\u256c]+")


def format_of(head: bytes, source: str = "") -> str | None:
    """Return the name of the format of a file with these first bytes; None if it is unknown.

    If they do not decide, the file's name does.

    >>> [format_of(head) for head in [b"(;GM[4]", b"Piskvorky 15x15, 0:0, 0", b"h8h9", b"{", b"x"]]
    ['sgf', 'psq', 'pos', 'json', None]
    >>> [format_of(head) for head in [b"4453", b"h8 i9", b"XOX", b"id,moves", b'{"n": 3}']]
    ['moves', 'moves', 'boards', 'csv', 'jsonl']
    >>> format_of(b"x", "game.sgf")
    'sgf'
    """
    if head.startswith(b"PAR1"):
        return "parquet"
    named = _BY_SUFFIX.get(Path(source).suffix.lower())
    if head.startswith(RENLIB_HEADER) or (named == "lib" and head.startswith(RENLIB_CENTRE)):
        return "lib"
    if (head.startswith(tuple(_NOT_READ)) or _is_binary(head)) and not _LINE.search(head):
        return None
    text = _COMMENTS.sub(b"", head.removeprefix(b"\xef\xbb\xbf"))
    begin = text.lstrip()
    if re.match(rb"\((?!\s*[-(0-9])", begin):
        return "sgf"
    if begin.startswith(b"Piskvorky"):
        return "psq"
    if begin.startswith((b"<?xml", b"<database")):
        return "rif"
    if _WEB_PAGE.match(begin):
        return None
    if _TUPLES.match(begin):
        return "moves"
    if _ARRAY.match(begin):
        return "boards"
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
    filled = [line for line in lines if line.strip()]
    if _POSITION.match(first) or (filled and all(map(_JOINED_CELLS.fullmatch, filled))):
        return "pos"
    if any(is_flat_board(line.strip()) for line in filled):
        return "boards"
    if named in ("pos", "csv", "boards"):
        return named
    if _are_boards(filled):
        return "boards"
    if _MOVE.match(begin) or _LETTERS.fullmatch(first):
        return "moves"
    if named and named != "parquet":
        return named
    return "jsonl" if not begin or _LINE.search(head) else None


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
    if re.match(rb"\[\s*\[", line) and line.endswith(b"],") and after == b"[":
        return line.count(b"[") > line.count(b"]")
    if newline and (line.endswith((b"[", b"{", b":")) or (line.endswith(b",") and after == b"[")):
        return line.count(b"[") + line.count(b"{") > line.count(b"]") + line.count(b"}")
    complete = line.endswith((b"}", b"]"))
    return bool(newline) and not complete and after not in (b"{", b"[", b"") and named != "jsonl"


def _are_boards(lines: list[str]) -> bool:
    """Return whether lines look like rows of marks, and not like moves."""
    if lines and (joined_rows(lines[0]) and _JOINED.fullmatch(lines[0].strip())):
        return True
    if _has_few_marks(lines[:6]):
        return True
    named = bool(lines) and _names(lines[0])
    rows = lines[1:4] if named else lines[:3]
    if not rows or not all(_is_row(row) or _named_row(row, named) for row in rows):
        return False
    if max(len(row.strip()) for row in rows) < 2:
        return False
    marks = "".join(rows)
    if re.search("[XOxo●○BWbw|_·]|[.-]{2}", marks):
        return True
    # Digits alone can be moves: a board has empty cells, and rows of the same length.
    words = [re.split(r"[\s,;]+", row.strip(" \t,;")) for row in rows]
    words = [[*row[0]] if len(row) == 1 else row for row in words]
    alike = len({*map(len, words)}) == 1 and (len(rows) > 1 or len(words[0]) > 8)
    repeated = any(len({*row}) < len(row) for row in words)  # no game plays a cell twice
    return alike and repeated and "0" in marks and not re.search("[3-9]", marks)


def _has_few_marks(rows: list[str]) -> bool:
    """Return whether these are rows of the same length, of an empty cell and one or two marks.

    The marks can be unknown; reading the board says so then.
    """
    kinds = {*"".join(rows)}
    alike = len(rows) > 2 and len({*map(len, rows)}) == 1 and len(rows[0].strip()) > 2
    return alike and 1 < len(kinds) < 4 and bool(kinds & {*".-_0· "})


def _is_row(row: str) -> bool:
    """Return whether a line can be a row of marks."""
    return bool(_BOARD.fullmatch(row) and re.search("[XOxo012●○._|·=\u2500-\u256c-]", row))


def _names(row: str) -> bool:
    """Return whether a line can be the names of columns above a board."""
    if row[:1].isspace():
        return names_columns(row.split())
    return names_columns([*"".join(row.split())]) and row[0].isalpha()


def _named_row(row: str, by_letter: bool) -> bool:
    """Return whether a line can be a row of marks with its name, a number or perhaps a letter."""
    name = "[0-9]{1,2}|[A-Za-z]" if by_letter else "[0-9]{1,2}"
    return bool(re.fullmatch(rf"\s*(?:{name})\s+[\[\]XOxo.·×\-_ ]+", row))


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read files that leave something open; see `read_records`."""

    rules: Rules | None = None
    format: str | None = None
    origin: Origin | None = None


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
    return read_file(file, source, Reading(rules, format, origin))


def read_file(file: IO[bytes], source: str, reading: Reading) -> Iterator[Read]:
    """Yield the games of a file, or of all files in an archive, like `read_records`."""
    for game, _ in read_named(file, source, reading):
        yield game


def read_named(file: IO[bytes], source: str, reading: Reading) -> Iterator[tuple[Read, str]]:
    """Yield the games like `read_file`, each with the id that it has if the file gives none."""
    head = head_of(file)
    empty = True
    try:
        files = decompressed(file, head, source)
        for inner, inner_source in files or ():
            for each in read_named(inner, inner_source, reading):
                empty = False
                yield each
    except InvalidRecord as error:  # the archive is broken
        yield error, source
        return
    if files is None:
        for number, game in enumerate(_read_plain(file, head, source, reading), 1):
            yield game, usual_id(source, number)
    elif empty:
        yield InvalidRecord(EMPTY, source), source


def _read_plain(file: IO[bytes], head: bytes, source: str, reading: Reading) -> Iterator[Read]:
    """Yield the games of a file that is not compressed."""
    name = reading.format or format_of(head, source)
    read = KNOWN[name].read if name else None
    if read is None:
        yield InvalidRecord(_unreadable(head, name), source)
        return
    yield from unless_empty(read(file, source, reading.rules, reading.origin), source)


_NOT_READ = {
    codecs.BOM_UTF16_LE: "the text is UTF-16: save the file as UTF-8",
    codecs.BOM_UTF16_BE: "the text is UTF-16: save the file as UTF-8",
    b"BZh91AY&SY": "this is compressed with bzip2: decompress it first",
    b"\xfd7zXZ": "this is compressed with xz: decompress it first",
    b"7z\xbc\xaf": "this is an archive of 7-Zip: unpack it first",
}
"""What a file is that begins in this way, and what to do."""


def _is_binary(head: bytes) -> bool:
    """Return whether a file that begins like this is binary: with a control character, or NULs."""
    return b"\0" in head[:HEAD] or bool(re.match(rb"[\1-\x08\x0e-\x1f]", head))


def _unreadable(head: bytes, name: str | None) -> str:
    """Return why a file is not read."""
    if name:
        return "this is a Parquet file, not text"
    for magic, what in _NOT_READ.items():
        if head.startswith(magic):
            return what
    if head[257:262] == b"ustar":
        return "this is a tar archive: unpack it first"
    if _is_binary(head):
        return "this is not a text file"
    if _WEB_PAGE.match(head.lstrip()):
        return "this is a web page: download the file that it shows"
    table = re.match(rb"[^\n\[{\"=]*[|;,\t]", head)
    begin = head[:20].decode(errors="replace").removeprefix("\ufeff")
    return (
        f"noughts knows no format that begins with {short_repr(begin)}"
        f": pass --format, one of {', '.join(KNOWN)}"
        + ("; a table needs a header such as id,rules,moves" if table else "")
    )


def format_of_name(path: Path) -> str | None:
    """Return the name of the format of files with this suffix; None if it cannot be written."""
    name = _BY_SUFFIX.get(path.suffix.lower())
    return name if name in FORMATS else None


def writer_of(path: Path) -> Callable[[Record], str] | None:
    """Return a function that writes a record in the format of a file name; None if unknown.

    The function writes only the game, without the header, the footer and the text between games,
    see `Format`.
    """
    known = format_of_name(path)
    return KNOWN[known].write if known else None


def lost_parts(record: Record, name: str) -> list[str]:
    """Return the parts of a record that a format cannot hold, as named in `PARTS`."""
    known = KNOWN[name]
    lost = [part for part, has in PARTS.items() if part not in known.holds and has(record)]
    return [part for part in lost if part != "rules" or record.rules != known.usual]


def head_of(file: IO[bytes]) -> bytes:
    """Return the first bytes of a file without moving its position."""
    if isinstance(file, BufferedReader):
        return file.peek(HEAD)
    at = file.tell()
    head = file.read(HEAD)
    file.seek(at)
    return head
