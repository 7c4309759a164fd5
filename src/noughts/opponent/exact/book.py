"""The book of Connect Four: the winner of each position of up to seven plies.

``script/lab book`` creates the file by exact search and checks it. It is compressed and contains
one byte per place (see `place_of`): the winner's number plus 1, 1 for a draw, or 0 if no position
has this place.
"""

import zlib
from collections.abc import Sequence
from functools import cache
from math import comb
from pathlib import Path

from noughts.game.geometry import Cell
from noughts.game.rules import Rules

RULES = Rules.connect_four()
COLUMNS = RULES.shape[1]
PLIES = 7
FILE = Path(__file__).with_name("connect-four.book")
Columns = list[list[bool]]
SAME = RULES, Rules(RULES.shape, RULES.k, early_draw=True, gravity=True)  # the same player wins


def in_book(rules: Rules, plies: int) -> bool:
    """Return whether the book contains the positions of these rules with this many plies."""
    return plies <= PLIES and rules in SAME


def winner_in(history: Sequence[Cell]) -> int:
    """Return the winner with best play, 0 for a draw; the moves must not end the game."""
    return winner_of(columns_of(history))


def winner_of(columns: Columns) -> int:
    """Return the same for the marks of each column, from the bottom, True for player 1."""
    return read()[place(columns)] - 1


def place_of(history: Sequence[Cell]) -> int:
    """Return the number of a position, which its mirror image shares; fewer plies come first.

    Subsets are numbered by the combinatorial number system (D. E. Knuth, The Art of Computer
    Programming 4A, 7.2.1.3): the borders in the sequence of marks and borders, column by column,
    and the marks of player 1 in the sequence of marks.
    """
    return place(columns_of(history))


def columns_of(history: Sequence[Cell]) -> Columns:
    """Return the marks of each column, from the bottom, True for player 1."""
    columns: Columns = [[] for _ in range(COLUMNS)]
    for ply, (_, column) in enumerate(history):
        columns[column].append(ply % 2 == 0)
    return columns


def place(columns: Columns) -> int:
    """Return the same for the marks of each column."""
    plies = sum(map(len, columns))
    return places(plies) + min(_number(columns, plies), _number(columns[::-1], plies))


def _number(columns: Columns, plies: int) -> int:
    borders = subset = marks = own = 0
    for number, column in enumerate(columns):
        for is_first in column:
            own += is_first
            subset += comb(marks, own) * is_first
            marks += 1
        if number + 1 < COLUMNS:
            borders += comb(marks + number, number + 1)
    return borders * comb(plies, plies // 2) + subset


@cache
def places(plies: int) -> int:
    """Return the number of places for positions of fewer plies."""
    return sum(comb(ply + COLUMNS - 1, ply) * comb(ply, ply // 2) for ply in range(plies))


@cache
def read() -> bytes:
    """Read the book, one byte per place."""
    return zlib.decompress(FILE.read_bytes())
