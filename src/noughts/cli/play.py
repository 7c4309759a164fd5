"""``noughts play``: people at one terminal."""

from __future__ import annotations

import sys

import typer
from rich.console import Console

from noughts.cli.board import Terminal, mark_style, print_board
from noughts.cli.options import Board, EarlyDraw, K, Players, rules_of
from noughts.errors import IllegalMove, size
from noughts.game import Game
from noughts.outcome import Outcome, Termination
from noughts.picture import cell_name, read_cell, standing, symbol, text

HELP = """\
  b2       play column B, row 2; or 1,1: row and column counted from 0
  undo     take the last move back
  resign   give the game up
  quit     leave"""


def play(
    board: Board = "3x3",
    k: K = None,
    players: Players = 2,
    early_draw: EarlyDraw = False,
) -> None:
    """Play a game at this terminal, taking turns.

    At the prompt write a cell, b2 or 1,1, or undo, resign, quit or help.
    """
    game = Game(rules_of(board, k, players, early_draw))
    console = Terminal()
    try:
        width = max(map(len, text(game).splitlines()))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if console.is_terminal and width > console.width:
        raise typer.BadParameter(
            f"a {size(game.rules.shape)} board is {width} columns wide, "
            f"and this terminal has {console.width}"
        )
    rules = f"{size(game.rules.shape)}, {game.rules.k} in a row wins"
    console.print(f"{rules}. Write a cell, such as b2, or help.\n", style="dim")
    try:
        outcome = _play_to_the_end(console, game)
    except EOFError:
        console.print()
        return
    if outcome is not None:
        print_board(console, game)
        console.print(f"\n{_ending(game, outcome)}", style="bold")


def _play_to_the_end(console: Console, game: Game) -> Outcome | None:
    """Ask for moves until the game is over, or None if someone quits."""
    show = True
    while game.outcome is None:
        if show:
            print_board(console, game)
            console.print()
        mark = symbol(game.turn)
        console.print(mark, style=mark_style(game.turn), end="")
        command = console.input("> ").strip().lower()
        if not sys.stdin.isatty():
            console.print(command)  # as a terminal would show what is typed
        show = False
        if command in ("quit", "exit", "q"):
            return None
        if command == "resign" and game.rules.players == 2:
            console.print()
            return Outcome(Termination.RESIGNATION, 3 - game.turn)
        if command == "resign":
            console.print("With more than two players nobody can resign; quit ends the game.")
        elif command in ("help", "?"):
            console.print(HELP)
        elif command == "undo":
            show = _undo(console, game)
        elif command:
            show = _move(console, game, command)
    return game.outcome


def _undo(console: Console, game: Game) -> bool:
    if not game.ply:
        console.print("There is no move to take back.")
        return False
    console.print(f"{cell_name(game.undo())} is taken back.\n")
    return True


def _move(console: Console, game: Game, written: str) -> bool:
    try:
        cell = read_cell(written, len(game.rules.shape))
    except ValueError as error:
        console.print(f"{error}, or help.")
        return False
    try:
        game.play(cell)
    except IllegalMove as error:
        reason = {
            "off_board": f"off the {size(game.rules.shape)} board",
            "cell_taken": "already taken",
        }[error.code]
        console.print(f"{written.upper()} is {reason}.")
        return False
    console.print()
    return True


def _ending(game: Game, outcome: Outcome) -> str:
    if outcome.termination is Termination.RESIGNATION:
        return f"{symbol(game.turn)} resigns: {symbol(outcome.winner or 0)} wins."
    lines = " and ".join(" ".join(map(cell_name, line)) for line in outcome.lines)
    result = standing(game)
    return f"{result[0].upper()}{result[1:]}{f' with {lines}' if lines else ''}."
