"""The computer player: advice for any game, with a proof where one can be found."""

from noughts.opponent.advice import Advice, reason
from noughts.opponent.analysis import Finding, analyse
from noughts.opponent.exact.proofs import potential, potential_after
from noughts.opponent.exact.solver import Solution, solve
from noughts.opponent.levels import LEVELS, advise

__all__ = [
    "LEVELS",
    "Advice",
    "Finding",
    "Solution",
    "advise",
    "analyse",
    "potential",
    "potential_after",
    "reason",
    "solve",
]
