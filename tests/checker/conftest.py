"""Solutions that are closed after the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from noughts.checker.languages import open_solution
from noughts.checker.sandbox import DEFAULT, Limits
from noughts.checker.solution import Solution

Open = Callable[..., Solution]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Write a source into a file, and start it."""
    solutions = []

    def run(
        source: str, name: str | None = None, *, file: str = "solution.py", limits: Limits = DEFAULT
    ) -> Solution:
        path = tmp_path / file
        path.write_text(source)
        solutions.append(open_solution(path, name, limits))
        return solutions[-1]

    yield run
    for solution in solutions:
        solution.close()
