"""``noughts judge``: a verdict on every recorded game."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import click

from noughts.bulk.pieces import Answers, Judges, Piece, parquet_module, split
from noughts.cli import options
from noughts.cli.files import (
    PROGRESS_EVERY,
    opened,
    say_why,
    source_name,
    text_output,
)
from noughts.cli.report import exit_code, games_of, print_summary, progress_bar
from noughts.errors import InvalidRecord, NoughtsError
from noughts.game.rules import Rules
from noughts.records.addresses import Address
from noughts.records.atomic import atomic_write
from noughts.system import processors

Add = Callable[[Any], object]
Flush = Callable[[], None]


@click.command()
@click.argument(
    "files",
    metavar="[FILE|-]...",
    nargs=-1,
    type=click.Path(allow_dash=True),
    help="Records in any format, paths or addresses; - or none: standard input.",
)
@options.out(
    "Write the verdicts here; as Parquet if the name ends in .parquet.",
    kind=options.AddressType(path_type=Path),
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Judge Parquet files on the workers of this Dask scheduler, such as tcp://host:8786; "
    "--out is a directory, or the address of one.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    help="How many threads judge, and processes where Python has to read.",
    show_default="one a processor",
)
@options.missing_rules
def judge(
    files: tuple[str, ...],
    out: Address | None,
    scheduler: str | None,
    jobs: int | None,
    rules: Rules | None,
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
    as_json = out is None or not str(out).endswith(".parquet")
    # Verdicts on a terminal show the progress themselves.
    start, standings, failed = perf_counter(), Counter[str](), list[str]()
    with (
        _output(out, as_json, sources) as (add, flush),
        progress_bar(out is not None or not sys.stdout.isatty()) as show,
        Judges(jobs or processors(), as_json) as judges,
    ):
        for number, (piece, answers) in enumerate(judges.judged(_pieces(sources, rules, failed))):
            if piece.source in failed:
                continue
            standings.update(answers.counts)
            _write(answers.parts, add, flush)
            if answers.failure:
                say_why(piece.source, answers.failure)
                failed.append(piece.source)
            if show and (piece.many or number % PROGRESS_EVERY == 0):
                show(standings, piece.source, *piece.place)
        if len(failed) == len({*sources}) and not standings:
            sys.exit(2)  # nothing could be read: --out stays as it is
    print_summary(standings, games_of(standings), perf_counter() - start)
    sys.exit(exit_code(standings, bool(failed)))


def _pieces(sources: list[str], rules: Rules | None, failed: list[str]) -> Iterator[Piece]:
    """The pieces of all sources; of one that has failed, no more."""
    for source in sources:
        name = source_name(source)
        try:
            with opened(source) as file:
                for piece in split(file, name, rules):
                    if name in failed:
                        break
                    yield piece
        except (OSError, NoughtsError) as error:
            yield Piece(name, Answers(failure=error))


@contextmanager
def _output(path: Address | None, as_json: bool, inputs: list[str]) -> Iterator[tuple[Add, Flush]]:
    """Where verdicts go: what adds a part of `Answers`, and what shows those added."""
    if as_json:
        with text_output(path, inputs) as text:
            yield text.buffer.write, text.buffer.flush
        return
    parquet = parquet_module()
    with atomic_write(path or Path("-"), inputs) as binary:
        file = parquet.VerdictFile(binary)
        yield file.add, lambda: None
        file.close()


def _write(parts: list[Any], add: Add, flush: Flush) -> None:
    """Write what there is to say about a piece; a terminal shows it at once, and in its order."""
    for part in parts:
        if isinstance(part, InvalidRecord):
            flush()
            print(part, file=sys.stderr)
        elif isinstance(part, NoughtsError):
            raise part
        else:
            add(part)
    flush()
