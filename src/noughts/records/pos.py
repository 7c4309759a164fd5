"""Positions and openings of gomoku programs (.pos): ``h8h9i7…``, one game per line.

Letters name columns from the left, and numbers rows from the bottom, counted from 1, as on the
boards of the Renju International Federation: on 15×15 ``a1`` is cell (14, 0) and ``h8`` the centre.
Some programs (c-gomoku-cli) count rows from the top: say so with ``origin``. Moves may be
separated by spaces. The format holds only moves.
"""

import re
from collections.abc import Iterator
from typing import IO

from noughts.errors import InvalidRecord, short_repr
from noughts.game.rules import Rules
from noughts.records.lines import numbered_lines
from noughts.records.moves import Origin
from noughts.records.record import Record

_MOVE = re.compile(r"([a-z])([0-9]{1,9})[ \t]*+")


def read_pos(
    file: IO[bytes], source: str, rules: Rules | None = None, origin: Origin | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the games of a file, like `noughts.records.read_records`.

    The rules must have a board of two dimensions; the default is five in a row on 15×15.
    """
    rules = rules or Rules.gomoku()
    if len(rules.shape) != 2:
        yield InvalidRecord(f"expected a board of two dimensions, got {len(rules.shape)}", source)
        return
    for number, line in numbered_lines(file, source):
        if isinstance(line, InvalidRecord):
            yield line
            continue
        cells, at, written = [], 0, line.lower()
        while move := _MOVE.match(written, at):
            row = int(move[2]) - 1 if origin == "top" else rules.shape[0] - int(move[2])
            cells.append((row, ord(move[1]) - ord("a")))
            at = move.end()
        if at < len(written):
            problem = (
                f"expected a move such as h8 at column {at + 1}, got {short_repr(line[at:])}; "
                "--format moves reads numbers and results, too, with row 1 on top"
            )
            yield InvalidRecord(problem, source, number)
        else:
            notation = "spreadsheet" if origin == "top" else "pos"
            yield Record(rules, tuple(cells), notation=notation)


def to_pos(record: Record) -> str:
    """Return the record's moves as a line, with a newline.

    Raises:
        InvalidRecord: the record has no moves, or the format cannot name a cell.
    """
    moves = []
    for cell in record.moves:
        if len(cell) != 2 or not 0 <= cell[1] < 26 or cell[0] >= record.rules.shape[0]:
            raise InvalidRecord(f".pos files cannot name cell {cell}")
        moves.append(f"{chr(ord('a') + cell[1])}{record.rules.shape[0] - cell[0]}")
    if not moves:
        raise InvalidRecord(".pos files cannot hold a game without moves")
    return "".join(moves) + "\n"
