"""A checker for `TicTacToe` solutions: it plays them, explains mistakes and measures costs."""

from noughts.checker.check import check
from noughts.checker.report import Complexity, Counterexample, Report

Growth = Complexity  # its name in version 0.1

__all__ = ["Complexity", "Counterexample", "Growth", "Report", "check"]
