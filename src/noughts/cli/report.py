"""What is said about many games: how far their judging is, and how they stand."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

Show = Callable[[str, int, int | None, int], None]
"""Shows a description, how many bytes are done, of how many if that is known, and the games."""


@contextmanager
def progress_bar(wanted: bool = True) -> Iterator[Show | None]:
    """How to show how far the judging is, on standard error; None if that is no terminal."""
    if not (wanted and sys.stderr.isatty()):
        yield None
        return
    # Rich is slow to import, and often nobody is watching.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[games]:,} games"),
        TextColumn("{task.fields[rate]:,.0f} a second"),
        TimeRemainingColumn(),
    )
    start = perf_counter()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None, games=0, rate=0)

        def show(description: str, done: int, total: int | None, games: int) -> None:
            progress.update(
                task,
                description=description,
                total=total,
                completed=done,
                games=games,
                rate=games / (perf_counter() - start),
            )

        yield show


def print_summary(standings: Counter[str], unreadable: int, rate: str = "") -> None:
    """Say on standard error how many games there are and how they stand."""
    total = standings.total()
    order = sorted(standings, key=lambda status: (not status.startswith("won"), status))
    counts = ", ".join(f"{standings[status]:,} {status}" for status in order)
    line = f"{counted(total, 'game')}{rate}{': ' if counts else ''}{counts}"
    print(line, file=sys.stderr)
    if unreadable:
        print(f"{counted(unreadable, 'line')} could not be read", file=sys.stderr)


def counted(number: int, name: str) -> str:
    """So many of these: ``1 game``, ``2 games``."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def rate_of(games: int, seconds: float) -> str:
    """How many games a second, in brackets; nothing of too few to tell."""
    return f" ({games / seconds:,.0f} a second)" if games >= 1000 else ""
