"""``noughts play``: a game between people at one terminal, or against a program."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import TextIOWrapper

import click
from rich.console import Console

from noughts.cli import options
from noughts.cli.board import Terminal, mark_style, print_board, working
from noughts.cli.moves import read_move
from noughts.cli.players import KINDS, Player, warn_if_unconfined
from noughts.errors import CellTaken, Floating, Foul, IllegalMove, NoughtsError, OffBoard, size
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.names import rules_text
from noughts.game.outcome import Outcome, Termination
from noughts.game.rules import Rules
from noughts.opponent import advise, reason
from noughts.opponent.exact.position import tables_of
from noughts.opponent.levels import LEVELS
from noughts.picture import cell_name, column_name, standing, symbol, text

HELP = """\
  {name:<8} {does}; {cell} (row and column from 0) works too
  hint     suggest a move, and say what is proved about it
  undo     undo the last move
  resign   resign a game of two players
  quit     leave the game"""
SIDES = ("human", "computer")
Choose = Callable[[Game], Cell]  # returns the opponent's move


@click.command()
@options.rules
@click.option(
    "--opponent",
    metavar="PLAYER",
    type=Player(SIDES),
    default="human",
    help=f"Opponent: human (another person), computer, {KINDS}.",
)
@click.option(
    "--level", type=options.Choice(LEVELS), help="Level of the computer.", show_default="strong"
)
@click.option(
    "--first",
    type=options.Choice(SIDES),
    show_default="human",
    help="Who moves first; computer means the opponent, whatever program that is.",
)
@options.seconds("Seconds per move for the strong level or another program.")
@options.seed
def play(
    rules: Rules,
    opponent: str,
    level: str | None,
    first: str | None,
    seconds: float,
    seed: int | None,
) -> None:
    """Play in the terminal, against a person, the computer or another program.

    At the prompt, enter a cell such as b2 or 1,1 (row and column from 0), or hint, undo, resign,
    quit or help. With gravity, a column such as b or 2 is enough. In three dimensions, write 2/b3.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is typed may be in any encoding
    if level and opponent != "computer":
        raise click.BadParameter("--level needs --opponent computer")
    if first and opponent == "human":
        raise click.BadParameter("--first needs --opponent computer or another program")
    game, players = Game(rules), rules.players
    console = Terminal()
    try:
        width = max(map(len, text(game).splitlines()))
        if opponent == "computer":
            tables_of(game.rules)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    if console.is_terminal and width > console.width:
        raise click.BadParameter(
            f"a {size(game.rules.shape)} board is {width} columns wide, "
            f"and this terminal has {console.width}"
        )
    people = set(range(1, players + 1))
    if opponent != "human":
        people = {players if first == "computer" else 1}
    place = "column" if rules.gravity else "cell"
    prompt = f"Enter a {place} such as {' or '.join(_examples(game))}, or help."
    with _opponent(opponent, rules, level or "strong", seconds, seed) as (name, choose):
        console.print(f"{rules_text(rules)}. {prompt}\n", style="dim")
        table = Table(console, game, people, name, choose, seconds, seed)
        try:
            outcome = table.play_to_the_end()
        except EOFError:
            console.print()
            return
    if outcome is not None:
        print_board(console, game)
        console.print(f"\n{_ending(game, outcome)}", style="bold")


@contextmanager
def _opponent(
    opponent: str, rules: Rules, level: str, seconds: float, seed: int | None
) -> Iterator[tuple[str, Choose]]:
    """Yield the name of the opponent and the function that chooses its moves.

    Raises:
        click.BadParameter: the opponent cannot play by these rules.
        EngineError: the program does not start.
    """
    if opponent in SIDES:
        yield (
            "The computer",
            lambda game: advise(game, level=level, seconds=seconds, seed=seed).cell,
        )
        return
    # `noughts play` alone needs no engines
    from noughts.engines.match import name_and_player
    from noughts.engines.played_game import player_of
    from noughts.engines.program import Program

    name, program = name_and_player(opponent)
    player = player_of(program)
    with ExitStack() as stack:
        try:
            player.check(rules)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None
        warn_if_unconfined([opponent])
        if isinstance(player, Program):
            stack.enter_context(player)
            player.start(rules)
        yield name or player.name, lambda game: player.move(game, seconds)


@dataclass
class Table:
    """A game in progress: the board and the players.

    Attributes:
        people: the players at the keyboard; the opponent plays the others.
        name, choose: the opponent's name and the function that chooses its moves.
        seconds, seed: as for `noughts.opponent.advise`, for hints.
    """

    console: Console
    game: Game
    people: set[int]
    name: str
    choose: Choose
    seconds: float
    seed: int | None

    def play_to_the_end(self) -> Outcome | None:
        """Play until the game is over; return None if a player quits or the opponent fails."""
        show = True
        while self.game.outcome is None:
            if self.game.turn not in self.people:
                try:
                    self.play_opponent_move()
                except NoughtsError as error:
                    print_board(self.console, self.game)
                    winner = symbol(3 - self.game.turn)
                    self.console.print(f"\n{error}: {winner} wins.", style="bold")
                    return None
                continue
            if show:
                print_board(self.console, self.game)
                self.console.print()
            command = self.ask()
            if command in ("quit", "exit", "q"):
                return None
            if command == "resign" and self.game.rules.players == 2:
                self.console.print()
                return Outcome(Termination.RESIGNATION, 3 - self.game.turn)
            show = bool(command) and self.follow(command)
        return self.game.outcome

    def ask(self) -> str:
        """Read a command from the player to move."""
        self.console.print(symbol(self.game.turn), style=mark_style(self.game.turn), end="")
        command = self.console.input("> ").strip().lower()
        if not sys.stdin.isatty():
            self.console.print(command)  # a terminal echoes it
        return command

    def follow(self, command: str) -> bool:
        """Run a command; return whether the board has changed."""
        if command == "undo":
            return self.undo()
        if command == "hint":
            self.hint()
        elif command == "resign":
            self.console.print("Only games of two players can be resigned; enter quit to leave.")
        elif command in ("help", "?"):
            coordinates = ",".join(map(str, _middle(self.game)))
            does = "drop a mark here" if self.game.rules.gravity else "play this cell"
            name = ", ".join(_examples(self.game))
            self.console.print(HELP.format(name=name, does=does, cell=coordinates))
        else:
            return self.move(command)
        return False

    def move(self, written: str) -> bool:
        """Play this cell; return whether the move was legal."""
        try:
            cell = read_move(self.game, written)
        except ValueError as error:
            self.console.print(f"{error}, or help.")
            return False
        try:
            self.game.play(cell)
        except IllegalMove as error:
            self.console.print(f"{written.upper()} is {_reason(self.game, error)}.")
            return False
        self.console.print()
        return True

    def undo(self) -> bool:
        """Undo moves up to and including a person's last one."""
        players = self.game.rules.players
        plies = [ply for ply in range(self.game.ply) if ply % players + 1 in self.people]
        if not plies:
            self.console.print("There are no moves to undo.")
            return False
        cells = [cell_name(self.game.undo()) for _ in range(self.game.ply - plies[-1])]
        self.console.print(f"Undid {' and '.join(reversed(cells))}.\n")
        return True

    def hint(self) -> None:
        """Print the move that the strong level would play, and why."""
        try:
            advice = advise(self.game, seconds=self.seconds, seed=self.seed)
        except ValueError as error:  # the board is too large
            self.console.print(f"No hint: {error}.")
        else:
            self.console.print(f"{cell_name(advice.cell)} {reason(self.game, advice)}.")
            if advice.depth:
                line = " ".join(map(cell_name, advice.line))
                seen = f"Depth {advice.depth}, winning chance {advice.chance}%"
                self.console.print(f"{seen}, expected line: {line}.", style="dim")

    def play_opponent_move(self) -> None:
        """Choose, play and print the opponent's move.

        Raises NoughtsError if it is illegal, or if the opponent's program fails.
        """
        mark = symbol(self.game.turn)
        with working("thinking"):
            cell = self.choose(self.game)
        try:
            self.game.play(cell)
        except IllegalMove as error:
            raise NoughtsError(f"{self.name} played an illegal move: {error}") from None
        self.console.print(f"{self.name} plays {mark} at {cell_name(cell)}.\n")


def _middle(game: Game) -> Cell:
    """Return the cell used in examples."""
    return tuple(side // 2 for side in game.rules.shape)


def _examples(game: Game) -> list[str]:
    """Return the names of the same cell or column."""
    middle = _middle(game)
    if not game.rules.gravity or len(middle) == 1:
        return [cell_name(middle).lower()]
    if len(middle) == 2:
        return [column_name(middle[1]).lower(), str(middle[1] + 1)]
    return [cell_name(middle[1:]).lower()]


def _reason(game: Game, error: IllegalMove) -> str:
    """Return why a move is illegal, to follow the name of its cell."""
    if isinstance(error, Foul):
        return str(error).partition(" is ")[2]
    return {
        OffBoard: f"off the {size(game.rules.shape)} board",
        CellTaken: "already taken",
        Floating: "above an empty cell; marks fall",
    }[type(error)]


def _ending(game: Game, outcome: Outcome) -> str:
    if outcome.termination is Termination.RESIGNATION:
        return f"{symbol(game.turn)} resigns: {symbol(outcome.winner or 0)} wins."
    lines = " and ".join(" ".join(map(cell_name, line)) for line in outcome.lines)
    result = standing(game)
    return f"{result[0].upper()}{result[1:]}{f' with {lines}' if lines else ''}."
