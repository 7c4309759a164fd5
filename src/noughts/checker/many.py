"""Many solutions, some judged at once, each in a process of its own as always."""

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


class Source(NamedTuple):
    """A solution: how reports call it, and its file; or a command and no file."""

    name: str
    path: Path | None = None


def sources(paths: Iterable[Path]) -> Iterator[Source]:
    """The solutions in these files, and in all files of folders that have a known ending."""
    for path in paths:
        if not path.is_dir():
            yield Source(path.name, path)
            continue
        for file in sorted(path.rglob("*")):
            inside = file.relative_to(path)
            hidden = any(part.startswith((".", "_")) for part in inside.parts)
            if file.suffix in LANGUAGES and file.is_file() and not hidden:
                yield Source(str(inside), file)


def judge(source: Source, wanted: str | None, **options: Any) -> Report:
    """Judge one; what cannot be run or read has a report too.

    Args:
        source: the solution.
        wanted: the name of what is judged, in a file that defines several.
        options: those of `noughts.checker.check`.
    """
    try:
        opened = open_solution(source.path, wanted) if source.path else Command(source.name)
        report = check(opened, **options)
    except Failed as failed:
        known = LANGUAGES.get(source.path.suffix if source.path else "")
        language, verdict = known.LANGUAGE if known else "", cast(Verdict, failed.verdict)
        report = Report(source.name, "", "TicTacToe", language, verdict, str(failed),
                        output=failed.output)  # fmt: skip
    return replace(report, solution=source.name)


def judge_all(
    found: Sequence[Source], jobs: int, wanted: str | None, **options: Any
) -> Generator[Report, None, None]:
    """Judge each, `jobs` at once; the reports come in their order. Ctrl-C ends all of them."""
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts) as pool:
        try:
            yield from pool.map(partial(_judge_there, wanted=wanted, **options), found)
        except BaseException:
            for child in active_children():
                os.kill(child.pid or 0, signal.SIGINT)
            pool.shutdown(cancel_futures=True)
            raise


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _judge_there(source: Source, **options: Any) -> Report:
    """Judge one in a process of the pool; an interrupt ends that process too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return judge(source, **options)
    except KeyboardInterrupt:
        os._exit(130)  # or the next would be begun
    finally:
        _ignore_interrupts()
