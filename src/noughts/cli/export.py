"""``noughts export``: every game that a server keeps, as records."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from noughts.cli.serve import NEEDS_SERVE


def export(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="Write here; as Parquet if the name ends in .parquet.",
            show_default="standard output",
        ),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            envvar="NOUGHTS_DATABASE",
            show_envvar=False,
            help="Where the games are: sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME.",
        ),
    ] = "sqlite:///noughts.db",
) -> None:
    """Write every game of a server's database as records, finished or not.

    The server may go on meanwhile. `noughts judge` reads what this writes; status and winner tell
    of resignations too.
    """
    try:
        from sqlalchemy.exc import SQLAlchemyError

        from noughts.service.export import states, write_json_lines, write_parquet
        from noughts.service.store import DatabaseRefused, Store
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("noughts"):
            raise
        print(f"noughts: {NEEDS_SERVE}", file=sys.stderr)
        raise typer.Exit(2) from None
    try:
        with closing(Store(database)) as store:
            store.find()
            if out is None:
                count = write_json_lines(states(store), sys.stdout)
            else:
                part = out.with_name(f"{out.name}.part")
                if out.suffix == ".parquet":
                    with part.open("wb") as binary:
                        count = write_parquet(states(store), binary)
                else:
                    with part.open("w", encoding="utf-8") as text:
                        count = write_json_lines(states(store), text)
                part.replace(out)
    except (DatabaseRefused, SQLAlchemyError) as error:
        reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        print(f"noughts: {reason}", file=sys.stderr)
        raise typer.Exit(2) from None
    except ModuleNotFoundError:
        print('noughts: Parquet needs PyArrow: pip install "noughts[batch]"', file=sys.stderr)
        raise typer.Exit(2) from None
    print(f"{count} games", file=sys.stderr)
