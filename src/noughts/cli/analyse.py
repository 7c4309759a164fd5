"""``noughts analyse``: the mistakes in a recorded game."""

from collections.abc import Iterator

import click
from rich.console import Console
from rich.progress import track

from noughts.cli import options
from noughts.errors import NoughtsError
from noughts.game.names import rules_text
from noughts.opponent import Advice, Finding
from noughts.opponent import analyse as findings_of
from noughts.picture import cell_name, standing, symbol
from noughts.records import CallList
from noughts.records.formats import Reading


@click.command()
@options.source
@options.game_id
@options.reading
@options.seconds("Time limit for each position.")
def analyse(source: str, game_id: str | None, reading: Reading, seconds: float) -> None:
    """Find the mistakes in a recorded game.

    For each mistake, print a better move, and whether it is proved or estimated.
    """
    record = options.pick_record(source, game_id, reading)
    if isinstance(record, CallList):
        raise NoughtsError("analyse needs a game; use noughts trace for a call list")
    game = record.game()
    try:
        findings = findings_of(game, seconds=seconds)
    except ValueError as error:
        raise NoughtsError(str(error)) from None
    console = Console(stderr=True)
    found = track(
        findings,
        "thinking",
        total=game.ply,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    lost = [finding for finding in found if finding.lost]
    print(f"{rules_text(game.rules)} · ply {game.ply} · {standing(game)}\n")
    if lost:
        print(*_lines(lost), sep="\n")
    else:
        print("No mistake found.")


def _lines(findings: list[Finding]) -> Iterator[str]:
    """Yield a heading and one line per mistake."""
    rows = [("ply", "move", "lost", "evidence", "better")]
    for finding in findings:
        move = f"{symbol(finding.player)} {cell_name(finding.cell)}"
        lost = {"win": "a win", "draw": "a draw"}.get(finding.lost or "", "chances")
        rows.append((f"{finding.ply}", move, lost, _evidence(finding), _better(finding.best)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for ply, *cells in rows:
        padded = map(str.ljust, cells, widths[1:])
        yield "  ".join([ply.rjust(widths[0]), *padded]).rstrip()


def _evidence(finding: Finding) -> str:
    """Return the evidence for a mistake and the result of the move."""
    if finding.lost != "chances":
        return "proved: now loses" if finding.loses else "proved: no win left"
    before = "a forced win" if finding.best.value == 1 else f"{finding.best_chance}%"
    after = "a forced loss" if finding.loses else f"{finding.chance}%"
    return f"estimate: {before} to {after}"


def _better(best: Advice) -> str:
    """Return the better move and its proven value."""
    moves = f", in {(best.plies + 1) // 2} moves" if best.value == 1 and best.plies else ""
    proved = {1: f" wins{moves}", 0: " cannot lose", -1: "", None: ""}[best.value]
    return cell_name(best.cell) + proved
