"""``noughts serve``: the game server and its page."""

from typing import Any

import click

from noughts.extras import require_extra
from noughts.service.settings import SETTINGS, read_settings

LIBRARIES = "the server", "Starlette, uvicorn and others", "serve"


@click.command()
def serve(**options: Any) -> None:
    """Serve games, and the page to play them on, until Ctrl-C.

    Each option may also be set in the environment: NOUGHTS_PORT, NOUGHTS_DATABASE and so on.
    """
    with require_extra(*LIBRARIES):
        from noughts.service.server import serve as run
    run(read_settings(**options))


for setting in SETTINGS:  # where an option is not given, the environment may have it
    bounds = setting.metadata["least"], setting.metadata["most"]
    serve.params.append(
        click.Option(
            [f"--{setting.name.replace('_', '-')}"],
            type=str if isinstance(setting.default, str) else click.IntRange(*bounds),
            multiple=setting.name == "database",
            help=setting.metadata["help"],
            show_default=str(setting.default) or "none",
        )
    )
