"""Fixtures that start solutions and switch off time limits."""

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import pytest

from noughts.checker.diagnosis import panel
from noughts.checker.languages import open_solution
from noughts.checker.sandbox import DEFAULT, Limits
from noughts.checker.solution import Solution

collect_ignore = ["data"]  # solutions and tests of solutions, not of ours
Open = Callable[..., Solution]
PATIENT = replace(DEFAULT, seconds=60.0)


def sampled(names: Container[str], values: Iterable[Any], name: Callable[[Any], str]) -> list[Any]:
    """Return parameters of which only those with these names belong to the first tier."""
    long = pytest.mark.tier2("long")
    return [
        pytest.param(value, id=name(value), marks=[] if name(value) in names else [long])
        for value in values
    ]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give checks unlimited time, so that a busy machine does not change what they find."""
    module = import_module("noughts.checker.trial")
    for limit in ("PATIENCE", "TOGETHER", "AROUND", "COMPARING", "ENDING"):
        monkeypatch.setattr(module, limit, inf)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on boards up to 4×4, and compare fewer games with those of known mistakes."""
    module = import_module("noughts.checker.trial")
    monkeypatch.setattr(module, "SIDES", (2, 3, 4))
    monkeypatch.setattr(module, "panel", lambda problem: panel(problem)[:20])


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Provide a function that writes a source to a file and starts it in its own process."""
    solutions = []

    def run(
        source: str, name: str | None = None, *, file: str = "solution.py", limits: Limits = PATIENT
    ) -> Solution:
        path = tmp_path / file
        path.write_text(source)
        solutions.append(open_solution(path, name, limits))
        return solutions[-1]

    yield run
    for solution in solutions:
        solution.close()
