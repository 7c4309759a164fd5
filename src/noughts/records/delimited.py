"""Tables of text (.csv, .tsv): one game per row, below a header.

===========  ======================================================================
``moves``    the moves in any form of `noughts.records.moves`
``board``    instead of moves: a board on one line, see `noughts.game.diagram`
``result``   the result in any form of `noughts.records.record.read_result`
``rules``    the rules as text; or ``n``, or ``shape`` and ``k``
``id``       the name of the game
``x``, ``o`` the names of the players; or ``black``, ``white``
===========  ======================================================================

Instead of ``moves`` there can be one column per ply: ``move1``, ``move2`` and so on.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from typing import IO, Any

from noughts.errors import InvalidRecord, InvalidRules, short_repr
from noughts.game.rules import OPTIONS, Rules
from noughts.records.boards import record_of_board
from noughts.records.lines import numbered_lines
from noughts.records.moves import Origin, moves_text, read_moves
from noughts.records.record import Record, agreed, read_result, rules_of_fields

HEADER = "id,rules,moves,result\n"

_PLY = re.compile(r"(?:move|ply|m|p|turn)[ _]?([0-9]{1,6})(?:\W.*)?")
_PAIR = re.compile(r"^\(?(\d+)\s*[,:-]\s*(\d+)\)?$")
_NO_MOVE = re.compile(r"[-?–—]*|na|nan|null|none", re.IGNORECASE)


def is_header(line: str) -> bool:
    """Return whether a line names the columns of games."""
    try:
        names = _split(line.strip(), _delimiter(line))
    except InvalidRecord:
        return False
    known = {name.strip().lower() for name in names}
    plies = sum(bool(_PLY.fullmatch(name)) for name in known)
    whole = known & {"moves", "board"}
    return bool(whole and (len(known) > 1 or line.strip().lower() in whole)) or plies > 2


def read_delimited(
    file: IO[bytes], source: str, rules: Rules | None = None, origin: Origin | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the games of a file, like `noughts.records.read_records`.

    A row that names no rules has the given ones. Quoted fields may contain the delimiter, but no
    line breaks.
    """
    lines = numbered_lines(file, source)
    number, header = next(lines, (1, ""))
    if header == "":
        return
    if isinstance(header, InvalidRecord):
        yield header
        return
    if not is_header(header):
        expected = "a header with the column moves or board, or move1, move2 and so on"
        yield InvalidRecord(f"expected {expected}, got {short_repr(header)}", source, number)
        return
    delimiter = _delimiter(header)
    names = [name.strip().lower() for name in _split(header, delimiter)]
    plies = _plies(names)
    for name, meant in _misspelt(names):
        problem = f"unknown column {short_repr(name)}; did you mean {short_repr(meant)}?"
        yield InvalidRecord(problem, source, number)
    repeated = sorted(name for name, times in Counter(names).items() if name and times > 1)
    if repeated or plies is None:
        problem = f"the column {short_repr(repeated[0])} appears twice" if repeated else _UNCLEAR
        yield InvalidRecord(problem, source, number)
        return
    for number, line in lines:
        if isinstance(line, InvalidRecord):
            yield line
            continue
        try:
            yield _record(_row(names, plies, _split(line, delimiter)), rules, origin)
        except (InvalidRecord, InvalidRules, TypeError) as error:
            yield InvalidRecord(str(error.args[0]), source, number)


_UNCLEAR = "the columns of the moves must be numbered 1, 2 and so on, each of them once"


def _misspelt(names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each column with nearly the name of a known one that is missing, and that name."""
    from difflib import get_close_matches  # slow to import

    for name in dict.fromkeys(names):
        if name in _COLUMNS:
            continue
        meant = get_close_matches(name, _COLUMNS, 1, 0.8)
        if meant and meant[0] not in names and not _PLY.fullmatch(name):
            yield name, meant[0]


def _plies(names: list[str]) -> list[int] | None:
    """Return the columns of the plies in order; None if a number is missing or there twice."""
    if "moves" in names:
        return []
    found = sorted((int(ply[1]), at) for at, ply in enumerate(map(_PLY.fullmatch, names)) if ply)
    in_order = [number for number, _ in found] == list(range(1, len(found) + 1))
    return [at for _, at in found] if in_order else None


def _row(names: list[str], plies: list[int], values: list[str]) -> dict[str, str]:
    """Return the fields of a row by name, with the columns of plies joined."""
    if len(values) > len(names):
        raise InvalidRecord(
            f"the row has {len(values)} fields, but the header {len(names)}: quote moves "
            "that contain commas"
        )
    row = dict(zip(names, (value.strip() for value in values), strict=False))
    if "board" in names and "moves" not in names and not plies:
        return row
    if "moves" not in names:
        given = [values[at].strip() for at in plies if at < len(values)]
        played = [move for move in given if not _NO_MOVE.fullmatch(move)]
        if played != given[: len(played)]:
            raise InvalidRecord("a move follows a column without one")
        row["moves"] = _joined(played)
    elif "moves" not in row:
        raise InvalidRecord(f"the row has no moves: it has {len(values)} of {len(names)} fields")
    return row


def to_csv(record: Record) -> str:
    """Return the record as a row of `HEADER`, with a newline.

    Raises:
        InvalidRecord: the id has a line break, or there are too many moves.
    """
    result: object = "" if record.result is None else record.result
    moves = moves_text(record.moves, record.rules)
    out = StringIO()
    name = "" if record.id is None else record.id
    if len(str(name).splitlines()) > 1 or len(moves) > csv.field_size_limit():
        raise InvalidRecord("CSV cannot hold an id with a line break, or so many moves")
    csv.writer(out, lineterminator="\n").writerow([name, str(record.rules), moves, result])
    return out.getvalue()


def _record(row: dict[str, str], given: Rules | None, origin: Origin | None) -> Record:
    named = any(row.get(name) for name in _RULES)
    rules = _rules(row, given) if named or "moves" in row else given
    players = (rules or Rules()).players
    claim = row.get("result", "")
    if winner := row.get("winner"):
        claim = str(agreed("result", claim, "winner", winner, players))
    names = next((pair for pair in _PLAYERS if row.keys() & {*pair}), ())
    fields: dict[str, Any] = {
        "id": row.get("id") or None,
        "result": read_result(claim, players),
        "names": tuple(row.get(name, "") for name in names) if any(map(row.get, names)) else (),
    }
    if rules is None or "moves" not in row:
        return record_of_board(row.get("board", ""), rules, **fields)
    return Record(rules, read_moves(row["moves"], rules, origin), **fields)


def _rules(row: dict[str, str], given: Rules | None) -> Rules:
    fields = {name: _value(name, row[name]) for name in _RULES if row.get(name)}
    return rules_of_fields(fields, given)


_KINDS = {"n": int, "k": int, "rules": str, "shape": tuple}
_PLAYERS = (("player1", "player2"), ("x", "o"), ("first", "second"), ("black", "white"))
"""The columns with the names of the first and the second player."""
_RULES = _KINDS | {name: type(option.usual) for name, option in OPTIONS.items()}
_COLUMNS = (
    "id",
    "moves",
    "board",
    "result",
    "winner",
    *_RULES,
    *(name for pair in _PLAYERS for name in pair),
)
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _value(name: str, text: str) -> Any:
    """Convert a field of the rules; raise InvalidRecord if it is not what the column holds."""
    kind = _RULES[name]
    if kind is int and re.fullmatch("[0-9]{1,9}", text):
        return int(text)
    if kind is tuple and re.fullmatch(r"[0-9]{1,9}(?:\s*+[x×,]?\s*+[0-9]{1,9}){0,7}", text):
        return [int(side) for side in re.findall("[0-9]+", text)]
    if kind is bool and text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    if kind is str:
        return text
    expected = {int: "a number", tuple: "sides such as 6x7", bool: "true or false"}[kind]
    raise InvalidRecord(f"{name} must be {expected}, got {short_repr(text)}")


def _joined(moves: list[str]) -> str:
    """Join the moves of several columns into text that `read_moves` reads."""
    return " ".join(_PAIR.sub(r"(\1,\2)", move) for move in moves)


def _delimiter(line: str) -> str:
    """Return the delimiter of a header."""
    return max("\t;|,", key=line.count)


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        raise InvalidRecord(f"the row cannot be read: {error}") from None
