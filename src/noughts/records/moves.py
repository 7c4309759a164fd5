"""Moves as people write them: one reader for the text of every format without a grammar of its own.

=================  ==================================================================
names of cells     ``h8 i9 j10`` or ``h8i9j10``, as in a spreadsheet: A1 is on top
pairs              ``0,0 1,1`` or ``(0, 0) (1, 1)``: row and column, counted from 0
numbers of cells   ``0 4 8``, row by row from 0; on boards of up to ten cells ``048``
columns            with gravity ``4453`` or ``4 4 5 3``, counted from 1, or ``d d e c``
=================  ==================================================================

Moves can be numbered: ``1. h8 i9 2. j10`` or ``1) h8 i9``. Where the rules leave two readings, the
text is refused.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from noughts.errors import InvalidRecord, short_repr
from noughts.game.diagram import names_columns
from noughts.game.geometry import Cell, geometry_of
from noughts.game.rules import Rules
from noughts.picture.cells import cell_name, read_cell

Origin = Literal["top", "bottom"]
ORIGINS: tuple[Origin, ...] = ("top", "bottom")
"""Where row 1 of a cell's name can be."""

_NUMBERING = re.compile(r"(?<![^\s])[0-9]{1,6}\.(?:\.\.)?(?![0-9])")
_BRACKETED = re.compile(r"(?<![^\s])[0-9]{1,6}\)(?=\s)")  # 1) h8 i9
_NAMES = re.compile(r"((?:[0-9]{1,9}/)*[a-zA-Z]{1,6}[0-9]{0,9})[\s,;>→–-]*")
_GROUP = re.compile(r"[(\[]\s*+(-?[0-9]{1,9}(?:\s*,\s*-?[0-9]{1,9})*+)\s*+,?\s*+[)\]][\s,;]*+")
_NUMBERS = re.compile(r"-?[0-9]{1,1000}(?:[\s,;]+-?[0-9]{1,9})*[\s,;]*")


def read_moves(text: str, rules: Rules, origin: Origin | None = None) -> tuple[Cell, ...]:
    """Read the moves of a game; a cell may be off the board, which playing it reports.

    Args:
        text: the moves in one of the forms above.
        rules: the rules, which decide what a number means.
        origin: where row 1 is in the names of cells. By default on top, or at the bottom if the
            first mark would float otherwise.

    Raises:
        InvalidRecord: the text is in none of these forms, or has two readings.

    >>> read_moves("1. b2 a1 2. c1", Rules()), read_moves("4 8 6", Rules())
    (((1, 1), (0, 0), (0, 2)), ((1, 1), (2, 2), (2, 0)))
    >>> read_moves("445", Rules.connect_four())
    ((5, 3), (4, 3), (5, 4))
    """
    if _names_columns(text, rules):
        raise InvalidRecord(
            f"{short_repr(text.strip())} names all columns, as above a board: "
            "pass --format boards if this is one"
        )
    plain = _without_numbers(text, rules.players)
    if not plain:
        return ()
    if re.search("[a-zA-Z]", plain):
        return _named(plain, rules, origin)
    if plain[0] in "([":
        return _grouped(plain, rules)
    return _numbers(plain, rules)


def _without_numbers(text: str, players: int) -> str:
    """Remove the numbers of moves; refuse the text if they are not 1, 2 and so on."""
    plain = text if "(" in text else _BRACKETED.sub(lambda it: it[0].replace(")", "."), text)
    begun, *parts = _NUMBERING.split(plain)
    numbers = [int(it[0].rstrip(".")) for it in _NUMBERING.finditer(plain)]
    if not numbers:
        return plain.strip()
    dotted = [it[0].endswith("...") for it in _NUMBERING.finditer(plain)]
    rising = [at for at, again in zip(numbers, dotted, strict=True) if not again]
    again = any(
        number != before
        for number, repeats, before in zip(numbers, dotted, [0, *numbers], strict=False)
        if repeats
    )
    crowded = "," not in plain and any(len(part.split()) > players for part in parts)
    if begun.strip() or again or crowded or rising != list(range(1, len(rising) + 1)):
        raise InvalidRecord(
            f"the numbers of the moves must be 1, 2 and so on, with up to {players} moves each, "
            f"got {short_repr(text.strip())}: correct the numbers or leave all of them out"
        )
    return " ".join(parts).strip()


def without_players(moves: Sequence[Sequence[int]], rules: Rules) -> Sequence[Sequence[int]]:
    """Remove the player after each cell if all moves have one; return other moves unchanged.

    Raises:
        InvalidRecord: a player is not the one to move.
    """
    sides = len(rules.shape)
    if not all(len(move) == sides + 1 for move in moves):
        return moves
    for ply, move in enumerate(moves):
        player = ply % rules.players + 1
        if type(move[-1]) is not int or move[-1] != player:
            raise InvalidRecord(
                f"move {ply + 1} must be {sides} coordinates, or these and the player to move, "
                f"{player}, got {short_repr(list(move))}"
            )
    return [move[:-1] for move in moves]


def _names_columns(text: str, rules: Rules) -> bool:
    """Return whether the text names all columns in order, which few games do on a wide board."""
    words = text.split()
    return len(words) == rules.shape[-1] > 5 and names_columns(words)


def cells_of_numbers(numbers: Sequence[int], rules: Rules) -> tuple[Cell, ...]:
    """Return the cells with these numbers, row by row from 0.

    Raises:
        InvalidRecord: with gravity the numbers can only be columns, which have two numberings.
    """
    if rules.gravity and numbers and max(numbers) < rules.cells - rules.cells // rules.shape[0]:
        raise InvalidRecord(
            f"{short_repr(list(numbers)[:4])} cannot be numbers of cells, since the first mark "
            "would fall: write columns counted from 1 as text, such as '4453', or pairs"
        )
    return tuple(map(geometry_of(rules).cell, numbers))


def moves_text(moves: Sequence[Cell], rules: Rules) -> str:
    """Write moves so that `read_moves` reads them: as names of cells, or as pairs with gravity."""
    if rules.gravity or any(at < 0 for cell in moves for at in cell):
        return " ".join(f"({','.join(map(str, cell))})" for cell in moves)
    return " ".join(map(cell_name, moves))


def drop_columns(columns: Iterable[int], rules: Rules) -> tuple[Cell, ...]:
    """Return the cells on which marks come to rest in these columns, counted from 0.

    A column that is full gives its highest cell, which is taken.
    """
    rows = rules.shape[0]
    heights: dict[int, int] = {}
    cells = []
    for column in columns:
        heights[column] = height = heights.get(column, 0) + 1
        cells.append((max(rows - height, 0), column))
    return tuple(cells)


def _named(text: str, rules: Rules, origin: Origin | None) -> tuple[Cell, ...]:
    """Read the names of cells, or with gravity the letters of columns."""
    names, at = [], 0
    while move := _NAMES.match(text, at):
        names.append(move[1])
        at = move.end()
    if at < len(text):
        raise InvalidRecord(
            f"expected a move such as h8 at column {at + 1}, got {short_repr(text[at:])}"
        )
    dimensions = len(rules.shape)
    if rules.gravity and dimensions == 2 and not re.search("[0-9]", text):
        letters = "".join(names) if rules.shape[1] <= 26 else names
        return drop_columns((read_cell(f"{letter}1")[1] for letter in letters), rules)
    try:
        cells = [read_cell(name, dimensions) for name in names]
    except ValueError as error:
        raise InvalidRecord(str(error)) from None
    rows = rules.shape[-2] if dimensions > 1 else 1
    turned = [(*cell[:-2], rows - 1 - cell[-2], cell[-1]) if dimensions > 1 else cell
              for cell in cells]  # fmt: skip
    if origin is None:
        last = rules.shape[0] - 1
        floats = rules.gravity and dimensions == 2 and cells[0][0] != last == turned[0][0]
        origin = "bottom" if floats else "top"
    return tuple(turned if origin == "bottom" else cells)


def _grouped(text: str, rules: Rules) -> tuple[Cell, ...]:
    """Read cells in brackets."""
    if re.match(r"[(\[]\s*[(\[]", text) and text[-1] in ")]":
        text = text[1:-1].strip()
    groups: list[tuple[int, ...]] = []
    at, dimensions = 0, len(rules.shape)
    while move := _GROUP.match(text, at):
        groups.append(tuple(map(int, move[1].split(","))))
        at = move.end()
    if at < len(text):
        raise InvalidRecord(
            f"expected a cell such as (0, 0) at column {at + 1}, got {short_repr(text[at:])}"
        )
    cells = without_players(groups, rules)
    for number, cell in enumerate(cells, 1):
        if len(cell) != dimensions:
            given = short_repr(",".join(map(str, cell)))
            raise InvalidRecord(f"move {number} must have {dimensions} coordinates, got {given}")
    return tuple(map(tuple, cells))


def _numbers(text: str, rules: Rules) -> tuple[Cell, ...]:
    """Read pairs, numbers of cells, or columns."""
    text = re.sub(r",\s+", ",", text.strip(" \t;"))
    dimensions, words = len(rules.shape), re.split(r"[\s;]+", text)
    pair = rf"-?[0-9]{{1,9}}(?:,-?[0-9]{{1,9}}){{{dimensions - 1}}},?"
    if dimensions > 1 and all(re.fullmatch(pair, word) for word in words):
        cells = [tuple(map(int, word.rstrip(",").split(","))) for word in words]
        if len(cells) == 1:
            raise InvalidRecord(
                f"{text} can be one cell, {cells[0]}, or {dimensions} numbers of cells: write "
                f"({text}) or {text.replace(',', ' ')}"
            )
        return tuple(cells)
    if not _NUMBERS.fullmatch(text):
        raise InvalidRecord(
            f"expected moves such as h8 i9, 0,0 1,1 or 4453, got {short_repr(text)}"
        )
    numbers = re.findall("-?[0-9]+", text)
    columns = rules.shape[-1]
    digits = columns <= 9 if rules.gravity else rules.cells <= 10
    if digits and len(numbers) == 1 and numbers[0].isdigit():
        numbers = list(numbers[0])
    moves = list(map(int, numbers))
    if dimensions == 2 and len(moves) % 2 == 0 and len(words) == 1 and "," in text:
        pairs = list(zip(moves[::2], moves[1::2], strict=True))
        rests = not rules.gravity or pairs[0][0] == rules.shape[0] - 1
        if rests and all(0 <= row < rules.shape[0] and 0 <= col < columns for row, col in pairs):
            raise InvalidRecord(
                f"{short_repr(text)} can be {len(pairs)} cells, from {pairs[0]} on, or "
                f"{len(moves)} numbers: write pairs such as (0,1), or spaces between numbers"
            )
    if not rules.gravity or dimensions != 2 or max(moves) >= rules.cells - columns > columns:
        if unknown := [cell for cell in moves if not 0 <= cell < rules.cells]:
            offsets = "; offsets from the centre are openings of noughts match"
            raise InvalidRecord(
                f"cell {unknown[0]} does not exist: cells are counted from 0 to {rules.cells - 1}"
                + (offsets if unknown[0] < 0 else "")
            )
        return cells_of_numbers(moves, rules)
    if unknown := [column for column in moves if not 1 <= column <= columns]:
        raise InvalidRecord(
            f"column {unknown[0]} does not exist: columns are counted from 1 to {columns}"
            + ("; add 1 to columns that are counted from 0" if unknown[0] == 0 else "")
        )
    return drop_columns((column - 1 for column in moves), rules)
