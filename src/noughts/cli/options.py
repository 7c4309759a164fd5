"""What several commands take: a board with its rules, and a game out of a file."""

from __future__ import annotations

import re
import sys
from math import isnan
from typing import Any

import click

from noughts.cli.files import opened, source_name
from noughts.errors import InvalidRecord, InvalidRules, NoughtsError
from noughts.opponent.levels import LEVELS, OLD_NAMES
from noughts.records import CallList, Record, read_records
from noughts.rules import Rules


class Seconds(click.FloatRange):
    """So many seconds, within a range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number; nan, which any range lets through, is none."""
        seconds = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return seconds


class Level(click.Choice[str]):
    """A level of play, under its old name too."""

    def __init__(self) -> None:
        super().__init__(LEVELS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read a level; what it was called before becomes what it is called now."""
        return super().convert(OLD_NAMES.get(value, value), param, ctx)


board = click.argument(
    "board",
    default="3x3",
    help="The board's sides: 15x15, 3x3x3; 5 alone is 5x5, none is 3x3.",
)
k = click.option("--k", type=int, help="How many in a row win.", show_default="the whole side")
players = click.option("--players", default=2, help="How many play, 2 to 8.")
early_draw = click.option(
    "--early-draw", is_flag=True, help="End the game as soon as nobody can win any more."
)
source = click.argument(
    "source",
    metavar="[FILE|-]",
    default="-",
    help="Records of games; - or none: standard input.",
)
game_id = click.option(
    "--id", "game_id", help="The game with this id.", show_default="the first game"
)
seconds = click.option(
    "--seconds",
    type=Seconds(min=0),
    default=1.0,
    help="How long the strong level may think about a move.",
)
seed = click.option(
    "--seed", type=int, help="Makes the computer's choices repeatable.", show_default="none"
)


def rules_of(board: str, k: int | None, players: int, early_draw: bool) -> Rules:
    """The rules that the options spell out; bad ones end the command with a usage error."""
    if not re.fullmatch(r"[0-9]{1,18}([x×][0-9]{1,18})*", board.lower()):
        raise click.BadParameter(f"{board!r} is no board: write its sides as 3x3 or 15x15")
    sides = tuple(map(int, re.split("[x×]", board.lower())))
    try:
        return Rules(sides * 2 if len(sides) == 1 else sides, k, players, early_draw)
    except InvalidRules as error:
        raise click.BadParameter(str(error)) from None


def pick_record(source: str, game_id: str | None) -> Record | CallList:
    """The first game of a file, or the one with this id; where there is none, exit 2.

    A line before it that cannot be read is reported and passed over.
    """
    with opened(source) as file:
        for record in read_records(file, source_name(source)):
            if isinstance(record, InvalidRecord):
                print(record, file=sys.stderr)
            elif game_id is None or (isinstance(record, Record) and str(record.id) == game_id):
                return record
    wanted = "" if game_id is None else f" with the id {game_id!r}"
    raise NoughtsError(f"no game{wanted} in {source_name(source)}")
