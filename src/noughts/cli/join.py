"""``noughts join``: an engine or a level takes a seat in a game of a server."""

import sys
from contextlib import ExitStack
from uuid import uuid4

import click

from noughts.cli import options
from noughts.cli.players import Player
from noughts.engines import Engine
from noughts.engines.match import name_and_player
from noughts.engines.play import player_of
from noughts.engines.seat import address_of, play_seat, rules_at, take_seat
from noughts.errors import IllegalMove, NoughtsError
from noughts.game.names import rules_text
from noughts.picture import symbol
from noughts.records.atomic import exit_on_signals

WHY = {  # a game was won without a line, by its last status
    "resigned": ", as the other has resigned",
    "timeout": ", as the other's time was up",
}


@click.command()
@click.argument("link", metavar="URL", help="The link that invites to a game.")
@click.option(
    "--engine",
    "text",
    metavar="PLAYER",
    type=Player(),
    required=True,
    help="Who plays: a level, or the command that runs an engine.",
)
@click.option("--name", help="The player's name.", show_default="the one it gives itself")
@options.seconds("How long it may think about a move.")
@click.option(
    "--key", help="The key of a seat that was left, to take it again.", show_default="a new one"
)
def join(link: str, text: str, name: str | None, seconds: float, key: str | None) -> None:
    """Let an engine or a level play a game on a server.

    It joins by the link and plays until the game ends. It lets the other player take moves back. If
    the connection breaks, it connects again. Ctrl-C leaves the seat as it is.
    """
    called, text = name_and_player(text)
    player = player_of(text)
    try:
        address, invite = address_of(link)
        player.check(rules := rules_at(address))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    key = key or uuid4().hex
    with exit_on_signals(), ExitStack() as stack:
        if isinstance(player, Engine):
            stack.enter_context(player).start(rules)
        seat = take_seat(address, invite, name or called or player.name, key, _say)
        mark = symbol(seat.number)
        print(f"{rules_text(rules)}: {player.name} plays {mark}", flush=True)
        try:
            state = play_seat(seat, player, seconds, _say)
        except BaseException as error:
            if isinstance(error, IllegalMove):
                error = NoughtsError(f"{player.name} has moved illegally: {error}")
            _say(f"{mark} has no player now; the same command with --key {key} takes it again")
            raise error from None
    winner = "nobody" if state["winner"] is None else symbol(state["winner"])
    print(f"{winner} has won{WHY.get(state['status'], '')}")


def _say(text: str) -> None:
    print(f"noughts: {text}", file=sys.stderr)
