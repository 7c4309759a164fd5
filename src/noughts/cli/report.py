"""The progress bar and summary of commands that judge many games.

Standings count games by `noughts.bulk.verdict.standing`, unreadable lines or rows as "unreadable",
and claims by `noughts.bulk.verdict.CLAIMS`.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

from noughts.bulk.verdict import CLAIMS

NO_GAMES = frozenset({"unreadable", *filter(None, CLAIMS)})
"""Standings that do not count games."""

T = TypeVar("T")
Show = Callable[[Counter[str], str, int, int | None], None]
"""Shows the games judged, a description, the bytes read, and the total bytes if known."""


@contextmanager
def progress_bar(wanted: bool = True) -> Iterator[Show | None]:
    """Provide a function that shows progress on standard error, or None without a terminal."""
    if not (wanted and sys.stderr.isatty()):
        yield None
        return
    from rich import console, progress  # slow to import and often not needed

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TaskProgressColumn(),
        progress.TextColumn("{task.fields[games]:,} games"),
        progress.TextColumn("{task.fields[rate]:,.0f} per second"),
        progress.TimeRemainingColumn(),
    )
    start = perf_counter()
    terminal = console.Console(stderr=True)
    with progress.Progress(*columns, console=terminal, transient=True) as bar:
        task = bar.add_task("", total=None, games=0, rate=0)

        def show(standings: Counter[str], description: str, done: int, total: int | None) -> None:
            games = games_of(standings)
            rate = games / (perf_counter() - start)
            bar.update(
                task, description=description, completed=done, total=total, games=games, rate=rate
            )

        yield show


def print_summary(standings: Counter[str], games: int, seconds: float) -> None:
    """Print the standings on standard error, with the rate at which `games` were judged."""
    claims = [f"{standings[claim]:,} {claim}" for claim in CLAIMS if claim and standings[claim]]
    known = {status: n for status, n in standings.items() if status not in NO_GAMES}
    order = sorted(known, key=lambda status: (not status.startswith("won"), status))
    counts = ", ".join(f"{known[status]:,} {status}" for status in order)
    counts = counts.replace("won by", "won by player")
    rate = f" ({games / seconds:,.0f} per second)" if games >= 1000 else ""
    print(f"{counted(games_of(standings), 'game')}{rate}{counts and ': '}{counts}", file=sys.stderr)
    if claims:
        print(f"claims: {', '.join(claims)}", file=sys.stderr)
    if unreadable := standings["unreadable"]:
        print(f"{counted(unreadable, 'line')} could not be read", file=sys.stderr)


def exit_code(standings: Counter[str], failed: bool) -> int:
    """Return the exit status: 2 if a file failed, 1 if a game or claim is wrong, else 0."""
    if failed:
        return 2
    return 1 if any(standings[wrong] for wrong in ("illegal", "contradicted", "unreadable")) else 0


def games_of(standings: Counter[str]) -> int:
    """Return the number of games that have a verdict."""
    return standings.total() - sum(standings[name] for name in NO_GAMES)


def counting(games: Iterable[T], counts: Counter[str], name: str) -> Iterator[T]:
    """Yield the games, counting them under this name."""
    for game in games:
        counts[name] += 1
        yield game


def counted(number: int, name: str) -> str:
    """Return a count with its noun: ``1 game``, ``2 games``."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"
