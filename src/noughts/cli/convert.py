"""``noughts convert``: convert recorded games to another format."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any

import click

from noughts.bulk.chunks import parquet_batches, parquet_module
from noughts.cli import options
from noughts.cli.files import read_source, source_name
from noughts.cli.report import counted, progress_bar
from noughts.errors import InvalidRecord, NoughtsError
from noughts.records import Record
from noughts.records.atomic import atomic_write
from noughts.records.formats import (
    FORMATS,
    HEAD,
    KNOWN,
    Reading,
    format_of,
    format_of_name,
    lost_parts,
    read_file,
)


@click.command()
@click.argument(
    "files",
    metavar="FILE|-... OUT",
    nargs=-1,
    required=True,
    type=click.Path(allow_dash=True),
    help="Files to read, in any format, then the file to write. Its suffix sets the format: "
    + ", ".join(KNOWN[name].suffix for name in FORMATS)
    + ".",
)
@click.option(
    "--to",
    type=options.Choice(FORMATS),
    help="Write one file in this format per FILE; OUT names a directory.",
)
@options.reading
def convert(files: tuple[str, ...], to: str | None, reading: Reading) -> None:
    """Convert recorded games to another format.

    A .psq file holds one game: with --to psq, each further game of a FILE gets a numbered file.
    What a format cannot hold is left out and reported. Exit status: 1 if a game cannot be read or
    written (the others are still converted), 2 if a FILE cannot be read. If no game can be
    converted, nothing is written.
    """
    *sources, last = files
    out = Path(last)
    if not sources:
        raise click.BadParameter("expected the files to read, then the file to write")
    if to is None and format_of_name(out) is None:
        known = ", ".join(KNOWN[name].suffix for name in FORMATS)
        read_only = any(out.suffix.lower() == each.suffix for each in KNOWN.values())
        why = f"{out.suffix} files are read but not written: " if read_only else ""
        raise click.BadParameter(f"{why}{last} must end in {known}; for a directory, use --to")
    stems = ["games" if source == "-" else Path(source).stem for source in sources]
    suffix = KNOWN[to].suffix if to else ""
    each = [
        (out / f"{stem}{suffix}", [source]) for stem, source in zip(stems, sources, strict=True)
    ]
    counts, lost = Counter[str](), Counter[str]()
    failed, written = list[str](), set[Path]()
    with progress_bar() as bar:
        show = bar and partial(bar, counts)
        for goal, given in each if to else [(out, sources)]:
            records = _records(given, reading, counts, failed, show)
            first = next(records, None)
            if first is None and (failed or counts["refused"]):
                continue  # no game of these could be read
            games = records if first is None else chain([first], records)
            for path, games_of_it in _files(games, goal, to == "psq"):
                if path in written:
                    raise NoughtsError(f"{path} would be written twice: rename one of the files")
                written.add(path)
                if to:
                    out.mkdir(parents=True, exist_ok=True)
                _write(games_of_it, path, sources, counts, lost)
    print(f"{counted(counts['converted'], 'game')} converted", file=sys.stderr)
    if lost:
        parts = (f"{what} ({counted(having, 'game')})" for what, having in lost.items())
        print(f"left out: {', '.join(parts)}", file=sys.stderr)
    if counts["refused"]:
        print(f"{counted(counts['refused'], 'game')} could not be converted", file=sys.stderr)
    sys.exit(2 if failed else min(1, counts["refused"]))


def _records(
    sources: list[str],
    reading: Reading,
    counts: Counter[str],
    failed: list[str],
    show: Callable[..., None] | None,
) -> Iterator[Record]:
    """Yield the games of these sources; report those that cannot be read."""

    def games(file: BufferedReader, name: str) -> Iterator[Any]:
        if (reading.format or format_of(file.peek(HEAD))) != "parquet":
            yield from read_file(file, name, reading)
            return
        done = 0
        for batch in parquet_batches(file):
            yield from parquet_module().records_of(batch, name, done, reading.rules)
            done += len(batch)

    for source in sources:
        for game in read_source(source, games, failed, show):
            if isinstance(game, Record) and not game.impossible:
                yield game
                continue
            counts["refused"] += 1
            problem = "a call list cannot be converted"
            if isinstance(game, Record):  # a board without any moves that lead to it
                problem = game.impossible
            error = game if isinstance(game, InvalidRecord) else f"{source_name(source)}: {problem}"
            print(error, file=sys.stderr)


class _NothingWritten(Exception):
    """No game could be written to a file."""


def _files(
    games: Iterator[Record], path: Path, single: bool
) -> Iterator[tuple[Path, Iterable[Record]]]:
    """Yield each file to write with its games; if `single`, one file per game."""
    if not single:
        yield path, games
        return
    for number, game in enumerate(games, 1):
        yield path if number == 1 else path.with_stem(f"{path.stem}-{number}"), [game]


def _write(
    records: Iterable[Record],
    path: Path,
    sources: list[str],
    counts: Counter[str],
    lost: Counter[str],
) -> None:
    """Write games to a file; report those that its format cannot hold, and count what it lacks."""
    name = format_of_name(path)
    assert name  # the suffix was checked
    known = KNOWN[name]
    write = known.write
    before = counts.copy()
    with suppress(_NothingWritten), atomic_write(path, sources) as file:
        if write is None:
            parquet = parquet_module()
            rows = (_row(parquet, record, counts, lost) for record in records)
            parquet.write_rows(rows, parquet.GAMES, file)
            return
        file.write(known.header.encode())
        between = ""
        for number, record in enumerate(records):
            if number and known.single:
                raise NoughtsError("a .psq file holds one game: use --to psq and a directory")
            try:
                file.write((between + write(record)).encode())
            except InvalidRecord as error:
                counts["refused"] += 1
                called = "" if record.id is None else f"game {record.id!r}: "
                print(f"{path}: {called}{error}", file=sys.stderr)
            else:
                between = known.between
                counts["converted"] += 1
                lost.update(lost_parts(record, name))
        file.write(known.footer.encode())
        if counts["converted"] == before["converted"] and counts["refused"] > before["refused"]:
            raise _NothingWritten  # inside `atomic_write`, so that an old file is kept


def _row(
    parquet: Any, record: Record, counts: Counter[str], lost: Counter[str]
) -> dict[str, object]:
    """Return a row of Parquet, and count what it lacks."""
    counts["converted"] += 1
    lost.update(lost_parts(record, "parquet"))
    row: dict[str, object] = parquet.row_of(record)
    return row
