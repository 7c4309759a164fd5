"""A game between engines and levels, refereed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter

from noughts.engines.engine import Engine
from noughts.engines.process import EngineError
from noughts.errors import IllegalMove
from noughts.game import Game
from noughts.geometry import Cell
from noughts.opponent import advise
from noughts.records import Note, Record
from noughts.rules import Rules

Player = Engine | str
"""An engine, or the name of a level."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played to its end.

    Attributes:
        record: its moves, who won, the players' names, the time of each move, and as its comment
            the message of a fault.
        reason: how it ended: the value of a `noughts.Termination`, or the fault with which a player
            lost: "illegal", or a reason of `EngineError`.
        at_fault: the player who lost by a fault; None if nobody did.
    """

    record: Record
    reason: str
    at_fault: int | None = None


def play_game(
    rules: Rules, players: tuple[Player, Player], seconds: float, opening: Iterable[Cell] = ()
) -> PlayedGame:
    """Play a game to its end.

    An engine that moves illegally, crashes, is silent, late or writes garbage loses, with the
    reason. Levels are not timed: what they are given, they keep.

    Args:
        rules: of two players; where an engine plays, a game that the protocol has.
        players: who plays first and second. Engines are started for the game, and left running.
        seconds: for each move.
        opening: the moves that are made before the first player thinks.

    Raises:
        IllegalMove: the opening is not legal.
        ValueError: the rules are not for these players, there is no such level, or an engine is to
            play itself, which takes two of them.

    >>> play_game(Rules(), ("easy", "strong"), 1.0).at_fault
    """
    if rules.players != 2:
        raise ValueError(f"a game is between two players, not {rules.players}")
    if players[0] is players[1] and isinstance(players[0], Engine):
        raise ValueError(f"{players[0].name} cannot play itself: run it twice")
    game = Game.replay(rules, opening)
    notes = [Note()] * game.ply
    player = 1

    def played(reason: str, result: int, fault: str = "") -> PlayedGame:
        names = tuple(player if isinstance(player, str) else player.name for player in players)
        record = Record(rules, game.history, None, result, names, fault, tuple(notes))
        return PlayedGame(record, reason, 3 - result if fault else None)

    try:
        for player in (1, 2):
            if isinstance(engine := players[player - 1], Engine):
                engine.start(rules)
        while game.outcome is None:
            player, began = game.turn, perf_counter()
            cell = _move(players[player - 1], game, seconds)
            note = Note(took=round((perf_counter() - began) * 1000))
            game.play(cell)
            notes.append(note)
    except EngineError as error:
        return played(error.reason, 3 - player, str(error))
    except IllegalMove as error:
        return played("illegal", 3 - player, str(error))
    return played(game.outcome.termination.value, game.outcome.winner or 0)


def _move(player: Player, game: Game, seconds: float) -> Cell:
    if isinstance(player, Engine):
        return player.move(game, seconds)
    return advise(game, level=player, seconds=seconds).cell
