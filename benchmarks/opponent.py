"""Print how much processor time the opponent takes for a move on square boards, by side.

.venv/bin/python benchmarks/opponent.py
"""

from __future__ import annotations

from argparse import ArgumentParser
from random import Random
from statistics import mean, median
from time import process_time

from noughts import Game, Rules
from noughts.opponent import advise

SIDES = [*range(2, 13), 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 99, 100]


def seconds_a_move(rules: Rules, moves: int, seed: int) -> tuple[float, list[float]]:
    """How long the first move took, which lays out the lines, and how long each of the others.

    Against a player who completes and blocks lines and else plays at random; one game after the
    other, of 100 moves at most, until there are so many moves.
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


def main() -> None:
    """Read the arguments and print a table."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sides", type=int, nargs="*", default=SIDES, help="boards' sides")
    parser.add_argument("--k", type=int, help="how many in a row win; the whole side by default")
    parser.add_argument("--moves", type=int, default=100, help="how many moves to time")
    options = parser.parse_args()
    print("milliseconds a move\n   n     first    median      mean   slowest")
    for n in options.sides:
        first, others = seconds_a_move(Rules((n, n), options.k), options.moves, seed=1)
        times = first, median(others), mean(others), max(others)
        print(f"{n:>4}" + "".join(f"{1000 * seconds:>10.2f}" for seconds in times), flush=True)


if __name__ == "__main__":
    main()
