"""``noughts solve``: the winner on a small board with best play."""

import sys

import click

from noughts.cli import options
from noughts.cli.board import working
from noughts.errors import InvalidRules
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.names import rules_text
from noughts.game.rules import Rules
from noughts.opponent.exact.solver import Solution, Solver
from noughts.picture import cell_name

VALUES = {1: "the first player wins", 0: "draw", -1: "the second player wins"}
REASONS = {"time": "time limit reached", "memory": "more --memory is needed for this board"}


@click.command()
@options.rules
@click.option("--seconds", type=options.Number(min=0), help="Time limit.", show_default="none")
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    default=256,
    help="Megabytes for the table of solved positions.",
)
def solve(rules: Rules, seconds: float | None, memory: int) -> None:
    """Find out who wins with best play, on boards of up to 64 cells.

    The result is exact. Exit status: 0 if the position is solved, 1 if time or memory runs out.
    """
    try:
        solver = Solver(rules, memory=memory * 2**20)
    except (InvalidRules, MemoryError) as error:
        raise click.BadParameter(str(error)) from None
    print(f"{rules_text(rules)}\n")
    with working("starting") as status:

        def show(nodes: int, seconds: float) -> None:
            status.update(f"{nodes:,} positions, {nodes / max(seconds, 1e-9):,.0f} per second")

        solution = solver.solve(Game(rules), seconds=seconds, progress=show)
        line = _line(solver, solution, seconds)
    if solution.value is None:
        print(f"value      unknown: {REASONS[solution.reason or 'time']}")
    else:
        print(f"value      {VALUES[solution.value]}")
    if solution.best:
        print(f"best move  {cell_name(solution.best)}")
    if line:
        print(f"line       {' '.join(map(cell_name, line))}")
    print(f"positions  {solution.nodes:,}")
    print(f"seconds    {solution.seconds:.3f}")
    if solution.reason:
        sys.exit(1)


def _line(solver: Solver, solution: Solution, seconds: float | None) -> list[Cell]:
    """Return a winning line, as far as it can be found in the time left."""
    game, line = Game(solver.rules), []
    left = None if seconds is None else max(0, seconds - solution.seconds)
    while solution.value and solution.best:
        line.append(solution.best)
        game.play(solution.best)
        solution = solver.solve(game, seconds=left)
    return line
