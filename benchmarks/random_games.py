"""Print random games, played to their end, as JSON Lines.

.venv/bin/python benchmarks/random_games.py 1000000 > games.jsonl
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import product
from random import Random

from noughts import Game, Rules
from noughts.records import Record, write_records


def random_games(rules: Rules, count: int, seed: int) -> Iterator[Record]:
    """Games in which every move is equally likely; the same seed gives the same games."""
    random = Random(seed)
    cells = list(product(*map(range, rules.shape)))
    for number in range(1, count + 1):
        game = Game(rules)
        random.shuffle(cells)
        for cell in cells:
            if game.play(cell):
                break
        yield Record.of(game, number)


def main() -> None:
    """Read the arguments and print."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, help="how many games")
    parser.add_argument("--n", type=int, default=3, help="the side of the board")
    parser.add_argument("--k", type=int, help="how many in a row win; the whole side by default")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rules = Rules((options.n, options.n), options.k)
    write_records(random_games(rules, options.count, options.seed), sys.stdout)


if __name__ == "__main__":
    main()
