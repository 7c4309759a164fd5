"""Output to the terminal: boards in colour, and a status while a command works."""

import re

from rich.console import Console
from rich.status import Status
from rich.text import Text

from noughts.game.game import Game
from noughts.picture import symbol, text
from noughts.picture.text import FORBIDDEN

MARK_STYLES = ("dim", "bold cyan", "bold red", "bold green", "bold magenta", "bold yellow")


class Terminal(Console):
    """Standard output, coloured on a terminal; long lines are not wrapped."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError; the application then exits quietly."""
        self.quiet = True
        raise BrokenPipeError


def working(doing: str) -> Status:
    """Return a context manager that shows this status on standard error, if that is a terminal."""
    # Console.status would import Status late, when Ctrl-C may interrupt the import.
    return Status(doing, console=Console(stderr=True))


def print_board(console: Console, game: Game, notation: str = "spreadsheet") -> None:
    """Print the board, with each player's marks in a different colour, and this notation."""
    styles = {symbol(player): mark_style(player) for player in range(game.rules.players + 1)}
    styles |= {"[": "bold yellow", "]": "bold yellow", FORBIDDEN: "red"}
    board = Text()
    for line in text(game, notation).splitlines(keepends=True):
        row = re.match(" *[0-9a-zA-Z]+ (?=[ \\[])", line)
        marks = row.end() if row else len(line)
        board.append(line[:marks], "dim")
        for character in line[marks:]:
            board.append(character, styles.get(character))
    console.print(board)


def mark_style(player: int) -> str:
    """Return the style of a player's marks, or of empty cells if `player` is 0."""
    return MARK_STYLES[player] if player < len(MARK_STYLES) else "bold"
