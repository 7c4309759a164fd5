"""Make or check the book of Connect Four: ``script/lab book``."""

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

MEMORY = 16 * 2**20  # bytes for the table of a search; more would not save positions
SAVE = 60.0  # seconds between two writes of the file

History = tuple[Cell, ...]


@cache
def positions(plies: int) -> tuple[History, ...]:
    """Return moves to every open position after `plies` plies, one of two mirror images."""
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
    """Make the book, or continue an unfinished one.

    Positions of the full number of plies are searched; all earlier positions follow from them.

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
    """Replace the file atomically."""
    new = file.with_suffix(".new")
    new.write_bytes(zlib.compress(book, 9))
    new.replace(file)


def _search(prover: Any, history: History) -> int:
    """Search a position and return its winner, 0 for a draw."""
    bits = [1 << geometry_of(RULES).number(cell) for cell in history]
    marks = sum(bits[::2]), sum(bits[1::2])
    winners = [player for player in (0, 1) if prover.wins(player, *marks, lambda: None)]
    return winners[0] + 1 if winners else 0


def _best(book: bytearray, history: History) -> int:
    """Return the winner of a position from the positions that the player to move can reach."""
    player = 1 + len(history) % 2
    winners = {
        player if after.outcome else book[place_of(after.history)] - 1
        for after in _after_each_move(history)
    }
    return next(winner for winner in (player, 0, 3 - player) if winner in winners)


def check(sample: int, seed: int) -> int:
    """Solve a sample of the longest positions again; return the number of differences."""
    columns = required("noughts.opponent.exact._columns", "checking the book")
    return sum(
        _search(columns.Prover(RULES, MEMORY), history) != winner_in(history)
        for history in Random(seed).sample(positions(PLIES), sample)
    )


def main() -> None:
    """Parse the arguments, and make or check the book."""
    parser = argparse.ArgumentParser(
        prog="script/lab book",
        description="Make the book of Connect Four, or continue an unfinished one.",
    )
    parser.add_argument("--check", type=int, metavar="N", help="only solve N positions again")
    parser.add_argument("--seed", type=int, default=1, help="seed of that sample")
    options = parser.parse_args()
    if options.check is None:
        make()
    elif wrong := check(options.check, options.seed):
        parser.exit(1, f"{wrong} of {options.check} positions have a different value\n")
    else:
        print(f"{options.check} positions have the same value")


if __name__ == "__main__":
    main()
