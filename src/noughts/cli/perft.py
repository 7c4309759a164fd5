"""``noughts perft``: how large a game is."""

from __future__ import annotations

from itertools import count
from time import perf_counter
from typing import Annotated

import typer

from noughts import perft as counting
from noughts.cli.board import Terminal, working
from noughts.cli.options import Board, EarlyDraw, K, Players, rules_of
from noughts.errors import size
from noughts.game import Game


def perft(
    board: Board = "3x3",
    k: K = None,
    players: Players = 2,
    early_draw: EarlyDraw = False,
    depth: Annotated[
        int | None,
        typer.Option(min=1, help="Stop at this ply.", show_default="when every game has ended"),
    ] = None,
    positions: Annotated[
        bool, typer.Option("--positions", help="Count the different positions too.")
    ] = False,
) -> None:
    """Count the move sequences of each length, ply by ply.

    Each line appears as it is counted; Ctrl-C ends a count that takes too long.
    """
    if depth and positions:
        raise typer.BadParameter("--positions counts the whole game: leave --depth out")
    game = Game(rules_of(board, k, players, early_draw))
    console = Terminal()
    print(f"{size(game.rules.shape)}, {game.rules.k} in a row, {players} players\n")
    print(f"{'ply':>5}  {'sequences':>20}  {'seconds':>9}")
    for ply in range(1, depth + 1) if depth else count(1):
        start = perf_counter()
        with working(f"counting ply {ply}"):
            sequences = counting.perft(game, ply)
        if not sequences:
            break
        console.print(f"{ply:>5}  {sequences:>20,}  {perf_counter() - start:>9.3f}")
    if positions:
        with working("counting positions"):
            kinds = counting.count_positions(game)
            symmetric = counting.count_positions(game, symmetric=True)
        print(f"\n{kinds.total():,} positions, {symmetric.total():,} up to symmetry")
        for (status, winner), number in sorted(kinds.items(), key=str):
            print(f"{number:>12,}  {status}{f' by {winner}' if winner else ''}")
