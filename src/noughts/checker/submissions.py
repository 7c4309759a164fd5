"""The solutions in files and folders, judged in parallel."""

import os
import signal
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any, NamedTuple, cast

from noughts.checker.check import check
from noughts.checker.languages import LANGUAGES, open_solution
from noughts.checker.languages.command import Command
from noughts.checker.report import Report, Verdict
from noughts.checker.solution import Failed


class Submission(NamedTuple):
    """A solution to judge: its name in reports, and its file; without a file, a command line."""

    name: str
    path: Path | None = None


def find_submissions(paths: Iterable[Path]) -> Iterator[Submission]:
    """Yield these files, and all files with a known suffix in these folders."""
    for path in paths:
        if not path.is_dir():
            yield Submission(path.name, path)
            continue
        for file in sorted(path.rglob("*")):
            name = file.relative_to(path)
            hidden = any(part.startswith((".", "_")) for part in name.parts)
            if file.suffix in LANGUAGES and file.is_file() and not hidden:
                yield Submission(str(name), file)


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
        opened = (
            open_solution(path, wanted, players=players, python=python) if path else Command(name)
        )
        report = check(opened, **options)
    except Failed as failed:
        known = LANGUAGES.get(path.suffix if path else "")
        language, verdict = known.name if known else "", cast(Verdict, failed.verdict)
        report = Report(name, "", "TicTacToe", language, verdict, str(failed),
                        output=failed.output)  # fmt: skip
    return replace(report, solution=name)


def judge_all(
    found: Sequence[Submission], jobs: int, wanted: str | None, **options: Any
) -> Generator[Report, None, None]:
    """Judge submissions in `jobs` processes and yield the reports in order; Ctrl-C ends them all.

    `wanted` and `options` are as for `judge`.
    """
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts) as pool:
        try:
            yield from pool.map(partial(_judge_in_pool, wanted=wanted, **options), found)
        except BaseException:
            for child in active_children():
                os.kill(child.pid or 0, signal.SIGINT)
            pool.shutdown(cancel_futures=True)
            raise


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
