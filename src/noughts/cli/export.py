"""``noughts export``: every game that a server keeps, as records."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.cli.serve import needing_serve
from noughts.records.atomic import atomic_write

if TYPE_CHECKING:
    from noughts.service.play.state import State


@click.command()
@click.option(
    "--out",
    "-o",
    type=click.Path(path_type=Path),
    help="Write here; as Parquet if the name ends in .parquet.",
    show_default="standard output",
)
@click.option(
    "--database",
    envvar="NOUGHTS_DATABASE",
    default="sqlite:///noughts.db",
    help="Where the games are: sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME.",
)
def export(out: Path | None, database: str) -> None:
    """Write every game of a server's database as a record.

    Games that are not finished are among them, and the server may go on meanwhile. `noughts judge`
    reads what this writes; status and winner tell of resignations too.
    """
    with needing_serve():
        from noughts.service.export import states
        from noughts.service.play.storage import StoreError
        from noughts.service.store.database import store_at
        from noughts.service.store.store import DatabaseRefused
    try:
        with closing(store_at(database)) as store:
            store.find()
            count = _write(states(store), None if out == Path("-") else out)
    except (DatabaseRefused, StoreError) as error:
        print(f"noughts: {error}", file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError:
        print('noughts: Parquet needs PyArrow: pip install "noughts[batch]"', file=sys.stderr)
        sys.exit(2)
    print(f"{count} games", file=sys.stderr)


def _write(games: Iterator[State], out: Path | None) -> int:
    """Write them there, or to standard output; how many there were."""
    from noughts.service.export import write_json_lines, write_parquet

    if out is None:
        return write_json_lines(games, sys.stdout)
    with atomic_write(out) as binary:
        if out.suffix == ".parquet":
            return write_parquet(games, binary)
        text = TextIOWrapper(binary, "utf-8", newline="\n")
        count = write_json_lines(games, text)
        text.detach()  # writes what is still to be written, and leaves the file open
        return count
