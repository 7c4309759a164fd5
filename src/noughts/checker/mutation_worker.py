"""The process in which a person's tests run, with one class after another.

Usage: ``python mutation_worker.py VOCABULARY FILE``, where VOCABULARY is a
`noughts.checker.mutation.Vocabulary` in JSON. It reads the name of a known mistake per line, or an
empty line for the right classes, and writes a line of JSON: ``failing``, pairs of test and reason,
or ``error``. The tests with a class run in a child process, which is ended after some seconds.
"""

import importlib.util
import inspect
import json
import os
import signal
import sys
import unittest
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from noughts import tictactoe
from noughts.checker.catalogue import CATALOGUE
from noughts.checker.catalogue.right import Board, Sums
from noughts.referee import BoardScan, PlayerTallies, SignedSums

REQUESTS, ANSWERS = 3, 4  # file descriptors
# Seconds for the tests with one class: of processor time, so that other work does not matter, and
# at most in all, for tests that wait.
SECONDS: dict[int, int] = {signal.SIGPROF: 10, signal.SIGALRM: 60}
RIGHT = {
    "TicTacToe": (Sums, Board, SignedSums, PlayerTallies, BoardScan),
    "tictactoe": (tictactoe,),
}


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


def provide(target: Any, known: dict[str, Any]) -> None:
    """Put the class where the tests import it from."""
    parts = known["module"].split(".")
    for count in range(1, len(parts) + 1):
        name = ".".join(parts[:count])
        module = sys.modules[name] = ModuleType(name)
        module.__path__ = []
        setattr(module, known["name"], adapted(target, known))


def with_unittest(path: Path) -> list[tuple[str, str]]:
    """Run tests with unittest, plain functions included; return those that fail."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if name.startswith("test") and function.__module__ == module.__name__:
            suite.addTest(unittest.FunctionTestCase(function, description=name))
    if not suite.countTestCases():
        raise LookupError(f"{path.name} has no tests")
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
        count = 0
        failing: list[tuple[str, str]] = []  # noqa: RUF012 (there is one object)

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
        raise LookupError(f"{path.name} has no tests")
    return collected.failing


def run(path: Path, targets: Any, known: dict[str, Any]) -> dict[str, Any]:
    """Run the tests with each of these classes until some fail."""
    how: Callable[[Path], list[tuple[str, str]]] = with_unittest
    if known["needs_pytest"]:
        how = with_pytest
    try:
        for target in targets:
            signal.setitimer(signal.ITIMER_PROF, SECONDS[signal.SIGPROF])
            signal.alarm(SECONDS[signal.SIGALRM])
            provide(target, known)
            with redirect_stdout(StringIO()):
                if failing := how(path):
                    return {"failing": failing}
    except ModuleNotFoundError as error:
        return {"error": f"{path.name} needs {error.name}, which is not installed"}
    except LookupError as error:
        return {"error": str(error)}
    except BaseException as error:
        return {"failing": [(path.name, f"{type(error).__name__}: {error}")]}
    return {"failing": []}


def in_child(path: Path, targets: Any, known: dict[str, Any]) -> dict[str, Any]:
    """Run the tests in a child process; one that does not end in time fails them."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.close(REQUESTS)
        os.close(ANSWERS)
        text = json.dumps(run(path, targets, known))
        with suppress(OSError):
            os.write(writer, text.encode()[: 1 << 15])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    # One sentence for both limits, since which comes first depends on other work.
    late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in SECONDS
    ended = "it does not end in time" if late else "it ends the process"
    try:
        answer: dict[str, Any] = json.loads(text)
    except ValueError:
        return {"failing": [(path.name, ended)]}
    return answer


def main() -> None:
    """Run the worker: answer requests until they end."""
    known, path = json.loads(sys.argv[1]), Path(sys.argv[2])
    requests, answers = os.fdopen(REQUESTS), os.fdopen(ANSWERS, "w")
    if known["needs_pytest"]:
        with suppress(ModuleNotFoundError):
            import pytest  # noqa: F401 (once, for all child processes)
    answers.write("[]\n")
    answers.flush()
    mistakes = {each.name: each.solution for each in CATALOGUE[known["problem"]]}
    for line in requests:
        name = line.strip()
        targets = (mistakes[name],) if name else RIGHT[known["problem"]]
        answers.write(json.dumps(in_child(path, targets, known)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
