"""``noughts judge``: a verdict on every recorded game."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BufferedReader
from pathlib import Path
from time import perf_counter
from typing import IO, Any

import click

from noughts.cli.failure import Failure
from noughts.cli.files import NEEDS_PYARROW, opened, source_name, text_output
from noughts.cli.report import Show, print_summary, progress_bar, rate_of
from noughts.errors import IllegalMove, InvalidRecord
from noughts.records import (
    CallList,
    Record,
    Verdict,
    answers_to_json,
    judge_record,
    read_records,
)
from noughts.records.atomic import atomic_write
from noughts.records.record import standing

PROGRESS_EVERY = 500  # records


@click.command()
@click.argument(
    "files",
    metavar="[FILE|-]...",
    nargs=-1,
    help="JSON Lines, call lists or Parquet, as their content tells; - or none: standard input.",
)
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path),
    help="Write the verdicts here; as Parquet if the name ends in .parquet.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Judge Parquet files on the workers of this Dask scheduler, tcp://host:8786 for example; "
    "--out is a directory.",
)
def judge(files: tuple[str, ...], out: Path | None, scheduler: str | None) -> None:
    """Referee recorded games: a verdict a line, in their order.

    A game that is illegal and a line that cannot be read never spoil the others. The exit code is

    - 0 if every game is legal,

    - 1 if some game is illegal or some line cannot be read,

    - 2 if a file cannot be read or the options are wrong.
    """
    sources = list(files) or ["-"]
    if scheduler is not None:
        if "-" in sources or out is None:
            raise click.BadParameter("--scheduler needs files, and --out with a directory")
        from noughts.cli.cluster import judge_on_cluster  # which is seldom needed

        sys.exit(judge_on_cluster(scheduler, sources, out))
    out = None if out == Path("-") else out
    if out is not None and any(_is_same_file(source, out) for source in sources):
        raise click.BadParameter(f"{out} would be overwritten while it is read")
    # On a terminal that shows the verdicts, they are the progress.
    with _output(out) as output, progress_bar(out is not None or not sys.stdout.isatty()) as bar:
        run = Run(output, bar)
        for source in sources:
            run.judge(source)
    run.print_summary()
    sys.exit(run.exit_code)


class Run:
    """One run of the command: what has been judged, and what could not be."""

    def __init__(self, output: JsonOutput | ParquetOutput, bar: Show | None) -> None:
        self.standings: Counter[str] = Counter()
        self.unreadable_lines = 0
        self.unreadable_files = 0
        self._output = output
        self._bar = bar
        self._start = perf_counter()

    @property
    def exit_code(self) -> int:
        """What the command exits with."""
        if self.unreadable_files:
            return 2
        return 1 if self.standings["illegal"] or self.unreadable_lines else 0

    def judge(self, source: str) -> None:
        """Judge all games of a source; what cannot be read is reported on standard error."""
        for game in self._reading(source):
            if isinstance(game, InvalidRecord):
                self.unreadable_lines += 1
                self._output.flush()  # keeps the order on a terminal that shows both
                print(game, file=sys.stderr)
            elif isinstance(game, CallList):
                answers = game.answers()
                refused = any(isinstance(answer, IllegalMove) for answer in answers)
                self.standings["illegal" if refused else "answered"] += 1
                self._output.write_answers(answers_to_json(answers))
            elif isinstance(game, Record):
                verdict = judge_record(game)
                self.standings[standing(verdict.status, verdict.winner)] += 1
                self._output.write_verdict(game, verdict)
            else:
                self.standings += game.counts()
                self._output.write_judged(game)

    def _reading(self, source: str) -> Iterator[Any]:
        """The games of a source; shows the progress, and reports a source that cannot be read."""
        name = source_name(source)
        try:
            with opened(source) as file:
                for count, game in enumerate(_games(file, name)):
                    if self._bar and (count % PROGRESS_EVERY == 0 or not isinstance(game, Record)):
                        self._bar(name, *_place(file), self.standings.total())
                    yield game
        except (OSError, InvalidRecord) as error:
            problem = error.strerror if isinstance(error, OSError) else error
            print(f"noughts: {name}: {problem}", file=sys.stderr)
            self.unreadable_files += 1

    def print_summary(self) -> None:
        """Say on standard error how many games there were and how they stand."""
        rate = rate_of(self.standings.total(), perf_counter() - self._start)
        print_summary(self.standings, self.unreadable_lines, rate)


def _games(file: BufferedReader, source: str) -> Iterator[Any]:
    """The games of a file: `Record`, `CallList`, `InvalidRecord`, or many at once, `Judged`.

    Raises:
        InvalidRecord: the file cannot be read any further.
    """
    if file.peek(4).startswith(b"PAR1"):
        return _parquet_games(file, source)
    json_lines = _bulk("json_lines")
    if json_lines is None:
        return read_records(file, source)
    games: Iterator[Any] = json_lines.judge_json_lines(file, source)
    return games


def _parquet_games(file: BufferedReader, source: str) -> Iterator[Any]:
    batches, parquet = _bulk("batches"), _bulk("parquet")
    if batches is None or parquet is None:
        raise InvalidRecord(NEEDS_PYARROW)
    if not file.seekable():
        raise InvalidRecord("Parquet cannot be read from a pipe: name the file")
    done = 0
    for batch in parquet.read_parquet(file):
        judged = batches.judged_batch(batch)
        for row, reason in judged.problems():
            yield InvalidRecord(reason, source, done + row + 1)
        yield judged
        done += len(judged)


def _bulk(name: str) -> Any:
    """A module of `noughts.bulk`, or None where what it needs is not installed."""
    try:
        return import_module(f"noughts.bulk.{name}")
    except ModuleNotFoundError as error:
        if error.name not in {"numpy", "pyarrow"}:
            raise
        return None


def _place(file: BufferedReader) -> tuple[int, int | None]:
    """How many bytes have been read, of how many if that is known."""
    return (file.tell(), os.fstat(file.fileno()).st_size) if file.seekable() else (0, None)


class JsonOutput:
    """Writes verdicts and answers as lines of JSON."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write_verdict(self, record: Record, verdict: Verdict) -> None:
        """Write the verdict on one game."""
        self._file.write(verdict.to_json() + "\n")

    def write_answers(self, answers: str) -> None:
        """Write the answers to a call list."""
        self._file.write(answers + "\n")

    def write_judged(self, games: Any) -> None:
        """Write the verdicts on many games."""
        self._file.write(_bulk("json_lines").verdicts_to_json(games))

    def flush(self) -> None:
        """Let what was written be seen."""
        self._file.flush()


class ParquetOutput:
    """Writes verdicts as Parquet."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def write_verdict(self, record: Record, verdict: Verdict) -> None:
        """Write the verdict on one game."""
        self._file.write_verdict(record, verdict)

    def write_answers(self, answers: str) -> None:
        """Refuse: answers have no columns."""
        raise Failure("answers to call lists cannot be written as Parquet")

    def write_judged(self, games: Any) -> None:
        """Write the verdicts on many games."""
        self._file.write(games.to_batch())

    def flush(self) -> None:
        """Do nothing: a Parquet file is seen when it is complete."""


@contextmanager
def _output(path: Path | None) -> Iterator[JsonOutput | ParquetOutput]:
    """Where the verdicts go."""
    if path is None or path.suffix != ".parquet":
        with text_output(path) as text:
            yield JsonOutput(text)
        return
    parquet = _bulk("parquet")
    if parquet is None:
        raise click.BadParameter(NEEDS_PYARROW)
    with atomic_write(path) as binary:
        file = parquet.VerdictFile(binary)
        yield ParquetOutput(file)
        file.close()


def _is_same_file(source: str, out: Path) -> bool:
    if not out.is_file():
        return False
    if source == "-":
        return os.path.samestat(os.fstat(sys.stdin.fileno()), out.stat())
    return Path(source).exists() and out.samefile(source)
