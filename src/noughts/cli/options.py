"""Options that several commands share, and the selection of a game in a file."""

import sys
from collections.abc import Callable
from functools import wraps
from math import isnan
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from noughts.cli.files import opened, source_name
from noughts.errors import InvalidRecord, InvalidRules, NoughtsError, did_you_mean
from noughts.game.names import NAMES
from noughts.game.rules import FLAGS, FORMS, NAMED, VARIANTS, Rules
from noughts.records import CallList, Record
from noughts.records.formats import KNOWN, Reading, read_named
from noughts.records.moves import ORIGINS, Origin

Command = TypeVar("Command", bound=Callable[..., None])


class Number(click.FloatRange):
    """A number in a range."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read a number; reject nan, which click's ranges accept."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class Choice(click.Choice[str]):
    """One of several words."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Name the accepted words and the nearest one."""
        message = super().get_invalid_choice_message(value, ctx).removesuffix(".")
        return message + (did_you_mean(str(value), self.choices) or ".")


class LocationType(click.Path):
    """A local path, or the URL of an object."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return URLs unchanged; a path would lose a slash."""
        return value if "://" in str(value) else super().convert(value, param, ctx)


def _read(_ctx: click.Context, _param: click.Parameter, written: str | None) -> Rules | None:
    """Read rules; raise a usage error if they are invalid."""
    try:
        return None if written is None else Rules.parse(written)
    except InvalidRules as error:
        raise click.BadParameter(str(error)) from None


def complete_game(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[str]:
    """Complete the name of a game, or the option at the start of a text of rules."""
    return [name for name in dict.fromkeys((*NAMES, *FLAGS)) if name.startswith(typed)]


def _complete(ctx: click.Context, param: click.Parameter, typed: str) -> list[str]:
    """Complete the name of rules or, after a comma, one of their options."""
    before, comma, word = typed.rpartition(",")
    if not comma:
        return complete_game(ctx, param, typed)
    values = [form[: form.index("=") + 1] for form in FORMS if "=" in form]
    others = (*FLAGS, *values[:-1], *(f"variant={name}" for name in VARIANTS))
    return [before + comma + each for each in others if each.startswith(word)]


rules = click.option(
    "--rules",
    metavar="RULES",
    callback=_read,
    shell_complete=_complete,
    default="3x3",
    help=f"Rules of the game: {', '.join(NAMED)}, or a board such as 3x3x3. Options follow "
    f"after commas: {', '.join(FORMS[:-1])} or {FORMS[-1]}. See `noughts rules`.",
)
_missing_rules = click.option(
    "--rules",
    metavar="RULES",
    callback=_read,
    shell_complete=_complete,
    help="Rules to use for games whose file does not specify any, for example renju.",
)
_format = click.option(
    "--format",
    "file_format",
    type=Choice(KNOWN),
    help="Format of the file.",
    show_default="detected from the content, or else from the name",
)
_origin = click.option(
    "--origin",
    type=Choice(ORIGINS),
    help="Whether rows are numbered from the top or the bottom.",
    show_default="top, unless the format says otherwise",
)
source = click.argument(
    "source",
    metavar="[FILE|-]",
    type=click.Path(allow_dash=True),
    default="-",
    help="File of recorded games; - or no argument reads standard input.",
)
game_id = click.option(
    "--id", "game_id", help="Id of the game to use.", show_default="the first game"
)
seed = click.option(
    "--seed", type=int, help="Seed of the computer's random choices.", show_default="none"
)


def seconds(text: str, *names: str) -> Callable[[Command], Command]:
    """Return the option for thinking time, with this help and other names."""
    return click.option("--seconds", *names, type=Number(min=0), default=1.0, help=text)


def out(
    text: str, default: str | None = None, kind: click.Path | None = None
) -> Callable[[Command], Command]:
    """Return the option for an output file; `default` says where output goes without it."""
    path = click.Path(path_type=Path)
    return click.option("--out", "-o", type=kind or path, help=text, show_default=default)


config: Callable[[Command], Command] = click.option(
    "--config", help="TOML file with the settings of the server, as for `noughts serve`."
)


def reading(command: Command) -> Command:
    """Add the options that say how to read a file of games, and pass them as one `Reading`."""

    @wraps(command)
    def with_reading(
        *args: Any, rules: Rules | None, file_format: str | None, origin: Origin | None, **more: Any
    ) -> None:
        command(*args, reading=Reading(rules, file_format, origin), **more)

    return cast("Command", _missing_rules(_format(_origin(with_reading))))


def pick_record(source: str, game_id: str | None, reading: Reading) -> Record | CallList:
    """Return the first game of a file, or the one with this id.

    Report and skip unreadable lines before it.

    Raises:
        NoughtsError: the file contains no such game.
    """
    with opened(source) as file:
        for record, usual in read_named(file, source_name(source), reading):
            if isinstance(record, InvalidRecord):
                print(record, file=sys.stderr)
                continue
            own = record.id if isinstance(record, Record) else None
            if game_id in (None, usual if own is None else str(own)):
                return record
    wanted = "" if game_id is None else f" with the id {game_id!r}"
    raise NoughtsError(f"no game{wanted} in {source_name(source)}")
