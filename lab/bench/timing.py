"""The method of timing: all sides in turn, round after round, and the median of the rounds.

A momentary disturbance of the machine then affects all sides equally. A comparison is the median of
the ratios within each round.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from types import FunctionType
from typing import Any, Generic, TypeVar

BRIEF = 8  # times as many rounds for cases of milliseconds, which any disturbance outlasts

Name = TypeVar("Name", bound=Hashable)

Case = Callable[[int], float]
"""A timed case, which takes the number of the round and returns the seconds it took."""

Table = dict[str, dict[str, float]]
"""Measured figures: rows by name, and in each row its columns by name."""

Figures = dict[str, dict[str, Table]]
"""All measured figures: the tables of each part, by name."""


@dataclass(frozen=True)
class Times(Generic[Name]):
    """The seconds that each case took in each round."""

    seconds: Mapping[Name, list[float]]

    def median(self, name: Name) -> float:
        return median(self.seconds[name])

    def ratio(self, slow: Name, fast: Name) -> float:
        """Return how many times longer one case took than the other."""
        both = zip(self.seconds[slow], self.seconds[fast], strict=True)
        return median(one / other for one, other in both)


@dataclass(frozen=True)
class Run:
    """The settings of a run.

    Attributes:
        rounds: the number of times that each case is timed.
        share: the share of a full run's games; a small share checks that everything works.
        report: called with a text about the current step.
    """

    rounds: int = 9
    share: float = 1.0
    report: Callable[[str], None] = lambda doing: None

    def sized(self, full: int) -> int:
        """Return this run's share of the number of items in a full run."""
        return max(1, int(full * self.share))

    @property
    def is_full(self) -> bool:
        return self.share == 1

    def times(self, title: str, cases: Mapping[Name, Case], *, brief: bool = False) -> Times[Name]:
        """Time the cases in turn, round after round; brief ones in `BRIEF` times as many rounds."""
        rounds = self.rounds * (BRIEF if brief else 1)
        seconds: dict[Name, list[float]] = {name: [] for name in cases}
        gc.collect()
        gc.freeze()  # older objects are not garbage of any case
        try:
            for number in range(rounds):
                self.report(f"{title}: round {number + 1} of {rounds}")
                for name, case in cases.items():
                    seconds[name].append(case(number))
        finally:
            gc.unfreeze()
        return Times(seconds)


def processor_seconds(work: Callable[..., object], *arguments: object) -> float:
    """Return the processor time of a call, which other work on the machine hardly affects."""
    start = process_time()
    work(*arguments)
    return process_time() - start


def busy(work: Callable[..., object], *arguments: object) -> Case:
    """Return a case that makes the same call in every round, in processor time."""
    return lambda _: processor_seconds(work, *arguments)


def clocked(work: Callable[..., object], *arguments: object) -> Case:
    """Return a case that makes the same call in every round, in wall-clock time."""

    def case(_: int) -> float:
        start = perf_counter()
        work(*arguments)
        return perf_counter() - start

    return case


def own_loop(work: Callable[..., Any]) -> Callable[..., Any]:
    """Copy a function for one side, since Python specializes a loop for the calls in it."""
    assert isinstance(work, FunctionType)
    return FunctionType(work.__code__.replace(), work.__globals__)
