"""The board on a terminal, in colour if it has colours."""

import re

from rich.console import Console
from rich.status import Status
from rich.text import Text

from noughts.game.game import Game
from noughts.picture import symbol, text
from noughts.picture.text import FORBIDDEN

MARK_STYLES = ("dim", "bold cyan", "bold red", "bold green", "bold magenta", "bold yellow")


class Terminal(Console):
    """Standard output, in colour on a terminal; long lines are not wrapped."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def on_broken_pipe(self) -> None:
        """Leave a closed pipe to the application, which ends quietly."""
        self.quiet = True
        raise BrokenPipeError


def working(doing: str) -> Status:
    """On a terminal, shows on standard error what is being done."""
    # Console.status would import Status late, when Ctrl-C may interrupt it.
    return Status(doing, console=Console(stderr=True))


def print_board(console: Console, game: Game) -> None:
    """Print the board, each player's marks in a different colour."""
    styles = {symbol(player): mark_style(player) for player in range(game.rules.players + 1)}
    styles |= {"[": "bold yellow", "]": "bold yellow", FORBIDDEN: "red"}
    board = Text()
    for line in text(game).splitlines(keepends=True):
        row = re.match(" *[0-9]+ ", line)
        marks = row.end() if row else len(line)
        board.append(line[:marks], "dim")
        for character in line[marks:]:
            board.append(character, styles.get(character))
    console.print(board)


def mark_style(player: int) -> str:
    """The style of a player's mark, or of an empty cell for player 0."""
    return MARK_STYLES[player] if player < len(MARK_STYLES) else "bold"
