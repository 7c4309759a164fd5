"""Time the checked, compiled `TicTacToe`: whole games, a move, a move on bigger boards.

.venv/bin/python benchmarks/referee.py

Each function returns rows of (name, value). Both sides of a comparison play the same games, first
to see that they answer alike and then in turn, round by round; a row is the median of the rounds.
Time is the processor's, so that other work on the machine counts as little as can be. An empty
method is compiled for comparison, in a directory of its own, just as noughts is.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from types import FunctionType

from noughts import TicTacToe
from noughts.referee import SignedSums
from noughts.referee.tictactoe import TicTacToe as PureTicTacToe

Moves = list[tuple[int, int, int]]
Move = Callable[[int, int, int], int]
Row = tuple[str, float]

ROUNDS = 15
SIZES = (3, 10, 30, 100, 300, 1000, 3000, 10_000)

EMPTY = """
# cython: language_level=3, boundscheck=False, wraparound=False
# cython: binding=False, embedsignature=True, embedsignature.format=clinic
import cython

@cython.cclass
class Empty:
    def move(self, row, col, player):
        return 0
"""


@cache
def empty_class() -> type:
    """A compiled class whose `move` takes the three arguments and does nothing."""
    own = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    kernel = own["tool"]["setuptools"]["ext-modules"][0]
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "empty_move.py").write_text(EMPTY)
        (folder / "pyproject.toml").write_text(f"""
[build-system]
requires = {own["build-system"]["requires"]}
build-backend = "setuptools.build_meta"
[project]
name = "empty_move"
version = "0"
[tool.setuptools]
py-modules = []
[[tool.setuptools.ext-modules]]
name = "empty_move"
sources = ["empty_move.py"]
extra-compile-args = {kernel["extra-compile-args"]}
""")
        target = folder / "built"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--target", target, folder], check=True)
        sys.path.insert(0, str(target))
        empty: type = importlib.import_module("empty_move").Empty
        sys.path.remove(str(target))
    return empty


def random_game(n: int, random: Random) -> Moves:
    """A game of random moves, up to its end."""
    referee, moves = PureTicTacToe(n), []
    for ply, cell in enumerate(random.sample(range(n * n), n * n)):
        moves.append((cell // n, cell % n, 1 + ply % 2))
        if referee.move(*moves[-1]):
            break
    return moves


def seconds(work: Callable[..., object], *arguments: object) -> float:
    """How long it takes."""
    start = process_time()
    work(*arguments)
    return process_time() - start


def own_loop(work: Callable[..., object]) -> Callable[..., object]:
    """The same function for one side alone, as Python adapts a loop to what is called there."""
    assert isinstance(work, FunctionType)
    return FunctionType(work.__code__.replace(), work.__globals__)


def play_games(kind: Callable[[int], TicTacToe | SignedSums], n: int, games: list[Moves]) -> None:
    """Judge whole games, each by a new referee."""
    for game in games:
        move = kind(n).move
        for row, col, player in game:
            move(row, col, player)


def play(boards: Sequence[Move], moves: Moves) -> None:
    """Make the same moves on every board."""
    for move in boards:
        for row, col, player in moves:
            move(row, col, player)


def whole_games() -> list[Row]:
    """How many times faster than the unchecked class in Python, construction included."""
    rows = []
    for n, count in ((3, 1500), (10, 120), (100, 1)):
        random = Random(n)
        games = [random_game(n, random) for _ in range(count)]
        for game in games:
            judged, expected = TicTacToe(n), SignedSums(n)
            assert [judged.move(*move) for move in game] == [expected.move(*move) for move in game]
        theirs, ours = own_loop(play_games), own_loop(play_games)
        ratios = [
            seconds(theirs, SignedSums, n, games) / seconds(ours, TicTacToe, n, games)
            for _ in range(ROUNDS)
        ]
        rows.append((f"whole games on {n}×{n}, times faster than SignedSums", median(ratios)))
    return rows


def warm_moves(n: int, seed: int) -> tuple[Moves, Moves, int]:
    """Moves to warm a board up, moves to time then, and on how many boards to make them.

    All are made on neighbouring cells, eight to a place, on 250 places of the board (fewer where it
    is small), so that the memory touched is in the processor's cache; what a board costs where it
    has never been touched is the system's affair. Players are so placed that nobody wins.
    """
    places = Random(seed).sample(range(max(1, n * n // 8)), min(250, max(1, n * n // 8)))
    numbers = list(range(n))  # equal coordinates are one object, as small integers are anyway
    series = []
    for i in range(8) if n > 3 else range(9):
        cells = [divmod(8 * place + i, n) for place in places]
        series.append([(numbers[r], numbers[c], 1 + (r // 2 + c) % 2) for r, c in cells])
    warming = 4 if n > 3 else 0  # too few cells to spare any
    boards = max(1, 250 // len(places))
    return [*chain(*series[:warming])], [*chain(*series[warming:])], boards


def times(n: int) -> tuple[float, float, float]:
    """Nanoseconds a move on a warm n×n board, of an empty method, and their ratio."""
    rounds = []
    play_nothing, play_moves = own_loop(play), own_loop(play)
    for seed in range(ROUNDS):
        warming, moves, count = warm_moves(n, seed)
        boards = [TicTacToe(n).move for _ in range(count)]
        nothing = [empty_class()().move for _ in range(count)]
        play(boards, warming)
        play(nothing, moves)
        empty = seconds(play_nothing, nothing, moves)
        ours = seconds(play_moves, boards, moves)
        each = 1e9 / (count * len(moves))
        rounds.append((ours * each, empty * each, ours / empty))
    ours, empty, ratio = map(median, zip(*rounds, strict=True))
    return ours, empty, ratio


def moves_by_size() -> list[Row]:
    """A move on a warm board of every size, against an empty method in the same loop."""
    rows = []
    for n in SIZES:
        ours, empty, ratio = times(n)
        rows += [
            (f"a move on {n}×{n}, ns", ours),
            (f"an empty method in the same loop ({n}×{n}), ns", empty),
            (f"a move on {n}×{n}, times an empty method", ratio),
        ]
    found = [value for name, value in rows if name.startswith("a move") and name.endswith("ns")]
    rows.append((f"slowest size by fastest, {SIZES[0]} to {SIZES[-1]}", max(found) / min(found)))
    return rows


def construction() -> list[Row]:
    """Milliseconds until a board is ready for its first move."""
    rows = []
    for n, checked in ((3, True), (100, True), (100_000, True), (10**6, False)):
        found = [seconds(lambda n=n, c=checked: TicTacToe(n, checked=c)) for _ in range(ROUNDS)]
        rows.append((f"TicTacToe({n}, checked={checked}), ms", 1000 * median(found)))
    return rows


def main() -> None:
    """Print all rows as a table."""
    if TicTacToe is PureTicTacToe:
        sys.exit("TicTacToe is not compiled; is there a C compiler?")
    for table in (whole_games, moves_by_size, construction):
        for name, value in table():
            print(f"{name:<60} {value:10.3f}")


if __name__ == "__main__":
    main()
