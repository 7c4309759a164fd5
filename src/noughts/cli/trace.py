"""``noughts trace``: watch a referee at work, move by move."""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import compress, cycle
from typing import NamedTuple

import click

from noughts.cli import options
from noughts.errors import IllegalMove, NoughtsError, size
from noughts.game.game import Game
from noughts.game.names import rules_text
from noughts.game.rules import Rules
from noughts.picture import MAX_CELLS, cell_name, column_name, symbol
from noughts.records import CallList, Record
from noughts.referee import BoardScan, PlayerTallies, SignedSums, TicTacToe

INDENT = " " * 4
Watched = BoardScan | PlayerTallies | SignedSums
REFEREES = {"scan": BoardScan, "tallies": PlayerTallies, "signed": SignedSums}


@click.command()
@options.source
@options.game_id
@options.missing_rules
@click.option(
    "--referee", type=options.Choice(REFEREES), default="signed", help="Which referee to watch."
)
def trace(source: str, game_id: str | None, rules: Rules | None, referee: str) -> None:
    """Follow a recorded game on an n×n board, move by move.

    For each move it shows what the referee keeps about every line through the cell, before and
    after; then the board, with all that the referee keeps in the margins; then the verdict, 0 or
    the player who wins. A refused move ends the trace with exit code 1; a call list goes on.
    """
    record = options.pick_record(source, game_id, rules)
    n, moves = _classic_moves(record)
    if n * n > MAX_CELLS:
        raise NoughtsError(f"a {size((n, n))} board is too large to draw")
    watched = REFEREES[referee](n)
    guard = _guard(record)
    board = [[symbol(0)] * n for _ in range(n)]
    print(f"{type(watched).__name__} on a {size((n, n))} board")
    for ply, (row, col, player) in enumerate(moves, start=1):
        try:
            guard(row, col, player)
        except IllegalMove as error:
            print(f"\n{ply}. refused, and nothing changes: {error}")
            if isinstance(record, Record):
                sys.exit(1)
            continue
        print(f"\n{ply}. {symbol(player)} plays {cell_name((row, col))}: row {row}, column {col}\n")
        before = _through(watched, row, col)
        board[row][col] = symbol(player)
        verdict = watched.move(row, col, player)
        width = max(map(len, before.values()))
        for name, after in _through(watched, row, col).items():
            print(f"{INDENT}{name:<14}{before[name]:>{width}} → {after}")
        kept = None if isinstance(watched, BoardScan) else _kept_by(watched)
        print("\n".join(["", *_state(board, kept), "", f"{INDENT}verdict {verdict}"]))


def _guard(record: Record | CallList) -> Callable[[int, int, int], object]:
    """A function that checks each move before a referee, which trusts its caller, gets it."""
    if isinstance(record, CallList):
        return TicTacToe(record.n).move
    game = Game(record.rules)
    return lambda row, col, player: game.play((row, col), player)


class Kept(NamedTuple):
    """What a referee keeps about each line, as text."""

    rows: list[str]
    cols: list[str]
    diagonal: str
    anti_diagonal: str


def _kept_by(referee: PlayerTallies | SignedSums) -> Kept:
    """What the referee keeps now: a tally for each player, or a sum."""
    if isinstance(referee, SignedSums):
        diagonals = map(_signed, (referee.diagonal, referee.anti_diagonal))
        return Kept([*map(_signed, referee.rows)], [*map(_signed, referee.cols)], *diagonals)
    rows, cols = zip(*referee.rows, strict=True), zip(*referee.cols, strict=True)
    diagonals = map(_tallies, (referee.diagonal, referee.anti_diagonal))
    return Kept([*map(_tallies, rows)], [*map(_tallies, cols)], *diagonals)


def _through(referee: Watched, row: int, col: int) -> dict[str, str]:
    """What the referee keeps about the lines through a cell, by their names."""
    names = f"row {row + 1}", f"column {column_name(col)}", "diagonal", "anti-diagonal"
    through = True, True, row == col, row + col == referee.n - 1
    if isinstance(referee, BoardScan):
        lines = [" ".join(map(symbol, line)) for line in referee.lines(row, col)]
    else:
        kept = _kept_by(referee)
        each = kept.rows[row], kept.cols[col], kept.diagonal, kept.anti_diagonal
        lines = [*compress(each, through)]
    return dict(zip(compress(names, through), lines, strict=True))


def _tallies(of_players: Iterable[int]) -> str:
    return ":".join(map(str, of_players))


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"


def _state(board: list[list[str]], kept: Kept | None) -> Iterator[str]:
    """The board, with what is kept about rows and columns in its margins.

    The anti-diagonal and the diagonal are at its lower corners, where they end.
    """
    n = len(board)
    numbers = [*kept.rows, *kept.cols, kept.diagonal, kept.anti_diagonal] if kept else [""]
    width = max(max(map(len, numbers)), len(column_name(n - 1))) + 2
    margin = INDENT + " " * (len(str(n)) + width)
    yield margin + "".join(f"{column_name(col):>{width}}" for col in range(n))
    for row, marks in enumerate(board):
        cells = "".join(f"{mark:>{width}}" for mark in marks)
        total = f"{kept.rows[row]:>{width + 2}}" if kept else ""
        yield f"{row + 1:>{len(margin)}}{cells}{total}"
    if kept:
        sums = "".join(f"{value:>{width}}" for value in kept.cols)
        anti = f"{kept.anti_diagonal} ↙"
        yield f"{anti:>{len(margin)}}{sums}  ↘{kept.diagonal:>{width - 1}}"


def _classic_moves(record: Record | CallList) -> tuple[int, list[tuple[int, int, int]]]:
    """The side of the board, and the moves."""
    if isinstance(record, CallList):
        return record.n, list(record.moves)
    rules = record.rules
    n = rules.shape[0]
    other = rules_text(rules).removeprefix(rules_text(Rules(rules.shape, rules.k)))
    played = (rules.shape, rules.k, rules.players, rules.gravity, rules.variant)
    if played != ((n, n), n, 2, False, "freestyle"):
        raise NoughtsError(
            "trace follows the classic game, n in a row on an n×n board between two players, "
            f"not {size(rules.shape)} with k = {rules.k} and {rules.players} players{other}"
        )
    players = cycle((1, 2))
    return n, [(row, col, next(players)) for row, col in record.moves]
