"""Other programs that play: the Gomocup protocol, both ways.

`Engine` runs another program as an engine; `noughts.engines.conversation` makes noughts one.
"""

from noughts.engines.engine import Engine
from noughts.engines.match import Fixture, Match, MatchGame
from noughts.engines.play import Level, PlayedGame, Player, play_game
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
