"""``noughts match``: one level against another, many games."""

from __future__ import annotations

from collections import Counter

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from noughts.cli import options
from noughts.cli.board import Terminal
from noughts.cli.levels import Level
from noughts.opponent import play_match
from noughts.opponent.position import tables_of
from noughts.picture import rules_text
from noughts.rules import Rules

Results = Counter[tuple[int, int | None]]  # which level began, and which won


@click.command()
@click.argument("one", metavar="LEVEL", type=Level(), help="Who begins the first game.")
@click.argument("other", metavar="LEVEL", type=Level(), help="Who begins the second.")
@options.rules
@click.option("--games", type=click.IntRange(min=1), default=100, help="How many games they play.")
@options.seconds
@options.seed
def match(
    one: str,
    other: str,
    rules: Rules,
    games: int,
    seconds: float,
    seed: int | None,
) -> None:
    """Let two levels play each other, and count the results.

    They begin in turns. The levels are random, easy, medium and strong.
    """
    if rules.players != 2:
        raise click.BadParameter(f"a match is for 2 players, not {rules.players}")
    try:
        tables_of(rules)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    progress = Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    results: Results = Counter()
    played = play_match(rules, (one, other), games, seconds=seconds, seed=seed)
    with progress:
        for number, winner in enumerate(progress.track(played, games, description="playing")):
            results[number % 2, winner] += 1
    print(f"{rules_text(rules)}, {games:,} game{'s' if games > 1 else ''}\n")
    names = (f"{one} 1", f"{other} 2") if one == other else (one, other)
    Terminal().print(_table(results, names))


def _table(results: Results, names: tuple[str, str]) -> Table:
    """A row for each beginner, and their sum."""
    table = Table("", box=None, padding=(0, 2, 0, 0))
    for head in (f"{names[0]} wins", "draws", f"{names[1]} wins"):
        table.add_column(head, justify="right")
    rows = [[results[began, winner] for winner in (0, None, 1)] for began in (0, 1)]
    rows.append([sum(column) for column in zip(*rows, strict=True)])
    labels = (f"{names[0]} begins", f"{names[1]} begins", "together")
    for label, row in zip(labels, rows, strict=True):
        table.add_row(label, *(f"{number:,}" for number in row))
    return table
