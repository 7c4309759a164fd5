"""The solutions in files and folders, judged in parallel."""

import os
import re
import signal
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, NamedTuple

from noughts.checker.calls import line
from noughts.checker.claim import LONGEST, Claim, read_claim
from noughts.checker.languages import LANGUAGES, open_solution
from noughts.checker.languages.command import Command
from noughts.checker.languages.compiling import CACHE, shared_cache
from noughts.checker.report import Report
from noughts.checker.solution import Failed, Solution
from noughts.checker.trial import check
from noughts.extras import MissingExtra

TESTS = re.compile(
    r"test_.*|.*_(?:test|spec)|conftest|.*Tests?|.*\.(?:test|spec)"
)  # without suffix
BUILT = ("node_modules", "vendor", "target", "build", "bin", "obj", "venv", "dist")  # folders
LARGEST = 1 << 20  # bytes of a solution


class Submission(NamedTuple):
    """A solution to judge: its name in reports, and its file; without a file, a command line."""

    name: str
    path: Path | None = None


class Skipped(NamedTuple):
    """A file that is no solution: its name, and why."""

    name: str
    why: str


def find_submissions(paths: Iterable[Path]) -> tuple[list[Submission], list[Skipped]]:
    """Return these files and all solutions in these folders, and what else is in the folders."""
    found, skipped = list[Submission](), list[Skipped]()
    for path in paths:
        if not path.is_dir():
            found.append(Submission(line(path.name), path))
            continue
        for file, why in _files(path):
            name = file.relative_to(path)
            if why := why or _why_skipped(name):
                skipped.append(Skipped(line(str(name)), why))
            else:
                found.append(Submission(line(str(name)), file))
    return found, skipped


def _files(folder: Path) -> list[tuple[Path, str]]:
    """Return what is in a folder and its folders, and why it cannot be read, if it cannot.

    Links are not followed: they may lead to another person's solution, or back into the folder.
    """
    found, todo = list[tuple[Path, str]](), [folder]
    while todo:
        inside = todo.pop()
        try:
            entries = [*os.scandir(inside)]
        except OSError as error:
            found.append((inside, f"unreadable: {error.strerror}"))
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                todo.append(Path(entry.path))
            elif entry.is_symlink():
                found.append((Path(entry.path), "a link"))
            else:
                regular = entry.is_file(follow_symlinks=False)
                found.append((Path(entry.path), "" if regular else "not a regular file"))
    return sorted(found)


def _why_skipped(name: Path) -> str:
    """Return why a file in a folder is not taken for a solution, or an empty string."""
    if any(part.startswith((".", "_")) for part in name.parts):
        return "hidden"
    if any(part in BUILT for part in name.parts[:-1]):
        return "in a build folder"
    if TESTS.fullmatch(name.stem):
        return "tests"
    if name.suffix == ".ipynb":
        return "a notebook: export it as .py"
    return "" if name.suffix.lower() in LANGUAGES else "no known suffix"


def judge(
    submission: Submission,
    wanted: str | None,
    players: Sequence[str] = (),
    python: str | None = None,
    **options: Any,
) -> Report:
    """Judge a submission; if it cannot be run or read, the report says why.

    Args:
        submission: the solution.
        wanted: the class or function to judge, where a file defines several.
        players: the values of the players as text, if they cannot be read.
        python: the Python that runs Python solutions; None for this one.
        options: options of `noughts.checker.check`.
    """
    name, path = submission
    try:
        report = check(_opened(submission, wanted, players, python), **options)
    except (Failed, MissingExtra, OSError) as error:
        failed = error if isinstance(error, Failed) else Failed("unusable", str(error))
        known = LANGUAGES.get(path.suffix.lower() if path else "")
        language = known.name if known else ""
        report = Report(name, "", "TicTacToe", language, failed.verdict, str(failed),
                        output=failed.output)  # fmt: skip
    return replace(report, solution=name).with_claim(_claim(path))


def _claim(path: Path | None) -> Claim | None:
    """Return what a file says of itself, if it is readable text."""
    if path is None or not path.is_file():
        return None
    try:
        with path.open(errors="replace") as file:
            return read_claim(file.read(LONGEST))
    except OSError:
        return None


def _opened(
    submission: Submission, wanted: str | None, players: Sequence[str], python: str | None
) -> Solution:
    """Start a submission. Raises Failed, "unusable", if it is tests or too large."""
    name, path = submission
    if path is None:
        return Command(name)
    if path.exists() and not path.is_file():
        raise Failed("unusable", f"{path.name} is not a regular file")
    if TESTS.fullmatch(path.stem):
        raise Failed("unusable", f"{path.name} looks like tests: check them with --tests")
    if path.stat().st_size > LARGEST:
        raise Failed("unusable", f"{path.name} is larger than {LARGEST >> 20} MB")
    return open_solution(path, wanted, players=players, python=python)


def judge_all(
    found: Sequence[Submission], jobs: int, wanted: str | None, **options: Any
) -> Generator[Report, None, None]:
    """Judge submissions in `jobs` processes and yield the reports in order; Ctrl-C ends them all.

    `wanted` and `options` are as for `judge`.
    """
    context = get_context("spawn")
    start = partial(ProcessPoolExecutor, jobs, mp_context=context, initializer=_start)
    with shared_cache() as cache, start(initargs=(cache,)) as pool:
        try:
            yield from pool.map(partial(_judge_in_pool, wanted=wanted, **options), found)
        except BaseException:
            for child in active_children():
                os.kill(child.pid or 0, signal.SIGINT)
            pool.shutdown(cancel_futures=True)
            raise


def _start(cache: Path) -> None:
    """Set up a process of the pool."""
    CACHE.set(cache)
    _ignore_interrupts()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _judge_in_pool(submission: Submission, **options: Any) -> Report:
    """Judge a submission in a process of the pool, which exits when it is interrupted."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return judge(submission, **options)
    except KeyboardInterrupt:
        os._exit(130)  # otherwise the pool would start the next one
    finally:
        _ignore_interrupts()
