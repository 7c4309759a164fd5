"""Running a person's tests in this process, with a class in the place of the one they import."""

import builtins
import importlib.util
import inspect
import os
import sys
import unittest
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

from noughts import tictactoe
from noughts.checker.catalogue import CATALOGUE
from noughts.checker.catalogue.right import Board, Sums
from noughts.checker.in_process import SharedState
from noughts.referee import BoardScan, PlayerTallies, SignedSums

MODULE = "__tests__"  # of the tests themselves; they may import the class from any other module
SECONDS = 10  # for the tests with one class
LATE = "it does not end in time"
RIGHT = {
    "TicTacToe": (Sums, Board, SignedSums, PlayerTallies, BoardScan),
    "tictactoe": (tictactoe,),
}


class UnusableError(Exception):
    """The file has no tests, or cannot be imported."""


class Late(KeyboardInterrupt):
    """The tests with a class did not end in time. `unittest` lets only interrupts pass."""


def adapted(target: Any, known: dict[str, Any]) -> Any:
    """Return a class or function under the names that the tests use."""
    if known["problem"] == "tictactoe":
        return target
    players, nobody = known["players"], known["nobody"]
    answers = {0: nobody, 1: players[0], 2: players[1]}

    class Adapted:
        def __init__(self, *sizes: int, **named: int) -> None:
            self._noughts = target(*(sizes or tuple(named.values()) or (3,))[:1])
            self._plies = 0

        def __getattr__(self, name: str) -> Any:
            return getattr(self._noughts, name)

    def move(self: Any, *given: Any, **named: Any) -> Any:
        values = dict(zip(known["order"], given, strict=False))
        values |= {known["keywords"][name]: value for name, value in named.items()}
        player = 1 + self._plies % 2
        if "player" in values:
            player = 1 + players.index(values["player"])
        self._plies += 1
        answer = self._noughts.move(values["row"], values["col"], player)
        return answers[answer] if type(answer) is int and answer in answers else answer

    setattr(Adapted, known["method"], move)
    Adapted.__name__ = known["name"]
    return Adapted


@contextmanager
def provided(target: Any, known: dict[str, Any]) -> Iterator[None]:
    """Put the class where the tests import it from, and undo what they leave behind."""
    shared = SharedState(target)
    parts = known["module"].split(".")
    names = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    modules = {name: sys.modules.get(name) for name in (MODULE, *names)}
    functions = {**vars(builtins)}
    for name in names:
        module = sys.modules[name] = ModuleType(name)
        module.__path__ = []
        setattr(module, known["name"], adapted(target, known))
    try:
        yield
    finally:
        builtins.__dict__.update(functions)
        for name in builtins.__dict__.keys() - functions:
            delattr(builtins, name)
        for name, before in modules.items():
            sys.modules.pop(name, None)
            if before is not None:
                sys.modules[name] = before
        shared.restore()


def with_unittest(path: Path) -> list[tuple[str, str]]:
    """Run tests with unittest, plain functions included; return those that fail."""
    spec = importlib.util.spec_from_file_location(MODULE, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[MODULE] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except SystemExit:
        guard = 'put unittest.main() under if __name__ == "__main__"'
        raise UnusableError(f"{path.name} exits; {guard}") from None
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if name.startswith("test") and function.__module__ == module.__name__:
            suite.addTest(unittest.FunctionTestCase(function, description=name))
    if not suite.countTestCases():
        raise UnusableError(f"{path.name} has no tests")
    result = unittest.TestResult()
    suite.run(result)
    failed = [*result.failures, *result.errors]
    return [(_test_name(case), _last_line(said)) for case, said in failed]


def _test_name(case: Any) -> str:
    return str(case.shortDescription() or case.id().rpartition(".")[2])


def _last_line(text: str) -> str:
    """Return the reason at the end of a traceback."""
    return (text.strip().splitlines() or ["it fails"])[-1][:200]


def with_pytest(path: Path) -> list[tuple[str, str]]:
    """Run tests with pytest; return those that fail. Raises ModuleNotFoundError without it."""
    import pytest

    class Collected:
        def __init__(self) -> None:
            self.count = 0
            self.failing: list[tuple[str, str]] = []

        def pytest_runtest_logreport(self, report: Any) -> None:
            self.count += report.when == "call"
            if report.failed:
                crash = getattr(report.longrepr, "reprcrash", None)
                why = crash.message if crash else str(report.longrepr)
                self.failing.append((report.nodeid.rpartition("::")[2], why.splitlines()[0][:200]))

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed:
                self.failing.append((path.name, _last_line(str(report.longrepr))))

    collected = Collected()
    options = ["-q", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull]
    pytest.main([*options, f"--rootdir={path.parent}", str(path)], plugins=[collected])
    if not collected.count and not collected.failing:
        raise UnusableError(f"{path.name} has no tests")
    return collected.failing


def run(
    path: Path,
    mistake: str,
    known: dict[str, Any],
    limited: Callable[[], AbstractContextManager[None]],
    progress: Callable[[str], None] = lambda doing: None,
) -> dict[str, Any]:
    """Run tests with the right classes, or with a mistake, until some fail.

    Args:
        path: the file of the tests.
        mistake: the name of the known mistake; empty for the right classes.
        known: the fields of a `noughts.checker.mutation.Vocabulary`.
        limited: provides a context that limits the time of the tests with one class.
        progress: called with a description of each right class before it runs.

    Returns:
        ``failing``, pairs of test and reason, or ``error``.
    """
    how = with_pytest if known["needs_pytest"] else with_unittest
    mistakes = CATALOGUE[known["problem"]]
    wrong = [each.solution for each in mistakes if each.name == mistake]
    try:
        targets = wrong or RIGHT[known["problem"]]
        for number, target in enumerate(targets, 1):
            if not wrong:
                progress(f"running the tests with right class {number} of {len(targets)}")
            with provided(target, known), redirect_stdout(StringIO()), limited():
                failing = how(path)
            if failing:
                return {"failing": failing}
    except ModuleNotFoundError as error:
        return {"error": f"{path.name} needs {error.name}, which is not installed"}
    except UnusableError as error:
        return {"error": str(error)}
    except Late:
        return {"failing": [(path.name, LATE)]}
    except BaseException as error:
        return {"failing": [(path.name, f"{type(error).__name__}: {error}")]}
    return {"failing": []}
