"""The checker in a browser: it judges source text and returns JSON."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict
from functools import partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from traceback import walk_tb
from types import FrameType
from typing import Any

from noughts.checker.catalogue import Mistake, known
from noughts.checker.claim import read_claim
from noughts.checker.complexity import measure
from noughts.checker.exporters import as_json, json_fields
from noughts.checker.in_process import load_file
from noughts.checker.mutation import graded, smallest_game, vocabulary
from noughts.checker.report import COSTS, Counterexample, Report, complexity_in_words
from noughts.checker.solution import Failed, Move
from noughts.checker.trial import check

NAME = "solution.py"
TESTS = "tests.py"


def judged(
    text: str,
    players: Sequence[str] = (),
    *,
    page: Any = None,
    progress: Callable[[str], None] = lambda doing: None,
) -> str:
    """Judge a solution as the command judges a file, but without measuring its costs.

    Args:
        text: the source of the solution.
        page: what reads and runs JavaScript, the language of the source; None for Python.
        players: the values of the players as text, if they cannot be read: ``("X", "O")``.
        progress: called with a description of each step.

    Returns:
        The report as one line of JSON, with the fields of `json_line` and

        - ``what``, ``found``, ``notes``, ``output``, ``seconds``: see `Report`;
        - ``before``: games of other objects that the counterexample depends on, each n and moves;
        - ``mistake``: ``does`` and ``why`` of the known mistake, or null;
        - ``line``: the 1-based line of the solution at which Python stopped, or null.
    """
    players = tuple(players)  # it may be a JavaScript array
    judge = _judged_python if page is None else partial(_judged_javascript, page)
    report, line = judge(text, players, progress)
    report = report.with_claim(read_claim(text))
    example, mistake = report.counterexample, known(report.diagnosis or "")
    more = {name: getattr(report, name) for name in ("what", "found", "notes", "output", "seconds")}
    more |= {
        "before": example.before if example else [],
        "mistake": mistake and {"does": mistake.does, "why": mistake.why},
        "line": line,
    }
    return as_json(json_fields(report) | more)


def costs(
    text: str,
    players: Sequence[str] = (),
    *,
    progress: Callable[[str], None] = lambda doing: None,
) -> str:
    """Measure how the costs of a judged solution grow; see `judged` for the arguments.

    Returns:
        A line of JSON: for each cost its ``name``, its complexity in ``words``, its ``order``,
        null if it is not clear, and ``points``, each n with its cost. The list is empty if the
        costs cannot be measured.
    """
    players = tuple(players)
    with _file(text) as path:
        try:
            solution = load_file(path, players=players)
            measured = measure(solution, progress=partial(progress, "measuring time and memory"))
        except (Failed, MemoryError):
            return "[]"
    rows = []
    for name, cost in zip(COSTS, measured, strict=True):
        if cost.points:
            words = complexity_in_words(cost, name == "memory")
            row = {"name": name, "words": words, "order": cost.order, "points": cost.points}
            rows.append(row)
    return as_json(rows)


def tried(
    text: str,
    games: str = "{}",
    *,
    progress: Callable[[str], None] = lambda doing: None,
) -> str:
    """Run tests with right classes and with known mistakes, as the command does with a file.

    Args:
        text: the source of the tests.
        games: the smallest games that show mistakes, as JSON by the names of the mistakes, each
            with ``n``, ``moves``, ``expected``, ``answered`` and ``before``. The games of other
            mistakes are searched for, which takes a second each.
        progress: called with a description of each step.

    Returns:
        A line of JSON with ``failing`` and ``caught``, see `TestsReport`, and ``missed``, a row for
        each mistake that no test catches: its ``name``, what it ``does``, and the ``code`` of the
        smallest test that does. If the tests cannot be run, it has a ``message`` and the ``line``
        that is wrong, or null. If they do not end with a right class, it has a ``message`` and the
        ``verdict`` "timeout".
    """
    from noughts.checker.suite import LATE, SECONDS, run  # solutions do not need it

    shown = json.loads(games)

    def example_of(mistake: Mistake) -> Counterexample | None:
        game = shown.get(mistake.name)
        return _example(game) if game else smallest_game(mistake)

    with _file(text, TESTS) as path:
        try:
            used = vocabulary(text, TESTS)
            limited = partial(_limited, path)
            run_with = partial(run, path, known=asdict(used), limited=limited, progress=progress)
            report = graded(TESTS, text, used, run_with, example_of, progress)
        except Failed as failed:
            return as_json({"message": str(failed), "line": failed.line})
    if any(why == LATE for _, why in report.failing):
        message = f"with a correct class they did not end within {SECONDS} s"
        return as_json({"verdict": "timeout", "message": message})
    missed = [
        {"name": name, "does": mistake.does, "code": code}
        for name, code in report.missed
        if (mistake := known(name))
    ]
    return as_json({"failing": report.failing, "caught": report.caught, "missed": missed})


def _example(game: dict[str, Any]) -> Counterexample:
    """Return a game of the lesson as a counterexample."""
    before = tuple((n, _moves(moves)) for n, moves in game.get("before", ()))
    moves = _moves(game["moves"])
    return Counterexample(game["n"], moves, game["expected"], game["answered"], "", before)


def _moves(moves: Sequence[Sequence[int]]) -> tuple[Move, ...]:
    return tuple((row, col, player) for row, col, player in moves)


@contextmanager
def _limited(path: Path) -> Iterator[None]:
    """Raise `Late` in a file that runs for too long; browsers have no signals.

    A call of a function that is not written in Python is not interrupted.
    """
    from noughts.checker.suite import SECONDS, Late

    file, end = str(path), perf_counter() + SECONDS

    def trace(frame: FrameType, _event: str, _value: Any) -> Any:
        if perf_counter() > end:
            raise Late
        return trace if frame.f_code.co_filename == file else None  # loops elsewhere end

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def _judged_python(
    text: str, players: Sequence[str], progress: Callable[[str], None]
) -> tuple[Report, int | None]:
    """Return the report on a solution in Python, and the line at which it stops."""
    with _file(text) as path:
        try:
            report = check(load_file(path, players=players), growth=False, progress=progress)
            return report, _stopped(path, players, report.counterexample)
        except Failed as failed:
            return _failure("Python", failed), _line(failed)
        except MemoryError:
            return _failure("Python", Failed("memory", "it ran out of memory")), None


def _judged_javascript(
    page: Any, text: str, players: Sequence[str], progress: Callable[[str], None]
) -> tuple[Report, int | None]:
    """Return the report on a solution in JavaScript, and the line that cannot be read."""
    from noughts.checker.in_browser import BrowserJavaScript, open_text  # Python needs neither

    try:
        solution = open_text(BrowserJavaScript(page), Path("solution.js"), text, players=players)
        return check(solution, growth=False, progress=progress), None
    except Failed as failed:
        return _failure("JavaScript", failed), failed.line


def _failure(language: str, failed: Failed) -> Report:
    """Return the report on a solution that cannot be judged."""
    name = NAME if language == "Python" else "solution.js"
    return Report(name, "", "TicTacToe", language, failed.verdict, str(failed),
                  output=failed.output)  # fmt: skip


@contextmanager
def _file(text: str, name: str = NAME) -> Iterator[Path]:
    """Provide a temporary file with this text."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text)
        yield path


def _stopped(path: Path, players: Sequence[str], example: Counterexample | None) -> int | None:
    """Return the line at which the solution stops in the counterexample, if it does."""
    if example is None or not (example.answered.startswith("!") or not example.answered):
        return None
    try:
        with redirect_stdout(StringIO()):
            load_file(path, players=players).run(example.n, example.moves)
    except (Exception, SystemExit) as error:
        return _line(error)
    return None


def _line(error: BaseException | None) -> int | None:
    """Return the line of the solution that caused an error, directly or indirectly."""
    while error:
        if isinstance(error, SyntaxError) and error.lineno:
            return error.lineno
        places = [at for frame, at in walk_tb(error.__traceback__)
                  if frame.f_code.co_filename == NAME]  # fmt: skip
        if places:
            return places[-1]
        error = error.__context__
    return None
