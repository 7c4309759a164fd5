"""Players on the command line: levels and engine commands."""

import shlex
from errno import EACCES, ENOENT
from os import strerror
from pathlib import Path
from shutil import which
from typing import Any

import click
from click.shell_completion import CompletionItem

from noughts.cli.options import Choice


class Player(Choice):
    """A level or the command of an engine, with an optional name before it."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the player; a command must start with an existing program."""
        from noughts.engines.match import name_and_player  # `noughts play` needs no engines

        name, player = name_and_player(value)
        before = f"{name}=" if name else ""
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
