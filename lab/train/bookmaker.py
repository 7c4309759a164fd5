"""Making the book of Connect Four, and checking it: ``script/lab book``."""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from noughts.compiled import required
from noughts.game.game import Game
from noughts.game.geometry import Cell, geometry_of
from noughts.opponent.exact.book import FILE, PLIES, RULES, place_of, places, winner_in

MEMORY = 16 * 2**20  # bytes for the table of a search; with more it takes as many positions
SAVE = 60.0  # seconds between two times that what is found is written

History = tuple[Cell, ...]


@cache
def positions(plies: int) -> tuple[History, ...]:
    """Moves to every position of so many plies that nobody has won; to one of two mirror images."""
    if not plies:
        return ((),)
    found = {
        place_of(after.history): after.history
        for history in positions(plies - 1)
        for after in _after_each_move(history)
        if not after.outcome
    }
    return tuple(found.values())


def _after_each_move(history: History) -> Iterator[Game]:
    for cell in Game.replay(RULES, history).legal_moves:
        yield Game.replay(RULES, (*history, cell))


def make(file: Path = FILE) -> None:
    """Make the book, or go on where it was left: positions of all plies by search, fewer by those.

    Raises:
        ModuleNotFoundError: `noughts.opponent.exact._columns` was not compiled.
    """
    start = saved = monotonic()
    prover = required("noughts.opponent.exact._columns", "making the book").Prover(RULES, MEMORY)
    book = bytearray(zlib.decompress(file.read_bytes()) if file.exists() else places(PLIES + 1))
    longest = positions(PLIES)
    for done, history in enumerate(longest):
        if not book[place := place_of(history)]:
            book[place] = _search(prover, history) + 1
        if monotonic() - saved > SAVE:
            saved = monotonic()
            _write(book, file)
            print(f"{done:,} of {len(longest):,} after {saved - start:.0f} s", flush=True)
    for ply in range(PLIES - 1, -1, -1):
        for history in positions(ply):
            book[place_of(history)] = _best(book, history) + 1
    _write(book, file)


def _write(book: bytearray, file: Path) -> None:
    """Replace the file as a whole."""
    new = file.with_suffix(".new")
    new.write_bytes(zlib.compress(book, 9))
    new.replace(file)


def _search(prover: Any, history: History) -> int:
    """Who wins a position, by search."""
    bits = [1 << geometry_of(RULES).number(cell) for cell in history]
    marks = sum(bits[::2]), sum(bits[1::2])
    winners = [player for player in (0, 1) if prover.wins(player, *marks, lambda: None)]
    return winners[0] + 1 if winners else 0


def _best(book: bytearray, history: History) -> int:
    """Who wins a position, by those that the player to move can reach."""
    player = 1 + len(history) % 2
    winners = {
        player if after.outcome else book[place_of(after.history)] - 1
        for after in _after_each_move(history)
    }
    return next(winner for winner in (player, 0, 3 - player) if winner in winners)


def check(sample: int, seed: int) -> int:
    """Solve so many of the longest positions again, each with an empty table; how many differ."""
    columns = required("noughts.opponent.exact._columns", "checking the book")
    return sum(
        _search(columns.Prover(RULES, MEMORY), history) != winner_in(history)
        for history in Random(seed).sample(positions(PLIES), sample)
    )


def main() -> None:
    """Make the book or check it: ``script/lab book``."""
    parser = argparse.ArgumentParser(
        prog="script/lab book", description="Make the book of Connect Four, or go on with it."
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
