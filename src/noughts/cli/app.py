"""The application: every command, and how it ends when it is cut short."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

COMMANDS = ("serve", "export", "judge", "trace", "play", "match", "show", "perft", "solve")
"""Each is the function of its name in the module of its name."""


class Commands(TyperGroup):
    """The commands; a closed pipe ends them quietly, a full disk with one line."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the arguments, which may print the help."""
        with _ending_quietly():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run the command and write out what it has printed."""
        with _ending_quietly():
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result


@contextmanager
def _ending_quietly() -> Iterator[None]:
    """End the process without a traceback where its output can go no further."""
    try:
        yield
    except BrokenPipeError:
        _discard_output()
        raise typer.Exit(141) from None  # as the shell reports SIGPIPE
    except OSError as error:
        _discard_output()
        where = f"{error.filename}: " if error.filename else ""
        print(f"noughts: {where}{error.strerror or error}", file=sys.stderr)
        raise typer.Exit(2) from None


def application(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """The application, with these of its commands."""
    app = typer.Typer(
        cls=Commands,
        help="Referee k-in-a-row games of any size.",
        no_args_is_help=True,
        rich_markup_mode="markdown",
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(options)
    for name in commands:
        app.command()(getattr(import_module(f"noughts.cli.{name}"), name))
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # which takes as long as all of noughts

        print(f"noughts {version('noughts')}", flush=True)
        raise typer.Exit


def options(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """Referee k-in-a-row games of any size."""


def _discard_output() -> None:
    """Send what is still buffered nowhere, or Python would fail on it again at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
