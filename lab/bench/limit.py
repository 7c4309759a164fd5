"""The distance to the limit: noughts as a multiple of plain C loops, OpenSpiel or bare imports."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lab.bench.alone import run_alone
from lab.bench.learning import open_spiel, vector_game
from lab.bench.timing import Case, Run, Table, busy, clocked
from noughts import Rules
from noughts.bulk import judge, judge_batch

GAMES = 400_000  # a quarter of them as Arrow columns
FEW = 10_000  # with two threads
AT_ONCE = 16_384  # in a `VectorGame`
STEPS = 20  # of all of them
CALLS, MANY = 20, 500  # of functions that take less than a millisecond, or some microseconds
ALONE = 20_000  # steps of a single one
RATIO = "times as long"
# By kind of game: its rules, the C function, and the numbers of its actions and cells.
STEPPED = {
    "3×3": (Rules(), "step_three", 9, 9),
    "Connect Four": (Rules.connect_four(), "step_four", 7, 42),
}


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    with TemporaryDirectory() as folder:
        loops = compiled(Path(folder))
        sides = {
            **judging(loops, run),
            **batches(loops, run),
            **stepping(loops, run),
            **alone(run),
        }
    cases = {(name, side): case for name, both in sides.items() for side, case in enumerate(both)}
    times = run.times("limit", cases)
    return {"ratios": {name: {RATIO: times.ratio((name, 0), (name, 1))} for name in sides}}


def compiled(folder: Path) -> Any:
    """Compile the plain loops for this processor, and load them."""
    library = folder / "loops.so"
    source = Path(__file__).with_name("loops.c")
    command = ("cc", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source)
    subprocess.run(command, check=True)
    loops = ctypes.CDLL(str(library))
    loops.prepare()
    return loops


def at(array: NDArray[Any]) -> ctypes.c_void_p:
    """Return where an array is in memory."""
    return array.ctypes.data_as(ctypes.c_void_p)


def calls(times: int, work: Callable[..., object], *arguments: object) -> None:
    """Make the same call several times."""
    for _ in range(times):
        work(*arguments)


def some_games(count: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return random games, and the same games with the moves after their end."""
    longer = np.argsort(np.random.default_rng(3).random((count, 9)), axis=1).astype(np.int8)
    ends = judge(longer).ply[:, np.newaxis]
    return np.where(np.arange(9) < ends, longer, np.int8(-1)), longer


def judging(loops: Any, run: Run) -> dict[str, tuple[Case, Case]]:
    """Return both sides of the rows on arrays, after a comparison of their verdicts."""
    count = run.sized(GAMES)
    games, longer = some_games(count)
    status, winner = np.empty(count, np.int8), np.empty(count, np.int8)
    ply = np.empty(count, np.int32)

    def plain(moves: NDArray[np.int8]) -> Callable[[], None]:
        def work() -> None:
            loops.judge_rows(at(moves), ctypes.c_long(count), at(status), at(winner), at(ply))

        work()
        verdicts = judge(moves)
        for ours, theirs in ((verdicts.status, status), (verdicts.winner, winner)):
            assert (ours == theirs).all()
        assert (verdicts.ply == ply).all()
        return work

    few = games[:FEW]
    return {
        "`judge`, 3×3, int8 / plain C": (
            busy(calls, CALLS, judge, games),
            busy(calls, CALLS, plain(games)),
        ),
        "`judge`, games that go on after their end / plain C": (
            busy(calls, CALLS, judge, longer),
            busy(calls, CALLS, plain(longer)),
        ),
        "`judge`, 10,000 games, two threads / one": (
            clocked(calls, MANY, lambda: judge(few, threads=2)),
            clocked(calls, MANY, judge, few),
        ),
    }


def as_batch(offsets: NDArray[np.int32], values: NDArray[np.int8]) -> pa.RecordBatch:
    """Return these games as an Arrow batch, without making objects of them."""
    moves = pa.ListArray.from_arrays(pa.array(offsets), pa.array(values))
    return pa.record_batch({"moves": moves, "n": pa.array(np.full(len(moves), 3, np.int8))})


def batches(loops: Any, run: Run) -> dict[str, tuple[Case, Case]]:
    """Return both sides of the rows on Arrow batches."""
    count = run.sized(GAMES // 4)
    games, longer = some_games(count)
    values, ends = games[games >= 0], np.cumsum((games >= 0).sum(axis=1))
    offsets = np.append(0, ends).astype(np.int32)
    legal = as_batch(offsets, values)
    illegal = as_batch(np.arange(0, longer.size + 1, 9, dtype=np.int32), longer.ravel())
    status, winner = np.empty(count, np.int8), np.empty(count, np.int8)
    ply = np.empty(count, np.int32)

    def plain() -> None:
        slices = at(values), at(offsets), ctypes.c_long(count)
        loops.judge_slices(*slices, at(status), at(winner), at(ply))

    return {
        "`judge_batch`, Arrow, all columns / plain C": (
            busy(calls, CALLS, judge_batch, legal),
            busy(calls, CALLS, plain),
        ),
        '`judge_batch`, `columns=["status"]` / plain C': (
            busy(calls, CALLS, lambda: judge_batch(legal, columns=["status"])),
            busy(calls, CALLS, plain),
        ),
        "`judge_batch`, illegal games / legal ones": (
            busy(calls, CALLS, judge_batch, illegal),
            busy(calls, CALLS, judge_batch, legal),
        ),
    }


def stepping(loops: Any, run: Run) -> dict[str, tuple[Case, Case]]:
    """Return both sides of the rows on many games that are played at once."""
    return {
        f"`VectorGame`, 16,384 × {name} / plain C": (
            busy(vector_game(rules, AT_ONCE), run.sized(STEPS) * AT_ONCE),
            busy(plain_steps(getattr(loops, function), actions, cells), run.sized(STEPS)),
        )
        for name, (rules, function, actions, cells) in STEPPED.items()
    }


def plain_steps(step: Any, actions: int, cells: int) -> Callable[[int], None]:
    """Return a function that lets the plain loop make this number of moves in every game."""
    games = np.zeros(AT_ONCE, [("marks", np.uint64, 2), ("random", np.uint64), ("ply", np.int64)])
    games["random"] = np.random.default_rng(3).integers(1, 2**63, AT_ONCE)
    sizes = (2 * cells, np.int8), (actions, np.uint8), (1, np.uint8), (1, np.int8), (1, np.int8)
    arrays = [np.zeros(size * AT_ONCE, kind) for size, kind in (*sizes, (1, np.int32))]
    shown = (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])

    def work(steps: int) -> None:
        for _ in range(steps):
            step(at(games), ctypes.c_long(len(games)), shown)
        assert arrays[-1].max() <= cells

    return work


def alone(run: Run) -> dict[str, tuple[Case, Case]]:
    """Return both sides of the rows on a single game, and on imports."""

    def importing(code: str) -> Case:
        command = sys.executable, "-c", code
        empty = sys.executable, "-c", "pass"
        return lambda _: run_alone(*command).seconds - run_alone(*empty).seconds

    steps = run.sized(ALONE)
    return {
        "`VectorGame`, one game of 3×3 / OpenSpiel": (
            busy(vector_game(Rules(), 1), steps),
            busy(open_spiel("tic_tac_toe"), steps),
        ),
        "importing `judge_batch` / NumPy and PyArrow": (
            importing("from noughts.bulk import judge_batch; judge_batch"),
            importing("import numpy, pyarrow"),
        ),
    }
