"""``noughts join``: let a program or the computer play a game on a server."""

import sys
from contextlib import ExitStack
from uuid import uuid4

import click

from noughts.cli import options
from noughts.cli.players import KINDS, Player, warn_if_unconfined
from noughts.engines.match import name_and_player
from noughts.engines.played_game import player_of
from noughts.engines.program import Program
from noughts.engines.remote_player import api_url, play_seat, rules_at, take_seat
from noughts.errors import IllegalMove, NoughtsError
from noughts.game.names import rules_text
from noughts.opponent.levels import LEVELS
from noughts.picture import symbol
from noughts.records.atomic import exit_on_signals

WHY = {"resigned": " by resignation", "timeout": " on time"}  # of a win without a line


@click.command()
@click.argument("link", metavar="URL", help="Invitation link of the game.")
@click.option(
    "--engine",
    "text",
    metavar="PLAYER",
    type=Player(LEVELS),
    required=True,
    help=f"Level, {KINDS}.",
)
@click.option("--name", help="Name of the player.", show_default="the engine's own name")
@options.seconds("Time limit for each move.")
@click.option(
    "--key", help="Key of an earlier run, to return to its seat.", show_default="a new one"
)
def join(link: str, text: str, name: str | None, seconds: float, key: str | None) -> None:
    """Let a program or the computer play a game on a server.

    The player joins through the link and plays until the game ends. It accepts every takeback
    request and reconnects if the connection breaks. Ctrl-C stops it; its seat stays taken.
    """
    called, text = name_and_player(text)
    player = player_of(text)
    try:
        url, invite = api_url(link)
        player.check(rules := rules_at(url))
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    warn_if_unconfined([text])
    key = key or uuid4().hex
    with exit_on_signals(), ExitStack() as stack:
        if isinstance(player, Program):
            stack.enter_context(player)
            player.start(rules)
        seat = take_seat(url, invite, name or called or player.name, key, _say)
        mark = symbol(seat.number)
        print(f"{rules_text(rules)}: {player.name} plays {mark}", flush=True)
        try:
            state = play_seat(seat, player, seconds, _say)
        except BaseException as error:
            if isinstance(error, IllegalMove):
                error = NoughtsError(f"{player.name} played an illegal move: {error}")
            _say(f"{mark} has stopped playing; run the same command with --key {key} to continue")
            raise error from None
    if state["winner"] is None:
        print("draw")
    else:
        print(f"{symbol(state['winner'])} wins{WHY.get(state['status'], '')}")


def _say(text: str) -> None:
    print(f"noughts: {text}", file=sys.stderr)
