"""Many solutions, some judged at once, each in a process of its own as always."""

import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import cast

from noughts.checker.check import check
from noughts.checker.languages import LANGUAGES, open_solution
from noughts.checker.languages.command import Command
from noughts.checker.report import Report, Verdict
from noughts.checker.solution import Failed

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a solution is.

    Attributes:
        name: how reports call it.
        path: its file; None if it is a program, and its name the command that starts it.
    """

    name: str
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """How solutions are judged.

    Attributes:
        name: what is judged, in a file that defines several.
        seed, games, require: see `noughts.checker.check`.
    """

    name: str | None = None
    seed: int = 0
    games: int = 1000
    require: Mapping[str, str] = field(default_factory=dict)


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


def judge(source: Source, asked: Asked, progress: Progress = lambda doing: None) -> Report:
    """Judge one; what cannot be run or read has a report too."""
    progress("starting")
    try:
        opened = open_solution(source.path, asked.name) if source.path else Command(source.name)
        report = check(opened, seed=asked.seed, games=asked.games, require=asked.require,
                       progress=progress)  # fmt: skip
    except Failed as failed:
        ending = source.path.suffix if source.path else ""
        language = LANGUAGES[ending].LANGUAGE if ending in LANGUAGES else ""
        verdict = cast(Verdict, failed.verdict)
        report = Report(source.name, "", "TicTacToe", language, verdict, str(failed),
                        output=failed.output)  # fmt: skip
    return replace(report, solution=source.name)


def judge_all(found: Sequence[Source], asked: Asked, jobs: int) -> Generator[Report, None, None]:
    """Judge each, `jobs` at once; the reports come in their order. Ctrl-C ends all of them."""
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts) as pool:
        try:
            yield from pool.map(partial(_judge_there, asked=asked), found)
        except BaseException:
            for child in active_children():
                os.kill(child.pid or 0, signal.SIGINT)
            pool.shutdown(cancel_futures=True)
            raise


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _judge_there(source: Source, asked: Asked) -> Report:
    """Judge one in a process of the pool; an interrupt ends that process too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return judge(source, asked)
    except KeyboardInterrupt:
        os._exit(130)  # or the next would be begun
    finally:
        _ignore_interrupts()
