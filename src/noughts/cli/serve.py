"""``noughts serve``: the game server and its page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from noughts.errors import NoughtsError

NEEDS_SERVE = 'the server needs more: pip install "noughts[serve]"'


@contextmanager
def needing_serve() -> Iterator[None]:
    """End the command with one sentence if what the server needs is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("noughts"):
            raise
        raise NoughtsError(NEEDS_SERVE) from None


@click.command()
@click.option("--host", help="The address to listen on.", show_default="127.0.0.1")
@click.option(
    "--host-name",
    help="Names by which browsers reach the server, as GAMES.EXAMPLE,WWW.GAMES.EXAMPLE.",
    show_default="none but localhost",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port; 0 takes one that is free.",
    show_default="8000",
)
@click.option(
    "--database",
    help="Where the games are: sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME.",
    show_default="sqlite:///noughts.db",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes that serve; several need PostgreSQL.",
    show_default="1",
)
@click.option(
    "--proxy",
    help="IP addresses or networks, with commas, of proxies whose X-Forwarded-For and -Proto are "
    "believed; *: of everybody.",
    show_default="none",
)
@click.option(
    "--creating",
    type=click.IntRange(min=0),
    help="New games a minute from one address; 0: no limit.",
    show_default="60",
)
@click.option(
    "--joining", type=click.IntRange(min=0), help="The same for joining.", show_default="60"
)
@click.option(
    "--moving", type=click.IntRange(min=0), help="The same for moves.", show_default="1200"
)
@click.option(
    "--drawing",
    type=click.IntRange(min=0),
    help="The same for records, and as many for QR codes.",
    show_default="60",
)
@click.option(
    "--streams",
    type=click.IntRange(min=0),
    help="Event streams at a time from one address; 0: no limit.",
    show_default="200",
)
@click.option(
    "--connections",
    type=click.IntRange(min=0),
    help="Open connections of one address; 0: no limit.",
    show_default="250",
)
def serve(**options: Any) -> None:
    """Serve games and the page on which they are played, until Ctrl-C.

    Each option may also be set in the environment: NOUGHTS_PORT, NOUGHTS_DATABASE and so on.
    """
    given = {name: value for name, value in options.items() if value is not None}
    with needing_serve():
        from noughts.service.server import serve as run
        from noughts.service.settings import read_settings
    run(read_settings(**given))
