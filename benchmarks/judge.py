"""Time bulk judging: nanoseconds a move by board, form and width, and games a second by threads.

.venv/bin/python benchmarks/judge.py [--rounds 9] [--scale 1.0]
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Callable
from itertools import accumulate
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts import Rules
from noughts.judge import CODES, STATUSES, judge
from noughts.records import Record, judge_record

Row = tuple[str, float]

PLIES = 8_000_000  # in each of the arrays that are timed, or thereabouts


def random_games(rules: Rules, count: int, seed: int = 1, dtype: Any = None) -> NDArray[Any]:
    """Complete games, a row each, in which every move is equally likely; -1 after the end.

    Every row begins as all cells in random order and is cut where the game ends, which is what
    `judge` itself says: the moves after the end are the first that are illegal.
    """
    dtype = dtype or np.min_scalar_type(-rules.cells)
    cells = np.tile(np.arange(rules.cells, dtype=dtype), (count, 1))
    moves = np.random.default_rng(seed).permuted(cells, axis=1, out=cells)
    ends = judge(moves, rules).ply
    moves[np.arange(rules.cells) >= ends[:, None]] = -1
    return moves


def as_ragged(moves: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The same games without the -1s: their values, and the offsets between them."""
    lengths = (moves >= 0).sum(axis=1)
    return moves[moves >= 0], np.array([0, *accumulate(lengths.tolist())])


def check(moves: NDArray[Any], rules: Rules, sample: int = 300) -> None:
    """Compare the verdicts on some of the games, as they are and spoilt, with those of `Game`."""
    random = np.random.default_rng(2)
    some = moves[random.integers(0, len(moves), max(1, min(sample, 200_000 // rules.cells)))]
    spoilt = some.copy()
    at = random.integers(0, moves.shape[1], len(some))
    spoilt[np.arange(len(some)), at] = random.integers(0, rules.cells + 1, len(some))
    for games in (some, spoilt):
        verdicts = judge(games, rules)
        for i, row in enumerate(games):
            cells = np.trim_zeros(row + 1, "b") - 1
            record = Record(rules, tuple(divmod(int(cell), rules.shape[1]) for cell in cells))
            expected = judge_record(record)
            assert STATUSES[verdicts.status[i]] == expected.status, record
            assert verdicts.winner[i] == (expected.winner or 0), record
            assert verdicts.ply[i] == expected.ply, record
            assert CODES[verdicts.code[i]] == expected.code, record


def medians(cases: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median seconds of each case; all take turns, so that a noisy moment hits them alike."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, case in cases.items():
            start = perf_counter()
            case()
            times[name].append(perf_counter() - start)
    return {name: median(values) for name, values in times.items()}


def by_board(rounds: int = 9, scale: float = 1.0) -> list[Row]:
    """Nanoseconds a move on one thread: boards, widths of integers and forms."""
    cases: dict[str, Callable[[], object]] = {}
    plies: dict[str, int] = {}

    def add(name: str, games: Any, rules: Rules, count: int) -> None:
        cases[name] = lambda: judge(games, rules)
        plies[name] = count

    for n, k in ((3, 3), (4, 4), (5, 5), (10, 10), (15, 5), (100, 100), (1000, 1000)):
        rules = Rules((n, n), k)
        moves = random_games(rules, max(1, int(scale * PLIES / rules.cells)))
        check(moves, rules)
        count = int((moves >= 0).sum())
        board = f"{n}×{n}" if k == n else f"{n}×{n}, {k} in a row"
        add(f"{board}, {moves.dtype}", moves, rules, count)
        if n in (3, 100):
            for wider in ("int16", "int32", "int64"):
                if np.dtype(wider).itemsize > moves.itemsize:
                    add(f"{board}, {wider}", moves.astype(wider), rules, count)
            add(f"{board}, {moves.dtype}, ragged", as_ragged(moves), rules, count)
            add(f"{board}, {moves.dtype}, plies × games", np.asfortranarray(moves), rules, count)
    times = medians(cases, rounds)
    return [(name, times[name] / plies[name] * 1e9) for name in cases]


def by_threads(rounds: int = 9, scale: float = 1.0) -> list[Row]:
    """Games a second of 3×3 and 100×100 by the number of threads."""
    cases: dict[str, Callable[[], object]] = {}
    games: dict[str, int] = {}
    for n in (3, 100):
        rules = Rules.square(n)
        moves = random_games(rules, max(1, int(4 * scale * PLIES / rules.cells)))
        for threads in range(1, (os.cpu_count() or 1) + 1):
            name = f"{n}×{n}, {threads} thread{'s' * (threads > 1)}"
            cases[name] = lambda moves=moves, rules=rules, threads=threads: judge(  # type: ignore[misc]
                moves, rules, threads=threads
            )
            games[name] = len(moves)
    times = medians(cases, rounds)
    return [(name, games[name] / times[name]) for name in cases]


def main() -> None:
    """Read the arguments, measure and print."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="medians of so many")
    parser.add_argument("--scale", type=float, default=1.0, help="of the arrays' size")
    options = parser.parse_args()
    print("ns a move, one thread")
    for name, value in by_board(options.rounds, options.scale):
        print(f"  {name:36} {value:8.2f}")
    print("games a second")
    for name, value in by_threads(options.rounds, options.scale):
        print(f"  {name:36} {value:14,.0f}")


if __name__ == "__main__":
    main()
