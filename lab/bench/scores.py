"""Exact scores of Connect Four: noughts with its book of winners, and bitbully without a book.

``script/lab scores`` writes connect_four.txt, the positions that are solved. A line has the kind of
position, the columns played, from 1, and the score, as `noughts solve --score` prints it. The kinds
are those of the sets that P. Pons published with his solver.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from lab.bench.random_games import random_games
from lab.bench.timing import Case, Run, Table, processor_seconds
from noughts import Game, Rules
from noughts.opponent.exact.solver import Solution, Solver

FILE = Path(__file__).with_name("connect_four.txt")
RULES = Rules.connect_four()
GAMES = 200_000  # from which the positions of one kind are taken
OURS, PEER, OTHER = "noughts", "`mtdf`", "`nullWindow`"  # bitbully plays with `mtdf`
Solve = Callable[[], list[int]]
Prepare = Callable[[Sequence[Game]], Solve]


class Kind(NamedTuple):
    """A kind of position.

    Attributes:
        plies: the numbers of marks on the board, which are taken in turn.
        left: how many plies the game lasts with best play.
        wanted: the number of positions.
    """

    plies: Sequence[int]
    left: range
    wanted: int


KINDS = {  # neither player can win with one of the next two plies
    "L3_R1": Kind(range(29, 40), range(3, 15), 200),
    "L2_R1": Kind(range(15, 29), range(3, 15), 200),
    "L1_R1": Kind(range(8, 15), range(3, 15), 100),
    # As many marks as in the published set, mostly five to eight: the time depends on them most.
    "L1_R3": Kind((3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 9, 10, 11), range(29, 43), 16),
}
SLOW = "L1_R3"  # up to seconds per position


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    table = {}
    for name, kind in KINDS.items():
        games, scores = positions(name, run.sized(kind.wanted))
        sides = {OURS: ours, PEER: bitbully("mtdf"), OTHER: bitbully("nullWindow")}
        cases = {side: solving(new, games, scores) for side, new in sides.items()}
        times = (replace(run, rounds=1) if name == SLOW else run).times(f"scores, {name}", cases)
        means = {f"{side}, ms": 1000 * times.median(side) / len(games) for side in sides}
        ratios = {f"{OURS} / {side}": times.ratio(OURS, side) for side in (PEER, OTHER)}
        table[name] = means | ratios
    return {"scores": table}


def positions(kind: str, count: int) -> tuple[list[Game], list[int]]:
    """Return the first positions of a kind, and their scores."""
    lines = [line.split() for line in FILE.read_text("utf-8").splitlines()]
    chosen = [(columns, int(score)) for name, columns, score in lines if name == kind][:count]
    return [game_of(columns) for columns, _ in chosen], [score for _, score in chosen]


def game_of(columns: str) -> Game:
    """Return the game in which marks fell in these columns, counted from 1."""
    game = Game(RULES)
    for column in columns:
        game.drop(int(column) - 1)
    return game


def solving(prepare: Prepare, games: list[Game], scores: list[int]) -> Case:
    """Return a case in which a new solver, whose table is empty, finds these scores."""

    def case(_: int) -> float:
        solve, found = prepare(games), list[int]()
        seconds = processor_seconds(lambda: found.extend(solve()))
        assert found == scores, "a score is wrong"
        return seconds

    return case


def ours(games: Sequence[Game]) -> Solve:
    """Prepare the search of noughts."""
    solver = Solver(RULES)
    return lambda: list(map(score, games, solver.solve_many(games, distance=True)))


def bitbully(method: str) -> Prepare:
    """Return the preparation of one of bitbully's searches, without a book."""
    from bitbully.bitbully_core import BitBullyCore, BoardCore

    def prepare(games: Sequence[Game]) -> Solve:
        solver, boards = BitBullyCore(), [BoardCore() for _ in games]
        for board, game in zip(boards, games, strict=True):
            assert board.play([column for _, column in game.history])
        guess = (0,) if method == "mtdf" else ()
        return lambda: [getattr(solver, method)(board, *guess) for board in boards]

    return prepare


def score(game: Game, solution: Solution) -> int:
    """Return the score for the player to move."""
    assert solution.value is not None
    unused = RULES.cells - game.ply - (solution.plies or 0)
    return solution.value * (unused // 2 + 1)


def main() -> None:
    """Write the positions, each from a random game of its own."""
    solver, lines = Solver(RULES), dict[str, None]()
    for seed, (name, kind) in enumerate(KINDS.items()):
        games, full = iter(random_games(RULES, GAMES, seed).tolist()), len(lines) + kind.wanted
        for ply in cycle(kind.plies):
            cells = next(cells for cells in games if cells[ply] >= 0)[:ply]
            columns = "".join(str(cell % RULES.shape[1] + 1) for cell in cells)
            game = game_of(columns)
            solution = solver.solve(game, distance=True)
            if (solution.plies or RULES.cells - ply) in kind.left:
                lines[f"{name} {columns} {score(game, solution)}"] = None
            if len(lines) == full:
                break
    FILE.write_text("".join(f"{line}\n" for line in lines), "utf-8")


if __name__ == "__main__":
    main()
