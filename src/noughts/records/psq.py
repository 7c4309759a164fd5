"""Piskvork's records (.psq), as published by Gomocup: one game per file.

::

    Piskvorky 20x20, 11:11, 0        columns x rows, levels of the players, first player (0 or 1)
    10,10,456                        column and row counted from 1, milliseconds
    11,12,4500
    pisq7.exe                        names of the players, only in tournaments
    renjusolver.ZIP
    0                                0 if the game ended on the board, -1 if unknown, else an error

Piskvork records neither the rules nor the winner, and ignores everything after the last number.
There noughts adds two lines: ``Rules: renju`` and ``Result: 1-0``. Without them the rules are five
in a row on the file's board.
"""

import re
from collections.abc import Iterator
from itertools import takewhile, zip_longest
from typing import IO

from noughts.errors import InvalidRecord, InvalidRules, short_repr
from noughts.game.rules import Rules
from noughts.records.record import Note, Record, rules_of_size

MAX_FILE = 4 << 20  # bytes; far more than a full game on Piskvork's largest board, 120×80
RESULTS = ("1/2-1/2", "1-0", "0-1")

_HEADER = re.compile(r"Piskvorky ([0-9]{1,9})x([0-9]{1,9}), *[0-9]+:[0-9]+, *([01])")
_MOVE = re.compile(r"(-?[0-9]{1,9}),(-?[0-9]{1,9})(?:,([0-9]{1,15}))?")


def read_psq(
    file: IO[bytes], source: str, rules: Rules | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the only game of a file, like `noughts.records.read_records`."""
    try:
        if lines := _lines(file.read(MAX_FILE + 1)):
            yield _record(lines, rules)
    except (InvalidRecord, InvalidRules) as error:
        yield InvalidRecord(error.args[0], source, getattr(error, "line", 1))


def to_psq(record: Record) -> str:
    """Return the record as a Piskvork file, ending with a newline.

    Raises:
        InvalidRecord: Piskvork does not support the board or the number of players, or would read
            a name as a move.
    """
    rules = record.rules
    if len(rules.shape) != 2 or rules.players != 2:
        raise InvalidRecord("Piskvork supports only two players and boards of two dimensions")
    rows, columns = rules.shape
    lines = [f"Piskvorky {columns}x{rows}, 0:0, 0"]
    for (row, column), note in zip_longest(record.moves, record.notes[: len(record.moves)]):
        lines.append(f"{column + 1},{row + 1},{(note and note.took) or 0}")
    names = [" ".join(name.split()) or "?" for name in record.names]
    if names and _MOVE.fullmatch(names[0]):
        raise InvalidRecord(f"Piskvork would read the name {short_repr(names[0])} as a move")
    lines += names
    lines += ["-1" if record.result is None else "0", f"Rules: {rules}"]
    lines += [] if record.result is None else [f"Result: {RESULTS[record.result]}"]
    return "\n".join(lines) + "\n"


def _lines(data: bytes) -> list[str]:
    if len(data) > MAX_FILE:
        raise InvalidRecord(f"the file is longer than {MAX_FILE >> 20} MiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"the text is not UTF-8: byte 0x{data[error.start]:02x}"
        raise InvalidRecord(problem, line=data.count(b"\n", 0, error.start) + 1) from None
    return [line.strip() for line in text.splitlines()]


def _record(lines: list[str], rules: Rules | None) -> Record:
    header = _HEADER.fullmatch(lines[0])
    if not header:
        expected = "a line such as Piskvorky 15x15, 11:11, 0"
        raise InvalidRecord(f"expected {expected}, got {short_repr(lines[0])}", line=1)
    moves = list(takewhile(bool, map(_MOVE.fullmatch, lines[1:])))
    tail = list(filter(None, lines[len(moves) + 1 :]))
    codes = [at for at in (2, 0) if re.fullmatch(r"-?[0-9]{1,9}", "".join(tail[at : at + 1]))]
    if not codes:
        given = short_repr(tail[0]) if tail else "the end of the file"
        expected = "a move such as 8,8,0, or two names and the number that ends the game"
        raise InvalidRecord(f"expected {expected}, got {given}", line=len(moves) + 2)
    names, added = tail[: codes[0]], tail[codes[0] + 1 :]
    fields = dict(line.split(": ", 1) for line in added if ": " in line)
    result = fields.get("Result")
    if result is not None and result not in RESULTS:
        expected = ", ".join(RESULTS)
        raise InvalidRecord(f"Result must be one of {expected}, got {short_repr(result)}")
    known = Rules.parse(fields["Rules"]) if "Rules" in fields else rules or Rules.gomoku()
    notes = tuple(Note(took=int(move[3] or 0)) for move in moves if move)
    return Record(
        rules_of_size(known, (int(header[2]), int(header[1]))),
        tuple((int(move[2]) - 1, int(move[1]) - 1) for move in moves if move),
        result=None if result is None else RESULTS.index(result),
        names=tuple(names[::-1] if header[3] == "1" else names),
        notes=notes if any(note.took for note in notes) else (),
    )
