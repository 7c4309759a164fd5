"""``noughts serve``: the game server and its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from noughts.extras import needing

Serve = TypeVar("Serve", bound=Callable[..., None])
NEEDS_SERVE = 'the server needs more: pip install "noughts[serve]"'


def _limit(name: str, usual: int, what: str) -> Callable[[Serve], Serve]:
    """An option that limits what one address may do."""
    least = click.IntRange(min=0)
    return click.option(f"--{name}", type=least, help=what, show_default=str(usual))


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
@_limit("creating", 60, "New games a minute from one address; 0: no limit.")
@_limit("joining", 60, "The same for joining.")
@_limit("moving", 1200, "The same for moves.")
@_limit("drawing", 60, "The same for records, and as many for QR codes.")
@_limit("streams", 200, "Event streams at a time from one address; 0: no limit.")
@_limit("connections", 250, "Open connections of one address; 0: no limit.")
def serve(**options: Any) -> None:
    """Serve games and the page on which they are played, until Ctrl-C.

    Each option may also be set in the environment: NOUGHTS_PORT, NOUGHTS_DATABASE and so on.
    """
    given = {name: value for name, value in options.items() if value is not None}
    with needing(NEEDS_SERVE):
        from noughts.service.server import serve as run
        from noughts.service.settings import read_settings
    run(read_settings(**given))
