"""Games as arrays, and their verdicts by the definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from math import prod
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts import Game, IllegalMove, Rules
from noughts.bulk import CODES, STATUSES, Verdicts
from noughts.compiled import load
from noughts.game.outcome import status

Games = Sequence[Sequence[int]]
Verdict = tuple[str, int, int, str | None]
INTEGERS = [np.dtype(letter) for letter in "bBhHiIqQ"]

compiled: Any = load("noughts.bulk._judge")


def coordinates(cell: int, rules: Rules) -> tuple[int, ...]:
    strides = [prod(rules.shape[axis + 1 :]) for axis in range(len(rules.shape))]
    return tuple(cell // stride % side for stride, side in zip(strides, rules.shape, strict=True))


def replayed(cells: Sequence[int], rules: Rules) -> Verdict:
    """Judge a game by the definition: replay it with `Game`."""
    game = Game(rules)
    try:
        for cell in cells:
            game.play(coordinates(cell, rules) if 0 <= cell < rules.cells else (-1,))
    except IllegalMove as error:
        return "illegal", 0, game.ply, error.code
    winner = (game.outcome and game.outcome.winner) or 0
    return status(game.outcome), winner, game.ply, None


def listed(verdicts: Verdicts) -> list[Verdict]:
    rows = zip(
        *(array.tolist() for array in (verdicts.status, verdicts.winner)),
        *(array.tolist() for array in (verdicts.ply, verdicts.code)),
        strict=True,
    )
    return [(STATUSES[status], winner, ply, CODES[code]) for status, winner, ply, code in rows]


def arrays_of(verdicts: Verdicts) -> list[NDArray[Any]]:
    return [getattr(verdicts, field.name) for field in fields(verdicts)]


def table(games: Games, dtype: Any = np.int64, width: int | None = None) -> NDArray[Any]:
    if width is None:
        width = max(map(len, games), default=0)
    moves = np.full((len(games), width), -1).astype(dtype)
    for i, game in enumerate(games):
        moves[i, : len(game)] = game
    return moves


def ragged(games: Games, dtype: Any = np.int64) -> tuple[NDArray[Any], NDArray[np.int64]]:
    values = np.array([cell for game in games for cell in game], dtype)
    return values, np.cumsum([0, *map(len, games)])


def random_games(rules: Rules, count: int, seed: int = 1, bad: float = 0.3) -> list[list[int]]:
    """Create random games, some unfinished, continued after their end or with a bad move."""
    random = Random(seed)
    games = []
    for _ in range(count):
        cells = random.sample(range(rules.cells), rules.cells)
        if rules.gravity:
            columns = rules.cells // rules.shape[0]
            cells = fallen(cells, columns, rules.cells - columns)
        end = random.choice([replayed(cells, rules)[2], random.randint(0, rules.cells + 1)])
        game = (cells + cells[:1])[:end]
        if game and random.random() < bad:
            game[random.randrange(end)] = random.randint(-2, rules.cells + 1)
        if game and game[-1] == -1:
            game[-1] = rules.cells  # in a table, -1 would be padding
        games.append(game)
    return games


def fallen(cells: list[int], columns: int, last_row: int) -> list[int]:
    """Drop each mark to the lowest empty cell of its column."""
    lowest = {cell % columns: last_row + cell % columns for cell in cells}
    falls = []
    for cell in cells:
        falls.append(lowest[cell % columns])
        lowest[cell % columns] -= columns
    return falls


def bytes_of_games(count: int) -> NDArray[np.int8]:
    """Return rows of nine moves: whole games, unfinished ones, ones with a bad move, and noise."""
    random = np.random.default_rng(5)
    moves = random.permuted(np.tile(np.arange(9, dtype=np.int8), (count, 1)), axis=1)
    moves[np.arange(9) >= random.integers(0, 14, (count, 1))] = -1
    bad = random.random((count, 9)) < random.choice([0, 0.02, 0.1, 1], (count, 1))
    moves[bad] = random.integers(-128, 128, np.count_nonzero(bad))
    near = random.random((count, 9)) < random.choice([0, 0.5, 1], (count, 1))
    return np.where(bad & near, moves % 11 - 1, moves).astype(np.int8)
