"""JSON Lines, one game per line: ``{"id": "a1", "n": 3, "moves": [[0,0],[1,1]]}``.

A file may also contain call lists (see `noughts.records.call_lists`). Files are read as streams, so
memory does not depend on their length. A line that cannot be read becomes an `InvalidRecord`, and
reading continues with the next line.
"""

import re
from collections.abc import Generator, Iterator
from json import JSONDecodeError, JSONDecoder
from typing import IO, Any, TypeVar

from noughts.errors import InvalidRecord, NoughtsError, short_repr
from noughts.records.call_lists import CallList, call_list_of, count_calls
from noughts.records.record import Record, record_of_fields

EMPTY = "no record: the file is empty"
MAX_LINE = 4 << 20
"""Limit of the length of a line, in bytes; enough for a full game on a 600×600 board."""

_decode = JSONDecoder().decode

T = TypeVar("T")
Read = Record | CallList | InvalidRecord
"""An item read from a file: a game, a call list, or an error."""

NumberedLine = tuple[int, str | InvalidRecord]


def read_json_lines(file: IO[bytes], source: str) -> Iterator[Read]:
    """Yield the games of a file, like `noughts.records.read_records`.

    A line that begins with ``[`` holds the names of a call list, and the next line its arguments;
    every other line is a game.
    """

    def records() -> Iterator[Read]:
        names = yield from read_lines(file, source)
        if names:
            yield missing_arguments(names, source)

    return unless_empty(records(), source)


def read_lines(
    file: IO[bytes], source: str, first_line: int = 1, names: NumberedLine | None = None
) -> Generator[Read, None, NumberedLine | None]:
    """Yield the games of a part of a file.

    Args:
        file: the part, opened for reading bytes.
        source: the file's name, for errors.
        first_line: the number of the part's first line.
        names: the return value for the previous part.

    Returns:
        The names of a call list whose arguments are in the next part, or None.
    """
    for line in numbered_lines(file, source, first_line):
        text = line[1] if isinstance(line[1], str) else ""
        if names and not re.match(r'\{|\[\s*"', text):  # begins neither a game nor a call list
            yield _read_call_list(names, line, source)
            names = None
            continue
        if names:
            yield missing_arguments(names, source)
        names = line if text.startswith("[") else None
        if not names:
            yield _read_game(line, source)
    return names


def unless_empty(records: Iterator[T], source: str) -> Iterator[T | InvalidRecord]:
    """Yield the records, or an error if there are none."""
    first = next(records, None)
    yield InvalidRecord(EMPTY, source) if first is None else first
    yield from records


def missing_arguments(names: NumberedLine, source: str) -> InvalidRecord:
    """Return the error for the names of a call list without arguments."""
    return InvalidRecord("expected a line of arguments after these names", source, names[0])


def numbered_lines(file: IO[bytes], source: str, first_line: int = 1) -> Iterator[NumberedLine]:
    """Yield the lines that are not blank, with their numbers, one at a time."""
    number = first_line - 1
    while raw := file.readline(MAX_LINE + 1):
        number += 1
        if len(raw) > MAX_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(MAX_LINE)
            problem = f"the line is longer than {MAX_LINE >> 20} MiB"
            yield number, InvalidRecord(problem, source, number)
            continue
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError as error:
            byte, column = raw[error.start], error.start + 1
            problem = f"the line is not UTF-8: byte 0x{byte:02x} at column {column}"
            yield number, InvalidRecord(problem, source, number)
        else:
            if line:
                yield number, line


def _read_game(numbered: NumberedLine, source: str) -> Record | InvalidRecord:
    number, line = numbered
    try:
        return record_of_fields(_json(line, dict, 'an object such as {"n": 3, "moves": [[0, 0]]}'))
    except (NoughtsError, TypeError) as error:
        return _placed(error, source, number)


def _read_call_list(
    names: NumberedLine, arguments: NumberedLine, source: str
) -> CallList | InvalidRecord:
    number, line = names
    try:
        calls = count_calls(_json(line, list, 'an array of names such as ["TicTacToe", "move"]'))
        number, line = arguments
        expected = "an array of arguments such as [[3], [0, 0, 1]]"
        return call_list_of(calls, _json(line, list, expected))
    except (NoughtsError, TypeError) as error:
        return _placed(error, source, number)


def _placed(error: NoughtsError | TypeError, source: str, number: int) -> InvalidRecord:
    """Add the source and the line number to an error that lacks them."""
    if isinstance(error, InvalidRecord) and error.line is not None:
        return error
    return InvalidRecord(str(error), source, number)


def _json(line: str | InvalidRecord, kind: type, expected: str) -> Any:
    """Parse a line of JSON; raise InvalidRecord if the value is not of this kind."""
    if isinstance(line, InvalidRecord):
        raise line
    try:
        value = _decode(line)
    except JSONDecodeError as error:
        problem = f"{error.msg[0].lower()}{error.msg[1:]} at column {error.colno}"
        raise InvalidRecord(f"expected {expected}; this is not JSON: {problem}") from None
    except (RecursionError, ValueError) as error:  # ValueError: a number has too many digits
        deep = isinstance(error, RecursionError)
        reason = "this is nested too deeply" if deep else "a number is too long"
        raise InvalidRecord(f"expected {expected}; {reason}") from None
    if not isinstance(value, kind):
        raise InvalidRecord(f"expected {expected}, got {short_repr(value)}")
    return value
