"""``noughts judge``: a verdict on every recorded game."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import IO, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from noughts.cli.options import opened, source_name
from noughts.errors import IllegalMove, InvalidRecord
from noughts.records import CallList, Record, answers_to_json, judge_record, read_records

PROGRESS_EVERY = 500  # records


def judge(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE|-",
            help="JSON Lines or call lists, as their content tells; - or none: standard input.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write the verdicts here, not to standard output."),
    ] = None,
) -> None:
    """Referee recorded games: a verdict a line, in the order of the games.

    A game that is illegal and a line that cannot be read never spoil the others. The exit code is

    - 0 if every game is legal,

    - 1 if some game is illegal or some line cannot be read,

    - 2 if a file cannot be read or the options are wrong.
    """
    sources = files or ["-"]
    if out is not None and any(_is_same_file(source, out) for source in sources):
        raise typer.BadParameter(f"{out} would be overwritten while it is read")
    run = Run()
    # On a terminal that shows the verdicts, they are the progress.
    with _output(out) as verdicts, _progress_bar(out is not None or not sys.stdout.isatty()) as bar:
        for record in run.records(sources, bar):
            try:
                verdicts.write(run.judge(record) + "\n")
            except InvalidRecord as error:
                verdicts.flush()  # keeps the order on a terminal that shows both
                print(error, file=sys.stderr)
    run.print_summary()
    raise typer.Exit(run.exit_code)


class Run:
    """One run of the command: what has been judged, and what could not be."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.unreadable_lines = 0
        self.unreadable_files = 0
        self._start = perf_counter()

    @property
    def exit_code(self) -> int:
        """What the command exits with."""
        if self.unreadable_files:
            return 2
        return 1 if self.statuses["illegal"] or self.unreadable_lines else 0

    def records(
        self, sources: list[str], bar: ProgressBar
    ) -> Iterator[Record | CallList | InvalidRecord]:
        """The records of all sources; one that cannot be read is reported on standard error."""
        for source in sources:
            try:
                with opened(source) as file:
                    for count, record in enumerate(read_records(file, source_name(source))):
                        if count % PROGRESS_EVERY == 0:
                            bar(source, file, self.statuses.total())
                        yield record
            except OSError as error:
                print(f"noughts: {source}: {error.strerror}", file=sys.stderr)
                self.unreadable_files += 1

    def judge(self, record: Record | CallList | InvalidRecord) -> str:
        """The verdict as a line.

        Raises:
            InvalidRecord: the record could not be read.
        """
        if isinstance(record, InvalidRecord):
            self.unreadable_lines += 1
            raise record
        if isinstance(record, CallList):
            answers = record.answers()
            refused = any(isinstance(answer, IllegalMove) for answer in answers)
            self.statuses["illegal" if refused else "answered"] += 1
            return answers_to_json(answers)
        verdict = judge_record(record)
        won_by = f"won by {verdict.winner}" if verdict.winner else verdict.status
        self.statuses[won_by] += 1
        return verdict.to_json()

    def print_summary(self) -> None:
        """Say on standard error how many games there were and how they stand."""
        seconds = perf_counter() - self._start
        total = self.statuses.total()
        order = sorted(self.statuses, key=lambda status: (not status.startswith("won"), status))
        counts = ", ".join(f"{self.statuses[status]:,} {status}" for status in order)
        rate = f" ({total / seconds:,.0f} a second)" if total >= 1000 else ""
        line = f"{total:,} game{'' if total == 1 else 's'}{rate}{': ' if counts else ''}{counts}"
        print(line, file=sys.stderr)
        if self.unreadable_lines:
            lines = "line" if self.unreadable_lines == 1 else "lines"
            print(f"{self.unreadable_lines:,} {lines} could not be read", file=sys.stderr)


ProgressBar = Callable[[str, IO[bytes], int], None]


@contextmanager
def _progress_bar(wanted: bool) -> Iterator[ProgressBar]:
    """Show how far a source is read, on standard error if that is a terminal."""
    console = Console(stderr=True)
    if not (wanted and console.is_terminal):
        yield lambda source, file, games: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[games]:,} games"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None, games=0)

        def show(source: str, file: IO[bytes], games: int) -> None:
            known = file.seekable()
            total, done = (os.fstat(file.fileno()).st_size, file.tell()) if known else (None, 0)
            progress.update(
                task, description=source_name(source), total=total, completed=done, games=games
            )

        yield show


@contextmanager
def _output(path: Path | None) -> Iterator[IO[str]]:
    """Where the verdicts go."""
    if path is None:
        yield sys.stdout
        sys.stdout.flush()
    else:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            yield file


def _is_same_file(source: str, out: Path) -> bool:
    if not out.is_file():
        return False
    if source == "-":
        return os.path.samestat(os.fstat(sys.stdin.fileno()), out.stat())
    return Path(source).exists() and out.samefile(source)
