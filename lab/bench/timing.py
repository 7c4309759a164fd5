"""How everything is timed: all sides in turn, round after round, and the median of the rounds.

What disturbs the machine for a moment then hits all sides alike, and a comparison is the median of
the rounds' own ratios.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from types import FunctionType
from typing import Any, Generic, TypeVar

BRIEF = 8  # times as many rounds where cases last milliseconds, which any disturbance outlasts

Name = TypeVar("Name", bound=Hashable)

Case = Callable[[int], float]
"""What is timed: given the number of the round it plays, it returns the seconds it took."""

Table = dict[str, dict[str, float]]
"""Measured figures: the rows by name, and in each its columns by name."""

Figures = dict[str, dict[str, Table]]
"""All that was measured: the tables of each part, by name."""


@dataclass(frozen=True)
class Times(Generic[Name]):
    """The seconds that each case took in each round."""

    seconds: Mapping[Name, list[float]]

    def median(self, name: Name) -> float:
        return median(self.seconds[name])

    def ratio(self, slow: Name, fast: Name) -> float:
        """How many times longer the one took than the other."""
        both = zip(self.seconds[slow], self.seconds[fast], strict=True)
        return median(one / other for one, other in both)


@dataclass(frozen=True)
class Run:
    """How a run is to be made.

    Attributes:
        rounds: how often each case is timed.
        share: of the games that a full run takes; little shows that everything works.
        report: told what is done just now.
    """

    rounds: int = 9
    share: float = 1.0
    report: Callable[[str], None] = lambda doing: None

    def sized(self, full: int) -> int:
        """How many of something to measure with, if a full run takes so many."""
        return max(1, int(full * self.share))

    @property
    def is_full(self) -> bool:
        return self.share == 1

    def times(self, title: str, cases: Mapping[Name, Case], *, brief: bool = False) -> Times[Name]:
        """Time the cases in turn, round after round; brief ones in `BRIEF` times as many."""
        rounds = self.rounds * (BRIEF if brief else 1)
        seconds: dict[Name, list[float]] = {name: [] for name in cases}
        gc.collect()
        gc.freeze()  # what was made before is no case's garbage
        try:
            for number in range(rounds):
                self.report(f"{title}: round {number + 1} of {rounds}")
                for name, case in cases.items():
                    seconds[name].append(case(number))
        finally:
            gc.unfreeze()
        return Times(seconds)


def processor_seconds(work: Callable[..., object], *arguments: object) -> float:
    """How long it keeps the processor busy, so that other work on the machine counts little."""
    start = process_time()
    work(*arguments)
    return process_time() - start


def busy(work: Callable[..., object], *arguments: object) -> Case:
    """A case that does the same in every round, by the processor's time."""
    return lambda _: processor_seconds(work, *arguments)


def clocked(work: Callable[..., object], *arguments: object) -> Case:
    """The same by the clock on the wall."""

    def case(_: int) -> float:
        start = perf_counter()
        work(*arguments)
        return perf_counter() - start

    return case


def own_loop(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same function for one side alone, as Python adapts a loop to what is called there."""
    assert isinstance(work, FunctionType)
    return FunctionType(work.__code__.replace(), work.__globals__)
