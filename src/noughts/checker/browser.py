"""A text judged in this process, and all that is said of it: for Python in a browser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import walk_tb
from typing import Any

from noughts.checker.catalogue import known
from noughts.checker.check import check
from noughts.checker.drawing import growth_words
from noughts.checker.findings import Counterexample
from noughts.checker.growth import measure
from noughts.checker.inside import loaded
from noughts.checker.machines import as_json, facts
from noughts.checker.report import COSTS, Report
from noughts.checker.solution import Failed, chosen
from noughts.checker.worker import File

NAME = "solution.py"


def judged(text: str, *, progress: Callable[[str], None] = lambda doing: None) -> str:
    """Judge this text as the command judges a file; how its costs grow, `costs` says.

    Args:
        text: the solution, in Python.
        progress: is told what is being done.

    Returns:
        The report as one line of JSON: what `json_line` says, and

        - ``what``, ``found``, ``notes``, ``output``, ``seconds``: see `Report`;
        - ``before``: the games of other objects that it takes, each n and moves;
        - ``mistake``: what a known mistake ``does``, and ``why``; or null;
        - ``line``: the line at which Python stopped, from 1, or null.
    """
    with _file(text) as path:
        line = None
        try:
            report = check(path, isolated=False, growth=False, progress=progress)
            line = _stopped(path, report.counterexample)
        except Failed as failed:
            report = Report(NAME, "", "TicTacToe", "Python", "unreadable", str(failed))
            line = _line(failed)
        except MemoryError:
            said = "it takes more memory than there is"
            report = Report(NAME, "", "TicTacToe", "Python", "memory", said)
    return as_json(facts(report) | _more(report) | {"line": line})


def costs(text: str) -> str:
    """How the costs of a text that was judged grow.

    Returns:
        A line of JSON: of each cost its ``name``, in ``words``, and ``points``: each n with the
        cost. Nothing, if it cannot be measured.
    """
    with _file(text) as path:
        try:
            measured = measure(loaded(path))
        except (Failed, MemoryError):
            return "[]"
    return as_json(
        [
            {"name": name, "words": growth_words(growth, name == "memory"), "points": growth.points}
            for name, growth in zip(COSTS, measured, strict=True)
            if growth.points
        ]
    )


@contextmanager
def _file(text: str) -> Iterator[Path]:
    """A file with this text."""
    with TemporaryDirectory() as folder:
        path = Path(folder, NAME)
        path.write_text(text)
        yield path


def _more(report: Report) -> dict[str, Any]:
    """What a page shows besides."""
    told, mistake = report.counterexample, known(report.diagnosis or "")
    return {
        "what": report.what,
        "found": report.found,
        "notes": report.notes,
        "output": report.output,
        "seconds": report.seconds,
        "before": told.before if told else [],
        "mistake": mistake and {"does": mistake.does, "why": mistake.why},
    }


def _stopped(path: Path, told: Counterexample | None) -> int | None:
    """The line at which it stops in the game that shows the mistake."""
    if told is None or not (told.answered.startswith("!") or not told.answered):
        return None
    try:
        with redirect_stdout(StringIO()):
            file = File(path)
            thing = file.names[chosen(file.found, None).name](told.n)
            for move in told.moves:
                thing.move(*move)
    except (Exception, SystemExit) as error:
        return _line(error)
    return None


def _line(error: BaseException) -> int | None:
    """The line of the solution at which this, or what led to it, happened."""
    for cause in _causes(error):
        if isinstance(cause, SyntaxError) and cause.lineno:
            return cause.lineno
        places = [at for frame, at in walk_tb(cause.__traceback__)
                  if frame.f_code.co_filename == NAME]  # fmt: skip
        if places:
            return places[-1]
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__context__
