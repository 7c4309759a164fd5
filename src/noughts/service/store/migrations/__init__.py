"""Migrations of the database: one file per revision of the schema, run by Alembic.

To change a table, change it in ``tables.py``, add a revision, set `HEAD`, and add a database of the
revision before to ``tests/service/data``.

The id of a revision is its number. Servers of the previous release must be able to go on while a
newer one upgrades their tables, so a revision may only add tables, indexes that are not unique and
columns that are nullable or have a default. A column can be dropped one release after the revision
that lists it as ``unused``: from then on servers neither read it nor depend on it.

If a server must know revision 5 to use the tables, the id says so: ``0007_from_0005``, and so do
the ids of later revisions. A server that only knows an older revision then refuses to start.
"""

import re
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text

from noughts.extras import require_extra
from noughts.service.play.storage import StoreError

HEAD = "0002"  # the newest revision here
FOLDER = Path(__file__).parent


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the tables; None if there are none, or they are older than Alembic.

    Raises:
        StoreError: Alembic keeps the tables of another program here.
    """
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if found is not None and not re.fullmatch(r"(?!0000)\d{4}(_from_\d{4})?", found):
        raise StoreError(f"the tables, at revision {found}, belong to another program")
    return found


def is_current(connection: Connection) -> bool:
    """Return whether the tables need no upgrade.

    Raises:
        StoreError: servers must be newer to use these tables, or another program keeps its own.
    """
    found = revision_of(connection)
    if found is None:
        return False
    number, _, oldest = found.partition("_from_")
    if oldest > HEAD[:4]:
        raise StoreError(f"the tables, at revision {found}, need a newer version of noughts")
    return number >= HEAD[:4]


def upgrade(connection: Connection, target: str = "head", folder: Path = FOLDER) -> None:
    """Upgrade the tables to a revision in a transaction that holds the schema's lock.

    Raises:
        StoreError: tables of another program have the names of ours.
        MissingExtra: Alembic is not installed.
    """
    with require_extra("upgrading a database", "Alembic", "serve"):  # slow to import, rarely needed
        from alembic.operations import Operations
        from alembic.runtime.migration import MigrationContext
        from alembic.script import ScriptDirectory

    script = ScriptDirectory(folder, version_locations=[folder])

    def steps(revision: Any, _: MigrationContext) -> Any:
        return script._upgrade_revs(target, revision)

    context = MigrationContext.configure(connection, opts={"fn": steps})
    if context.get_current_revision() is None:
        first = script.get_revision("0001").module.metadata
        there = {*inspect(connection).get_table_names()} & {*first.tables}
        if there:
            for table in sorted(first.sorted_tables, key=lambda each: each.name not in there):
                found = columns_of(connection, table.name)
                require_columns(table.name, {*table.c.keys()}, found)
                for index in table.indexes:  # the oldest databases lack some
                    index.create(connection, checkfirst=True)
            context.stamp(script, "0001")
    with Operations.context(context):
        context.run_migrations()


def columns_of(connection: Connection, table: str) -> set[str]:
    """Return the names of a table's columns."""
    return {*connection.execute(text(f"SELECT * FROM {table} LIMIT 0")).keys()}


def require_columns(table: str, needed: set[str], found: set[str]) -> None:
    """Raise StoreError if some of the needed columns are not among those found."""
    if missing := needed - found:
        raise StoreError(
            f"another version of noughts, or another program, has created the table {table}: "
            f"it has no column {min(missing)}"
        )
