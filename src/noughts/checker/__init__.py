"""A checker for `TicTacToe` solutions: it plays them, explains mistakes and measures costs."""

from typing import TYPE_CHECKING

from noughts.exports import imported_on_use

if TYPE_CHECKING:
    from noughts.checker.mutation import TestsReport, check_tests
    from noughts.checker.report import Complexity, Counterexample, Report
    from noughts.checker.trial import check
else:  # engines and their workers need only a few modules; importing all takes twice as long
    __getattr__ = imported_on_use(
        __name__,
        {
            "Complexity": "report",
            "Counterexample": "report",
            "Report": "report",
            "TestsReport": "mutation",
            "check": "trial",
            "check_tests": "mutation",
        },
    )

__all__ = ["Complexity", "Counterexample", "Report", "TestsReport", "check", "check_tests"]


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__]
