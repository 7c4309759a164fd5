"""Options that several commands have, such as rules, and how a game is picked from a file."""

import sys
from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import Any, TypeVar

import click

from noughts.cli.files import opened, source_name
from noughts.errors import InvalidRecord, InvalidRules, NoughtsError, did_you_mean
from noughts.game.names import FLAGS, NAMED, read_rules
from noughts.game.rules import VARIANTS, Rules
from noughts.records import CallList, Record, read_records

Command = TypeVar("Command", bound=Callable[..., None])


class Number(click.FloatRange):
    """A number in a range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number; refuse nan, which any range accepts."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class Choice(click.Choice[str]):
    """One of some words."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """What is said of another word: all of these, and the nearest."""
        message = super().get_invalid_choice_message(value, ctx).removesuffix(".")
        return message + (did_you_mean(str(value), self.choices) or ".")


class LocationType(click.Path):
    """A local path, or the address of an object."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Leave an address as it is: a path would lose a slash."""
        return value if "://" in str(value) else super().convert(value, param, ctx)


def _read(_ctx: click.Context, _param: click.Parameter, written: str | None) -> Rules | None:
    """Rules as `read_rules` reads them; a usage error if it cannot."""
    try:
        return None if written is None else read_rules(written)
    except InvalidRules as error:
        raise click.BadParameter(str(error)) from None


def _complete(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[str]:
    """The names of rules that begin so; after a comma, what may differ from them."""
    before, comma, word = typed.rpartition(",")
    others = (*FLAGS, "k=", "players=", *(f"variant={name}" for name in VARIANTS))
    return [before + comma + each for each in (others if comma else NAMED) if each.startswith(word)]


rules = click.option(
    "--rules",
    metavar="RULES",
    callback=_read,
    shell_complete=_complete,
    default="3x3",
    help=f"What is played: {', '.join(NAMED)}, or a board such as 3x3x3, with k=3, players=3, "
    "gravity, variant=caro and early-draw after commas.",
)
missing_rules = click.option(
    "--rules",
    metavar="RULES",
    callback=_read,
    shell_complete=_complete,
    help="What was played, such as renju, if the file does not say.",
)
source = click.argument(
    "source",
    metavar="[FILE|-]",
    type=click.Path(allow_dash=True),
    default="-",
    help="Records of games; - or none: standard input.",
)
game_id = click.option(
    "--id", "game_id", help="The game with this id.", show_default="the first game"
)
seed = click.option(
    "--seed", type=int, help="Makes the computer's choices repeatable.", show_default="none"
)


def seconds(what: str, *names: str) -> Callable[[Command], Command]:
    """The option for time to think, with this help and also under other names."""
    return click.option("--seconds", *names, type=Number(min=0), default=1.0, help=what)


def out(
    what: str, usual: str | None = None, kind: click.Path | None = None
) -> Callable[[Command], Command]:
    """The option for a file to write, with this help; `usual` is where output goes without it."""
    path = click.Path(path_type=Path)
    return click.option("--out", "-o", type=kind or path, help=what, show_default=usual)


def pick_record(source: str, game_id: str | None, rules: Rules | None) -> Record | CallList:
    """The first game of a file, or the one with this id; raises NoughtsError if there is none.

    Lines before it that cannot be read are reported and skipped.
    """
    with opened(source) as file:
        for record in read_records(file, source_name(source), rules):
            if isinstance(record, InvalidRecord):
                print(record, file=sys.stderr)
            elif game_id is None or (isinstance(record, Record) and str(record.id) == game_id):
                return record
    wanted = "" if game_id is None else f" with the id {game_id!r}"
    raise NoughtsError(f"no game{wanted} in {source_name(source)}")
