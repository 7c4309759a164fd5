"""How time and memory grow is named rightly, for right solutions of many makes."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any

import pytest

from checker.right_solutions import RIGHT, SignedSums
from commands import TRIES
from noughts.checker.complexity import measure
from noughts.checker.in_process import InProcess
from noughts.checker.solution import Failed, Move


@pytest.mark.parametrize("solution", RIGHT, ids=lambda solution: solution.__name__)
def test_growth_is_named(solution: Any, unmeasured: None) -> None:
    found = []
    for _ in range(TRIES):
        time, _, memory = measure(InProcess(solution))
        found.append((time.order, memory.order))
        if found[-1] == solution.growth:
            return
    pytest.fail(f"it was named {found}")


def test_a_slow_constructor_is_no_slow_move(unmeasured: None) -> None:
    class Slow(SignedSums):
        def __init__(self, n: int) -> None:
            super().__init__(n)
            self.lines = {(row, col) for row in range(n) for col in range(n)}

    time, make, memory = measure(InProcess(Slow))
    assert (time.order, make.order, memory.order) == ("O(1)", "O(n^2)", "O(n^2)")


def test_nothing_grows_for_whole_games() -> None:
    def tictactoe(moves: list[list[int]]) -> str:
        return "Pending"

    assert [growth.order for growth in measure(InProcess(tictactoe))] == [None, None, None]


class Limited(InProcess):
    """It cannot take boards beyond 64×64."""

    fresh_ones = 0

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        if n > 64:
            raise Failed("crashed", "it stopped with RecursionError")
        return 1e-6 * n, 1e-8 * len(moves) * (50 + n)

    def fresh(self) -> Limited:
        self.fresh_ones += 1
        return self


def test_what_fails_on_large_boards_is_measured_on_smaller_ones() -> None:
    solution = Limited(SignedSums)
    time, _, memory = measure(solution)
    assert (time.order, memory.order) == ("O(n)", "O(n)")
    assert time.points[-1][0] == 64
    assert solution.fresh_ones > 0


class Unmeasured(InProcess):
    """Neither its times nor its sizes can be had."""

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        return nan, nan

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        return None


def test_what_cannot_be_measured_is_not_named() -> None:
    for growth in measure(Unmeasured(SignedSums)):
        assert (growth.order, growth.points) == (None, ())
