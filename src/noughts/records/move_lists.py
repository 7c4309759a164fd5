"""Move lists (.txt): one game per line, in any form of `noughts.records.moves`.

::

    [White "Timo"]             headers as in PGN are optional
    [Rules "renju"]

    1. h8 i9 2. j10 1-0        moves, and the result if it is known
    1. h8 i9                   a numbered game can go on in the next line
    2. j10 h9

    4453 -2                    columns of Connect Four, and a score from another program

The moves after headers can be on several lines. Lines that begin with ``#`` are skipped.
"""

import re
from collections.abc import Iterator
from typing import IO

from noughts.errors import InvalidRecord, InvalidRules
from noughts.game.rules import Rules
from noughts.records.lines import MAX_LINE, numbered_lines
from noughts.records.moves import Origin, moves_text, read_moves
from noughts.records.record import NO_RULES, RESULTS, Record, read_result, rules_of_name

MAX_HEADERS, MAX_HEADER = 1_000, 10_000

# As in PGN, \" and \\ stand for " and \. Other backslashes stand for themselves.
_HEADER = re.compile(r'\[([A-Za-z]\w*)\s+"((?:\\["\\]|\\(?!["\\])|[^"\\])*\\?)"\]')
_RESULT = re.compile(
    r"(?:^|\s)(1[-–:]0|0[-–:]1|(?:1/2|½)[-–:](?:1/2|½)|\*|draw|tie"
    r"|(?:X|O|Black|White)\s(?:wins|won|resigns|resigned))\.?$",
    re.IGNORECASE,
)
_SCORED = re.compile(r"([0-9]{2,}|[1-9])\s+(-?[0-9]{1,4})")
_NUMBERED = re.compile(r"([0-9]{1,6})(?:\.(?![0-9])|\)\s)")
_BRACES = re.compile(r"\{[^{}]*\}")


def read_move_lists(
    file: IO[bytes], source: str, rules: Rules | None = None, origin: Origin | None = None
) -> Iterator[Record | InvalidRecord]:
    """Yield the games of a file, like `noughts.records.read_records`.

    Args:
        file, source, rules: as for `read_records`; without rules, headers must name them.
        origin: where row 1 is in the names of cells, see `read_moves`.
    """
    headers: dict[str, str] = {}
    waiting: list[str] = []
    first, size = 1, 0  # the first line of a game, and the characters of what waits

    def finished() -> Iterator[Record | InvalidRecord]:
        if headers or waiting:
            yield _game(" ".join(waiting), headers, source, first, rules, origin)

    for number, line in numbered_lines(file, source, blank=True):
        if isinstance(line, InvalidRecord):
            yield line
            continue
        text = line.strip()
        header = _HEADER.fullmatch(text)
        if text.startswith("#"):
            continue
        if header:
            if waiting:
                yield from finished()
                headers, waiting = {}, []
            first = first if headers else number
            name, value = header[1].lower(), re.sub(r'\\(["\\])', r"\1", header[2])
            if len(headers) == MAX_HEADERS or len(value) > MAX_HEADER:
                most = f"{MAX_HEADERS} headers of at most {MAX_HEADER} characters"
                yield InvalidRecord(f"a game has at most {most}", source, number)
                headers = {}
            elif headers.get(name, value) != value:
                yield InvalidRecord(f"the header {header[1]} appears twice", source, number)
                headers = {}
            else:
                headers[name] = value
            continue
        at = int(numbered[1]) if (numbered := _NUMBERED.match(text)) else 0
        unfinished = waiting and at != 1 and not _RESULT.search(waiting[-1])
        if text and (headers or unfinished):  # the game goes on
            size = size + len(text) if waiting else len(text)
            if size > MAX_LINE:
                yield InvalidRecord(f"the game is longer than {MAX_LINE >> 20} MiB", source, number)
                headers, waiting = {}, []
                continue
            waiting.append(text)
            continue
        if waiting:
            yield from finished()
            headers, waiting = {}, []
        if at == 1:
            first, size, waiting = number, len(text), [text]
        elif at > 1:
            problem = (
                f"the game begins with move {at}: number its moves from 1, or leave numbers out"
            )
            yield InvalidRecord(problem, source, number)
        elif text:
            yield _game(text, {}, source, number, rules, origin)
    yield from finished()


def to_move_list(record: Record) -> str:
    """Return the record as headers and a line of cell names, with its result and a newline.

    A line break in a comment or a name becomes a space.

    Raises:
        InvalidRecord: a header is longer than `MAX_HEADER`.
    """
    rules = record.rules
    headers = {"Id": record.id, "Rules": str(rules), "Comment": record.comment}
    headers |= {f"Player{number}": name for number, name in enumerate(record.names, 1)}
    lines = [
        _header(name, str(value)) for name, value in headers.items() if value not in (None, "")
    ]
    claim = "*"
    if record.result is not None and rules.players == 2:
        claim = RESULTS[record.result]
    elif record.result is not None:  # 1-0 is for two players
        lines.append(f'[Result "{record.result}"]')
    lines += ["", *filter(None, [moves_text(record.moves, rules)]), claim, ""]
    return "\n".join(lines) + "\n"


def _header(name: str, value: str) -> str:
    """Return a header; raise InvalidRecord if it would be too long to read again."""
    if len(value) > MAX_HEADER:
        raise InvalidRecord(f"a header of a move list has at most {MAX_HEADER} characters")
    escaped = re.sub(r'(["\\])', r"\\\1", re.sub(r"\r?\n", " ", value))
    return f'[{name} "{escaped}"]'


def _game(
    text: str,
    headers: dict[str, str],
    source: str,
    line: int,
    given: Rules | None,
    origin: Origin | None,
) -> Record | InvalidRecord:
    try:
        remarks = [each[0][1:-1].strip() for each in _BRACES.finditer(text)]
        text = _BRACES.sub(" ", text).strip()
        rules = _rules(headers, given, text)
        found = _RESULT.search(text)
        claim = headers.get("result", "")
        if found:
            text = text[: found.start()]
            claim = _agreed(claim, found[1], rules.players)
        scored = _SCORED.fullmatch(text) if rules.gravity else None
        comment = " ".join(filter(None, (headers.get("comment", ""), *remarks)))
        if (
            scored
            and rules.shape[-1] <= 9
            and abs(int(scored[2])) <= rules.cells // 2 + 1
            and (len(scored[1]) > 1 or scored[2].startswith("-"))
        ):
            text, comment = scored[1], f"score {scored[2]}"
        names = tuple(headers.get(name, "") for name in _name_keys(headers, rules.players))
        while len(names) > 2 and not names[-1]:
            names = names[:-1]
        return Record(
            rules,
            read_moves(text, rules, origin),
            headers.get("id") or None,
            read_result(claim, rules.players),
            names if any(names) else (),
            comment,
        )
    except (InvalidRecord, InvalidRules) as error:
        return InvalidRecord(error.args[0], source, line)


def _agreed(header: str, end: str, players: int) -> str:
    """Return the result that the header or the end of the moves claims; refuse two of them."""
    said = read_result(end, players)
    if said is not None and read_result(header, players) not in (None, said):
        raise InvalidRecord(f"the header claims {header}, but the moves end with {end}")
    return header if said is None and header else end


def _rules(headers: dict[str, str], given: Rules | None, text: str) -> Rules:
    """Return the rules that headers name, or else the given ones.

    Without any, say first whether these are moves at all, as no rules would help otherwise.
    """
    for name in ("rules", "variant", "game"):
        if name in headers:
            return rules_of_name(headers[name], given)
    if given is None:
        letters = re.fullmatch("[a-zA-Z ]+", _RESULT.sub("", text))  # of columns, for example
        if not letters and re.search(r"[^\w\s.,;:()\[\]/*½>→–-]|[^\W\d]{4}", _RESULT.sub("", text)):
            read_moves(text, Rules.gomoku())
        raise InvalidRecord(NO_RULES)
    return given


def _name_keys(headers: dict[str, str], players: int) -> tuple[str, ...]:
    """Return the headers of the players in turn order; in gomoku Black moves first."""
    numbered = tuple(f"player{number}" for number in range(1, players + 1))
    for names in (numbered, ("x", "o"), ("first", "second")):
        if headers.keys() & {*names}:
            return names
    return "black", "white"
