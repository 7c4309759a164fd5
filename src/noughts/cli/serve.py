"""``noughts serve``: the game server and its page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

NEEDS_SERVE = 'the server needs more: pip install "noughts[serve]"'


@contextmanager
def needing_serve() -> Iterator[None]:
    """End the command with one sentence if what the server needs is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("noughts"):
            raise
        print(f"noughts: {NEEDS_SERVE}", file=sys.stderr)
        raise typer.Exit(2) from None


def serve(
    host: Annotated[
        str | None, typer.Option(help="The address to listen on.", show_default="127.0.0.1")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="The port; 0 takes one that is free.", show_default="8000"
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="Where the games are: sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME.",
            show_default="sqlite:///noughts.db",
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, help="Processes that serve; several need PostgreSQL.", show_default="1"
        ),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option(
            help="Addresses of proxies whose X-Forwarded-For and -Proto are believed.",
            show_default="none",
        ),
    ] = None,
    creating: Annotated[
        int | None,
        typer.Option(
            min=0, help="New games a minute from one address; 0: no limit.", show_default="60"
        ),
    ] = None,
    joining: Annotated[
        int | None, typer.Option(min=0, help="The same for joining.", show_default="60")
    ] = None,
    moving: Annotated[
        int | None, typer.Option(min=0, help="The same for moves.", show_default="1200")
    ] = None,
    streams: Annotated[
        int | None,
        typer.Option(
            min=0, help="Event streams at a time from one address; 0: no limit.", show_default="200"
        ),
    ] = None,
) -> None:
    """Serve games and the page on which they are played, until Ctrl-C.

    Each option may also be set in the environment: NOUGHTS_PORT, NOUGHTS_DATABASE and so on.
    """
    given = {name: value for name, value in locals().items() if value is not None}
    with needing_serve():
        from pydantic import ValidationError

        from noughts.service.server import CannotListen
        from noughts.service.server import serve as run
        from noughts.service.settings import Settings
        from noughts.service.store import DatabaseRefused
    try:
        settings = Settings(**given)
    except ValidationError as error:
        for problem in error.errors():
            name = "_".join(str(part) for part in problem["loc"]).upper()
            print(f"noughts: NOUGHTS_{name}: {problem['msg']}", file=sys.stderr)
        raise typer.Exit(2) from None
    try:
        run(settings)
    except (CannotListen, DatabaseRefused) as error:
        print(f"noughts: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
