"""``noughts export``: every game that a server keeps, as records."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.cli.files import NEEDS_PYARROW, text_output
from noughts.cli.report import counted
from noughts.cli.serve import needing_serve
from noughts.errors import NoughtsError
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
    reads what this writes; status, winner and termination tell why it ended.
    """
    with needing_serve():
        from noughts.service.export import states
        from noughts.service.store.database import store_at
    damaged: list[str] = []
    try:
        with closing(store_at(database)) as store:
            count = _write(states(store, damaged.append), out)
    except ModuleNotFoundError:
        raise NoughtsError(NEEDS_PYARROW) from None
    for sentence in damaged:
        print(f"noughts: {sentence}", file=sys.stderr)
    print(counted(count, "game"), file=sys.stderr)
    if damaged:
        raise click.exceptions.Exit(1)


def _write(games: Iterator[State], out: Path | None) -> int:
    """Write them there, or to standard output; how many there were."""
    from noughts.service.export import write_json_lines, write_parquet

    if out is not None and out.suffix == ".parquet":
        with atomic_write(out) as binary:
            return write_parquet(games, binary)
    with text_output(out) as text:
        return write_json_lines(games, text)
