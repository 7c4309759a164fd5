"""Engines: the Gomocup protocol in both directions, and matches.

`Engine` runs another program as an engine; `noughts.engines.brain` runs noughts as one.
"""

from noughts.engines.engine import Engine
from noughts.engines.match import Fixture, Match, MatchGame
from noughts.engines.played_game import Level, PlayedGame, Player, play_game
from noughts.engines.process import EngineError

__all__ = [
    "Engine",
    "EngineError",
    "Fixture",
    "Level",
    "Match",
    "MatchGame",
    "PlayedGame",
    "Player",
    "play_game",
]
