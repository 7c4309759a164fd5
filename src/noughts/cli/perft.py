"""``noughts perft``: the number of games and positions."""

from itertools import count
from time import perf_counter

import click

from noughts.cli import options
from noughts.cli.board import Terminal, working
from noughts.errors import NoughtsError
from noughts.game.game import Game
from noughts.game.names import rules_text
from noughts.game.rules import Rules
from noughts.opponent.exact import perft as counting


@click.command()
@options.rules
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    help="Last ply to count.",
    show_default="the end of every game",
)
@click.option("--positions", is_flag=True, help="Also count the distinct positions.")
def perft(rules: Rules, depth: int | None, positions: bool) -> None:
    """Count the move sequences of each length.

    Each count is printed as soon as it is known; press Ctrl-C to stop.
    """
    if depth and positions:
        raise click.BadParameter(
            "--positions counts the whole game and cannot be combined with --depth"
        )
    game = Game(rules)
    console = Terminal()
    print(f"{rules_text(rules)}, {rules.players} players\n")
    print(f"{'ply':>5}  {'sequences':>20}  {'seconds':>9}")
    for ply in range(1, depth + 1) if depth else count(1):
        start = perf_counter()
        try:
            with working(f"counting ply {ply}"):
                sequences = counting.perft(game, ply)
        except ValueError as error:
            raise NoughtsError(str(error)) from None
        if not sequences:
            break
        console.print(f"{ply:>5}  {sequences:>20,}  {perf_counter() - start:>9.3f}")
    if positions:
        with working("counting positions"):
            kinds = counting.count_positions(game)
            symmetric = counting.count_positions(game, symmetric=True)
        print(f"\n{kinds.total():,} positions, {symmetric.total():,} up to symmetry")
        for (status, winner), number in sorted(kinds.items(), key=str):
            print(f"{number:>12,}  {status}{f' by player {winner}' if winner else ''}")
