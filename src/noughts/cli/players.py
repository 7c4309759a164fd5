"""Players on the command line: levels, Python files and engine commands."""

import shlex
import sys
from collections.abc import Iterable
from errno import EACCES, ENOENT
from os import strerror
from pathlib import Path
from shutil import which
from typing import Any

import click
from click.shell_completion import CompletionItem

from noughts.cli.options import Choice

KINDS = (
    "a Python file with agent(observation, configuration) or choose(game), or an engine's command"
)
"""The players in addition to the words that a command accepts, for its help."""


class Player(Choice):
    """A word such as a level, a Python file or an engine's command, with an optional name."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the player; a file and the program that a command starts must exist."""
        if value in self.choices:
            return str(value)
        from noughts.engines.agent import is_agent  # `noughts play` alone needs no engines
        from noughts.engines.match import name_and_player

        name, player = name_and_player(value)
        before = f"{name}=" if name else ""
        if is_agent(player):
            if not Path(player).is_file():
                self.fail(f"{player}: {strerror(ENOENT)}", param, ctx)
            return f"{before}{player}"
        try:
            words = shlex.split(player)
        except ValueError as error:
            self.fail(f"{player!r} is not a valid command: {error}", param, ctx)
        if words and which(words[0]):
            return f"{before}{player}"
        if words and "/" in words[0]:  # not a level
            why = EACCES if Path(words[0]).exists() else ENOENT
            self.fail(f"{words[0]}: {strerror(why)}", param, ctx)
        return before + super().convert(player, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the matching levels, or else files, as Bash suggests either kind only."""
        levels = super().shell_complete(ctx, param, incomplete)
        return levels or [CompletionItem(incomplete, type="file")]


def warn_if_unconfined(players: Iterable[str]) -> None:
    """Print a warning if one of these players is a Python file and can do what the user can."""
    from noughts.checker.sandbox import UNCONFINED, confined
    from noughts.engines.agent import is_agent
    from noughts.engines.match import name_and_player

    if any(is_agent(name_and_player(player)[1]) for player in players) and not confined():
        print(f"noughts: {UNCONFINED}", file=sys.stderr)
