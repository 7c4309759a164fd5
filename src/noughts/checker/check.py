"""`check`: a solution is judged, from the first game to the report."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from noughts.checker.explore import every_game
from noughts.checker.games import SIDES, Case, Wrong, larger
from noughts.checker.inside import Inside
from noughts.checker.report import Counterexample, Report
from noughts.checker.solution import Played, Solution


class Session:
    """What is asked of a solution, and what it answered, until the first wrong answer."""

    def __init__(self, solution: Solution, progress: Callable[[str], None]) -> None:
        self.solution = solution
        self.progress = progress
        self.games = 0

    def ask(self, cases: Sequence[Case], states: bool = False) -> list[Played]:
        """Play the cases.

        Raises:
            Wrong: the first wrong answer.
        """
        played = self.solution.play([case.script for case in cases], states)
        for case, answers in zip(cases, played, strict=True):
            self.games += 1
            if answers.answers != case.right:
                pairs = zip(answers.answers, case.right, strict=True)
                at = next(at for at, (given, right) in enumerate(pairs) if given != right)
                raise Wrong(case, at, answers.answers[at])
        return played


def check(solution: Any, *, seed: int = 0, games: int = 1000, isolated: bool = True) -> Report:
    """Judge a solution."""
    start = perf_counter()
    opened = Inside(solution)
    session = Session(opened, print)
    counterexample = None
    try:
        every_game(opened.problem, session.ask, lambda: True)
        print(perf_counter() - start, session.games)
        if opened.problem == "TicTacToe":
            for n in SIDES:
                session.ask(list(larger(n, seed, games)))
                print(n, perf_counter() - start, session.games)
    except Wrong as wrong:
        case = wrong.case
        counterexample = Counterexample(
            case.script.sides[0],
            tuple(move for _, move in case.script.calls[: wrong.length]),
            case.right[wrong.call],
            wrong.answered,
            "",
        )
    finally:
        opened.close()
    return Report(
        opened.name,
        opened.what,
        opened.problem,
        opened.language,
        "wrong" if counterexample else "right",
        "",
        session.games,
        counterexample,
        seconds=perf_counter() - start,
    )
