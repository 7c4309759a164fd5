"""The book of Connect Four: who wins each position of up to seven plies.

``script/book`` makes it by exact search, and checks it. The file has a byte for each place, see
`place_of`, compressed: one more than the number of the winner, or 1 for a draw; 0 where there is
no such position.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator
from functools import cache
from math import comb
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from noughts.geometry import geometry_of
from noughts.kernels import required
from noughts.rules import Rules

RULES = Rules.connect_four()
COLUMNS = RULES.shape[1]
PLIES = 7
FILE = Path(__file__).with_name("connect-four.book")
MEMORY = 16 * 2**20  # bytes for the table while it is made; with more it takes as many positions
SAVE = 60.0  # seconds between two times that what is found is written

Marks = tuple[int, int]  # the cells of each player, as the bits of an integer


def in_book(rules: Rules, plies: int) -> bool:
    """Whether the book has the positions of these rules with so many plies."""
    if plies > PLIES or rules.shape != RULES.shape:
        return False
    return rules in (RULES, Rules(RULES.shape, RULES.k, early_draw=True, gravity=True))


def winner_in(first: int, second: int) -> int:
    """Who wins this position by best play, where nobody has yet: 1 or 2, or 0 for a draw."""
    return _read(FILE)[place_of(first, second)] - 1


def place_of(first: int, second: int) -> int:
    """The number of a position and its mirror image among all, the fewest plies first.

    Subsets are numbered by the combinatorial number system (D. E. Knuth, The Art of Computer
    Programming 4A, 7.2.1.3): in the sequence of marks and borders, column by column, the borders,
    and in that of the marks those of player 1.
    """
    columns = [_column(first, second, column) for column in range(COLUMNS)]
    plies = sum(map(len, columns))
    below = sum(map(_places, range(plies)))
    return below + min(_number(columns, plies), _number(columns[::-1], plies))


def _column(first: int, second: int, column: int) -> list[bool]:
    """The marks in a column, the lowest first: whether they are player 1's."""
    cells = [1 << cell for cell in range(RULES.cells - COLUMNS + column, -1, -COLUMNS)]
    return [bool(first & cell) for cell in cells if (first | second) & cell]


def _number(columns: list[list[bool]], plies: int) -> int:
    borders = subset = marks = own = 0
    for number, column in enumerate(columns):
        for is_first in column:
            own += is_first
            subset += comb(marks, own) * is_first
            marks += 1
        if number + 1 < COLUMNS:
            borders += comb(marks + number, number + 1)
    return borders * comb(plies, plies // 2) + subset


def _places(plies: int) -> int:
    """How many numbers the positions of so many plies have."""
    return comb(plies + COLUMNS - 1, plies) * comb(plies, plies // 2)


@cache
def _read(file: Path) -> bytes:
    return zlib.decompress(file.read_bytes())


@cache
def positions(plies: int) -> list[Marks]:
    """All positions after so many plies in which nobody has won; one of two mirror images."""
    now: dict[int, Marks] = {0: (0, 0)}
    for ply in range(plies):
        now = {
            place_of(*after): after
            for marks in now.values()
            for cell, after in _moves(marks, ply % 2)
            if not _completes(marks[ply % 2], cell)
        }
    return list(now.values())


def _moves(marks: Marks, player: int) -> Iterator[tuple[int, Marks]]:
    """The cells that player 0 or 1 can play, each with the marks afterwards."""
    first, second = marks
    for column in range(COLUMNS):
        cells = range(RULES.cells - COLUMNS + column, -1, -COLUMNS)
        for cell in [cell for cell in cells if not (first | second) >> cell & 1][:1]:
            yield cell, (first, second | 1 << cell) if player else (first | 1 << cell, second)


def _completes(marks: int, cell: int) -> bool:
    """Whether a mark on this cell completes a line of these marks."""
    return any((marks | 1 << cell) & line == line for line in _lines()[cell])


@cache
def _lines() -> list[list[int]]:
    """For each cell the lines through it, as the bits of integers."""
    geometry = geometry_of(RULES)
    lines = [sum(1 << cell for cell in geometry.numbers(line)) for line in geometry]
    return [[line for line in lines if line >> cell & 1] for cell in range(RULES.cells)]


def make() -> None:
    """Make the book, or go on where it was left: positions of all plies by search, fewer by those.

    Raises:
        ModuleNotFoundError: the kernel was not compiled.
    """
    start = saved = monotonic()
    prover = required("columns", "making the book").Prover(RULES, MEMORY)
    book = bytearray(_read(FILE) if FILE.exists() else sum(map(_places, range(PLIES + 1))))
    longest = positions(PLIES)
    for done, marks in enumerate(longest):
        if not book[place := place_of(*marks)]:
            book[place] = _search(prover, marks) + 1
        if monotonic() - saved > SAVE:
            saved = monotonic()
            _write(book)
            print(f"{done:,} of {len(longest):,} after {saved - start:.0f} s", flush=True)
    for ply in range(PLIES - 1, -1, -1):
        for marks in positions(ply):
            book[place_of(*marks)] = _best(book, marks, ply % 2) + 1
    _write(book)


def _write(book: bytearray) -> None:
    """Replace the file as a whole."""
    new = FILE.with_suffix(".new")
    new.write_bytes(zlib.compress(book, 9))
    new.replace(FILE)


def _search(prover: Any, marks: Marks) -> int:
    """Who wins a position, by search."""
    winners = [player for player in (0, 1) if prover.wins(player, *marks, lambda: None)]
    return winners[0] + 1 if winners else 0


def _best(book: bytearray, marks: Marks, player: int) -> int:
    """Who wins a position, by those that player 0 or 1 can reach."""
    winners = {
        player + 1 if _completes(marks[player], cell) else book[place_of(*after)] - 1
        for cell, after in _moves(marks, player)
    }
    return next(winner for winner in (player + 1, 0, 2 - player) if winner in winners)


def check(sample: int, seed: int) -> int:
    """Solve so many of the longest positions again, each with an empty table; how many differ."""
    kernel = required("columns", "checking the book")
    return sum(
        _search(kernel.Prover(RULES, MEMORY), marks) != winner_in(*marks)
        for marks in Random(seed).sample(positions(PLIES), sample)
    )


def main() -> None:
    """Make the book or check it: ``script/book``."""
    parser = argparse.ArgumentParser(
        prog="script/book", description="Make the book of Connect Four, or go on with it."
    )
    parser.add_argument("--check", type=int, metavar="N", help="solve N positions again instead")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    options = parser.parse_args()
    if options.check is None:
        make()
    elif wrong := check(options.check, options.seed):
        parser.exit(1, f"{wrong} of {options.check} positions have another value\n")
    else:
        print(f"{options.check} positions have the same value")


if __name__ == "__main__":
    main()
