"""Who plays: advice for any game, with a proof where there is one."""

from noughts.opponent.advice import Advice
from noughts.opponent.levels import LEVELS, advise
from noughts.opponent.match import play_match
from noughts.opponent.potential import potential, potential_after
from noughts.opponent.reason import reason
from noughts.opponent.solver import Solution, solve

__all__ = [
    "LEVELS",
    "Advice",
    "Solution",
    "advise",
    "play_match",
    "potential",
    "potential_after",
    "reason",
    "solve",
]
