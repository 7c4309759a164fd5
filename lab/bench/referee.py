"""The referees of one game: whole games, single moves, moves on larger boards, construction.

The checked, compiled `TicTacToe` is compared with the unchecked class in Python, and with an empty
method that is compiled in the same way as noughts.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from lab.bench.timing import Case, Run, Table, busy, own_loop, processor_seconds
from noughts import TicTacToe
from noughts.referee import BoardScan, PlayerTallies, SignedSums
from noughts.referee.tictactoe import TicTacToe as PureTicTacToe

Moves = list[tuple[int, int, int]]
Move = Callable[[int, int, int], int]

ROOT = Path(__file__).parents[2]
WHOLE_GAMES = ((3, 3000), (10, 240), (100, 2))  # side of the board, and games per round
SIZES = (3, 10, 30, 100, 300, 1000, 3000, 10_000)
EMPTY_METHOD = "an empty method"
REPEATS = 5  # of the moves on warm boards, per round

EMPTY = """
# cython: language_level=3, boundscheck=False, wraparound=False
# cython: binding=False, embedsignature=True, embedsignature.format=clinic
import cython

@cython.cclass
class Empty:
    def move(self, row, col, player):
        return 0
"""
PROJECT = """
[build-system]
requires = {requires}
build-backend = "setuptools.build_meta"
[project]
name = "empty_move"
version = "0"
[tool.setuptools]
py-modules = []
[[tool.setuptools.ext-modules]]
name = "empty_move"
sources = ["empty_move.py"]
extra-compile-args = {arguments}
"""

ARGUMENTS = ["-O3", "-g0", "-falign-functions=32"]  # of the compiler, as in setup.py

REFEREES: dict[str, Callable[[int], Any]] = {
    "TicTacToe": TicTacToe,
    "TicTacToe, unchecked": partial(TicTacToe, checked=False),
    "TicTacToe in Python": PureTicTacToe,
    "SignedSums": SignedSums,
    "PlayerTallies": PlayerTallies,
    "BoardScan": BoardScan,
}


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    assert TicTacToe is not PureTicTacToe, "TicTacToe is not compiled; is there a C compiler?"
    return {
        "whole games": whole_games(run),
        "moves": moves(run),
        "sizes": sizes(run),
        "construction": construction(run),
    }


# --- whole games ----------------------------------------------------------------------------------


def random_game(n: int, random: Random) -> Moves:
    """Return random moves up to the end of the game."""
    referee, moves = PureTicTacToe(n), []
    for ply, cell in enumerate(random.sample(range(n * n), n * n)):
        moves.append((cell // n, cell % n, 1 + ply % 2))
        if referee.move(*moves[-1]):
            break
    return moves


def check(n: int, games: list[Moves]) -> None:
    """Check that all referees return the same value for every move."""
    for game in games:
        expected = list(map(SignedSums(n).move, *zip(*game, strict=True)))
        for name, kind in REFEREES.items():
            answers = list(map(kind(n).move, *zip(*game, strict=True)))
            assert answers == expected, f"{name} disagrees on {game}"


def play_games(kind: Callable[[int], TicTacToe | SignedSums], n: int, games: list[Moves]) -> None:
    """Judge whole games, each with a new referee."""
    for game in games:
        move = kind(n).move
        for row, col, player in game:
            move(row, col, player)


def whole_games(run: Run) -> Table:
    """Compare the checked class with the unchecked one in Python, including construction."""
    cases: dict[tuple[int, str], Case] = {}
    plies = {}
    for n, count in WHOLE_GAMES:
        random = Random(n)
        games = [random_game(n, random) for _ in range(run.sized(count))]
        check(n, games[:100])
        plies[n] = sum(map(len, games))
        for name in ("SignedSums", "TicTacToe"):
            cases[n, name] = busy(own_loop(play_games), REFEREES[name], n, games)
    times = run.times("whole games", cases)
    return {
        f"{n}×{n}": {
            "`TicTacToe`, ns per move": times.median((n, "TicTacToe")) / count * 1e9,
            "`SignedSums`, ns per move": times.median((n, "SignedSums")) / count * 1e9,
            "times faster": times.ratio((n, "SignedSums"), (n, "TicTacToe")),
        }
        for n, count in plies.items()
    }


# --- a move on a warm board -----------------------------------------------------------------------


@cache
def empty_class() -> Callable[[], Any]:
    """Return a compiled class whose `move` takes three arguments and does nothing."""
    own = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "empty_move.py").write_text(EMPTY)
        project = PROJECT.format(requires=own["build-system"]["requires"], arguments=ARGUMENTS)
        (folder / "pyproject.toml").write_text(project)
        setup = [sys.executable, "-W", "ignore", "-c", "import setuptools; setuptools.setup()"]
        subprocess.run([*setup, "--quiet", "build_ext", "--inplace"], cwd=folder, check=True)
        sys.path.insert(0, name)
        empty: type = importlib.import_module("empty_move").Empty
        sys.path.remove(name)
    return empty


def play(boards: Sequence[Move], moves: Moves) -> None:
    """Make the same moves on every board."""
    for move in boards:
        for row, col, player in moves:
            move(row, col, player)


def nothing(row: int, col: int, player: int) -> int:
    """Do nothing, in place of a referee's move."""
    return 0


def warm_moves(n: int, seed: int) -> tuple[Moves, Moves, int]:
    """Return moves to warm up a board, moves to time afterwards, and the number of boards.

    Moves are made on groups of eight neighbouring cells, at 250 places of the board (fewer if it is
    small), so that the memory they touch is in the processor's cache. The cost of memory that was
    never touched depends on the system. Marks are placed so that neither player wins.
    """
    places = Random(seed).sample(range(max(1, n * n // 8)), min(250, max(1, n * n // 8)))
    numbers = list(range(n))  # equal coordinates are one object, like small integers
    series = []
    for i in range(8) if n > 3 else range(9):
        cells = [divmod(8 * place + i, n) for place in places]
        series.append([(numbers[r], numbers[c], 1 + (r // 2 + c) % 2) for r, c in cells])
    warming = 4 if n > 3 else 0  # 3×3 has no cells to spare
    boards = max(1, 250 // len(places))
    return [*chain(*series[:warming])], [*chain(*series[warming:])], boards


def warm(make: Callable[[], Any], n: int, most: int | None = None, repeats: int = REPEATS) -> Case:
    """Return a case that times at most `most` moves per warm board, in seconds per move."""
    loop = own_loop(play)

    def case(number: int) -> float:
        seconds, made = 0.0, 0
        for seed in range(number * repeats, (number + 1) * repeats):
            warming, moves, count = warm_moves(n, seed)
            boards = [make().move for _ in range(count)]
            play(boards, warming[:most])
            play([nothing], moves[:most])  # brings the moves themselves into the cache
            seconds += processor_seconds(loop, boards, moves[:most])
            made += count * len(moves[:most])
        return seconds / made

    return case


def moves(run: Run) -> Table:
    """Compare a move of the checked class with a call of an empty method in the same loop."""
    empty = empty_class()
    cases: dict[tuple[int, bool], Case] = {}
    for n in SIZES:
        cases[n, False] = warm(empty, n)
        cases[n, True] = warm(partial(TicTacToe, n), n)
    times = run.times("moves", cases, brief=True)
    return {
        f"{n}×{n}": {
            "a move, ns": times.median((n, True)) * 1e9,
            "an empty method, ns": times.median((n, False)) * 1e9,
            "times an empty method": times.ratio((n, True), (n, False)),
        }
        for n in SIZES
    }


def sizes(run: Run) -> Table:
    """Measure nanoseconds per move for every referee and the empty method on every board size."""
    cases: dict[tuple[int, str], Case] = {}
    empty = empty_class()
    for n in SIZES[: None if run.is_full else 6]:
        for name, kind in REFEREES.items():
            # The scan examines whole lines, so fewer moves are enough.
            scans = kind is BoardScan and n > 100
            most = 50 if scans else None
            cases[n, name] = warm(partial(kind, n), n, most, 1 if scans else REPEATS)
        cases[n, EMPTY_METHOD] = warm(empty, n)
    times = run.times("board sizes", cases)
    table: Table = {}
    for n, name in cases:
        table.setdefault(f"{n}×{n}", {})[name] = times.median((n, name)) * 1e9
    return table


# --- construction ---------------------------------------------------------------------------------


def construction(run: Run) -> Table:
    """Measure the milliseconds until a board is ready for its first move."""
    cases: dict[str, Case] = {}
    for n, checked in ((3, True), (100, True), (100_000, True), (10**6, False)):
        make = partial(TicTacToe, n, checked=checked)
        name = f"`TicTacToe({n}{'' if checked else ', checked=False'})`"
        cases[name] = busy(make)
    times = run.times("construction", cases)
    return {name: {"ms": 1000 * times.median(name)} for name in cases}
