"""The opponent: time per move on square boards, and time to solve small boards."""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time

from lab.bench.timing import Case, Run, Table, processor_seconds
from noughts import Game, Rules
from noughts.errors import size
from noughts.opponent import advise
from noughts.opponent.exact.solver import Solution, solve

SIDES = (3, 5, 10, 15, 20, 30, 50, 100)
MOVES = 100  # on each board
SOLVED = [
    *[((3, 3), 3), ((4, 4), 3), ((4, 4), 4), ((3, 3, 3), 3), ((6, 6), 6), ((6, 6), 5)],
    *[((5, 5), 4), ((6, 5), 4), ((6, 6), 4), ((7, 4), 4), ((7, 5), 4)],
]
SLOW = 2  # the last boards take seconds and are skipped in quick runs


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    return {"moves": moves(run), "solved": solved(run)}


def moves(run: Run) -> Table:
    """Measure milliseconds per move on square boards where a whole side wins."""
    table = {}
    for n in SIDES:
        run.report(f"opponent: {n}×{n}")
        first, others = seconds_per_move(Rules.square(n), run.sized(MOVES), seed=1)
        found = {"first": first, "median": median(others), "slowest": max(others)}
        table[f"{n}×{n}"] = {f"{name}, ms": 1000 * value for name, value in found.items()}
    return table


def seconds_per_move(rules: Rules, moves: int, seed: int) -> tuple[float, list[float]]:
    """Return the seconds of the first move, which lays out the lines, and of each other move.

    The opponent's opponent completes and blocks lines, and otherwise plays at random. Games of at
    most 100 moves each are played until `moves` moves are timed.
    """
    random, times = Random(seed), list[float]()
    while len(times) <= moves:
        game = Game(rules)
        while game.outcome is None and game.ply < 200 and len(times) <= moves:
            start = process_time()
            advice = advise(game, seed=seed)
            times.append(process_time() - start)
            if game.play(advice.cell) is None:
                threats = game.threats(game.turn) or game.threats(3 - game.turn)
                game.play(random.choice(sorted(threats) or list(game.legal_moves)))
    return times[0], times[1:]


def solved(run: Run) -> Table:
    """Measure the seconds to solve boards exactly, and the positions visited."""
    cases: dict[str, Case] = {}
    solutions: dict[str, Solution] = {}
    for shape, k in SOLVED[: None if run.is_full else -SLOW]:
        name, rules = f"{size(shape)}, {k} in a row", Rules(shape, k)

        def case(_: int, name: str = name, rules: Rules = rules) -> float:
            return processor_seconds(lambda: solutions.update({name: solve(rules)}))

        cases[name] = case
    times = run.times("solved", cases)
    return {
        name: {"seconds": times.median(name), "positions": solutions[name].nodes} for name in cases
    }
