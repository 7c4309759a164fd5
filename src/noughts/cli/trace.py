"""``noughts trace``: show how a referee judges a game, move by move."""

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
from noughts.records.formats import Reading
from noughts.referee import BoardScan, PlayerTallies, SignedSums, TicTacToe

INDENT = " " * 4
Watched = BoardScan | PlayerTallies | SignedSums
REFEREES = {"scan": BoardScan, "tallies": PlayerTallies, "signed": SignedSums}


@click.command()
@options.source
@options.game_id
@options.reading
@click.option(
    "--referee", type=options.Choice(REFEREES), default="signed", help="Referee to trace."
)
def trace(source: str, game_id: str | None, reading: Reading, referee: str) -> None:
    """Trace how a referee judges a recorded game on an n×n board.

    For each move, print the numbers that the referee keeps for the lines through the cell, before
    and after; the board, with the numbers of all lines in the margins; and the verdict: 0, or the
    player who wins. An illegal move ends the trace with exit status 1, except in a call list.
    """
    record = options.pick_record(source, game_id, reading)
    n, moves = _classic_moves(record)
    if n * n > MAX_CELLS:
        raise NoughtsError(f"a {size((n, n))} board is too large to draw")
    watched = REFEREES[referee](n)
    check = _move_checker(record)
    board = [[symbol(0)] * n for _ in range(n)]
    print(f"{type(watched).__name__} on a {size((n, n))} board")
    for ply, (row, col, player) in enumerate(moves, start=1):
        try:
            check(row, col, player)
        except IllegalMove as error:
            print(f"\n{ply}. illegal, so nothing changes: {error}")
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
        numbers = None if isinstance(watched, BoardScan) else _numbers(watched)
        print("\n".join(["", *_drawing(board, numbers), "", f"{INDENT}verdict {verdict}"]))


def _move_checker(record: Record | CallList) -> Callable[[int, int, int], object]:
    """Return a function that raises IllegalMove; the traced referees do not check moves."""
    if isinstance(record, CallList):
        return TicTacToe(record.n).move
    game = Game(record.rules)
    return lambda row, col, player: game.play((row, col), player)


class Numbers(NamedTuple):
    """The numbers that a referee keeps for each line, as text."""

    rows: list[str]
    cols: list[str]
    diagonal: str
    anti_diagonal: str


def _numbers(referee: PlayerTallies | SignedSums) -> Numbers:
    """Return the referee's current numbers: per line, a tally for each player or one sum."""
    if isinstance(referee, SignedSums):
        diagonals = map(_signed, (referee.diagonal, referee.anti_diagonal))
        return Numbers([*map(_signed, referee.rows)], [*map(_signed, referee.cols)], *diagonals)
    rows, cols = zip(*referee.rows, strict=True), zip(*referee.cols, strict=True)
    diagonals = map(_tallies, (referee.diagonal, referee.anti_diagonal))
    return Numbers([*map(_tallies, rows)], [*map(_tallies, cols)], *diagonals)


def _through(referee: Watched, row: int, col: int) -> dict[str, str]:
    """Return the name of each line through a cell, with its numbers or marks."""
    names = f"row {row + 1}", f"column {column_name(col)}", "diagonal", "anti-diagonal"
    through = True, True, row == col, row + col == referee.n - 1
    if isinstance(referee, BoardScan):
        lines = [" ".join(map(symbol, line)) for line in referee.lines(row, col)]
    else:
        numbers = _numbers(referee)
        each = numbers.rows[row], numbers.cols[col], numbers.diagonal, numbers.anti_diagonal
        lines = [*compress(each, through)]
    return dict(zip(compress(names, through), lines, strict=True))


def _tallies(per_player: Iterable[int]) -> str:
    return ":".join(map(str, per_player))


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−") if value else "0"


def _drawing(board: list[list[str]], numbers: Numbers | None) -> Iterator[str]:
    """Yield the lines of the board, with the numbers of its rows and columns in the margins.

    The numbers of the two diagonals are at the lower corners, where the diagonals end.
    """
    n = len(board)
    texts = [*numbers.rows, *numbers.cols, *numbers[2:]] if numbers else [""]
    width = max(max(map(len, texts)), len(column_name(n - 1))) + 2
    margin = INDENT + " " * (len(str(n)) + width)
    yield margin + "".join(f"{column_name(col):>{width}}" for col in range(n))
    for row, marks in enumerate(board):
        cells = "".join(f"{mark:>{width}}" for mark in marks)
        total = f"{numbers.rows[row]:>{width + 2}}" if numbers else ""
        yield f"{row + 1:>{len(margin)}}{cells}{total}"
    if numbers:
        sums = "".join(f"{value:>{width}}" for value in numbers.cols)
        anti = f"{numbers.anti_diagonal} ↙"
        yield f"{anti:>{len(margin)}}{sums}  ↘{numbers.diagonal:>{width - 1}}"


def _classic_moves(record: Record | CallList) -> tuple[int, list[tuple[int, int, int]]]:
    """Return the side of the board, and the moves as (row, column, player)."""
    if isinstance(record, CallList):
        return record.n, list(record.moves)
    rules = record.rules
    n = rules.shape[0]
    other = rules_text(rules).removeprefix(rules_text(Rules(rules.shape, rules.k)))
    played = (rules.shape, rules.k, rules.players, rules.gravity, rules.variant)
    if played != ((n, n), n, 2, False, "freestyle"):
        raise NoughtsError(
            "trace supports only two players and n in a row on an n×n board, "
            f"not {size(rules.shape)} with k = {rules.k} and {rules.players} players{other}"
        )
    players = cycle((1, 2))
    return n, [(row, col, next(players)) for row, col in record.moves]
