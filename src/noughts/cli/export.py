"""``noughts export``: every game of a server, as records."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noughts.bulk.chunks import parquet_module
from noughts.cli import options
from noughts.cli.files import text_output
from noughts.cli.report import counted, counting
from noughts.cli.serve import LIBRARIES
from noughts.extras import require_extra
from noughts.records.atomic import atomic_write

if TYPE_CHECKING:
    from noughts.service.export import Exported


@click.command()
@options.out("Write here; as Parquet if the name ends in .parquet.", "standard output")
@click.option(
    "--database",
    multiple=True,
    help="Where the games are, as for `noughts serve`; more than once: in all of these databases.",
    show_default="that of the server",
)
def export(out: Path | None, database: tuple[str, ...]) -> None:
    """Write every game of a server as a record.

    Unfinished games are included, and the server may be running. Status, winner and termination say
    how a game ended. `noughts judge` can read the records.
    """
    with require_extra(*LIBRARIES):
        from noughts.service.export import exported
        from noughts.service.settings import read_settings
        from noughts.service.store.database import store_at
    damaged, counts = list[str](), Counter[str]()
    settings = read_settings(database=database)
    with ExitStack() as stack:
        stores = [stack.enter_context(closing(store_at(each))) for each in settings.databases]
        _write(counting(exported(stores, damaged.append), counts, "exported"), out)
    for sentence in damaged:
        print(f"noughts: {sentence}", file=sys.stderr)
    print(counted(counts["exported"], "game"), file=sys.stderr)
    if damaged:
        raise click.exceptions.Exit(1)


def _write(games: Iterator[Exported], out: Path | None) -> None:
    """Write the games there, or to standard output."""
    if out is not None and out.suffix == ".parquet":
        parquet = parquet_module()
        with atomic_write(out) as binary:
            rows = (parquet.row_of(record) | end for record, end in games)
            parquet.write_rows(rows, parquet.ENDED, binary)
        return
    with text_output(out) as text:
        for record, end in games:
            text.write(f"{record.to_json(**end)}\n")
