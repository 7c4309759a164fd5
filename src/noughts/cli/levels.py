"""Levels of the computer on the command line."""

from __future__ import annotations

from typing import Any

import click

from noughts.opponent.levels import LEVELS, OLD_NAMES


class Level(click.Choice[str]):
    """A level of play, under its old name too."""

    def __init__(self) -> None:
        super().__init__(LEVELS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read a level; what it was called before becomes what it is called now."""
        return super().convert(OLD_NAMES.get(value, value), param, ctx)
