"""Solutions that are closed after the test."""

import inspect
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from noughts.checker.languages import open_solution
from noughts.checker.process import DEFAULT, Limits
from noughts.checker.solution import Solution

Open = Callable[..., Solution]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is marked `untraced` in a thread in which no lines are counted."""
    if pyfuncitem.get_closest_marker("untraced") is None:
        return None
    names = inspect.signature(pyfuncitem.function).parameters
    trace = threading.gettrace()
    threading.settrace(None)
    try:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(
                pyfuncitem.function, **{name: pyfuncitem.funcargs[name] for name in names}
            ).result()
    finally:
        threading.settrace(trace)
    return True


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
