"""``noughts match``: many games between players."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from math import isinf
from pathlib import Path
from typing import IO, Any

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from noughts.cli import options
from noughts.cli.board import Terminal
from noughts.cli.players import Player
from noughts.engines import Match, MatchGame
from noughts.engines.elo import BOUND, Estimate, log_likelihood_ratio
from noughts.engines.engine import TOLERANCE
from noughts.engines.openings import read_openings
from noughts.engines.standings import pair_counts, standings
from noughts.errors import InvalidRecord, NoughtsError
from noughts.game.names import rules_text
from noughts.game.rules import Rules
from noughts.records import Record, read_records, writer_of
from noughts.records.atomic import exit_on_signals
from noughts.system import lock

Test = tuple[float, float]  # the two Elo differences between which a test decides
MINUS = str.maketrans("-", "−")


def _read_test(_ctx: click.Context, _param: click.Parameter, written: str | None) -> Test | None:
    """Two Elo differences, the smaller one first."""
    if written is None:
        return None
    try:
        low, high = map(float, written.split(","))
        if -1000 <= low < high <= 1000:
            return low, high
    except ValueError:
        pass
    raise click.BadParameter(f"{written!r} must be two Elo differences such as 0,10")


@click.command()
@click.argument(
    "players",
    metavar="PLAYER...",
    nargs=-1,
    type=Player(),
    help="Two or more levels, or commands that run engines; NAME=COMMAND gives one a name.",
)
@options.rules
@click.option(
    "--games", type=click.IntRange(min=1), default=100, help="How many games each pair plays."
)
@click.option(
    "--openings",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file with an opening on each line; each is played from both sides.",
    show_default="the empty board",
)
@options.seconds("How long a player may think about a move.", "--time")
@click.option(
    "--tolerance",
    type=options.Number(min=0),
    default=TOLERANCE,
    help="How many seconds late an engine may be.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, help="How many games are played at once."
)
@click.option(
    "--sprt",
    "test",
    metavar="ELO0,ELO1",
    callback=_read_test,
    help="End as soon as the results decide between these Elo differences of two players.",
    show_default="never",
)
@options.out("Add the games to this file, .jsonl or .sgf, and continue the match that is in it.")
@options.seed
def match(
    players: tuple[str, ...],
    rules: Rules,
    games: int,
    openings: Path | None,
    seconds: float,
    tolerance: float,
    jobs: int,
    test: Test | None,
    out: Path | None,
    seed: int | None,
) -> None:
    """Let players play each other, and count the results.

    Two players take turns to begin. A player is a level of the computer, or the command that runs
    an engine of the Gomocup protocol. After Ctrl-C the same command continues the match in --out.
    """
    if test and len(players) != 2:
        raise click.BadParameter(f"--sprt compares two players, not {len(players)}")
    begins: tuple[Any, ...] = ((),)
    if openings:
        with openings.open(encoding="utf-8", errors="replace") as file:
            begins = read_openings(file, str(openings), rules)
    try:
        planned = Match(rules, players, games, seconds, begins, seed=seed, tolerance=tolerance)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    with games_file(out, planned) as (played, record), exit_on_signals():
        try:
            done = {game.fixture.number for game in played}
            with _live(planned, played, test) as show, closing(planned.play(done, jobs)) as rest:
                show()
                while not _decided(played, test) and (game := next(rest, None)):
                    played.append(game)
                    record(game)
                    show()
        finally:
            _print_report(planned, played, test)


@contextmanager
def games_file(
    path: Path | None, planned: Match
) -> Iterator[tuple[list[MatchGame], Callable[[MatchGame], object]]]:
    """The games of this match that a file has, and a function that adds one; None for no file.

    Raises:
        NoughtsError: games of these rules cannot be added to a file of this format, the file has
            another match, or another process adds to it.
    """
    if path is None:
        yield [], lambda _: None
        return
    write = writer_of(path)
    if write is None or path.suffix.lower() not in (".jsonl", ".sgf"):
        raise NoughtsError(f"{path} must end in .jsonl or .sgf: games are added to it")
    write(Record(planned.rules, ()))  # raises if the format has no such board
    with path.open("a+b") as file:
        try:
            lock(file.fileno())
        except BlockingIOError:
            raise NoughtsError(f"{path}: another match is writing there") from None
        file.seek(0)
        found = [*_recorded(file, path, planned)] if file.read(1) else []

        def add(game: MatchGame) -> None:
            file.write(write(planned.record(game)).encode())
            file.flush()

        yield found, add


def _recorded(file: IO[bytes], path: Path, planned: Match) -> Iterator[MatchGame]:
    file.seek(0)
    for record in read_records(file, str(path)):
        if isinstance(record, InvalidRecord):
            raise record
        if not isinstance(record, Record):
            raise InvalidRecord("a call list is not a game of a match", str(path))
        try:
            yield planned.recorded(record)
        except NoughtsError as error:
            raise InvalidRecord(f"{error}; choose another --out", str(path)) from None


# What is shown


@contextmanager
def _live(
    planned: Match, played: Sequence[MatchGame], test: Test | None
) -> Iterator[Callable[[], None]]:
    """On a terminal, shows the report and the progress while games are played."""
    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        yield lambda: None
        return
    progress = Progress(
        TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    )
    task = progress.add_task("", total=planned.count)
    with Live(progress, console=console, transient=True) as live:

        def show() -> None:
            progress.update(task, completed=len(played))
            live.update(Group(*_report(planned, played, test), "", progress))

        yield show


def _print_report(planned: Match, played: Sequence[MatchGame], test: Test | None) -> None:
    of = f" of {planned.count:,}" if len(played) < planned.count else ""
    games = "games" if planned.count > 1 else "game"
    print(f"{rules_text(planned.rules)}, {len(played):,}{of} {games}\n")
    terminal = Terminal()
    for part in _report(planned, played, test):
        terminal.print(part)


def _report(
    planned: Match, played: Sequence[MatchGame], test: Test | None
) -> Iterator[RenderableType]:
    """Who won from which side, for two players; everybody's results; how games ended; the test."""
    if len(planned.players) == 2:
        yield _sides(planned.names, played)
        yield ""
    yield _standings(planned.names, played)
    if ends := Counter(game.game.reason for game in played).most_common():
        reasons = (f"{count:,} {reason.replace('_', ' ')}" for reason, count in ends)
        yield f"\nhow games ended: {', '.join(reasons)}"
    if test:
        low, high = test
        ratio = log_likelihood_ratio(pair_counts(played), low, high)
        yield (
            f"Elo {high:g} rather than {low:g}: {_decided(played, test) or 'undecided'}, "
            f"log likelihood ratio {ratio:.2f} of ±{BOUND:.2f}"
        ).translate(MINUS)


def _decided(played: Iterable[MatchGame], test: Test | None) -> str:
    """What the test says; empty if it says nothing yet."""
    if test is None:
        return ""
    ratio = log_likelihood_ratio(pair_counts(played), *test)
    return "" if abs(ratio) < BOUND else "accepted" if ratio > 0 else "rejected"


def _sides(names: tuple[str, ...], played: Iterable[MatchGame]) -> Table:
    """A row for the games that each of two players began, and one for all."""
    table = _table(f"{names[0]} wins", "draws", f"{names[1]} wins")
    results = Counter((game.fixture.players[0], game.winner) for game in played)
    rows = [[results[began, winner] for winner in (0, None, 1)] for began in (0, 1)]
    rows.append([sum(column) for column in zip(*rows, strict=True)])
    labels = (f"{names[0]} begins", f"{names[1]} begins", "together")
    for label, row in zip(labels, rows, strict=True):
        table.add_row(label, *(f"{number:,}" for number in row))
    return table


def _standings(names: tuple[str, ...], played: Sequence[MatchGame]) -> Table:
    """A row for each player."""
    table = _table("points", "games", "wins", "draws", "losses", "faults", "Elo", "95 %")
    for player in standings(names, played):
        counts = (player.games, player.wins, player.draws, player.losses, player.faults.total())
        table.add_row(
            player.name, f"{player.points:,g}", *(f"{count:,}" for count in counts),
            *_elo(player.elo),
        )  # fmt: skip
    return table


def _table(*heads: str) -> Table:
    """A table of names, and of numbers under these headings."""
    table = Table("", box=None, padding=(0, 0, 0, 2), pad_edge=False)
    for head in heads:
        table.add_column(head, justify="right")
    return table


def _elo(estimate: Estimate | None) -> tuple[str, str]:
    """A difference and its interval, as ``+41`` and ``+10 to +72``."""
    if estimate is None:
        return "", ""
    elo, low, high = map(_signed, estimate)
    return elo, f"{low} to {high}"


def _signed(value: float) -> str:
    if isinf(value):
        return "+∞" if value > 0 else "−∞"
    return f"{round(value):+}".translate(MINUS) if round(value) else "0"
