"""The names of cells.

On screen a cell is named as in a spreadsheet: the letters of its column, then the number of its
row, counted from 1. On boards of more than two dimensions the other coordinates come first, also
counted from 1: ``2/B3`` is cell (1, 2, 1).
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from noughts.arguments import Cell
from noughts.errors import short_repr


def cell_name(cell: Cell) -> str:
    """Return the name of a cell on screen.

    >>> [cell_name(cell) for cell in [(0, 0), (2, 1), (9, 26), (1, 2, 1), (4,)]]
    ['A1', 'B3', 'AA10', '2/B3', 'E1']
    """
    *layers, row, col = cell if len(cell) > 1 else (0, *cell)
    return "".join(f"{layer + 1}/" for layer in layers) + f"{column_name(col)}{row + 1}"


def column_name(col: int) -> str:
    """Return the letters of a column, counted from 0: A to Z, AA, AB and so on."""
    letters = ""
    while col >= 0:
        col, letter = divmod(col, 26)
        letters = chr(ord("A") + letter) + letters
        col -= 1
    return letters


class Notation(NamedTuple):
    """How a format names the columns and rows of a board.

    Attributes:
        column: a function of a column, counted from 0.
        row: a function of a row, counted from 0 at the top, and the number of rows.
    """

    column: Callable[[int], str]
    row: Callable[[int, int], str]


def _letter(at: int) -> str:
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[at] if at < 52 else str(at + 1)


NOTATIONS = {
    "spreadsheet": Notation(column_name, lambda row, _: str(row + 1)),
    "pos": Notation(lambda col: column_name(col).lower(), lambda row, rows: str(rows - row)),
    "psq": Notation(lambda col: str(col + 1), lambda row, _: str(row + 1)),
    "sgf": Notation(_letter, lambda row, _: _letter(row)),
}
"""The notations of cells: ours, and those of formats with names of their own."""


def read_cell(text: str, dimensions: int = 2) -> Cell:
    """Read a cell written as a name, ``b3``, or as coordinates counted from 0, ``2,1``.

    The cell may be off the board; playing it raises the error.

    Args:
        text: what a person typed; spaces around it are ignored.
        dimensions: the number of coordinates.

    Raises:
        ValueError: the text does not name a cell.

    >>> read_cell("b3"), read_cell("2,1"), read_cell("2/b3", 3)
    ((2, 1), (2, 1), (1, 2, 1))
    """
    text = text.strip()
    name = re.fullmatch(r"((?:[0-9]{1,9}/)*)([a-zA-Z]{1,6})([0-9]{1,9})", text)
    if name:
        col = 0
        for letter in name[2].upper():
            col = col * 26 + ord(letter) - ord("A") + 1
        layers = [int(layer) - 1 for layer in name[1].split("/")[:-1]]
        cell = (*layers, int(name[3]) - 1, col - 1)
        if dimensions == 1 and cell[0] == 0:
            cell = cell[1:]
    elif re.fullmatch(r"\(?\s*-?[0-9]{1,9}(\s*,\s*-?[0-9]{1,9})*\s*,?\s*\)?", text):
        cell = tuple(int(at) for at in re.findall(r"-?[0-9]+", text))
    else:
        cell = ()
    if len(cell) != dimensions:
        examples = {1: ("b1", "1"), 2: ("b3", "2,1")}.get(
            dimensions, ("1/" * (dimensions - 2) + "b3", "0," * (dimensions - 2) + "2,1")
        )
        raise ValueError(f"{short_repr(text)} is not a cell: write {examples[0]} or {examples[1]}")
    return cell
