"""``noughts judge``: a verdict on every recorded game."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from io import BufferedReader
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO

import click

from noughts.bulk.verdict import judge_record, standing
from noughts.cli import options
from noughts.cli.files import bulk, parquet_batches, parquet_module, reading, text_output
from noughts.cli.report import exit_code, games_of, print_summary, progress_bar
from noughts.compiled import load
from noughts.errors import IllegalMove, InvalidRecord, NoughtsError
from noughts.game.rules import Rules
from noughts.records import CallList, Record, answers_to_json, read_records
from noughts.records.atomic import atomic_write
from noughts.records.formats import HEAD, format_of

Write = Callable[[Any, Any], None]
"""Writes the verdict on a `Record`, the answers to a `CallList`, or the verdicts of a `Judged`."""


@click.command()
@click.argument(
    "files",
    metavar="[FILE|-]...",
    nargs=-1,
    help="Records in any format; - or none: standard input.",
)
@options.out("Write the verdicts here; as Parquet if the name ends in .parquet.")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Judge Parquet files on the workers of this Dask scheduler, such as tcp://host:8786; "
    "--out is a directory.",
)
@options.missing_rules
def judge(
    files: tuple[str, ...], out: Path | None, scheduler: str | None, rules: Rules | None
) -> None:
    """Referee recorded games: a verdict on each, in their order.

    An illegal game or an unreadable line does not spoil the others. If no file can be read, nothing
    is written to --out. The exit code is

    - 0 if every game is legal and no claim contradicted,

    - 1 if a game is illegal, a claim contradicted or a line unreadable,

    - 2 if a file cannot be read or the options are wrong.
    """
    sources = list(files) or ["-"]
    if scheduler is not None:
        if "-" in sources or out is None:
            raise click.BadParameter("--scheduler needs files, and --out with a directory")
        from noughts.cli.cluster import judge_on_cluster  # seldom needed

        sys.exit(judge_on_cluster(scheduler, sources, out))
    out = None if out == Path("-") else out
    games = partial(_games, rules=rules)
    # Verdicts on a terminal show the progress themselves.
    start, standings, failed = perf_counter(), Counter[str](), list[str]()
    with (
        _output(out, sources) as write,
        progress_bar(out is not None or not sys.stdout.isatty()) as show,
    ):
        for source in sources:
            for game in reading(source, games, failed, show and partial(show, standings)):
                _judge_game(game, write, standings)
        if len(failed) == len(sources) and not standings:
            sys.exit(2)  # nothing could be read: --out stays as it is
    print_summary(standings, games_of(standings), perf_counter() - start)
    sys.exit(exit_code(standings, bool(failed)))


def _judge_game(game: Any, write: Write, standings: Counter[str]) -> None:
    """Write and count the verdict on what `_games` yields, or report why there is none."""
    if isinstance(game, InvalidRecord):
        standings["unreadable"] += 1
        sys.stdout.flush()  # keeps the order if a terminal shows both
        print(game, file=sys.stderr)
    elif isinstance(game, CallList):
        answers = game.answers()
        refused = any(isinstance(answer, IllegalMove) for answer in answers)
        standings["illegal" if refused else "answered"] += 1
        write(game, answers)
    elif isinstance(game, Record):
        verdict = judge_record(game)
        standings[standing(verdict.status, verdict.winner)] += 1
        if verdict.claim:
            standings[verdict.claim] += 1
        write(game, verdict)
    else:
        standings.update(game.counts())
        write(game, game)


def _games(file: BufferedReader, source: str, rules: Rules | None) -> Iterator[Any]:
    """The games of a file: `Record`, `CallList`, `InvalidRecord`, or many at once, `Judged`."""
    name = format_of(file.peek(HEAD), source)
    if name == ".parquet":
        return _parquet_games(file, source)
    json_lines = bulk("json_lines") if name == ".jsonl" else None
    if json_lines is None or load("noughts.bulk._judge") is None:
        games: Iterator[Any] = read_records(file, source, rules)
        return games if name == ".jsonl" else _named(games, source)
    judged: Iterator[Any] = json_lines.judge_json_lines(file, source)
    return judged


def _named(games: Iterator[Any], source: str) -> Iterator[Any]:
    """The games; those without an id get the name of the source and their number."""
    for number, game in enumerate(games, 1):
        if isinstance(game, Record) and game.id is None:
            yield replace(game, id=source if number == 1 else f"{source}:{number}")
        else:
            yield game


def _parquet_games(file: BufferedReader, source: str) -> Iterator[Any]:
    done = 0
    for batch in parquet_batches(file):
        judged = bulk("batches").judged_batch(batch)
        for row, reason in judged.problems():
            yield InvalidRecord(reason, source, done + row + 1)
        yield judged
        done += len(judged)


@contextmanager
def _output(path: Path | None, inputs: list[str]) -> Iterator[Write]:
    """Where the verdicts go."""
    if path is None or path.suffix != ".parquet":
        with text_output(path, inputs) as text:
            yield partial(_write_json, text)
        return
    parquet = parquet_module()
    with atomic_write(path, inputs) as binary:
        file = parquet.VerdictFile(binary)
        yield partial(_write_parquet, file)
        file.close()


def _write_json(file: TextIO, game: Any, result: Any) -> None:
    if isinstance(game, Record):
        file.write(result.to_json() + "\n")
    elif isinstance(game, CallList):
        file.write(answers_to_json(result) + "\n")
    else:
        file.flush()
        bulk("json_lines").write_json(result, file.buffer)
        file.flush()  # a terminal shows the verdicts on each block at once


def _write_parquet(file: Any, game: Any, result: Any) -> None:
    if isinstance(game, Record):
        file.write_verdict(game, result)
    elif isinstance(game, CallList):
        raise NoughtsError("answers to call lists cannot be written as Parquet")
    else:
        file.write(result.to_batch())
