"""JSON Lines, one game per line: ``{"id": "a1", "n": 3, "moves": [[0,0],[1,1]]}``.

A line may also be a list of moves, ``[[0,0],[1,1]]`` or ``["A1","B2"]``, a board, a replay, or
belong to a call list (see `noughts.records.call_lists`). A JSON document, a value or an array of
them on several lines, is read, too. Files are read as streams, so memory does not depend on their
length. A line that cannot be read becomes an `InvalidRecord`, and reading continues with the next
line.
"""

import re
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterator
from json import JSONDecodeError, JSONDecoder
from typing import IO, Any, TypeVar

from noughts.errors import InvalidRecord, NoughtsError, short_repr
from noughts.game.diagram import diagram_shape
from noughts.game.rules import OPTIONS, Rules
from noughts.records.boards import record_of_board
from noughts.records.call_lists import CallList, call_list_of, count_calls
from noughts.records.connectx import is_replay, record_of_replay
from noughts.records.lines import NumberedLine, numbered_lines
from noughts.records.moves import Origin, moves_text, without_players
from noughts.records.record import (
    Record,
    others_of_fields,
    record_of_fields,
    rules_of_fields,
)

EMPTY = "no record: the file is empty"
DOCUMENT = 64 << 20  # limit of the length of a value in a document, in bytes
PIECE = 1 << 20  # bytes of a document that are read at once

# The names of a call list: an array of strings that are neither names of cells nor rows of marks,
# or an empty array.
_CALLS = re.compile(
    r'\[\s*(?:\]|"(?![A-Za-z]{1,6}[0-9]{1,9}"|[XOxo._ -]*"|[^"]")|.{0,40}"TicTacToe")', re.DOTALL
)
_ROW = re.compile("[XOxo._ -]*")  # of a board, as text
_EXPECTED = 'an object such as {"n": 3, "moves": [[0, 0]]}'
_OBJECTS = re.compile(r"\[\s*\{")  # the beginning of an array of objects
_BETWEEN = {True: re.compile(r"[\s,]*"), False: re.compile(r"\s*")}  # inside such an array or not
_decode = JSONDecoder().decode
_decode_first = JSONDecoder().raw_decode

T = TypeVar("T")
Read = Record | CallList | InvalidRecord
"""An item read from a file: a game, a call list, or an error."""


def read_json_lines(
    file: IO[bytes], source: str, rules: Rules | None = None, origin: Origin | None = None
) -> Iterator[Read]:
    """Yield the games of a file, like `noughts.records.read_records`.

    A line that begins with ``["TicTacToe"`` holds the names of a call list, and the next line its
    arguments; every other line is a game.
    """

    def records() -> Iterator[Read]:
        names = yield from read_lines(file, source, rules=rules, origin=origin)
        if names:
            yield missing_arguments(names, source)

    return unless_empty(records(), source)


def read_lines(
    file: IO[bytes],
    source: str,
    first_line: int = 1,
    names: NumberedLine | None = None,
    rules: Rules | None = None,
    origin: Origin | None = None,
) -> Generator[Read, None, NumberedLine | None]:
    """Yield the games of a part of a file.

    Args:
        file: the part, opened for reading bytes.
        source: the file's name, for errors.
        first_line: the number of the part's first line.
        names: the return value for the previous part.
        rules: the rules of games that do not name their own.
        origin: where row 1 is in the names of cells, see `noughts.records.moves.read_moves`.

    Returns:
        The names of a call list whose arguments are in the next part, or None.
    """
    for line in numbered_lines(file, source, first_line, returns=True):
        text = line[1] if isinstance(line[1], str) else ""
        if names and not re.match(r'\{|\[\s*"', text):  # begins neither a game nor a call list
            yield _read_call_list(names, line, source)
            names = None
            continue
        if names:
            yield missing_arguments(names, source)
        names = line if _CALLS.match(text) else None
        if not names:
            yield _read_game(line, source, rules, origin)
    return names


def unless_empty(records: Iterator[T], source: str) -> Iterator[T | InvalidRecord]:
    """Yield the records, or an error if there are none."""
    first = next(records, None)
    yield InvalidRecord(EMPTY, source) if first is None else first
    yield from records


def missing_arguments(names: NumberedLine, source: str) -> InvalidRecord:
    """Return the error for the names of a call list without arguments."""
    return InvalidRecord("expected a line of arguments after these names", source, names[0])


def read_json_document(
    file: IO[bytes], source: str, rules: Rules | None = None, origin: Origin | None = None
) -> Iterator[Read]:
    """Yield the games of JSON values that span lines, like `noughts.records.read_records`.

    An array of objects is read as one game per object. Reading ends at the first text that is not
    JSON.
    """

    def records() -> Iterator[Read]:
        for line, value in _values(file, source):
            if isinstance(value, InvalidRecord):
                yield value
                continue
            try:
                yield _game(value, rules, origin)
            except (NoughtsError, TypeError) as error:
                yield _placed(error, source, line)

    return unless_empty(records(), source)


def _values(file: IO[bytes], source: str) -> Iterator[tuple[int, Any]]:
    """Yield the values of a document, and those in arrays of objects, with their lines' numbers."""
    text, at, line, inside, ended = "", 0, 1, False, False
    decode = getincrementaldecoder("utf-8-sig")().decode
    while True:
        begin = _BETWEEN[inside].match(text, at).end()  # type: ignore[union-attr]  # always matches
        line += text.count("\n", at, begin)
        at = begin
        if inside and text.startswith("]", at):
            at, inside = at + 1, False
            continue
        if not inside and _OBJECTS.match(text, at):
            at, inside = at + 1, True
            continue
        problem: Exception = ValueError()
        try:
            value, end = _decode_first(text, at)
        except (ValueError, RecursionError) as error:
            problem = error
        else:
            yield line, value
            line += text.count("\n", at, end)
            at = end
            continue
        if ended or len(text) - at > DOCUMENT:
            if at < len(text):
                yield line, InvalidRecord(_not_json(problem, len(text) - at), source, line)
            elif inside:
                yield line, InvalidRecord("the file is cut off: a ] is missing", source, line)
            return
        piece = file.read(max(PIECE, len(text) - at))
        ended = not piece
        try:
            text, at = text[at:] + decode(piece, ended), 0
        except UnicodeDecodeError as error:
            yield (
                line,
                InvalidRecord(
                    f"the text is not UTF-8: {error.reason}; save the file as UTF-8", source, line
                ),
            )
            return


def _not_json(error: Exception, length: int) -> str:
    if length > DOCUMENT:
        return f"a value is longer than {DOCUMENT >> 20} MiB"
    if isinstance(error, JSONDecodeError):
        problem = f"{error.msg[0].lower()}{error.msg[1:]}"
        return f"this is not JSON: {problem} at line {error.lineno}, column {error.colno} of it"
    return "this is nested too deeply, or a number is too long"


def _read_game(
    numbered: NumberedLine, source: str, rules: Rules | None, origin: Origin | None
) -> Record | InvalidRecord:
    number, line = numbered
    try:
        return _game(_json(line, (dict, list), _EXPECTED), rules, origin)
    except (NoughtsError, TypeError) as error:
        return _placed(error, source, number)


def _game(value: Any, rules: Rules | None, origin: Origin | None) -> Record:
    """Create a record from a JSON value: a game, a board, a replay, or a list of moves or rows.

    Raises:
        NoughtsError, TypeError: it is none of these.
    """
    if isinstance(value, dict):
        if is_replay(value):
            return record_of_replay(value)
        if "board" in value:
            return _board_of_fields(value, rules)
        return record_of_fields(value, rules, origin)
    if not isinstance(value, list):
        raise InvalidRecord(f"expected {_EXPECTED}, got {short_repr(value)}")
    if _is_board(value, rules) and not _is_moves(value, rules):
        return record_of_board(value, rules)
    return record_of_fields({"moves": value}, rules, origin)


def _board_of_fields(fields: dict[str, Any], rules: Rules | None) -> Record:
    """Create the record of a board from the fields of an object."""
    if "moves" in fields:
        raise InvalidRecord('a game cannot have both "moves" and "board"')
    board = fields["board"]
    if fields.keys() & {"rules", "n", "shape", "k", *OPTIONS}:
        if rules is None and not fields.keys() & {"rules", "n", "shape"}:
            fields = {"shape": list(diagram_shape(board))} | fields
        rules = rules_of_fields(fields, rules)
    return record_of_board(board, rules, **others_of_fields(fields, (rules or Rules()).players))


def _is_board(rows: list[Any], rules: Rules | None) -> bool:
    """Return whether a list holds rows of marks, and not moves."""
    if all(isinstance(row, str) and _ROW.fullmatch(row) for row in rows):
        return re.search("[XOxo]", "".join(rows)) is not None
    if not rows or not all(isinstance(row, list) and row for row in rows):
        return False
    cells = [mark for row in rows for mark in row]
    if not all(type(mark) is int for mark in cells):
        return True
    sides = len(rules.shape) if rules else 2
    return any(len(row) != sides for row in rows) and max(cells) <= 8


def _is_moves(rows: list[Any], rules: Rules | None) -> bool:
    """Return whether rows of marks are rather cells, each with the player to move.

    Raises:
        InvalidRecord: the rules allow both readings, or neither.
    """
    known = rules or Rules()
    try:
        cells = without_players(rows, known)
    except InvalidRecord:
        return False
    if cells is rows:
        return False
    try:
        board = record_of_board(rows, rules)
    except NoughtsError:
        return True  # the rules have another board
    moves = Record(known, tuple(map(tuple, cells)))
    board_is_possible, moves_are_legal = _can_be_played(board), _can_be_played(moves)
    if board_is_possible == moves_are_legal:
        drawn = "/".join("".join(".XO345678"[mark] for mark in row) for row in rows)
        raise InvalidRecord(
            f"{short_repr(rows)} can be the board {drawn} or the moves "
            f"{moves_text(moves.moves, known)}: pass --format boards or --format moves"
        )
    return moves_are_legal


def _can_be_played(record: Record) -> bool:
    try:
        record.game()
    except ValueError:
        return False
    return True


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


def _json(line: str | InvalidRecord, kind: type | tuple[type, ...], expected: str) -> Any:
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
