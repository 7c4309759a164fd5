"""Play games of the engine against itself and train its network: ``script/lab train``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

from noughts.compiled import required
from noughts.game.rules import VARIANTS, Rules
from noughts.opponent.search.network import file_of, network_for

NODES = 4000  # positions that the engine visits per move of a game
LEAF_NODES = 2000  # positions that it visits to evaluate a leaf
TABLE = 2**20  # bytes
SHARD = 50  # games per file
SHARDS = 200
PASSES = 4.0
SIZES = (15, 15, 15, 20, 20, 20, *range(13, 20))  # sides of boards
SLIP = 0.04  # share of random moves
LONGEST = 140  # plies


def make_games(folder: Path, variant: str, shards: int, seed: int) -> None:
    """Play games and write them to files, except to files that exist.

    Each file depends on its number, the seed, and the current network.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(shards):
        file = folder / f"{seed}-{shard:05}.jsonl"
        if not file.exists():
            random = Random(f"{seed} {shard}")
            new = file.with_suffix(".new")
            new.write_text("".join(json.dumps(game(random, variant)) + "\n" for _ in range(SHARD)))
            new.replace(file)
            print(f"{shard + 1:,} of {shards:,} files of {SHARD} games", flush=True)


def game(random: Random, variant: str) -> dict[str, Any]:
    """Play a game; record the engine's score and best cell before each move and for some leaves.

    The game ends as soon as the player to move sees a win. `result` is 1, 2 or 0.
    """
    size = random.choice(SIZES)
    engines = required("noughts.opponent.search._engine", "playing games")
    rules = Rules((size, size), k=5, variant=variant)
    network = network_for(rules)
    engine, judge = engines.Engine(rules, TABLE, network), engines.Engine(rules, TABLE, network)
    moves = opening(random, size)
    while not goes_on(engine, moves):
        moves = opening(random, size)
    begun = len(moves)
    judged: list[tuple[int, int]] = []
    beside: list[tuple[int, list[int], int, int]] = []
    result = 0
    while len(moves) < min(LONGEST, size * size - 2):
        (cell, score, plies, *_), leaves = engine.leaves(moves, NODES, random.randint(20, 200))
        judged.append((score, cell))
        if plies > 0:
            result = len(moves) % 2 + 1
            break
        if plies == 0:
            for leaf in leaves:
                reply, value, *_ = judge.think([*moves, *leaf], 1e6, LEAF_NODES)
                beside.append((len(moves), leaf, value, reply))
        if plies == 0 and random.random() < SLIP:
            slip = random.choice(nearby(moves, size))
            cell = slip if goes_on(engine, [*moves, slip]) else cell
        moves.append(cell)
    return {
        "size": size, "begun": begun, "result": result, "moves": moves, "judged": judged,
        "beside": beside,
    }  # fmt: skip


def goes_on(engine: Any, moves: list[int]) -> bool:
    """Return whether these moves are legal and the game is not over."""
    try:
        engine.estimate(moves)
    except ValueError:
        return False
    return True


def opening(random: Random, size: int) -> list[int]:
    """Choose a few random cells near the centre."""
    spread, count = random.choice((2, 3, 4)), random.choice((1, 2, 3, 4, 4, 5, 5, 6, 7, 8))
    middle = size // 2
    dy, dx = (random.randint(-2, 2) * (random.random() < 0.3) for _ in range(2))
    cells = [
        (middle + dy + y) * size + middle + dx + x
        for y in range(-spread, spread + 1)
        for x in range(-spread, spread + 1)
    ]
    return random.sample(cells, count)


def nearby(moves: list[int], size: int) -> list[int]:
    """Return the empty cells within two steps of a mark, twice for the last two marks."""
    near = [
        (y + dy) * size + x + dx
        for y, x in (divmod(move, size) for move in [*moves, *moves[-2:]])
        for dy in range(-2, 3)
        for dx in range(-2, 3)
        if 0 <= y + dy < size and 0 <= x + dx < size
    ]
    return [cell for cell in near if cell not in moves]


def main() -> None:
    """Parse the arguments, play games and train."""
    parser = argparse.ArgumentParser(
        prog="script/lab train",
        description="Train the network of the engine, on games that it plays against itself.",
    )
    parser.add_argument("folder", type=Path, help="folder of the games; existing files are kept")
    parser.add_argument("--variant", choices=VARIANTS, default="freestyle", help="variant to play")
    parser.add_argument("--begin", type=Path, help="network to start from, of any variant")
    parser.add_argument(
        "--shards", type=int, default=SHARDS, help=f"number of files of {SHARD} games"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--passes", type=float, default=PASSES, help="passes over the positions; 0 only plays games"
    )
    options = parser.parse_args()
    if options.begin and not options.begin.is_file():  # checked before hours of games
        parser.error(f"--begin: no such file: {options.begin}")
    make_games(options.folder, options.variant, options.shards, options.seed)
    if options.passes:
        from lab.train.learner import learn  # takes seconds to import

        command = "script/lab train FOLDER" + "".join(
            f" --{name} {value.name if isinstance(value, Path) else value}"
            for name, value in vars(options).items()
            if name != "folder" and value is not None
        )
        learn(
            options.folder, options.variant, options.passes, command, file_of(options.variant),
            options.begin,
        )  # fmt: skip


if __name__ == "__main__":
    main()
