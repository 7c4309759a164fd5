"""The board on a terminal, in colour where there is any."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from noughts.game import Game
from noughts.picture import symbol, text

STYLES = {1: "bold cyan", 2: "bold red", 3: "bold green", 4: "bold magenta", 5: "bold yellow"}


def coloured_board(game: Game) -> Text:
    """The board as text, each player's marks in their colour, winning lines in reverse."""
    board = Text(text(game))
    board.highlight_regex(r"^[/0-9]+$|^ *[A-Z][A-Z ]*$|^ *\d+(?= )|·", "dim")
    for player in range(1, game.rules.players + 1):
        mark = symbol(player)
        board.highlight_regex(rf"(?<= ){mark}(?=\s|$)(?<!^)|\[{mark}\]", mark_style(player))
    board.highlight_regex(r"\[.\]", "reverse")
    return board


def mark_style(player: int) -> str:
    """The style of a player's mark."""
    return STYLES.get(player, "bold")


def print_board(console: Console, game: Game) -> None:
    """Print the board, never wrapped."""
    console.print(coloured_board(game), soft_wrap=True)
