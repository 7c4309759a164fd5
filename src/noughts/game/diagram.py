"""Boards as people write them: rows of marks, as text or as lists.

A row is text such as ``XOX``, ``X O X`` or ``X | O | X``, or a list of marks; a board is a list of
rows, or text with one row per line. Rules drawn between rows, such as ``---+---+---``, and the
names of columns and rows around a board are skipped, so that the output of `noughts.picture.text`
can be read, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import isqrt
from typing import Any

from noughts.arguments import integer
from noughts.errors import InvalidPosition, InvalidRules, short_repr, size
from noughts.game.geometry import Cell, geometry_of
from noughts.game.rules import Rules, as_rules
from noughts.picture.cells import column_name

EMPTY = frozenset({"", " ", ".", "-", "_", "0", "·", "+", "×", "E", "e", "None", "none", "null"})
"""What people write for an empty cell; ``0`` is the second player if it stands beside another."""

MARKS = {"X": 1, "O": 2, "B": 1, "W": 2, "●": 1, "○": 2, "-1": 2}
"""The player of each mark; further players are written as their number."""

_FRAMES = "┌┬┐├┤└┴┘╔╦╗╠╣╚╩╝╒╤╕╞╡╘╧╛"
_BARS = re.compile("[|│║]")
_LINES = re.compile(rf"[\s|+=─━═┼╋╬╪│║{_FRAMES}-]+")
_ARRAY = re.compile(r"(?:np\.|numpy\.)?array\(|, dtype=\w+")  # around the rows of an array
_SQUARES = re.compile("[XxOo ]+")  # spaces are empty cells
_SINGLE = re.compile(r"\s*\S(?:\s\S)+\s*")  # single characters with one space between them

_SIGNS = EMPTY - {"", " "}

MAX_CELLS = 1_000_000  # of a board that is read
MAX_FEN = 2_000  # characters of a board in which numbers stand for empty cells

Board = dict[Cell, int]


def read_diagram(rows: object, rules: Rules | str | None) -> tuple[Rules, Board]:
    """Read a board; return its rules, and the player on each marked cell.

    Args:
        rows: the board, see this module. For rules whose number of cells it has, it can also be a
            single row of all cells.
        rules: its rules; None for tic-tac-toe, if the board is 3×3.

    Raises:
        InvalidPosition: the rows differ in length, a mark is unknown, or the size of the
            board is not that of the rules.
        InvalidRules: the rules are not given and the board is not 3×3, or their text is wrong.
        TypeError: the board is neither text nor rows.
    """
    given = None if rules is None else as_rules(rules)
    table = _table(rows, (given or Rules()).shape)
    cells = [mark for row in table for mark in row]
    sides = (len(table), len(table[0]))
    if given is None:
        if len(cells) != 9 or sides not in ((3, 3), (1, 9)):
            raise InvalidRules(
                f"a {size(sides)} board can belong to several games: give the rules, for example "
                f"{_proposed(sides)}"
            )
        given = Rules()
    elif sides not in (given.shape, (1, given.cells), (given.cells, 1)) and (
        len(given.shape) == 2 or len(cells) != given.cells
    ):
        proposed = f"{sides[0]}x{sides[1]},k={given.k}"
        meant = f": pass {proposed} for this one" if given.k <= max(sides) else ""
        raise InvalidPosition(
            f"the rules have a {size(given.shape)} board, got {size(sides)}{meant}"
        )
    players, cell = _players(cells, given.players), geometry_of(given).cell
    return given, {cell(at): player for at, player in enumerate(players) if player}


def _proposed(sides: tuple[int, int]) -> str:
    """Return rules for a board of this size, or for all cells of a board in one row."""
    if sides in ((6, 7), (1, 42)):
        return "connect-four"
    if sides[0] == 1 and (side := isqrt(sides[1])) ** 2 == sides[1] and side > 2:
        sides = (side, side)
    return f"{sides[0]}x{sides[1]},k={min(5, *sides) if min(sides) > 2 else max(sides)}"


def diagram_shape(rows: object) -> tuple[int, int]:
    """Return the number of rows and columns of a board; raise the same errors as `read_diagram`."""
    table = _table(rows)
    return len(table), len(table[0])


def _table(rows: object, shape: tuple[int, ...] = ()) -> list[list[Any]]:
    """Split a board into rows of marks, all of the same length.

    Text that has as many characters as a board of this shape has a mark in each of them.
    """
    if isinstance(rows, str):
        rows = joined_rows(rows) or rows.splitlines()
    if not isinstance(rows, Iterable) or isinstance(rows, bytes | dict):
        raise TypeError(f"a board must be text or a list of rows, not {short_repr(rows)}")
    given = list(rows)
    if given and all(isinstance(row, str) for row in given):
        if all(len(row.strip()) < 2 for row in given) and len(given) > 3:
            table: list[list[Any]] = [given]  # a flat list of marks
        else:
            table = _split(given, shape)
    elif given and all(_is_row(row) for row in given):
        table = [list(row) for row in given]
    else:
        table = [given]
    widths = {len(row) for row in table}
    if len(widths) > 1:
        odd = next(i for i, row in enumerate(table) if len(row) != len(table[0]))
        raise InvalidPosition(
            f"row {odd + 1} has {len(table[odd])} cells, but row 1 has {len(table[0])}"
        )
    if not table or not table[0]:
        raise InvalidPosition("the board has no cells")
    return table


def joined_rows(text: str) -> list[str] | None:
    """Return the rows of a board on one line, ``XOX/.O./..X``; None if the text is none.

    As in FEN, a number stands for empty cells where the rows would differ in length otherwise, and
    what follows a space after the last row is ignored.
    """
    if "\n" in text.strip() or not (separator := re.search(r"[/|,;]", text)):
        return None
    *rows, last = (row.strip() for row in text.strip().split(separator[0]))
    rows.append(last.split(" ")[0] if separator[0] == "/" else last)
    counts = separator[0] == "/" and re.search("[XxOo]", text) and re.search("[1-9]", text)
    if (counts or len({*map(len, rows)}) > 1) and len(text) <= MAX_FEN:
        rows = [re.sub("[0-9]+", lambda run: "." * min(int(run[0][:4]), 1000), row) for row in rows]
    fits = len(rows) > 1 and len(rows[0]) > 1 and len({*map(len, rows)}) == 1
    return rows if fits else None


def _is_rule(line: str) -> bool:
    """Return whether a line is a rule between rows."""
    # A single - or + is an empty cell.
    return bool(_LINES.fullmatch(line) and re.search("[=─━═┼╋╬╪]|--|[+]-|-[+]", line))


def _is_row(row: object) -> bool:
    return isinstance(row, Iterable) and not isinstance(row, str | bytes)


def _split(rows: Sequence[str], shape: tuple[int, ...]) -> list[list[str]]:
    """Split rows of text into marks, see `_table`."""
    lines = [_ARRAY.sub("", row.rstrip("\r\n")) for row in rows]
    if any("{" in line for line in lines):  # an array of C or Java
        lines = [line.translate({ord("{"): "[", ord("}"): "]", ord(";"): " "}) for line in lines]
    if re.match(r"\s*[\[(]\s*[\[(]", "\n".join(lines)):
        return _printed_rows("\n".join(lines))
    if (len(lines), *{*map(len, lines)}) == shape and all(map(_SQUARES.fullmatch, lines)):
        return [[*line] for line in lines]
    if any(_BARS.search(line) for line in lines):
        if (
            len(lines) > 2
            and re.fullmatch(r"[\s|]+", lines[0])
            and "|-" in lines[1].replace(" ", "")
        ):
            lines = lines[2:]  # the empty header of a table in Markdown
        lines = [line for line in lines if line.strip() and not _is_rule(line)]
        lines = [line for line in lines if _BARS.search(line) or not names_columns(line.split())]
        if bodies := _after_names(lines):
            return _split(bodies, shape)
        table = [[mark.strip() for mark in _BARS.split(line)] for line in lines]
        framed = all(map(_is_framed, lines))
        return [row[1:-1] for row in table] if framed else table
    if any("+" in line and _is_rule(line) for line in lines):
        lines = [line for line in lines if not _is_rule(line)]
    lines = [line for line in lines if line] if any(line.strip() for line in lines) else lines
    lines = _without_names(lines)
    for separator in "\t;,":
        if any(separator in line for line in lines):
            table = [[mark.strip() for mark in line.split(separator)] for line in lines]
            # A separator between two rows is not before an empty cell.
            joined = len(table) > 1 and {len(row) - len(table[-1]) for row in table[:-1]} == {1}
            ended = joined and not any(row[-1] for row in table[:-1])
            return [row[:-1] for row in table[:-1]] + table[-1:] if ended else table
    if all(_SINGLE.fullmatch(line) for line in lines):
        return [line.split() for line in lines]
    if any(len(word) > 1 for line in lines for word in line.split()) and any(
        re.search(r"\S\s+\S", line) for line in lines
    ):
        return [line.split() for line in lines]
    width = max(map(len, lines), default=0)
    if width * len(lines) > MAX_CELLS:
        raise InvalidPosition(f"a board that is read has at most {MAX_CELLS:,} cells")
    # A space can be an empty cell, and then the spaces at the ends of rows may be missing.
    spaced = not any(mark in _SIGNS for line in lines for mark in line)
    return [list(line.ljust(width) if spaced else line) for line in lines]


def _printed_rows(text: str) -> list[list[str]]:
    """Split an array or tuples, as Python prints them, into marks by their inner brackets.

    Raises:
        InvalidPosition: the text ends within a row.
    """
    if re.search(r"[\[(][^\[\]()]*\Z", text):
        raise InvalidPosition("the board is cut off: the bracket after its last row is missing")
    text = re.sub(r"''|\"\"|' '|\" \"", ".", text)
    text = re.sub(r"(?<=\d)\.0*(?!\d)", "", text)  # 1. and 1.0
    rows = re.findall(r"[\[(]([^\[\]()]*)[\])]", text)
    return [re.sub(r"[{}'\",]", " ", row).split() for row in rows]


def _after_names(lines: list[str]) -> list[str]:
    """Return the rows without their names outside of the bars; none if these are not names."""
    parts = [re.fullmatch(r"(\s*\w+\s*)([|│║].*)", line) for line in lines]
    if len(lines) < 3 or not all(parts):
        return []
    names, rows = zip(*(part.groups() for part in parts if part), strict=True)
    if not _in_order([name.strip() for name in names]):
        return []
    if not re.search(r"[^\s\d|│║]", "".join(rows)):
        return []  # all are numbers: the first of each row is a mark, too
    bars = [*map(_BARS.findall, rows)]
    if all(len(each) == 1 for each in bars):
        return [row[1:] for row in rows]
    ends = [row[row.rindex(each[-1]) + 1 :].strip() for row, each in zip(rows, bars, strict=True)]
    if ends not in ([""] * len(rows), [name.strip() for name in names]):
        return []
    return [row[: len(row.rstrip()) - len(end)] for row, end in zip(rows, ends, strict=True)]


def _is_framed(row: str) -> bool:
    """Return whether a row has bars on its left and right, and not empty cells outside them."""
    bars = [bar.start() for bar in _BARS.finditer(row)]
    outside = row[: bars[0]] + row[bars[-1] + 1 :] if len(bars) > 1 else row
    return not outside.strip() and (bars[0] == 0 or bars[0] < bars[1] - bars[0] - 1)


def _without_names(lines: list[str]) -> list[str]:
    """Remove the names of columns above or below a board, and of the rows beside it."""
    if len(lines) < 2:
        return lines
    if placed := _below_names(lines):
        return placed
    # Winning marks are in brackets, as `noughts.picture.text` draws them.
    words = [re.sub(r"[\[\]]", " ", line).split() for line in lines]
    below = names_columns(words[-1]) and not names_columns(words[0])
    header, body = (words[-1], words[:-1]) if below else (words[0], words[1:])
    columns = len(header)
    if not names_columns(header) or len({*map(len, body)}) != 1:
        return lines
    beside = len(body[0]) == columns + 1
    if beside and not _in_order([row[0] for row in body]):
        if not _in_order([row[-1] for row in body]):
            return lines
        return [" ".join(row[:-1]) for row in body]
    numbers = any(re.fullmatch("[1-9]", mark) for row in body for mark in row)
    if not beside and (len(body[0]) != columns or (header[0].isdigit() and numbers)):
        return lines  # digits can be marks
    return [" ".join(row[beside:]) for row in body]


def _below_names(lines: list[str]) -> list[str] | None:
    """Return the rows of a board whose empty cells are spaces below the names of columns.

    The marks are where the names are. None is returned if the rows do not fit.
    """
    places = [at for at, mark in enumerate(lines[0]) if mark != " "]
    names = lines[0].split()
    if "\t" in "".join(lines) or len(places) != len(names) or not names_columns(names):
        return None
    width = places[-1] + 1
    rows = [line.ljust(width) for line in lines[1:]]
    beside = [row[: places[0]].strip(" []") for row in rows]
    between = [
        "".join(row[at] for at in range(places[0], width) if at not in places) for row in rows
    ]
    spaced = any(row[at] == " " for row in rows for at in places)
    if (
        not spaced
        or "".join(between).strip(" []")
        or any(line[width:].strip(" ]") for line in rows)
    ):
        return None
    if any(beside) and not _in_order(beside):
        return None
    return [" ".join("." if row[at] == " " else row[at] for at in places) for row in rows]


def _in_order(names: list[str]) -> bool:
    """Return whether these are the names of rows: numbers that rise or fall by 1, or letters."""
    if all(name.isdecimal() and len(name) < 4 for name in names):
        numbers = [*map(int, names)]
        steps = {after - before for before, after in pairwise(numbers)}
        return steps <= {1} or steps <= {-1}
    return [name.upper() for name in names] == [*map(column_name, range(len(names)))]


def names_columns(words: list[str]) -> bool:
    """Return whether these are the names of three columns or more in order, 1 2 3 or A B C.

    >>> names_columns(["a", "b", "c"]), names_columns(["0", "1", "2"]), names_columns(["b", "c"])
    (True, True, False)
    """
    columns = len(words)
    return columns > 2 and (
        [word.upper() for word in words] == [*map(column_name, range(columns))]
        or words in ([str(at) for at in range(columns)], [str(at) for at in range(1, columns + 1)])
    )


def _players(marks: Sequence[Any], players: int) -> list[int]:
    """Return the player of each mark, or 0."""
    written = [mark.strip() if isinstance(mark, str) else mark for mark in marks]
    used = {mark.upper() for mark in written if isinstance(mark, str)}
    if "X" in used:  # B is for blank; beside O alone it is for black
        written = ["" if mark in ("b", "B") else mark for mark in written]
    firsts = sum(mark in ("X", "x", "1") for mark in written)
    others = used & (EMPTY - {"0"}) or firsts > 1  # with 0 for no mark nobody answers the first
    nought = "0" in used and used & {"X", "1"} and not used & {"O", "2", "W", "○", "-1"} and others
    if used & {"X", "O"} and players == 2:
        written = _without_numbers(written)
    return [2 if nought and mark == "0" else _player(mark, players) for mark in written]


def _without_numbers(marks: list[Any]) -> list[Any]:
    """Empty the cells that hold their number, counted from 1; refuse other numbers beside X and O.

    Raises:
        InvalidPosition: a number is not that of its cell.
    """
    plain = list(marks)
    for at, mark in enumerate(marks):
        if isinstance(mark, str) and re.fullmatch("[1-9][0-9]*", mark):
            if mark != str(at + 1):
                raise InvalidPosition(
                    f"{mark} stands beside X and O, and is not the number of its cell, {at + 1}"
                )
            plain[at] = ""
    return plain


def _player(mark: Any, players: int) -> int:
    """Return the player of a mark, or 0 for an empty cell."""
    if mark is None or (isinstance(mark, str) and mark in EMPTY):
        return 0
    if isinstance(mark, str):
        player = MARKS.get(mark.upper(), 0) or (int(mark) if re.fullmatch("[1-8]", mark) else -1)
    else:
        player = integer(mark, "a mark")
        player = 2 if player == -1 and players == 2 else player
    if not 0 <= player <= players:
        raise InvalidPosition(
            f"{short_repr(mark)} is not a mark: write X and O or the player's number, "
            "and . for an empty cell"
        )
    return player
