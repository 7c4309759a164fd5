"""Boards (.board): positions as rows of marks, without the order of the moves.

::

    XOX        boards follow each other after a blank line; see `noughts.game.diagram`
    .O.
    ..X

    XO./.O./..X    a line can hold a whole board

So do the UCI data sets *tic-tac-toe* and *connect-4*: all cells and then the class, separated by
commas, perhaps below a header. There *connect-4* lists its columns from the bottom, and
writes ``b`` for an empty cell. In JSON a board is a list of rows.

A record of a board has moves that lead to it. If no game does, it says why.
"""

import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

from noughts.errors import InvalidPosition, InvalidRecord, InvalidRules
from noughts.game.diagram import joined_rows, read_diagram
from noughts.game.position import cells_of_marks
from noughts.game.rules import Rules
from noughts.records.lines import MAX_LINE, numbered_lines
from noughts.records.record import Record

UCI = {10: (Rules(), ("positive", "true")), 43: (Rules.connect_four(), ())}
"""The data sets by the number of their columns: the rules, and the classes that claim a win."""
MAX_MARKS = 1_000  # of one board; finding an order of play takes quadratic time
MAX_BOARD = MAX_LINE  # characters

_UCI = re.compile(r"[xob](?:, ?[xob]){8}(?:(?:, ?[xob]){33})?, ?[a-z]{3,10}")

# The same in numbers. No move of a game is -1, so that these cannot be moves.
_NUMBERS = re.compile(r"(?=.*-1,)-?[01](?:, ?-?[01]){8}, ?-?\w{1,10}")
_MARKS = {"b": "", "0": "", "1": "x", "-1": "o"}


def read_boards(
    file: IO[bytes], source: str, rules: Rules | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the boards of a file, like `noughts.records.read_records`.

    Without rules, a board must be 3×3.
    """
    rows: list[str] = []
    first = size = 1
    begun = False
    for number, line in numbered_lines(file, source, blank=True):
        if isinstance(line, InvalidRecord):
            yield line
            continue
        text = line.strip()
        flat = is_flat_board(text)
        # Empty cells can be spaces or nothing between tabs.
        row = text or (rows and ("\t" in line or 1 < len(line) == len(rows[0])))
        if row and not flat and (rows or not joined_rows(text)):
            first, size = (first, size + len(line)) if rows else (number, len(line))
            if size <= MAX_BOARD:
                rows.append(line)
            elif size - len(line) <= MAX_BOARD:  # once per board
                yield InvalidRecord(
                    f"the board is longer than {MAX_BOARD >> 20} MiB", source, first
                )
            continue
        if rows and size <= MAX_BOARD and (begun or not (flat and _is_header(rows))):
            yield _board(rows, source, first, rules)
        rows, begun = [], True
        if flat:
            yield _placed(text, source, number, rules)
        elif text:
            yield _board(text, source, number, rules)
    if rows and size <= MAX_BOARD:
        yield _board(rows, source, first, rules)


def _is_header(rows: list[str]) -> bool:
    """Return whether the first rows of a file describe the flat boards below them."""
    return not any(re.fullmatch("[xob, ]*", row.strip()) for row in rows)


def is_flat_board(line: str) -> bool:
    """Return whether a line is a row of a UCI data set, perhaps *tic-tac-toe* in numbers."""
    return bool(_UCI.fullmatch(line) or _NUMBERS.fullmatch(line))


def record_of_board(board: object, rules: Rules | None = None, **fields: Any) -> Record:
    """Create the record of a board, see `noughts.Game.from_board`.

    Args:
        board: the board, as text or rows.
        rules: the rules; without them, a board must be 3×3.
        fields: further fields of the record.

    Raises:
        InvalidRecord: the board cannot be read.
        InvalidRules: there are no rules for it.
        TypeError: the board is neither text nor rows.
    """
    try:
        known, marks = read_diagram(board, rules)
    except InvalidPosition as error:
        raise InvalidRecord(str(error)) from None
    except InvalidRules as error:
        raise InvalidRules(f"{error}, with --rules") from None
    if len(marks) > MAX_MARKS:
        raise InvalidRecord(f"a board may have at most {MAX_MARKS:,} marks, got {len(marks):,}")
    try:
        return Record(known, tuple(cells_of_marks(known, marks)), **fields)
    except InvalidPosition as error:
        return Record(known, (), impossible=str(error), **fields)


def to_board(record: Record) -> str:
    """Return the board after the last move as rows of marks, and a blank line.

    Raises:
        InvalidRecord: the board is not flat, has more than a million cells, or a move is illegal.
    """
    rules = record.rules
    if len(rules.shape) != 2 or rules.cells > 1_000_000:
        raise InvalidRecord("boards can only be written in two dimensions, up to a million cells")
    try:
        game = record.game()
    except ValueError as error:
        raise InvalidRecord(f"no board to write: {error}") from None
    symbols = ".XO345678"
    rows = (
        "".join(symbols[game.mark((row, col))] for col in range(rules.shape[1]))
        for row in range(rules.shape[0])
    )
    return "\n".join(rows) + "\n\n"


def _board(
    rows: list[str] | str, source: str, line: int, rules: Rules | None
) -> Record | InvalidRecord:
    try:
        return record_of_board(rows, rules)
    except (InvalidRecord, InvalidRules) as error:
        return InvalidRecord(str(error.args[0]), source, line)


def _placed(line: str, source: str, number: int, rules: Rules | None) -> Record | InvalidRecord:
    """Read a row of a UCI data set, whose size decides the rules unless others fit it."""
    *cells, label = (mark.strip() for mark in line.split(","))
    known, won = UCI[len(cells) + 1]
    if rules and rules.shape == known.shape and rules.gravity == known.gravity:
        known = rules
    marks = [_MARKS.get(mark, mark) for mark in cells]
    if known.gravity:
        marks = _by_rows(marks, known.shape[0])
    result = 1 if label in won else None
    comment = "" if won and label.isalpha() else f"class {label}"
    try:
        return record_of_board(marks, known, result=result, comment=comment)
    except InvalidRecord as error:
        return InvalidRecord(error.args[0], source, number)


def _by_rows(marks: list[str], rows: int) -> list[str]:
    """Turn columns listed from the bottom into rows listed from the top."""
    columns: Iterable[list[str]] = (
        marks[at : at + rows][::-1] for at in range(0, len(marks), rows)
    )
    return [mark for row in zip(*columns, strict=True) for mark in row]
