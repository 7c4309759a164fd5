"""Complexities named from simulated times: noise, bursts, drift, coarse clocks and compilers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from importlib import import_module
from itertools import product
from random import Random
from typing import Any

import pytest

from checker.right_solutions import SignedSums
from commands import ROOT, noughts
from noughts.checker import Report, check, complexity
from noughts.checker.complexity import measure
from noughts.checker.exporters import gradescope
from noughts.checker.in_process import InProcess
from noughts.checker.report import Complexity
from noughts.checker.solution import Move, Solution
from noughts.checker.submissions import Submission
from noughts.checker.trial import LONGER

RUNS = 20_000
READING = 6e-7  # seconds that reading the clock takes

Cost = Callable[[int], float]  # seconds per move, for a given n
Disturbed = Callable[[Random], Callable[[float], float]]

# Name, right order, bytes per cell and row, and cost
SHAPES: dict[str, tuple[str, int, Cost]] = {
    "constant": ("O(1)", 0, lambda n: 5e-7),
    "constant, fast": ("O(1)", 0, lambda n: 4e-9),
    "constant, cache misses": ("O(1)", 8, lambda n: 5e-7 + 3e-7 * (8 * n * n > 1 << 20)),
    "constant, fast, cache misses": ("O(1)", 4, lambda n: 4e-9 + 3e-7 * (4 * n * n > 1 << 20)),
    "linear": ("O(n)", 8, lambda n: 1e-6 + 1e-7 * n),
    "linear, fast": ("O(n)", 4, lambda n: 4e-9 + 1e-9 * n),
    "linear, large constant": ("O(n)", 8, lambda n: 1e-6 + 5e-9 * n),
    "linear, vast constant": ("O(n)", 0, lambda n: 1e-6 + 1e-10 * n),
    "square": ("O(n^2)", 8, lambda n: 1e-6 + 1e-7 * n + 2e-8 * n * n),
    "square, fast": ("O(n^2)", 4, lambda n: 4e-9 + 1e-9 * n * n),
    "square, large constant": ("O(n^2)", 8, lambda n: 1e-5 + 2e-8 * n * n),
}


def exponential(random: Random) -> Callable[[float], float]:
    return lambda seconds: seconds * (1 + random.expovariate(2))


def bursts(random: Random) -> Callable[[float], float]:
    factor, left = 1.0, 0

    def disturbed(seconds: float) -> float:
        nonlocal factor, left
        if not left:  # a burst, or the time until the next one, takes up to ten rounds
            factor = random.uniform(2, 3) if factor == 1 else 1.0
            left = random.randrange(1, 40)
        left -= 1
        return seconds * factor * random.uniform(1, 1.1)

    return disturbed


def drift(random: Random) -> Callable[[float], float]:
    calls, rate = 0, random.uniform(-0.002, 0.01)

    def disturbed(seconds: float) -> float:
        nonlocal calls
        calls += 1
        return seconds * max(0.5, 1 + rate * calls) * random.uniform(1, 1.1)

    return disturbed


def compiler(random: Random) -> Callable[[float], float]:
    calls, last, factor = 0, random.randrange(100), random.uniform(2, 10)

    def disturbed(seconds: float) -> float:
        nonlocal calls
        calls += 1
        return seconds * (factor if calls < last else 1) * random.uniform(1, 1.1)

    return disturbed


def clock(step: float) -> Disturbed:
    def disturbed(random: Random) -> Callable[[float], float]:
        noise = exponential(random)
        return lambda seconds: (noise(seconds) + random.random() * step) // step * step

    return disturbed


DISTURBANCES = {
    "exponential": exponential,
    "bursts": bursts,
    "drift": drift,
    "compiler": compiler,
    "clock of 1 µs": clock(1e-6),
    "clock of 100 µs": clock(1e-4),
}


class Simulated(InProcess):
    """A solution whose times are calculated."""

    def __init__(self, shape: str, disturbance: str, seed: int) -> None:
        vars(self).update(vars(BASE))
        _, self.cells, self.cost = SHAPES[shape]
        self.disturbed = DISTURBANCES[disturbance](Random(seed))

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        spent = READING + len(moves) * self.cost(n)
        return 1e-6 + 1e-9 * n, min([self.disturbed(spent) for _ in range(repeats)])

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        return 100 + 16 * n + self.cells * n * n


BASE = InProcess(SignedSums)
MOVES: list[Move] = [(0, 0, 1)] * 300_000
KINDS = list(product(SHAPES, DISTURBANCES))
# Those whose order shows on boards up to 130×130
NEAR = ["constant", "constant, fast", "linear", "linear, fast", "square", "square, fast"]


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time one game of each kind, whose moves do not matter."""
    counts = {"_lines": lambda n: 2 * n - 2, "_full": lambda n: n * n, "_far": lambda n: 256}
    for name, count in counts.items():
        games = lru_cache(partial(lambda n, count: [MOVES[: count(n)]], count=count))
        monkeypatch.setattr(complexity, name, games)


def named(shape: str, disturbance: str, seed: int) -> str | None:
    return measure(Simulated(shape, disturbance, seed))[0].order


@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_never_wrong(shape: str, brief: None) -> None:
    for disturbance, seed in product(DISTURBANCES, range(5)):
        assert named(shape, disturbance, seed) in (SHAPES[shape][0], None), (disturbance, seed)


@pytest.mark.tier2("long")
@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_never_wrong_in_many_runs(shape: str, brief: None) -> None:
    for disturbance, seed in product(DISTURBANCES, range(RUNS // len(KINDS))):
        assert named(shape, disturbance, seed) in (SHAPES[shape][0], None), (disturbance, seed)


@pytest.mark.parametrize("disturbance", ["exponential", "bursts", "drift", "compiler"])
def test_time_is_clear_beside_usual_disturbances(disturbance: str, brief: None) -> None:
    shapes = ["constant", "linear", "linear, fast", "square", "square, fast"]
    found = Counter(named(shape, disturbance, seed) for shape in shapes for seed in range(10))
    assert found[None] <= 1


@pytest.mark.parametrize("shape", NEAR)
def test_first_rounds_are_never_wrong(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(complexity, "ROUNDS", complexity.ROUNDS[:1])
    monkeypatch.setattr(complexity, "REPEATS", 1)
    games = [MOVES[:256]]
    rule = partial(complexity._order_of_increments, misses=1e-7)
    for disturbance, seed in product(
        DISTURBANCES, range(1 + RUNS // len(DISTURBANCES) // len(NEAR))
    ):
        meter = complexity._Meter(
            Simulated(shape, disturbance, seed), Complexity(None), 1.0, lambda: None
        )
        meter._idle = READING
        found, _ = meter._measured(rule, lambda _: games, (10, 34, 130))
        assert found in (SHAPES[shape][0], None), (disturbance, seed)


# Requirements that are not clear

UNCLEAR = ("constant, fast", "clock of 100 µs", 0)


class ClearLater(Simulated):
    """A solution whose times are disturbed until it has been measured once."""

    renewals = 0

    def fresh(self) -> ClearLater:
        self.renewals += 1
        if self.renewals > 2:  # before and after the first measurement
            self.disturbed = lambda seconds: seconds
        return self


@pytest.fixture
def patiences(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the list to which each measurement of `check` adds its patience."""
    found = []

    def measured(solution: Solution, patience: float) -> tuple[Complexity, Complexity, Complexity]:
        found.append(patience)
        return measure(solution, patience)

    monkeypatch.setattr(import_module("noughts.checker.trial"), "measure", measured)
    return found


@pytest.mark.usefixtures("unmeasured", "small", "brief")
def test_unclear_requirement_is_measured_again_and_then_met(patiences: list[float]) -> None:
    report = check(Simulated(*UNCLEAR), games=20, require={"time": "O(1)", "memory": "O(n)"})
    assert patiences == [1.0, LONGER]
    assert (report.verdict, report.time.order) == ("right", None)
    note = "Time is not clear. O(1) is required; this counts as met without --strict."
    assert note in report.notes
    assert f"  · {note}\n" in str(report)
    assert json.loads(gradescope([report], 20))["score"] == 20


@pytest.mark.usefixtures("unmeasured", "small", "brief")
def test_strict_fails_unclear_requirement(patiences: list[float]) -> None:
    report = check(Simulated(*UNCLEAR), games=20, require={"time": "O(1)"}, strict=True)
    assert (report.verdict, report.message) == ("wrong", "time is not clear, but O(1) is required")
    assert json.loads(gradescope([report], 20))["score"] == 0


@pytest.mark.usefixtures("unmeasured", "small", "brief")
@pytest.mark.parametrize("strict", [False, True])
def test_requirement_may_become_clear(strict: bool, patiences: list[float]) -> None:
    solution = ClearLater("linear", "clock of 100 µs", 0)
    solution.disturbed = lambda seconds: 1e-3  # always the same
    report = check(solution, games=20, require={"time": "O(1)"}, strict=strict)
    assert patiences == [1.0, LONGER]
    assert report.message == "time is O(n), but O(1) is required"


@pytest.mark.usefixtures("unmeasured", "small", "brief")
def test_met_requirements_are_not_measured_again(patiences: list[float]) -> None:
    require = {"time": "O(n^2)", "memory": "O(n)"}
    report = check(Simulated(*UNCLEAR), games=20, require=require, strict=True)
    assert (report.verdict, report.notes, patiences) == ("right", (), [1.0])


def test_command_passes_strict_on(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {}

    def judge(submission: Submission, **options: Any) -> Report:
        given.update(options)
        return Report("a.py", "", "TicTacToe", "Python", "right", "")

    monkeypatch.setattr(import_module("noughts.cli.verdicts"), "judge", judge)
    file = ROOT / "examples" / "solutions" / "sums.py"
    noughts("check", "--strict", "--require", "time=O(1)", file)
    assert (given["strict"], given["require"]) == (True, {"time": "O(1)"})
