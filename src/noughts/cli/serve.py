"""``noughts serve``: the game server and its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from noughts.extras import needing

Serve = TypeVar("Serve", bound=Callable[..., None])
NEEDS_SERVE = 'the server needs more: pip install "noughts[serve]"'
COUNT = click.IntRange(min=0)


def _setting(
    name: str, usual: object, what: str, kind: click.ParamType[Any] = click.STRING
) -> Callable[[Serve], Serve]:
    """An option; if it is not given, the environment decides, or else the usual value holds."""
    return click.option(f"--{name}", type=kind, help=what, show_default=str(usual))


@click.command()
@_setting("host", "127.0.0.1", "The address to listen on.")
@_setting(
    "host-name",
    "none but localhost",
    "Names by which browsers reach the server, such as GAMES.EXAMPLE,WWW.GAMES.EXAMPLE.",
)
@_setting("port", 8000, "The port; 0 takes a free one.", click.IntRange(0, 65535))
@_setting(
    "database",
    "sqlite:///noughts.db",
    "Where the games are: sqlite:///FILE, or postgresql+psycopg://USER@HOST/NAME.",
)
@_setting("workers", 1, "Processes that serve; several need PostgreSQL.", click.IntRange(min=1))
@_setting(
    "proxy",
    "none",
    "IP addresses or networks, with commas, of proxies whose X-Forwarded-For and -Proto headers "
    "are trusted; *: all.",
)
@_setting("creating", 60, "New games a minute from one address; 0: no limit.", COUNT)
@_setting("joining", 60, "The same for joining.", COUNT)
@_setting("moving", 1200, "The same for moves.", COUNT)
@_setting("drawing", 60, "The same for records, and as many for QR codes.", COUNT)
@_setting("streams", 200, "Open event streams of one address; 0: no limit.", COUNT)
@_setting("connections", 250, "Open connections of one address; 0: no limit.", COUNT)
def serve(**options: Any) -> None:
    """Serve games, and the page to play them on, until Ctrl-C.

    Each option may also be set in the environment: NOUGHTS_PORT, NOUGHTS_DATABASE and so on.
    """
    given = {name: value for name, value in options.items() if value is not None}
    with needing(NEEDS_SERVE):
        from noughts.service.server import serve as run
        from noughts.service.settings import read_settings
    run(read_settings(**given))
