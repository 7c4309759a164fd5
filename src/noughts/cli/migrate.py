"""``noughts migrate``: upgrade the tables of databases."""

from contextlib import closing
from typing import Any

import click

from noughts.cli import options
from noughts.cli.serve import LIBRARIES
from noughts.extras import require_extra


@click.command()
@click.argument(
    "database_url",
    nargs=-1,
    help="URL of a database, as for `noughts serve`; by default, the databases of the server.",
)
@options.config
@click.option("--check", is_flag=True, help="Change nothing; exit with 1 if an upgrade is needed.")
def migrate(check: bool, **given: Any) -> None:
    """Upgrade the tables of a server's databases to this version of noughts.

    `noughts serve` does this itself when it starts. Run this command to upgrade at another time, or
    to check first. On PostgreSQL, servers of the previous release can keep running; an SQLite file
    must not be in use.

    Exit status: 0 if all databases are up to date, 1 if --check finds one that is not, 2 if one
    cannot be used.
    """
    with require_extra(*LIBRARIES):
        from noughts.service.settings import read_settings
        from noughts.service.store.dialects import store_at
        from noughts.service.store.migrations import HEAD
    pending = False
    for url in read_settings(**given).databases:
        with closing(store_at(url)) as store:
            if store.is_current():
                print(f"{store.url}: up to date")
            elif check:
                pending = True
                print(f"{store.url}: needs an upgrade to revision {HEAD}")
            else:
                store.open()
                print(f"{store.url}: upgraded to revision {HEAD}")
    if pending:
        raise click.exceptions.Exit(1)
