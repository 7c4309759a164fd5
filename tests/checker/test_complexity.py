"""Measured complexities of right solutions of many designs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from math import nan
from pathlib import Path
from typing import Any

import pytest

from checker.right_solutions import RIGHT, SignedSums
from commands import TRIES
from lab.complexity.__main__ import RIGHT as RIGHT_ORDERS
from lab.complexity.__main__ import SOLUTIONS, busy
from noughts.checker.complexity import measure
from noughts.checker.in_process import InProcess
from noughts.checker.languages import open_solution
from noughts.checker.solution import Failed, Move

pytestmark = pytest.mark.tier2("time")

# Their loops in C hardly show on boards that fit.
UNCLEAR = {"NumPyBoard", "StringsOfLines", "AllOfRows"}


@pytest.mark.parametrize("solution", RIGHT, ids=lambda solution: solution.__name__)
def test_measure_names_orders(solution: Any, unmeasured: None) -> None:
    found = []
    tries = TRIES if solution.__name__ in UNCLEAR else 3 * TRIES
    for _ in range(tries):  # on a busy machine it may not be clear, but never wrong
        time, _, memory = measure(InProcess(solution))
        found.append((time.order, memory.order))
        assert time.order in (solution.complexity[0], None)
        if found[-1] == solution.complexity:
            return
    if solution.__name__ not in UNCLEAR:
        pytest.fail(f"measured {found}")


@pytest.mark.parametrize("file", sorted(SOLUTIONS.iterdir()), ids=lambda file: file.name)
def test_measure_names_orders_beside_load(file: Path, unmeasured: None) -> None:
    try:
        opened = open_solution(file)
    except Failed as failed:
        pytest.skip(str(failed))
    found = []
    with closing(opened), busy(2):
        for _ in range(3):
            with closing(opened.fresh()) as fresh:
                time, _, memory = measure(fresh)
            found.append((time.order, memory.order))
    times, memories = zip(*found, strict=True)
    right = RIGHT_ORDERS[file.stem]
    assert set(times) <= {right[0], None}, found
    assert set(memories) == {right[1]}, found
    assert right[0] in times, found


def test_measure_separates_constructor_from_moves(unmeasured: None) -> None:
    class Slow(SignedSums):
        def __init__(self, n: int) -> None:
            super().__init__(n)
            self.lines = {(row, col) for row in range(n) for col in range(n)}

    time, make, memory = measure(InProcess(Slow))
    assert (time.order, make.order, memory.order) == ("O(1)", "O(n^2)", "O(n^2)")


def test_measure_skips_whole_games() -> None:
    def tictactoe(moves: list[list[int]]) -> str:
        return "Pending"

    assert [cost.order for cost in measure(InProcess(tictactoe))] == [None, None, None]


class Limited(InProcess):
    """A solution that fails on boards larger than 64×64."""

    fresh_ones = 0

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        if n > 64:
            raise Failed("crashed", "it stopped with RecursionError")
        return 1e-6 * n, 1e-8 * len(moves) * (5 + n)

    def fresh(self) -> Limited:
        self.fresh_ones += 1
        return self


def test_measure_stops_at_boards_that_fail() -> None:
    solution = Limited(SignedSums)
    time, _, memory = measure(solution)
    assert (time.order, memory.order) == ("O(n)", "O(n)")
    assert time.points[-1][0] == 34  # the next size is 66
    assert solution.fresh_ones > 0


class Leaking(InProcess):
    """A solution that never frees its objects, in a process whose memory holds few of them."""

    made = 0

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        self.made += 1
        if self.made > 20:
            raise Failed("crashed", "it was killed by signal 11 before answering")
        return 1e-6 * n, 1e-8 * len(moves) * (5 + n)

    def fresh(self) -> Leaking:
        self.made = 0
        return self


def test_measure_restarts_processes_whose_memory_is_full() -> None:
    time, _, _ = measure(Leaking(SignedSums))
    assert time.order == "O(n)"


class Unmeasured(InProcess):
    """A solution that reports neither times nor sizes."""

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        return nan, nan

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        return None


def test_measure_without_times_names_no_order() -> None:
    for cost in measure(Unmeasured(SignedSums)):
        assert (cost.order, cost.points) == (None, ())
