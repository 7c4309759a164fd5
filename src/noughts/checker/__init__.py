"""A checker for `TicTacToe` solutions: it plays them, explains mistakes and measures costs."""

from noughts.checker.check import check
from noughts.checker.mutation import TestsReport, check_tests
from noughts.checker.report import Complexity, Counterexample, Report

__all__ = ["Complexity", "Counterexample", "Report", "TestsReport", "check", "check_tests"]
