"""``noughts match``: matches between levels, Python functions and engines."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
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
from noughts.cli.players import KINDS, Player, warn_if_unconfined
from noughts.engines import Match, MatchGame
from noughts.engines.elo import BOUND, Estimate, log_likelihood_ratio
from noughts.engines.engine import TOLERANCE
from noughts.engines.match import pair_counts, read_openings, standings
from noughts.errors import InvalidRecord, NoughtsError
from noughts.game.names import rules_text
from noughts.game.rules import Rules
from noughts.opponent.levels import LEVELS
from noughts.records import Record, read_records, writer_of
from noughts.records.atomic import exit_on_signals
from noughts.system import lock

Test = tuple[float, float]  # the two Elo differences that a test compares
MINUS = str.maketrans("-", "−")


def _read_test(_ctx: click.Context, _param: click.Parameter, written: str | None) -> Test | None:
    """Parse two Elo differences, the smaller one first."""
    if written is None:
        return None
    with suppress(ValueError):
        low, high = map(float, written.split(","))
        if -1000 <= low < high <= 1000:
            return low, high
    raise click.BadParameter(f"{written!r} must be two Elo differences such as 0,10")


@click.command()
@click.argument(
    "players",
    metavar="PLAYER...",
    nargs=-1,
    type=Player(LEVELS),
    help=f"Level, {KINDS}; NAME=PLAYER sets its name. Two or more.",
)
@options.rules
@click.option("--games", type=click.IntRange(min=1), default=100, help="Games per pair of players.")
@click.option(
    "--openings",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File with one opening per line, each played from both sides.",
    show_default="the empty board",
)
@options.seconds("Time limit for each move.", "--time")
@click.option(
    "--tolerance",
    type=options.Number(min=0),
    default=TOLERANCE,
    help="Seconds by which a program may exceed the limit.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=1, help="Number of games played in parallel."
)
@click.option(
    "--sprt",
    "test",
    metavar="ELO0,ELO1",
    callback=_read_test,
    help="Stop once a sequential test decides between these two Elo differences.",
    show_default="never",
)
@options.out("File (.jsonl or .sgf) for the games; a match that it contains is continued.")
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
    """Run a match and report Elo.

    The players of each pair take turns to move first. A player is a level of the computer, a
    function in a Python file, such as an agent for Kaggle's ConnectX, or the command of an engine
    that speaks the Gomocup protocol. After Ctrl-C, the same command continues the match in --out.
    """
    if test and len(players) != 2:
        raise click.BadParameter(f"--sprt compares two players, got {len(players)}")
    begins: tuple[Any, ...] = ((),)
    if openings:
        with openings.open(encoding="utf-8", errors="replace") as file:
            begins = read_openings(file, str(openings), rules)
    try:
        planned = Match(rules, players, games, seconds, begins, seed=seed, tolerance=tolerance)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    warn_if_unconfined(players)
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
    """Yield the games of this match in a file, and a function that adds one; None for no file.

    Raises:
        NoughtsError: the format cannot hold games with these rules, the file contains another
            match, or another process is writing to it.
    """
    if path is None:
        yield [], lambda _: None
        return
    write = writer_of(path)
    if write is None or path.suffix.lower() not in (".jsonl", ".sgf"):
        raise NoughtsError(f"{path} must end in .jsonl or .sgf")
    write(Record(planned.rules, ()))  # raises if the format has no such board
    with path.open("a+b") as file:
        try:
            lock(file.fileno())
        except BlockingIOError:
            raise NoughtsError(f"{path}: another match is writing to this file") from None
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
            raise InvalidRecord("expected a game of a match, got a call list", str(path))
        try:
            yield planned.recorded(record)
        except NoughtsError as error:
            raise InvalidRecord(f"{error}; choose another --out", str(path)) from None


@contextmanager
def _live(
    planned: Match, played: Sequence[MatchGame], test: Test | None
) -> Iterator[Callable[[], None]]:
    """Show the report and the progress on a terminal while games are played."""
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
    """Yield the results by side (for two players), the standings, faults, and the test."""
    if len(planned.players) == 2:
        yield _sides(planned.names, played)
        yield ""
    yield _standings(planned.names, played)
    if ends := Counter(game.game.reason for game in played).most_common():
        reasons = (f"{count:,} {reason.replace('_', ' ')}" for reason, count in ends)
        yield f"\nhow games ended: {', '.join(reasons)}"
    yield from _faults(planned.names, played)
    if test:
        low, high = test
        ratio = log_likelihood_ratio(pair_counts(played), low, high)
        yield (
            f"Elo {high:g} rather than {low:g}: {_decided(played, test) or 'undecided'}, "
            f"log likelihood ratio {ratio:.2f} of ±{BOUND:.2f}"
        ).translate(MINUS)


def _faults(names: tuple[str, ...], played: Iterable[MatchGame]) -> Iterator[str]:
    """Yield a sentence about the first fault of each kind by each player."""
    seen = set[tuple[int, str]]()
    for fixture, game in played:
        if game.at_fault:
            player = fixture.players[game.at_fault - 1]
            if (player, game.reason) not in seen:
                seen.add((player, game.reason))
                fault = f"({game.reason}): {game.record.comment}"
                yield f"{names[player]} lost game {fixture.number} {fault}"


def _decided(played: Iterable[MatchGame], test: Test | None) -> str:
    """Return the decision of the test, or an empty string if it has not decided."""
    if test is None:
        return ""
    ratio = log_likelihood_ratio(pair_counts(played), *test)
    return "" if abs(ratio) < BOUND else "accepted" if ratio > 0 else "rejected"


def _sides(names: tuple[str, ...], played: Iterable[MatchGame]) -> Table:
    """Return a table with one row for the games begun by each player and one for all games."""
    table = _table(f"{names[0]} wins", "draws", f"{names[1]} wins")
    results = Counter((game.fixture.players[0], game.winner) for game in played)
    rows = [[results[began, winner] for winner in (0, None, 1)] for began in (0, 1)]
    rows.append([sum(column) for column in zip(*rows, strict=True)])
    labels = (f"{names[0]} begins", f"{names[1]} begins", "together")
    for label, row in zip(labels, rows, strict=True):
        table.add_row(label, *(f"{number:,}" for number in row))
    return table


def _standings(names: tuple[str, ...], played: Sequence[MatchGame]) -> Table:
    """Return a table with one row per player."""
    table = _table("points", "games", "wins", "draws", "losses", "faults", "Elo", "95%")
    for player in standings(names, played):
        counts = (player.games, player.wins, player.draws, player.losses, player.faults.total())
        table.add_row(
            player.name, f"{player.points:,g}", *(f"{count:,}" for count in counts),
            *_elo(player.elo),
        )  # fmt: skip
    return table


def _table(*heads: str) -> Table:
    """Return an empty table of names and of numbers under these headings."""
    table = Table("", box=None, padding=(0, 0, 0, 2), pad_edge=False)
    for head in heads:
        table.add_column(head, justify="right")
    return table


def _elo(estimate: Estimate | None) -> tuple[str, str]:
    """Format a difference and its interval as ``+41`` and ``+10 to +72``."""
    if estimate is None:
        return "", ""
    elo, low, high = map(_signed, estimate)
    return elo, f"{low} to {high}"


def _signed(value: float) -> str:
    if isinf(value):
        return "+∞" if value > 0 else "−∞"
    return f"{round(value):+}".translate(MINUS) if round(value) else "0"
