"""Arrays of games: nanoseconds a move, and games per second by threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.bench.random_games import as_ragged, random_games
from lab.bench.timing import Run, Table, busy, clocked
from noughts import Game, IllegalMove, Rules
from noughts.bulk import CODES, STATUSES, judge
from noughts.game.outcome import status
from noughts.game.rules import VARIANTS

PLIES = 8_000_000  # in each timed array, approximately
BOARDS = {
    "3×3": Rules(),
    "4×4": Rules.square(4),
    "5×5": Rules.square(5),
    "10×10": Rules.square(10),
    "100×100": Rules.square(100),
    "1000×1000": Rules.square(1000),
    "Connect Four": Rules.connect_four(),
    **{f"15×15, 5 in a row, {name}": Rules.gomoku(name) for name in VARIANTS},
}
BY_THREADS = (3, 100)


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    return {"boards": by_board(run), "threads": by_threads(run)}


def check(moves: NDArray[Any], rules: Rules, sample: int = 300) -> None:
    """Compare verdicts on a sample of the games, intact and corrupted, with `Game`."""
    random = np.random.default_rng(2)
    some = moves[random.integers(0, len(moves), max(1, min(sample, 200_000 // rules.cells)))]
    corrupted = some.copy()
    at = random.integers(0, moves.shape[1], len(some))
    corrupted[np.arange(len(some)), at] = random.integers(0, rules.cells + 1, len(some))
    for games in (some, corrupted):
        verdicts = judge(games, rules)
        for i, row in enumerate(games):
            cells = (np.trim_zeros(row + 1, "b") - 1).tolist()
            game, code = played(rules, [divmod(cell, rules.shape[1]) for cell in cells])
            winner = game.outcome.winner if game.outcome and not code else None
            stands = "illegal" if code else status(game.outcome)
            assert STATUSES[verdicts.status[i]] == stands, game
            assert verdicts.winner[i] == (winner or 0), game
            assert verdicts.ply[i] == game.ply, game
            assert CODES[verdicts.code[i]] == code, game


def played(rules: Rules, cells: list[tuple[int, int]]) -> tuple[Game, str | None]:
    """Play these moves up to the first illegal one; return the game and that move's code."""
    game = Game(rules)
    try:
        for cell in cells:
            game.play(cell)
    except IllegalMove as error:
        return game, error.code
    return game, None


def checked_games(rules: Rules, plies: int) -> NDArray[Any]:
    """Create complete random games with about `plies` moves, and check `judge` on them."""
    moves = random_games(rules, max(1, plies // rules.cells))
    check(moves, rules)
    return moves


def forms(moves: NDArray[Any], all_of_them: bool) -> dict[str, Any]:
    """Return the same games in the forms that `judge` accepts, by name."""
    found: dict[str, Any] = {str(moves.dtype): moves}
    if all_of_them:
        for wider in ("int16", "int32", "int64"):
            if np.dtype(wider).itemsize > moves.itemsize:
                found[wider] = moves.astype(wider)
        found[f"{moves.dtype}, ragged"] = as_ragged(moves)
        found[f"{moves.dtype}, plies × games"] = np.asfortranarray(moves)
    return found


def by_board(run: Run) -> Table:
    """Measure nanoseconds per move on one thread for boards, integer widths and forms."""
    cases: dict[str, Callable[[int], float]] = {}
    plies: dict[str, int] = {}
    for board, rules in BOARDS.items():
        run.report(f"judge: checking {board}")
        moves = checked_games(rules, run.sized(PLIES))
        for form, games in forms(moves, rules.k in BY_THREADS).items():
            name = f"{board}, {form}"
            cases[name] = busy(judge, games, rules)
            plies[name] = int((moves >= 0).sum())
    times = run.times("judge", cases)
    return {name: {"ns per move": times.median(name) / plies[name] * 1e9} for name in cases}


def thread_counts() -> list[int]:
    """Return one, two, four … up to twice the number of cores."""
    cores = os.cpu_count() or 1
    counts = {cores, 2 * cores}
    threads = 1
    while threads < 2 * cores:
        counts.add(threads)
        threads *= 2
    return sorted(counts)


def by_threads(run: Run) -> Table:
    """Measure games per second by number of threads, and the speed-up over one thread."""
    cases: dict[tuple[int, int], Callable[[int], float]] = {}
    games: dict[int, int] = {}
    for n in BY_THREADS:
        rules = Rules.square(n)
        moves = checked_games(rules, run.sized(4 * PLIES))
        games[n] = len(moves)
        for threads in thread_counts():
            cases[n, threads] = clocked(_judge_with, moves, rules, threads)
    times = run.times("threads", cases, brief=True)
    return {
        str(threads): {
            column: figure
            for n in BY_THREADS
            for column, figure in (
                (f"{n}×{n}, games per second", games[n] / times.median((n, threads))),
                (f"{n}×{n}, times one thread", times.ratio((n, 1), (n, threads))),
            )
        }
        for threads in thread_counts()
    }


def _judge_with(moves: NDArray[Any], rules: Rules, threads: int) -> None:
    judge(moves, rules, threads=threads)
