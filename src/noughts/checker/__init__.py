"""Is your TicTacToe right? Other people's solutions, judged and explained."""

from noughts.checker.check import check
from noughts.checker.report import Counterexample, Growth, Report

__all__ = ["Counterexample", "Growth", "Report", "check"]
