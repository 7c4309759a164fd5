"""Piskvork's records (.psq), as published by Gomocup: usually one game per file.

::

    Piskvorky 20x20, 11:11, 0        columns x rows, levels of the players, first player (0 or 1)
    10,10,456                        column and row counted from 1, milliseconds
    11,12,4500
    pisq7.exe                        names of the players, only in tournaments
    renjusolver.ZIP
    0                                0 if the game ended on the board, -1 if unknown, else an error
    2,Freestyle15_1                  only from Gomocup: the winner in turn order or 0, the opening

Piskvork records neither the rules nor the winner, and ignores everything after the number. There
noughts adds two lines: ``Rules: renju`` and ``Result: 1-0``. Without any of these lines the rules
are five in a row on the file's board. A file of several games has a header for each.
"""

import re
from collections.abc import Iterator
from itertools import takewhile, zip_longest
from typing import IO

from noughts.errors import InvalidRecord, InvalidRules, short_repr
from noughts.game.rules import NAMED, Rules
from noughts.records.lines import numbered_lines
from noughts.records.record import RESULTS, Note, Record, rules_of_name, rules_of_size

MAX_GAME = 256 << 10  # characters; a full game on the largest board of Piskvork, 120×80, has fewer

_HEADER = re.compile(r"Piskvorky ([0-9]{1,9})x([0-9]{1,9}), *[0-9]+:[0-9]+, *([01])")
_MOVE = re.compile(r"(-?[0-9]{1,9}) *, *(-?[0-9]{1,9})(?: *, *([0-9]{1,15}))?")
_LIKE_MOVE = re.compile(r"-?[0-9]+ *,|[^,]*,[^,]*,[^,]*$|Rules: |Result: ")
_GOMOCUP = re.compile(r"([0-2]) *, *([A-Za-z]+)[0-9]*(?:_.*)?")
_VARIANTS = {"freestyle": "gomoku", "fastgame": "gomoku"}  # where Gomocup's name is not ours

Lines = list[tuple[int, str]]


def read_psq(
    file: IO[bytes], source: str, rules: Rules | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the games of a file, like `noughts.records.read_records`."""
    lines: Lines = []
    size = 0
    for number, line in numbered_lines(file, source):
        if isinstance(line, InvalidRecord):
            yield line
            return
        if lines and line.startswith("Piskvorky "):
            yield _game(lines, source, rules)
            lines, size = [], 0
        lines.append((number, line))
        size += len(line)
        if size > MAX_GAME:
            yield InvalidRecord(f"the game is longer than {MAX_GAME >> 10} KiB", source, number)
            return
    if lines:
        yield _game(lines, source, rules)


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
    names += ["?"] * (2 - len(names)) if names else []
    for name in names:
        if _MOVE.fullmatch(name) or name.startswith("Piskvorky "):
            raise InvalidRecord(f"Piskvork would not read {short_repr(name)} as a name")
    lines += names
    lines += ["-1" if record.result is None else "0", f"Rules: {rules}"]
    lines += [] if record.result is None else [f"Result: {RESULTS[record.result]}"]
    return "\n".join(lines) + "\n"


def _game(lines: Lines, source: str, rules: Rules | None) -> Record | InvalidRecord:
    try:
        return _record(lines, rules)
    except (InvalidRecord, InvalidRules) as error:
        return InvalidRecord(error.args[0], source, getattr(error, "line", None) or lines[0][0])


def _record(lines: Lines, rules: Rules | None) -> Record:
    numbers, texts = zip(*lines, strict=True)
    header = _HEADER.fullmatch(texts[0])
    if not header:
        expected = "a line such as Piskvorky 15x15, 11:11, 0"
        raise InvalidRecord(f"expected {expected}, got {short_repr(texts[0])}", line=numbers[0])
    moves = list(takewhile(bool, map(_MOVE.fullmatch, texts[1:])))
    tail = texts[len(moves) + 1 :]
    codes = [at for at in (2, 0) if re.fullmatch(r"-?[0-9]{1,9}", "".join(tail[at : at + 1]))]
    two_names = len(tail) == 2 and not any(map(_LIKE_MOVE.match, tail))
    if not codes and not two_names:
        given = short_repr(tail[0]) if tail else "the end of the file"
        line = numbers[len(moves) + 1] if tail else numbers[-1] + 1
        expected = "a move such as 8,8,0, or two names and the number that ends the game"
        raise InvalidRecord(f"expected {expected}, got {given}", line=line)
    end = codes[0] if codes else len(tail)  # some programs leave the number out
    names, added = tail[:end], tail[end + 1 :]
    fields = dict(line.split(": ", 1) for line in added if ": " in line)
    claim, known = _result(fields.get("Result")), rules or Rules.gomoku()
    if published := next(filter(None, map(_GOMOCUP.fullmatch, added)), None):
        claim = int(published[1]) if claim is None else claim
        name = published[2].lower()
        known = NAMED.get(_VARIANTS.get(name, name), known)
    known = rules_of_name(fields["Rules"], rules) if "Rules" in fields else known
    notes = tuple(Note(took=int(move[3] or 0)) for move in moves if move)
    return Record(
        rules_of_size(known, (int(header[2]), int(header[1]))),
        tuple((int(move[2]) - 1, int(move[1]) - 1) for move in moves if move),
        result=claim,
        names=tuple(names[::-1] if header[3] == "1" else names),
        notes=notes if any(note.took for note in notes) else (),
        notation="psq",
    )


def _result(text: str | None) -> int | None:
    if text is not None and text not in RESULTS:
        expected = ", ".join(RESULTS)
        raise InvalidRecord(f"Result must be one of {expected}, got {short_repr(text)}")
    return None if text is None else RESULTS.index(text)
