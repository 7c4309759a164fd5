"""Games between engines, agents and levels."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from noughts.engines.agent import Agent, is_agent
from noughts.engines.engine import TOLERANCE, Engine
from noughts.engines.process import EngineError
from noughts.engines.program import Program
from noughts.errors import IllegalMove
from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import Rules, as_rules
from noughts.opponent import LEVELS, advise
from noughts.opponent.exact.position import tables_of
from noughts.records import Note, Record


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the computer as a player.

    Attributes:
        name: one of `noughts.opponent.LEVELS`.
        nodes, seed: as for `noughts.opponent.advise`.
    """

    name: str
    nodes: int | None = None
    seed: int | None = None

    def check(self, rules: Rules) -> None:
        """Raise ValueError if the level cannot play by these rules."""
        if self.name != "random":
            tables_of(rules)

    def move(self, game: Game, seconds: float) -> Cell:
        """Return the cell that it plays."""
        nodes, seed = self.nodes, self.seed
        return advise(game, level=self.name, seconds=seconds, nodes=nodes, seed=seed).cell


Player = Program[Any] | Level
"""A program or a level of the computer."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game.

    Attributes:
        record: the moves, the winner, the names of the players, the time of each move and, as the
            comment, the message about a fault.
        reason: the end of the game: the value of a `noughts.Termination`, or the fault by which a
            player lost, "illegal" or a reason of `EngineError`.
        at_fault: the player who lost by a fault, or None.
    """

    record: Record
    reason: str
    at_fault: int | None = None


def play_game(
    rules: Rules | str,
    players: tuple[Player | str, Player | str],
    seconds: float,
    opening: Iterable[Cell] = (),
    *,
    watch: Callable[[Game], object] | None = None,
) -> PlayedGame:
    """Play a game to its end.

    A program loses if it plays an illegal move, crashes, does not answer or answers late, or writes
    garbage. Levels are not timed, as they keep to their limits.

    Args:
        rules: rules for two players; with an engine, rules of the Gomocup protocol.
        players: the first and the second player, programs or names of levels. Programs are started
            for the game and left running.
        seconds: time limit for each move.
        opening: the moves made before the players think.
        watch: called with the game before each move; an exception that it raises ends the game.

    Raises:
        IllegalMove: the opening is illegal.
        ValueError: a player cannot play by these rules, the level is unknown, or both players are
            the same program.

    >>> play_game(Rules(), ("easy", "strong"), 1.0).at_fault
    """
    rules = as_rules(rules)
    if rules.players != 2:
        raise ValueError(f"a game needs rules for two players, got {rules.players}")
    one, other = (Level(player) if isinstance(player, str) else player for player in players)
    if one is other and isinstance(one, Program):
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
            if isinstance(program := (one, other)[turn - 1], Program):
                program.start(rules)
        while game.outcome is None:
            if watch:
                watch(game)
            turn, began = game.turn, perf_counter()
            cell = (one, other)[turn - 1].move(game, seconds)
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
    """Return the level with this name, the agent in this file, or the engine with this command."""
    if text in LEVELS:
        return Level(text, nodes, seed)
    kind = Agent if is_agent(text) else Engine
    return kind(text, tolerance=tolerance)
