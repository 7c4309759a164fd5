"""``noughts serve``: the game server and its page."""

from dataclasses import Field
from typing import Any

import click

from noughts.cli.options import Choice
from noughts.extras import require_extra
from noughts.service.settings import SETTINGS, option, read_settings

LIBRARIES = "the server", "Starlette, uvicorn and others", "serve"


@click.command()
def serve(**options: Any) -> None:
    """Run the game server and its web page until Ctrl-C.

    Each option can also be set in the environment (NOUGHTS_PORT, NOUGHTS_DATABASE_URL and so on) or
    in a TOML file (--config), where names are written with underscores, as in `move_limit = 600`.
    Options take precedence over the environment, and the environment over the file.
    """
    with require_extra(*LIBRARIES):
        from noughts.service.server import serve as run
    run(read_settings(**options))


def _type(setting: Field[Any]) -> click.ParamType[Any]:
    """Return the type of the option for a setting."""
    if setting.metadata["choices"]:
        return Choice(setting.metadata["choices"])
    if isinstance(setting.default, str):
        return click.STRING
    return click.IntRange(setting.metadata["least"], setting.metadata["most"])


for setting in SETTINGS:  # an option that is not given may be in the environment or the file
    about: dict[str, Any] = {"type": _type(setting), "multiple": setting.name == "database_url"}
    serve.params.append(
        click.Option(
            [option(setting.name)],
            help=setting.metadata["help"],
            show_default=str(setting.default) or "none",
            **about,
        )
    )
    if old_name := setting.metadata["old_name"]:
        serve.params.append(click.Option([option(old_name)], hidden=True, **about))
