"""``noughts convert``: convert recorded games to another format."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any

import click

from noughts.bulk.chunks import parquet_batches, parquet_module
from noughts.cli import options
from noughts.cli.files import read_source, source_name
from noughts.cli.report import counted, counting, progress_bar
from noughts.errors import InvalidRecord, NoughtsError
from noughts.game.rules import Rules
from noughts.records import Record, read_records, writer_of
from noughts.records.atomic import atomic_write
from noughts.records.formats import FORMATS, HEAD, format_of


@click.command()
@click.argument(
    "files",
    metavar="FILE|-... OUT",
    nargs=-1,
    required=True,
    type=click.Path(allow_dash=True),
    help="Files to read, in any format, then the file to write, whose name sets its format.",
)
@click.option(
    "--to",
    type=options.Choice(FORMATS),
    help="Write one file in this format per FILE; OUT names a directory.",
)
@options.missing_rules
def convert(files: tuple[str, ...], to: str | None, rules: Rules | None) -> None:
    """Convert recorded games to another format.

    The formats are JSON Lines (.jsonl), Parquet, SGF, Piskvork's .psq and .pos. A .psq file holds
    one game: with --to psq, each further game of a FILE gets a numbered file. Fields that a format
    lacks are left out. The exit status is 1 if a game cannot be read or written; the others are
    still converted. It is 2 if a FILE cannot be read; if none can, nothing is written.
    """
    *sources, last = files
    out = Path(last)
    if not sources:
        raise click.BadParameter("expected the files to read, then the file to write")
    if to is None and out.suffix.lower().removeprefix(".") not in FORMATS:
        known = ", ".join(f".{name}" for name in FORMATS)
        raise click.BadParameter(f"{last} must end in {known}; for a directory, use --to")
    stems = ["games" if source == "-" else Path(source).stem for source in sources]
    each = [(out / f"{stem}.{to}", [source]) for stem, source in zip(stems, sources, strict=True)]
    counts, failed, written = Counter[str](), list[str](), set[Path]()
    with progress_bar() as bar:
        show = bar and partial(bar, counts)
        for goal, given in each if to else [(out, sources)]:
            records = _records(given, rules, counts, failed, show)
            first = next(records, None)
            if first is None and {*given} <= {*failed}:
                continue  # none of these could be read
            games = records if first is None else chain([first], records)
            for path, part in _files(games, goal, to == "psq"):
                if path in written:
                    raise NoughtsError(f"{path} would be written twice: rename one of the files")
                written.add(path)
                if to:
                    out.mkdir(parents=True, exist_ok=True)
                _write(part, path, sources, counts)
    print(f"{counted(counts['converted'], 'game')} converted", file=sys.stderr)
    if counts["refused"]:
        print(f"{counted(counts['refused'], 'game')} could not be converted", file=sys.stderr)
    sys.exit(2 if failed else min(1, counts["refused"]))


def _records(
    sources: list[str],
    rules: Rules | None,
    counts: Counter[str],
    failed: list[str],
    show: Callable[..., None] | None,
) -> Iterator[Record]:
    """Yield the games of these sources; report those that cannot be read."""

    def games(file: BufferedReader, name: str) -> Iterator[Any]:
        if format_of(file.peek(HEAD)) != ".parquet":
            yield from read_records(file, name, rules)
            return
        done = 0
        for batch in parquet_batches(file):
            yield from parquet_module().records_of(batch, name, done)
            done += len(batch)

    for source in sources:
        for game in read_source(source, games, failed, show):
            if isinstance(game, Record):
                yield game
                continue
            counts["refused"] += 1
            problem = "a call list cannot be converted"
            error = game if isinstance(game, InvalidRecord) else f"{source_name(source)}: {problem}"
            print(error, file=sys.stderr)


def _files(
    games: Iterator[Record], path: Path, single: bool
) -> Iterator[tuple[Path, Iterable[Record]]]:
    """Yield each file to write with its games; if `single`, one file per game."""
    if not single:
        yield path, games
        return
    for number, game in enumerate(games, 1):
        yield path if number == 1 else path.with_stem(f"{path.stem}-{number}"), [game]


def _write(records: Iterable[Record], path: Path, sources: list[str], counts: Counter[str]) -> None:
    """Write games to a file; report those that its format cannot hold."""
    if path.suffix.lower() == ".parquet":
        parquet = parquet_module()
        with atomic_write(path, sources) as file:
            rows = map(parquet.row_of, counting(records, counts, "converted"))
            parquet.write_rows(rows, parquet.GAMES, file)
        return
    write = writer_of(path)
    assert write  # the suffix was checked
    with atomic_write(path, sources) as file:
        for number, record in enumerate(records):
            if number and path.suffix.lower() == ".psq":
                raise NoughtsError("a .psq file holds one game: use --to psq and a directory")
            try:
                file.write(write(record).encode())
            except InvalidRecord as error:
                counts["refused"] += 1
                name = "" if record.id is None else f"game {record.id!r}: "
                print(f"{path}: {name}{error}", file=sys.stderr)
            else:
                counts["converted"] += 1
