"""``noughts serve``: the game server and its page."""

from typing import Any

import click

from noughts.extras import require_extra
from noughts.service.settings import SETTINGS, option, read_settings

LIBRARIES = "the server", "Starlette, uvicorn and others", "serve"


@click.command()
def serve(**options: Any) -> None:
    """Run the game server and its web page until Ctrl-C.

    Each option can also be set in the environment: NOUGHTS_PORT, NOUGHTS_DATABASE and so on.
    """
    with require_extra(*LIBRARIES):
        from noughts.service.server import serve as run
    run(read_settings(**options))


for setting in SETTINGS:  # an option that is not given may be in the environment
    bounds = click.IntRange(setting.metadata["least"], setting.metadata["most"])
    type = str if isinstance(setting.default, str) else bounds
    serve.params.append(
        click.Option(
            [option(setting.name)],
            type=type,
            multiple=setting.name == "database",
            help=setting.metadata["help"],
            show_default=str(setting.default) or "none",
        )
    )
    if old_name := setting.metadata["old_name"]:
        serve.params.append(click.Option([option(old_name)], type=type, hidden=True))
