"""``noughts judge``: a verdict on every recorded game."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any

import click

from noughts.cli.options import opened, source_name
from noughts.cli.report import Show, print_summary, progress_bar, rate_of
from noughts.errors import IllegalMove, InvalidRecord
from noughts.records import (
    MAX_LINE,
    CallList,
    Record,
    Verdict,
    answers_to_json,
    judge_record,
    read_records,
)
from noughts.records.atomic import atomic_write
from noughts.records.json_lines import read_lines, unless_empty

if TYPE_CHECKING:
    from noughts.bulk.batches import Judged

BLOCK = 1 << 19  # bytes of JSON Lines read in one go
PROGRESS_EVERY = 500  # records
NEEDS_PYARROW = 'Parquet needs PyArrow: pip install "noughts[batch]"'


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

    def __init__(self, output: Output, bar: Show | None) -> None:
        self.statuses: Counter[str] = Counter()
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
        return 1 if self.statuses["illegal"] or self.unreadable_lines else 0

    def judge(self, source: str) -> None:
        """Judge all games of a source; one that cannot be read is reported on standard error."""
        for game in self._reading(source):
            if isinstance(game, InvalidRecord):
                self._report(game)
            elif isinstance(game, CallList):
                answers = game.answers()
                refused = any(isinstance(answer, IllegalMove) for answer in answers)
                self.statuses["illegal" if refused else "answered"] += 1
                self._output.write_answers(answers_to_json(answers))
            elif isinstance(game, Record):
                verdict = judge_record(game)
                self.statuses[_standing(verdict.status, verdict.winner)] += 1
                self._output.write(game, verdict)
            else:
                self.statuses.update(game.counts())
                self._output.write_judged(game)

    def _report(self, problem: InvalidRecord) -> None:
        self.unreadable_lines += 1
        self._output.flush()  # keeps the order on a terminal that shows both
        print(problem, file=sys.stderr)

    def _reading(self, source: str) -> Iterator[Any]:
        """What `_games` reads of a source, with its problems and the progress reported."""
        try:
            with opened(source) as file:
                for count, game in enumerate(_games(file, source_name(source))):
                    if self._bar and (count % PROGRESS_EVERY == 0 or not isinstance(game, Record)):
                        self._bar(source_name(source), *_place(file), self.statuses.total())
                    yield game
        except (OSError, InvalidRecord) as error:
            problem = error.strerror if isinstance(error, OSError) else error
            print(f"noughts: {source_name(source)}: {problem}", file=sys.stderr)
            self.unreadable_files += 1

    def print_summary(self) -> None:
        """Say on standard error how many games there were and how they stand."""
        rate = rate_of(self.statuses.total(), perf_counter() - self._start)
        print_summary(self.statuses, self.unreadable_lines, rate)


def _standing(status: str, winner: int | None) -> str:
    return f"won by {winner}" if winner else status


# --- reading --------------------------------------------------------------------------------------


def _games(file: IO[bytes], source: str) -> Iterator[Any]:
    """The games of a file: Records, CallLists and InvalidRecords, or many at once, judged already.

    Raises:
        InvalidRecord: the file cannot be read any further.
    """
    start = file.readline(4)
    if start == b"PAR1":
        return _parquet_games(file, source)
    batch_files = _batch_files()
    if batch_files is None:
        return read_records(_Rest(start, file), source)
    return unless_empty(_json_games(start, file, source, batch_files), source)


def _json_games(
    block: bytes, file: IO[bytes], source: str, batch_files: ModuleType
) -> Iterator[Record | CallList | InvalidRecord | Judged]:
    """The games of a file that begins with this block; many at once where they are plain."""
    line = 1
    while True:
        if not block.endswith(b"\n"):
            block += file.readline(MAX_LINE)
        whole = block if block.endswith(b"\n") else block + b"\n"  # the last line, or half a line
        judged = batch_files.judge_json_block(whole)
        if judged is not None:
            yield judged
            line += len(judged)
        elif whole is not block or _may_end_in_names(block):
            yield from read_lines(_Rest(block, file), source, line)
            return
        else:
            yield from read_lines(BytesIO(block), source, line)
            line += block.count(b"\n")
        block = _available(file) if whole is block else b""
        if not block:
            return


def _may_end_in_names(block: bytes) -> bool:
    """Whether the last line may belong to a call list that goes on after the block."""
    last = block.decode("utf-8", "replace").rstrip().rpartition("\n")[2]
    return last.lstrip("\ufeff").lstrip().startswith("[")


def _available(file: IO[bytes]) -> bytes:
    """What can be read now, so that who waits for a verdict on what was written gets it."""
    return file.read1(BLOCK) if isinstance(file, BufferedReader) else file.read(BLOCK)


def _parquet_games(file: IO[bytes], source: str) -> Iterator[Judged | InvalidRecord]:
    batch_files = _batch_files()
    if batch_files is None:
        raise InvalidRecord(NEEDS_PYARROW)
    if not file.seekable():
        raise InvalidRecord("Parquet cannot be read from a pipe: name the file")
    file.seek(0)
    done = 0
    for judged in batch_files.judge_parquet(file):
        for row, reason in judged.problems():
            yield InvalidRecord(reason, source, done + row + 1)
        yield judged
        done += len(judged)


def _batch_files() -> ModuleType | None:
    """The module for many games at once, if what it needs is installed."""
    try:
        from noughts.bulk import files as batch_files
    except ModuleNotFoundError as error:
        if error.name not in {"numpy", "pyarrow"}:
            raise
        return None
    return batch_files


def _place(file: IO[bytes]) -> tuple[int, int | None]:
    """How many bytes have been read, of how many if that is known."""
    return (file.tell(), os.fstat(file.fileno()).st_size) if file.seekable() else (0, None)


class _Rest:
    """A file of which the beginning has been read already."""

    def __init__(self, start: bytes, file: IO[bytes]) -> None:
        self._start = BytesIO(start)
        self._file = file

    def readline(self, limit: int) -> bytes:
        """The next line, of so many bytes at most."""
        line = self._start.readline(limit)
        if line.endswith(b"\n") or len(line) == limit:
            return line
        return line + self._file.readline(limit - len(line))


# --- writing --------------------------------------------------------------------------------------


class Output:
    """Where the verdicts go, as JSON Lines."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, record: Record, verdict: Verdict) -> None:
        """Write the verdict on one game."""
        self._file.write(verdict.to_json() + "\n")

    def write_answers(self, answers: str) -> None:
        """Write the answers to a call list."""
        self._file.write(answers + "\n")

    def write_judged(self, games: Judged) -> None:
        """Write the verdicts on many games."""
        self._file.write(games.to_json())

    def flush(self) -> None:
        """Let what was written be seen."""
        self._file.flush()


class ParquetOutput(Output):
    """Where the verdicts go, as Parquet."""

    def __init__(self, file: IO[bytes], batch_files: ModuleType) -> None:
        self._parquet = batch_files.VerdictFile(file)
        self._files = batch_files
        self._singles: list[tuple[Record, Verdict]] = []

    def write(self, record: Record, verdict: Verdict) -> None:
        """Write the verdict on one game."""
        self._singles.append((record, verdict))
        if len(self._singles) == self._files.ROWS:
            self._write_singles()

    def write_answers(self, answers: str) -> None:
        """Refuse: answers have no columns."""
        print("noughts: answers to call lists cannot be written as Parquet", file=sys.stderr)
        sys.exit(2)

    def write_judged(self, games: Judged) -> None:
        """Write the verdicts on many games."""
        self._write_singles()
        self._write(games.to_batch())

    def flush(self) -> None:
        """Do nothing: a Parquet file is seen when it is complete."""

    def close(self) -> None:
        """Write what is still to be written."""
        self._write_singles()
        self._parquet.close()

    def _write_singles(self) -> None:
        if self._singles:
            self._write(self._files.verdicts_batch(self._singles))
            self._singles = []

    def _write(self, batch: Any) -> None:
        try:
            self._parquet.write(batch)
        except InvalidRecord as error:
            print(f"noughts: {error}", file=sys.stderr)
            sys.exit(2)


@contextmanager
def _output(path: Path | None) -> Iterator[Output]:
    """Where the verdicts go."""
    if path is None:
        yield Output(sys.stdout)
        sys.stdout.flush()
    elif path.suffix == ".parquet":
        batch_files = _batch_files()
        if batch_files is None:
            raise click.BadParameter(NEEDS_PYARROW)
        with atomic_write(path) as binary:
            output = ParquetOutput(binary, batch_files)
            yield output
            output.close()
    else:
        with atomic_write(path) as binary:
            text = TextIOWrapper(binary, "utf-8", newline="\n")
            yield Output(text)
            text.detach()  # writes what is still to be written, and leaves the file open


def _is_same_file(source: str, out: Path) -> bool:
    if not out.is_file():
        return False
    if source == "-":
        return os.path.samestat(os.fstat(sys.stdin.fileno()), out.stat())
    return Path(source).exists() and out.samefile(source)
