"""``noughts export``: write the games of a server as records."""

import sys
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import click

from noughts.bulk.chunks import parquet_module
from noughts.cli import options
from noughts.cli.files import text_output
from noughts.cli.report import counted, counting
from noughts.cli.serve import LIBRARIES
from noughts.extras import require_extra
from noughts.records.atomic import atomic_write


@click.command()
@options.out("Write to this file, as Parquet if its name ends in .parquet.", "standard output")
@click.option(
    "--database-url",
    multiple=True,
    help="URL of a database, as for `noughts serve`; repeat it to export several.",
    show_default="the databases of the server",
)
@options.config
@click.option("--database", multiple=True, hidden=True)  # its name before this release
def export(out: Path | None, **given: Any) -> None:
    """Write every game of a server as a record.

    Unfinished games are included, and the server may be running. The fields status, winner and
    termination describe how a game ended. `noughts judge` reads the records. A game that cannot be
    read is skipped and named on standard error.

    Exit status: 0 if all games are written, 1 if one cannot be read, 2 if a database cannot be
    used.
    """
    with require_extra(*LIBRARIES):
        from noughts.service.export import exported
        from noughts.service.settings import read_settings
        from noughts.service.store.dialects import store_at
    damaged, counts = list[str](), Counter[str]()
    settings = read_settings(**given)
    with ExitStack() as stack:
        stores = [stack.enter_context(closing(store_at(each))) for each in settings.databases]
        games = counting(exported(stores, damaged.append), counts, "exported")
        if out is not None and out.suffix == ".parquet":
            parquet = parquet_module()
            rows = (parquet.row_of(record) | end for record, end in games)
            parquet.write_rows(rows, parquet.ENDED, stack.enter_context(atomic_write(out)))
        else:
            text = stack.enter_context(text_output(out))
            text.writelines(f"{record.to_json(**end)}\n" for record, end in games)
    for sentence in damaged:
        print(f"noughts: {sentence}", file=sys.stderr)
    print(counted(counts["exported"], "game"), file=sys.stderr)
    if damaged:
        raise click.exceptions.Exit(1)
