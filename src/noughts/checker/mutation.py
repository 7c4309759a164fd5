"""Mutation testing: whether a person's tests pass with right classes and catch known mistakes.

Each known mistake of the catalogue is a mutant. Tests that fail with it catch it.
"""

import ast
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from noughts.checker.catalogue import CATALOGUE, Mistake
from noughts.checker.reading.matching import MOVES, PLAYERS, ROWS, plain
from noughts.checker.report import Counterexample, Report, wrapped
from noughts.checker.solution import Failed, Problem
from noughts.checker.trial import check

WORKER = Path(__file__).with_name("mutation_worker.py")
SECONDS = 600.0  # for the tests with the right classes; the worker ends them earlier
TOOLS = ("pytest", "hypothesis", "numpy", "unittest", "parameterized", "noughts")
EQUAL = ("True", "False", "1.0", "2.0", "0.0")  # answers that equal an integer
ASSERTIONS = ("assert", "skip", "fail", "fixture", "mark", "append", "format", "join")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names by which tests use the class that they test.

    Attributes:
        problem: the problem that the class or function solves.
        module: the module that the tests import.
        name: the name of the class or function there.
        method: the name of the method that moves.
        order: the roles of its arguments.
        keywords: the roles of its keywords.
        players: the values of the players.
        nobody: the answer if neither player has won.
        needs_pytest: whether the tests need pytest.
    """

    problem: Problem
    module: str
    name: str
    method: str = "move"
    order: tuple[str, ...] = ("row", "col", "player")
    keywords: dict[str, str] | None = None
    players: tuple[int | str, int | str] = (1, 2)
    nobody: int | str | None = 0
    needs_pytest: bool = False


@dataclass(frozen=True, slots=True)
class TestsReport:
    """What tests are worth.

    Attributes:
        tests: the name of their file.
        failing: the tests that fail with a right class, each with the reason.
        caught: the names of the known mistakes with which a test fails.
        missed: for each other known mistake, its name and a test that would catch it.
        reports: a report for the right classes and for each mistake, for the exporters.
    """

    __test__ = False  # no test itself, whatever pytest makes of its name

    tests: str
    failing: tuple[tuple[str, str], ...]
    caught: tuple[str, ...]
    missed: tuple[tuple[str, str], ...]
    reports: tuple[Report, ...]

    @property
    def right(self) -> bool:
        """Whether right classes pass and every known mistake is caught."""
        return not self.failing and not self.missed

    def __str__(self) -> str:
        """Return the report as text."""
        count = len(self.caught) + len(self.missed)
        lines = [self.tests]
        for test, why in self.failing:
            lines += wrapped(f"✗ {test} fails with a correct class: {why}", "  ", "    ")
        if not self.failing:
            mark = "✗" if self.missed else "✓"
            lines.append(f"  {mark} catches {len(self.caught)} of {count} known mistakes")
        for name, code in self.missed:
            does = next(m.does for ms in CATALOGUE.values() for m in ms if m.name == name)
            lines += wrapped(f"· not caught: a class that {does}. This test would:", "  ", "    ")
            lines += [f"      {line}" for line in code.splitlines()]
        return "\n".join(lines)


def check_tests(
    path: str | PathLike[str], *, progress: Callable[[str], None] = lambda doing: None
) -> TestsReport:
    """Run tests against right classes and against all known mistakes.

    This takes a tenth of a second for each mistake, and a second for each that is not caught.

    Args:
        path: the file of the tests, for pytest or unittest.
        progress: called with a description of each step.

    Raises:
        Failed: "unusable": the tests cannot be read or run, or there are none.
        OSError: the file does not exist or cannot be read.
    """
    from noughts.checker.sandbox import DEFAULT, Sandbox  # browsers have no processes

    path = Path(path).resolve()
    text = path.read_text(errors="replace")
    known = vocabulary(text, path.name)
    words = (sys.executable, "-B", "-P", str(WORKER), json.dumps(asdict(known)), str(path))
    package = Path(__file__).parents[2]
    reads = [Path(sys.base_prefix), Path(sys.prefix), package, path]
    limits = replace(DEFAULT, addresses=None, seconds=SECONDS, cpu=3600, processes=64)
    process = Sandbox(words, reads, limits)

    def run(mistake: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(process.request(f"{mistake}\n", 1, SECONDS)[0])
        return answer

    try:
        process.request("", 1, SECONDS)
        return graded(path.name, text, known, run, smallest_game, progress)
    finally:
        process.close()


def smallest_game(mistake: Mistake) -> Counterexample | None:
    """Return the smallest game that shows a mistake, or None if it is too long to show."""
    return check(mistake.solution, growth=False).counterexample


def graded(
    name: str,
    text: str,
    known: Vocabulary,
    run: Callable[[str], Mapping[str, Any]],
    example_of: Callable[[Mistake], Counterexample | None],
    progress: Callable[[str], None],
) -> TestsReport:
    """Run tests with right classes and with all known mistakes, and return the report.

    Args:
        name: the name of their file.
        text: the tests.
        known: the names that they use.
        run: runs them with the mistake of this name, or with the right classes if it is empty, and
            returns what `noughts.checker.suite.run` does.
        example_of: returns the smallest game that shows a mistake.
        progress: called with a description of each step.

    Raises:
        Failed: "unusable": the tests cannot be run, or there are none.
    """
    mistakes = CATALOGUE[known.problem]
    progress("running the tests with right classes")
    failing = _failures(run(""))
    caught = []
    for number, mistake in enumerate(mistakes if not failing else (), 1):
        progress(f"running the tests with mistake {number} of {len(mistakes)}")
        if _failures(run(mistake.name)):
            caught.append(mistake.name)
    reports = [Report(f"{name}: right classes", "", known.problem, "Python",
                      "wrong" if failing else "right",
                      failing[0][1] if failing else "all tests pass")]  # fmt: skip
    missed = []
    for mistake in mistakes if not failing else ():
        report = Report(f"{name}: {mistake.name}", "", known.problem, "Python", "right",
                        "a test fails", diagnosis=mistake.name)  # fmt: skip
        if mistake.name not in caught:
            progress(f"looking for the smallest game with {mistake.name}")
            example = example_of(mistake)
            report = replace(report, verdict="wrong", message="no test catches it",
                             counterexample=example)  # fmt: skip
            missed.append((mistake.name, _test(known, mistake, example, text)))
        reports.append(report)
    return TestsReport(name, failing, tuple(caught), tuple(missed), tuple(reports))


def _failures(answer: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the tests that fail, each with the reason. Raises `Failed` if they cannot be run."""
    if answer.get("error"):
        raise Failed("unusable", str(answer["error"]))
    return tuple((str(name), str(why)) for name, why in answer["failing"])


def vocabulary(text: str, name: str) -> Vocabulary:
    """Return the names that tests use.

    Raises:
        Failed: "unusable": the file is not valid Python, or uses no class to be tested.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        message = f"line {line} of {name} is not valid Python: {error}"
        raise Failed("unusable", message, line=line) from None
    nodes = [*ast.walk(tree)]
    imported = _imported(nodes)
    called = [node for node in nodes if isinstance(node, ast.Call)]
    found = next((imported[_name(c.func)] for c in called if _name(c.func) in imported), None)
    if found is None:
        raise Failed("unusable", f"{name} imports no class or function that it calls")
    module, tested = found
    needs_pytest = _needs_pytest(tree, nodes)
    unawaited = None if needs_pytest else _unawaited(tree)
    if unawaited:
        message = f"line {unawaited} of {name} is an async test, which would not run; remove async"
        raise Failed("unusable", message, line=unawaited)
    if tested[:1].islower():
        return Vocabulary("tictactoe", module, tested, needs_pytest=needs_pytest)
    calls = [call for call in called if isinstance(call.func, ast.Attribute) and _moves(call)]
    if not calls:
        raise Failed("unusable", f"{name} calls no method with a row and a column")
    counts = Counter(call.func.attr for call in calls if isinstance(call.func, ast.Attribute))
    method = max(counts, key=lambda each: (plain(each) in MOVES, counts[each]))
    moves = [c for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr == method]
    most = max(len(call.args) + len(call.keywords) for call in moves)
    keywords = {k.arg: _role(k.arg) for call in moves for k in call.keywords if k.arg}
    players = {
        value.value
        for call in moves
        for value in _players(call)
        if isinstance(value, ast.Constant) and isinstance(value.value, int | str)
    }
    letters = sorted((each for each in players if isinstance(each, str)), reverse=True)
    compared = [c for n in nodes if isinstance(n, ast.Compare | ast.List) for c in ast.walk(n)]
    empty = any(isinstance(c, ast.Constant) and c.value == "" for c in compared)
    both: tuple[int | str, int | str] = (1, 2)
    if letters:
        both = (letters[0], letters[1]) if len(letters) > 1 else (letters[0], "O")
    return Vocabulary(
        "TicTacToe",
        module,
        tested,
        method,
        ("row", "col", "player")[:most],
        keywords,
        both,
        0 if not letters else "" if empty else None,
        needs_pytest,
    )


def _players(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a move that may be its player."""
    return [*call.args[2:3], *(k.value for k in call.keywords if _role(k.arg) == "player")]


def _imported(nodes: Sequence[ast.AST]) -> dict[str, tuple[str, str]]:
    """Return the module and the name there of each name that is imported from what is tested."""
    found = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and _is_tested(node.module):
            for each in node.names:
                found[each.asname or each.name] = node.module, each.name
        elif isinstance(node, ast.Import):
            for each in node.names:
                if _is_tested(each.name):
                    used = {n.attr for n in nodes if isinstance(n, ast.Attribute)
                            and ast.unparse(n.value) == (each.asname or each.name)}  # fmt: skip
                    found |= {f"{each.asname or each.name}.{n}": (each.name, n) for n in used}
    return found


def _is_tested(module: str) -> bool:
    root = module.partition(".")[0]
    return root not in sys.stdlib_module_names and root not in TOOLS


def _name(function: ast.expr) -> str:
    return ast.unparse(function) if isinstance(function, ast.Name | ast.Attribute) else ""


def _moves(call: ast.Call) -> bool:
    """Return whether a call may be a move."""
    assert isinstance(call.func, ast.Attribute)
    name = call.func.attr
    return len(call.args) + len(call.keywords) in (2, 3) and not name.startswith(ASSERTIONS)


def _role(keyword: str | None) -> str:
    name = plain(keyword or "")
    return "player" if name in PLAYERS else "row" if name in ROWS else "col"


def _needs_pytest(tree: ast.Module, nodes: Sequence[ast.AST]) -> bool:
    """Return whether tests import pytest, have fixtures or are in classes of pytest's kind."""
    for node in nodes:
        if isinstance(node, ast.Import) and any(each.name == "pytest" for each in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "pytest":
            return True
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    fixtures = any(each.args.args for each in functions if each.name.startswith("test"))
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    return fixtures or any(each.name.startswith("Test") and not each.bases for each in classes)


def _unawaited(tree: ast.Module) -> int | None:
    """Return the line of the first async test that unittest would call without awaiting it."""
    owners: list[ast.Module | ast.ClassDef] = [tree]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            bases = " ".join(ast.unparse(base) for base in node.bases)
            owners += [] if "Async" in bases else [node]  # IsolatedAsyncioTestCase
    functions = [each for owner in owners for each in owner.body]
    unawaited = [each for each in functions if isinstance(each, ast.AsyncFunctionDef)]
    return next((each.lineno for each in unawaited if each.name.startswith("test")), None)


def _test(known: Vocabulary, mistake: Mistake, example: Counterexample | None, text: str) -> str:
    """Return a test that catches a mistake, in the words of the tests."""
    if example is None:
        return "# its games are too long to show"
    name = f"test_{mistake.name.replace('-', '_')}"
    used = next(
        (each for each in (known.name, f"{known.module}.{known.name}") if f"{each}(" in text),
        known.name,
    )
    games = [(n, moves) for n, moves in example.before] + [(example.n, example.moves)]
    if known.problem == "tictactoe":
        calls = [f"{used}({[list(move[:2]) for move in moves]})" for _, moves in games]
        lines = [*calls[:-1], f"assert {calls[-1]} == {example.expected}"]
    else:
        names = [f"other{number or ''}" for number in range(len(games) - 1)] + ["game"]
        lines = [f"{game} = {used}({n})" for game, (n, _) in zip(names, games, strict=True)]
        for game, (_, moves) in zip(names, games, strict=True):
            played = (f"{game}.{known.method}({_given(known, move)})" for move in moves)
            lines.append(f"[{', '.join(played)}]")
        right = [repr(known.nobody)] * (len(example.moves) - 1)
        last = {"1": repr(known.players[0]), "2": repr(known.players[1])}
        right.append(last.get(example.expected, repr(known.nobody)))
        given, expected = lines[-1], f"[{', '.join(right)}]"
        if example.answered in EQUAL:
            given, expected = f"repr({given})", repr(expected)
        lines[-1] = f"assert {given} == {expected}"
    if "unittest" in text and "TestCase" in text:
        compared = lines[-1].removeprefix("assert ").replace(" == ", ", ", 1)
        lines[-1] = f"self.assertEqual({compared})"
        return "\n".join([f"def {name}(self):", *(f"    {line}" for line in lines)])
    return "\n".join([f"def {name}():", *(f"    {line}" for line in lines)])


def _given(known: Vocabulary, move: tuple[int, int, int]) -> str:
    """Return the arguments of a move."""
    values = {"row": move[0], "col": move[1], "player": known.players[move[2] - 1]}
    names = {role: name for name, role in (known.keywords or {}).items()}
    return ", ".join(
        f"{names[role]}={values[role]!r}" if role in names else repr(values[role])
        for role in known.order
    )
