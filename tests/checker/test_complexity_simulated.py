"""Complexities named from simulated times: noise, bursts, drift, coarse clocks and compilers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest

from checker.right_solutions import SignedSums
from noughts.checker import complexity
from noughts.checker.complexity import measure
from noughts.checker.in_process import InProcess
from noughts.checker.solution import Move

RUNS = 20_000
SEEDS = 20  # of each shape beside each disturbance, in the first tier
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
        super().__init__(SignedSums)
        _, self.cells, self.cost = SHAPES[shape]
        self.disturbed = DISTURBANCES[disturbance](Random(seed))

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        spent = READING + len(moves) * self.cost(n)
        return 1e-6 + 1e-9 * n, min(self.disturbed(spent) for _ in range(repeats))

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        return 100 + 16 * n + self.cells * n * n


