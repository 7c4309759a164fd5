"""Making the book of Connect Four, and checking it: ``script/book``."""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from noughts.geometry import geometry_of
from noughts.kernels import required
from noughts.opponent.book import COLUMNS, FILE, PLIES, RULES, place_of, places, winner_in

MEMORY = 16 * 2**20  # bytes for the table of a search; with more it takes as many positions
SAVE = 60.0  # seconds between two times that what is found is written

Marks = tuple[int, int]  # the cells of each player, as the bits of an integer


@cache
def positions(plies: int) -> tuple[Marks, ...]:
    """All positions after so many plies in which nobody has won; one of two mirror images."""
    if not plies:
        return ((0, 0),)
    found = {
        place_of(*after): after
        for marks in positions(plies - 1)
        for after, won in _moves(marks)
        if not won
    }
    return tuple(found.values())


def _moves(marks: Marks) -> Iterator[tuple[Marks, bool]]:
    """The marks after each move, and whether that has won."""
    first, second = marks
    player = (first | second).bit_count() % 2
    for column in range(COLUMNS):
        cells = range(RULES.cells - COLUMNS + column, -1, -COLUMNS)
        for cell in [cell for cell in cells if not (first | second) >> cell & 1][:1]:
            own = marks[player] | 1 << cell
            won = any(own & line == line for line in _lines()[cell])
            yield (first, own) if player else (own, second), won


@cache
def _lines() -> list[list[int]]:
    """For each cell the lines through it, as the bits of integers."""
    geometry = geometry_of(RULES)
    lines = [sum(1 << cell for cell in geometry.numbers(line)) for line in geometry]
    return [[line for line in lines if line >> cell & 1] for cell in range(RULES.cells)]


def make(file: Path = FILE) -> None:
    """Make the book, or go on where it was left: positions of all plies by search, fewer by those.

    Raises:
        ModuleNotFoundError: the kernel was not compiled.
    """
    start = saved = monotonic()
    prover = required("columns", "making the book").Prover(RULES, MEMORY)
    book = bytearray(zlib.decompress(file.read_bytes()) if file.exists() else places(PLIES + 1))
    longest = positions(PLIES)
    for done, marks in enumerate(longest):
        if not book[place := place_of(*marks)]:
            book[place] = _search(prover, marks) + 1
        if monotonic() - saved > SAVE:
            saved = monotonic()
            _write(book, file)
            print(f"{done:,} of {len(longest):,} after {saved - start:.0f} s", flush=True)
    for ply in range(PLIES - 1, -1, -1):
        for marks in positions(ply):
            book[place_of(*marks)] = _best(book, marks, 1 + ply % 2) + 1
    _write(book, file)


def _write(book: bytearray, file: Path) -> None:
    """Replace the file as a whole."""
    new = file.with_suffix(".new")
    new.write_bytes(zlib.compress(book, 9))
    new.replace(file)


def _search(prover: Any, marks: Marks) -> int:
    """Who wins a position, by search."""
    winners = [player for player in (0, 1) if prover.wins(player, *marks, lambda: None)]
    return winners[0] + 1 if winners else 0


def _best(book: bytearray, marks: Marks, player: int) -> int:
    """Who wins a position, by those that the player to move can reach."""
    after = _moves(marks)
    winners = {player if won else book[place_of(*marks)] - 1 for marks, won in after}
    return next(winner for winner in (player, 0, 3 - player) if winner in winners)


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
