"""``noughts solve``: the winner of positions on small boards with best play."""

import json
import sys
from pathlib import Path

import click

from noughts.cli import options
from noughts.cli.board import working
from noughts.cli.files import opened, source_name
from noughts.errors import InvalidRecord, InvalidRules, NoughtsError
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.names import rules_text
from noughts.game.rules import Rules
from noughts.opponent.exact.solver import Progress, Solution, Solver
from noughts.picture import cell_name, symbol
from noughts.records import CallList, Read, Record
from noughts.records.formats import Reading, read_file
from noughts.records.moves import read_moves

REASONS = {"time": "time limit reached", "memory": "more --memory is needed for this board"}
DISTANCE_SECONDS = 10.0  # without --seconds; the distance from an opening may take hours


@click.command()
@click.argument(
    "position",
    metavar="[MOVES|FILE|-]",
    default="",
    help="Moves that lead to the position, such as B2 A1, or a file of positions.",
)
@options.reading
@click.option(
    "--seconds", type=options.Number(min=0), help="Time limit for a position.", show_default="none"
)
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    default=256,
    help="Megabytes for the table of solved positions.",
)
@click.option(
    "--score",
    is_flag=True,
    help="Also print the score: s if the player to move wins with the s-th mark from the end, "
    "-s if the opponent does.",
)
def solve(
    position: str,
    reading: Reading,
    seconds: float | None,
    memory: int,
    score: bool,
) -> None:
    """Find who wins on small boards with best play, and in how many moves.

    The limit is 64 cells. Without moves, solve the empty board; without --rules, on 3×3. For each
    position in a file, print a line of JSON: the value for the player to move (1, 0, -1; null if
    unknown), the best move and the plies to the end. The result is exact. Without --seconds or
    --score, the search for the number of moves stops after 10 s. Exit status: 0 if every winner is
    found, 1 if time or memory runs out or a position cannot be read.
    """
    if position == "-" or "://" in position or _is_file(position):
        sys.exit(0 if _solve_file(position, reading, seconds, memory, score) else 1)
    rules = reading.rules or Rules()
    if reading.format:
        raise click.UsageError(f"--format is for files, and there is no file {position!r}.")
    try:
        game = Game.replay(rules, read_moves(position, rules, reading.origin))
    except NoughtsError as error:
        raise click.BadParameter(
            f"there is no file {position!r}, and as moves on {rules_text(rules)} (see --rules): "
            f"{error.args[0]}"
        ) from None
    solver = _solver(rules, memory)
    print(f"{rules_text(rules)}\n")
    with working("starting") as status:

        def show(nodes: int, seconds: float) -> None:
            status.update(f"{nodes:,} positions, {nodes / max(seconds, 1e-9):,.0f} per second")

        solution = _solved(solver, game, seconds, score, show)
        line = _line(solver, game, solution, seconds)
    print(f"value      {_winner(game, solution)}")
    if score:
        print(f"score      {_score(game, solution)}")
    if solution.best:
        print(f"best move  {cell_name(solution.best)}")
    if line:
        print(f"line       {' '.join(map(cell_name, line))}")
    print(f"positions  {solution.nodes:,}")
    print(f"seconds    {solution.seconds:.3f}")
    if solution.value is None:
        sys.exit(1)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # too long for a name
        return False


def _solve_file(
    source: str, reading: Reading, seconds: float | None, memory: int, score: bool
) -> bool:
    """Print a line for each position of a file; return whether all were solved."""
    solver, complete = None, True
    with opened(source) as file:
        for number, record in enumerate(read_file(file, source_name(source), reading), start=1):
            try:
                game = _game(record)
                if solver is None or solver.rules != game.rules:
                    solver = _solver(game.rules, memory)
            except NoughtsError as error:
                where = f"{source_name(source)}, position {number}: "
                print(error if error is record else f"{where}{error}", file=sys.stderr)
                complete = False
                continue
            solution = _solved(solver, game, seconds, score)
            complete = complete and solution.value is not None
            name = record.id if isinstance(record, Record) else None
            found: dict[str, object] = {} if name is None else {"id": name}
            found |= {"moves": game.history, "value": solution.value, "best": solution.best}
            found |= {"plies": solution.plies}
            found |= {"score": _score(game, solution)} if score else {}
            print(json.dumps(found))
    return complete


def _game(record: Read) -> Game:
    """Return the position of a record; raise NoughtsError if there is none."""
    if isinstance(record, InvalidRecord):
        raise record
    if isinstance(record, CallList):
        raise NoughtsError("solve needs a position; use noughts trace for a call list")
    return record.game()


def _solver(rules: Rules, memory: int) -> Solver:
    try:
        return Solver(rules, memory=memory * 2**20)
    except (InvalidRules, MemoryError) as error:
        raise click.BadParameter(str(error)) from None


def _solved(
    solver: Solver,
    game: Game,
    seconds: float | None,
    score: bool,
    show: Progress | None = None,
) -> Solution:
    """Return the solution of a position, with the distance if it is found in time."""
    if score:
        return solver.solve(game, seconds=seconds, progress=show, distance=True)
    first = solver.solve(game, seconds=seconds, progress=show)
    if not first.value:
        return first
    left = DISTANCE_SECONDS
    if seconds is not None:
        left = max(0.0, seconds - first.seconds)
    second = solver.solve(game, seconds=left, progress=show, distance=True)
    best = second if second.value is not None else first
    nodes, spent = first.nodes + second.nodes, first.seconds + second.seconds
    return Solution(best.value, best.best, nodes, spent, best.reason, best.plies)


def _winner(game: Game, solution: Solution) -> str:
    """Return the result of a position in words."""
    if solution.value is None:
        return f"unknown: {REASONS[solution.reason or 'time']}"
    if not solution.value:
        return "draw"
    winner = symbol(game.turn if solution.value > 0 else 3 - game.turn)
    if game.outcome:
        return f"{winner} has won"
    if solution.plies is None:
        return f"{winner} wins"
    moves = (solution.plies + 1) // 2
    return f"{winner} wins in {moves} move{'s' * (moves > 1)}"


def _score(game: Game, solution: Solution) -> int | None:
    """Return the score for the player to move; None if it is unknown."""
    if not solution.value:
        return solution.value
    if solution.plies is None:
        return None
    return solution.value * ((game.rules.cells - game.ply - solution.plies) // 2 + 1)


def _line(solver: Solver, game: Game, solution: Solution, seconds: float | None) -> list[Cell]:
    """Return the moves with which a player wins, as far as they can be found in the time left."""
    game, line = game.copy(), list[Cell]()
    distance = solution.plies is not None
    left = None if seconds is None else seconds - solution.seconds
    while solution.value and solution.best:
        line.append(solution.best)
        game.play(solution.best)
        limit = None if left is None else max(0.0, left)
        solution = solver.solve(game, seconds=limit, distance=distance)
        left = None if left is None else left - solution.seconds
    return line
