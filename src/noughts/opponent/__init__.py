"""Who plays: advice for any game, with a proof where there is one."""

from noughts.opponent.advice import Advice
from noughts.opponent.levels import LEVELS, advise

__all__ = ["LEVELS", "Advice", "advise"]
