"""Engines: the Gomocup protocol in both directions, players written in Python, and matches.

`Engine` runs another program as an engine; `noughts.engines.brain` runs noughts as one. `Agent`
runs a function in a Python file.
"""

from noughts.engines.agent import Agent
from noughts.engines.engine import Engine
from noughts.engines.match import Fixture, Match, MatchGame
from noughts.engines.played_game import Level, PlayedGame, Player, play_game
from noughts.engines.process import EngineError

__all__ = [
    "Agent",
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
