"""A game between engines and levels, refereed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter

from noughts.engines.engine import TOLERANCE, Engine, check_rules
from noughts.engines.process import EngineError
from noughts.errors import IllegalMove
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import Rules
from noughts.opponent import LEVELS, advise
from noughts.opponent.exact.position import tables_of
from noughts.records import Note, Record


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the computer, as a player.

    Attributes:
        name: one of `noughts.opponent.LEVELS`.
        nodes, seed: as for `noughts.opponent.advise`.
    """

    name: str
    nodes: int | None = None
    seed: int | None = None


Player = Engine | Level


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
    rules: Rules,
    players: tuple[Player | str, Player | str],
    seconds: float,
    opening: Iterable[Cell] = (),
    *,
    watch: Callable[[Game], object] | None = None,
) -> PlayedGame:
    """Play a game to its end.

    An engine that moves illegally, crashes, is silent, late or writes garbage loses, with the
    reason. Levels are not timed: what they are given, they keep.

    Args:
        rules: of two players; where an engine plays, a game that the protocol has.
        players: who plays first and second; a text is the name of a level. Engines are started for
            the game, and left running.
        seconds: for each move.
        opening: the moves that are made before the first player thinks.
        watch: called with the game before each move; what it raises ends the game.

    Raises:
        IllegalMove: the opening is not legal.
        ValueError: the rules are not for these players, there is no such level, or an engine is to
            play itself, which takes two of them.

    >>> play_game(Rules(), ("easy", "strong"), 1.0).at_fault
    """
    if rules.players != 2:
        raise ValueError(f"a game is between two players, not {rules.players}")
    one, other = (Level(player) if isinstance(player, str) else player for player in players)
    if one is other and isinstance(one, Engine):
        raise ValueError(f"{one.name} cannot play itself: run it twice")
    game = Game.replay(rules, opening)
    notes = [Note()] * game.ply
    turn = 1

    def played(reason: str, result: int, fault: str = "") -> PlayedGame:
        names = one.name, other.name
        record = Record(rules, game.history, None, result, names, fault, tuple(notes))
        return PlayedGame(record, reason, 3 - result if fault else None)

    try:
        for turn in (1, 2):
            if isinstance(engine := (one, other)[turn - 1], Engine):
                engine.start(rules)
        while game.outcome is None:
            if watch:
                watch(game)
            turn, began = game.turn, perf_counter()
            cell = move_of((one, other)[turn - 1], game, seconds)
            note = Note(took=round((perf_counter() - began) * 1000))
            game.play(cell)
            notes.append(note)
    except EngineError as error:
        return played(error.reason, 3 - turn, str(error))
    except IllegalMove as error:
        return played("illegal", 3 - turn, str(error))
    return played(game.outcome.termination.value, game.outcome.winner or 0)


def player_of(
    text: str, *, tolerance: float = TOLERANCE, nodes: int | None = None, seed: int | None = None
) -> Player:
    """The level of this name, or else the engine that this command runs."""
    return Level(text, nodes, seed) if text in LEVELS else Engine(text, tolerance=tolerance)


def check_player(player: Player, rules: Rules) -> None:
    """Raise ValueError if a player cannot play by these rules."""
    if isinstance(player, Engine):
        check_rules(rules)
    elif player.name != "random":
        tables_of(rules)


def move_of(player: Player, game: Game, seconds: float) -> Cell:
    """Where a player moves in a game; an engine was started for its rules.

    Raises:
        EngineError: the engine has failed.
    """
    if isinstance(player, Engine):
        return player.move(game, seconds)
    level, nodes, seed = player.name, player.nodes, player.seed
    return advise(game, level=level, seconds=seconds, nodes=nodes, seed=seed).cell
