"""The application: every command, and how it ends after an error or without a reader."""

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import shell_complete

from noughts.errors import NoughtsError
from noughts.extras import MissingExtra

USES = {
    "Play": ("play", "serve", "join"),
    "Learn": ("check", "trace"),
    "Recorded games": ("judge", "convert", "show", "analyse", "export"),
    "Engines": ("match", "brain"),
    "Whole games": ("solve", "prove", "perft"),
}
"""The commands by what people want to do. Each is a function in a module of the same name."""

_COMPLETE = "_NOUGHTS_COMPLETE"
COMMANDS = tuple(name for names in USES.values() for name in names)


class Commands(click.Group):
    """The commands; a closed pipe ends them quietly, an error with only its message."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names in the order of `COMMANDS`, not of the alphabet."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their first sentences, under what they are for."""
        width = max(map(len, self.commands))
        for use, names in USES.items():
            with formatter.section(use):
                formatter.write_dl(
                    (name.ljust(width), self.commands[name].get_short_help_str(80))
                    for name in names
                )

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run a command, flush its output and exit; Ctrl-C is left to the caller."""
        if asked := os.environ.get(_COMPLETE):  # by a shell
            sys.exit(shell_complete(self, {}, "noughts", _COMPLETE, asked))
        words = list(sys.argv[1:] if args is None else args)
        try:
            with self.make_context(self.name, words) as ctx:
                ctx.call_on_close(sys.stdout.flush)
                self.invoke(ctx)
        except click.exceptions.Exit as end:  # after the help or the version
            sys.exit(end.exit_code)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except (NoughtsError, ModuleNotFoundError) as error:
            if isinstance(error, ModuleNotFoundError) and not _says_what_to_do(error):
                raise
            for line in str(error).splitlines():
                print(f"noughts: {line}", file=sys.stderr)
            sys.exit(2)
        except BrokenPipeError:
            _discard_output()
            sys.exit(141)  # as the shell reports SIGPIPE
        except OSError as error:
            _discard_output()
            where = f"{error.filename}: " if error.filename else ""
            print(f"noughts: {where}{error.strerror or error}", file=sys.stderr)
            sys.exit(2)
        sys.exit()


def application(commands: Iterable[str] = COMMANDS) -> click.Group:
    """The application with these commands."""

    @click.group(
        cls=Commands,
        context_settings={
            "help_option_names": ["-h", "--help"],
            "max_content_width": 100,
            "show_default": True,
        },
    )
    @click.version_option(
        package_name="noughts",
        message="%(package)s %(version)s",
        help="Print the version and exit.",
    )
    def noughts() -> None:
        """Referee k-in-a-row games of any size."""

    for name in commands:
        noughts.add_command(getattr(import_module(f"noughts.cli.{name}"), name))
    return noughts


def _says_what_to_do(error: ModuleNotFoundError) -> bool:
    """Return whether the message is written for the user."""
    name = error.name or ""
    return isinstance(error, MissingExtra) or (name.startswith("noughts.") and "._" in name)


def _discard_output() -> None:
    """Discard buffered output, or Python would fail to write it again at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
