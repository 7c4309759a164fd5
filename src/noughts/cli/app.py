"""The application: every command, its help, and its exit status after errors."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from typing import Any, NoReturn

import click
from click.shell_completion import shell_complete

from noughts.errors import NoughtsError
from noughts.extras import MissingExtra
from noughts.system import interrupts_held_back

USES = {
    "Play": ("play", "join"),
    "Learn": ("rules", "check", "trace"),
    "Recorded games": ("judge", "convert", "show", "analyse"),
    "Server": ("serve", "migrate", "export"),
    "Engines": ("match", "brain"),
    "Solving and counting": ("solve", "prove", "perft"),
}
"""The commands by purpose. Each is a function in a module of the same name."""

_COMPLETE = "_NOUGHTS_COMPLETE"


class Modules(Mapping[str, click.Command]):
    """The commands by name, imported when needed: to import them all takes as long as Click."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in self:
            raise KeyError(name)
        with interrupts_held_back():
            module = import_module(f"noughts.cli.{name}")
        command: click.Command = getattr(module, name)
        return command

    def __contains__(self, name: object) -> bool:
        return name in list(self)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(USES.values())

    def __len__(self) -> int:
        return sum(map(len, USES.values()))


class Commands(click.Group):
    """The commands; closed pipes exit quietly, errors print only their message."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of `USES`, not alphabetically."""
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands and their first sentences, by purpose."""
        width = max(map(len, self.commands))
        for use, names in USES.items():
            with formatter.section(use):
                formatter.write_dl(
                    (name.ljust(width), self.commands[name].get_short_help_str(80))
                    for name in names
                )

    def main(self, args: Sequence[str] | None = None, *_: Any, **__: Any) -> NoReturn:
        """Run a command, flush its output and exit; leave Ctrl-C to the caller."""
        if instruction := os.environ.get(_COMPLETE):  # set by a shell
            sys.exit(shell_complete(self, {}, "noughts", _COMPLETE, instruction))
        words = list(sys.argv[1:] if args is None else args)
        try:
            with self.make_context(self.name, words) as ctx:
                ctx.call_on_close(sys.stdout.flush)
                self.invoke(ctx)
        except click.exceptions.Exit as end:  # after --help or --version
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


@click.group(
    "noughts",
    cls=Commands,
    commands=Modules(),
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
def application() -> None:
    """Judge, play and analyse k-in-a-row games."""


def _says_what_to_do(error: ModuleNotFoundError) -> bool:
    """Return whether the message is written for the user."""
    name = error.name or ""
    return isinstance(error, MissingExtra) or (name.startswith("noughts.") and "._" in name)


def _discard_output() -> None:
    """Discard buffered output; otherwise Python would try to write it again when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
