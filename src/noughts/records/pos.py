"""Moves as gomoku programs write positions and openings (.pos): ``h8h9i7…``, a game a line.

A letter is a column from the left and a number a row from the bottom, counted from 1, as on the
boards of the Renju International Federation: on 15×15 ``a1`` is cell (14, 0) and ``h8`` the middle.
Some programs (c-gomoku-cli) count rows from the top; their games are read mirrored, which changes
no verdict. There may be spaces between moves. The format has moves and nothing else.
"""

import re
from collections.abc import Iterator
from typing import IO

from noughts.errors import InvalidRecord, short_repr
from noughts.game.rules import Rules
from noughts.records.json_lines import numbered_lines
from noughts.records.record import Record

_MOVE = re.compile(r"([a-z])([0-9]{1,9})[ \t]*+")


def read_pos(
    file: IO[bytes], source: str, rules: Rules | None = None
) -> Iterator[Record | InvalidRecord]:
    """The games of a file, as `noughts.records.read_records` gives them.

    Without rules, which must have a board of two sides, they are five in a row on 15×15.
    """
    rules = rules or Rules.gomoku()
    if len(rules.shape) != 2:
        yield InvalidRecord("these moves are for a board of two sides", source)
        return
    for number, line in numbered_lines(file, source):
        if isinstance(line, InvalidRecord):
            yield line
            continue
        cells, at, written = [], 0, line.lower()
        while move := _MOVE.match(written, at):
            cells.append((rules.shape[0] - int(move[2]), ord(move[1]) - ord("a")))
            at = move.end()
        if at < len(written):
            problem = f"expected a move such as h8 at column {at + 1}, not {short_repr(line[at:])}"
            yield InvalidRecord(problem, source, number)
        else:
            yield Record(rules, tuple(cells))


def to_pos(record: Record) -> str:
    """The record's moves as a line, with its newline.

    Raises:
        InvalidRecord: the format has no name for a cell.
    """
    moves = []
    for cell in record.moves:
        if len(cell) != 2 or not 0 <= cell[1] < 26 or cell[0] >= record.rules.shape[0]:
            raise InvalidRecord(f"a .pos file has no name for cell {cell}")
        moves.append(f"{chr(ord('a') + cell[1])}{record.rules.shape[0] - cell[0]}")
    if not moves:
        raise InvalidRecord("a .pos file has no line for a game without moves")
    return "".join(moves) + "\n"
