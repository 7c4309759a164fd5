"""`check`: a solution is judged, from its first game to the report on it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice, takewhile
from os import PathLike
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, cast

from noughts.checker.diagnosis import Asked, diagnosis, findings, panel
from noughts.checker.explore import every_game
from noughts.checker.games import SIDES, Wrong, first_wrong, larger, together
from noughts.checker.growth import measure
from noughts.checker.inside import Inside, loaded
from noughts.checker.report import Counterexample, Report, Verdict
from noughts.checker.shrink import smallest
from noughts.checker.solution import Failed, Game, How, Played, Problem, Solution, afresh
from noughts.checker.wording import (
    ASSUMED,
    CUT_SHORT,
    DIFFERS,
    MERGED,
    NOT_ALL,
    counterexample_message,
    right_message,
    where,
    wrong_message,
)

PATIENCE = 15.0  # seconds for every game on small boards
AROUND = 1.5  # seconds for the sizes around a mistake
COMPARING = 4.0  # seconds for the games that tell mistakes apart; most solutions take one
ENDING = 5.0  # seconds to look for the game that ends a solution
TOGETHER = 16.0  # seconds for all games; most solutions take one or two, in a browser two to nine
CHUNK = 50  # games on a board that are played at once
FEW = 5  # the same on a board above 10×10, where one may take a third of a second
ORDERS = ("O(1)", "O(n)", "O(n^2)")
AGAIN = 500  # of the first games, played twice by a wrong solution
KEPT = 100_000  # games kept for the diagnosis: more are played only where nothing is wrong early


def check(
    solution: Any,
    *,
    seed: int = 0,
    games: int = 1000,
    isolated: bool = True,
    growth: bool = True,
    require: Mapping[str, str] | None = None,
    progress: Callable[[str], None] = lambda doing: None,
) -> Report:
    """Judge a solution of the problem *Design Tic-Tac-Toe*.

    Args:
        solution: a class with `move`, or a function ``tictactoe``, judged in this process; the path
            of a file; or a `Solution`, which is closed at the end.
        seed: the same seed, the same games.
        games: how many of them are random, more or less.
        isolated: whether a file runs in a process of its own.
        growth: whether time and memory are measured.
        require: what they must be: ``{"time": "O(1)", "memory": "O(n)"}``.
        progress: is told what is being done.

    Returns:
        The report; its `right` is the verdict. ``str(report)`` tells it.

    Raises:
        Failed: a file cannot be judged. OSError: it is not there. TypeError: it is nothing that
            could be judged.

    Cost: some seconds; a wrong solution is usually told within two.
    """
    opened = _opened(solution, isolated)
    try:
        return _Checking(opened, seed, games, progress).report(growth, require or {})
    finally:
        opened.close()


def _opened(solution: Any, isolated: bool) -> Solution:
    if isinstance(solution, str | PathLike):
        Path(solution).stat()  # raises OSError if there is none
        if not isolated:
            return loaded(Path(solution))
        from noughts.checker.languages import open_solution  # it needs processes

        return open_solution(Path(solution))
    if hasattr(solution, "play") and hasattr(solution, "fresh"):
        opened: Solution = solution
        return opened
    return Inside(solution)


class _Checking:
    """One solution, what was asked of it, and what it answered."""

    def __init__(
        self, solution: Solution, seed: int, games: int, progress: Callable[[str], None]
    ) -> None:
        self.solution = solution
        self.seed, self.random_games = seed, games
        self.progress = progress
        self.start = perf_counter()
        self.games = 0
        self.complete = False  # the small boards
        self.cut_short = False  # the larger ones
        self.merged = False
        self.log: list[Asked] = []
        self.asked: Sequence[Game] = ()

    def report(self, growth: bool, require: Mapping[str, str]) -> Report:
        """Judge it, and report."""
        opened = self.solution
        report = Report(opened.name, opened.what, opened.problem, opened.language, "right", "",
                        notes=opened.notes)  # fmt: skip
        try:
            self._play()
            message = right_message(opened.problem, self.games, self.complete)
            report = replace(report, message=message)
        except Wrong as wrong:
            report = self._explained(report, wrong)
        except Failed as failed:
            report = self._failed(report, failed)
        if growth and report.verdict in ("right", "wrong"):
            report = self._measured(report)
        unsaid = {
            MERGED: self.merged,
            NOT_ALL: report.right and not self.complete,
            CUT_SHORT: report.right and self.cut_short,
        }
        assumed = (ASSUMED, *(sentence for sentence, holds in unsaid.items() if holds))
        seconds = perf_counter() - self.start
        return replace(_held_to(report, require), assumed=assumed, games=self.games,
                       output=opened.output, seconds=seconds)  # fmt: skip

    def _measured(self, report: Report) -> Report:
        """The report with how time and memory grow."""
        self.progress("measuring how time and memory grow")
        try:
            with afresh(self.solution) as fresh:
                time, make, memory = measure(fresh)
        except Failed as failed:
            note = f"How time and memory grow was not measured: {failed}"
            return replace(report, notes=(*report.notes, note))
        return replace(report, time=time, make=make, memory=memory)

    # Playing

    def ask(self, games: Sequence[Game], how: How) -> list[Played]:
        """Play the games.

        Raises:
            Wrong: the first wrong answer. Failed: it failed.
        """
        self.asked = games
        played = self.solution.play(games, how)
        wrong = first_wrong(games, played, how)
        count = len(wrong.before) + 1 if wrong else len(games)
        self.games += count
        if self.games < KEPT or wrong:
            answers = [each.answers for each in played[:count]]
            self.log.append(Asked(games[:count], "play" if how == "states" else how, answers))
        if wrong:
            raise wrong
        self.merged = self.merged or (len(games) > 100 and played[-1].state is not None)
        return played

    def _play(self) -> None:
        """Play all games; raises at the first wrong answer."""
        self.progress("playing every game on small boards")
        alone = self.solution.problem == "tictactoe"
        small = self.start + (TOGETHER if alone else PATIENCE)
        self.complete = every_game(self.solution.problem, self.ask, lambda: perf_counter() < small)
        if alone:
            return
        deadline = self.start + TOGETHER
        for left, n in zip(range(len(SIDES), 0, -1), SIDES, strict=True):
            self.progress(f"playing on {n}×{n}")
            until = perf_counter() + max(0.0, deadline - perf_counter()) / left * 2
            try:
                self._play_on(n, until)
            except Wrong:
                self._between(n)
                raise

    def _play_on(self, n: int, until: float) -> None:
        """Play the games on n×n, or as many as there is time for."""
        games = larger(n, self.seed, self.random_games)
        if n > 10:  # the diagonals first, then a bit of everything
            first, rest = list(islice(games, 4)), list(games)
            Random(self.seed).shuffle(rest)
            games = chain(first, rest)
        while chunk := list(islice(games, FEW if n > 10 else CHUNK)):
            self.ask(chunk, "play")
            if perf_counter() > until and n > 10:
                self.cut_short = True
                return
        for several in together(n, self.seed):
            self.ask(several, "together")

    def _between(self, n: int) -> None:
        """Look at the sizes between the one before and n; raises at a wrong answer."""
        before = max(SIDES[SIDES.index(n) - 1], 3)
        until = perf_counter() + AROUND
        for smaller in range(before + 1, n):
            if perf_counter() < until:
                self._play_on(smaller, until)

    # Explaining

    def _explained(self, report: Report, wrong: Wrong) -> Report:
        """The report on a wrong answer."""
        self.progress("looking for the smallest game that shows it")
        how, found = self.log[-1].how, None
        before = [game for asked in self.log for game in asked.games][:-1]
        with suppress(Failed):  # then it is told as it was found
            others = wrong.before if how == "together" else before
            found = smallest(self.solution, wrong.game, others, how)
        told = _counterexample(self.solution.problem, found or wrong, found is not None)
        message = wrong_message(told.n, len(told.moves), bool(told.before))
        report = replace(report, verdict="wrong", message=message, counterexample=told)
        self.progress("looking for the mistake")
        return self._diagnosed(report)

    def _diagnosed(self, report: Report) -> Report:
        """The report on a wrong answer, with the known mistake, or with what else is known."""
        tried, mistake, games_of_all_kinds = list[Asked](), None, panel(self.solution.problem)
        try:
            if not self._answers_again():
                report = replace(report, notes=(*report.notes, DIFFERS))
            until = perf_counter() + COMPARING
            with afresh(self.solution) as fresh:
                for games, how, _ in games_of_all_kinds:
                    if perf_counter() < until:
                        answers = [each.answers for each in fresh.play(games, how)]
                        tried.append(Asked(games, how, answers))
            mistake = diagnosis(self.solution.problem, tried, self.log)
        except Failed as failed:
            report = replace(report, message=f"{report.message}; in other games {failed}")
        right, wrong = findings(tried)
        found = (right, "" if mistake else wrong)
        name = mistake.name if mistake else None
        return replace(report, diagnosis=name, found=tuple(filter(None, found)))

    def _answers_again(self) -> bool:
        """Whether fresh solutions answer the first games as it did."""
        for _ in range(3):
            left = AGAIN
            with afresh(self.solution) as fresh:
                for games, how, answers in self.log:
                    played = fresh.play(games[:left], how)
                    if any(each.answers != answers[at] for at, each in enumerate(played)):
                        return False
                    left -= len(played)
                    if not left:
                        break
        return True

    def _failed(self, report: Report, failed: Failed) -> Report:
        """The report on a solution that failed, with a game that makes it do so."""
        message, told, until = str(failed), None, perf_counter() + ENDING
        each = range(1, 9999) if self.solution.problem == "TicTacToe" else (9999,)
        shorter = (
            Game(game.n, game.moves[:count], game.right[:count])
            for game in self.asked
            for count, _ in zip(each, game.right, strict=False)
        )
        game = None
        try:
            with afresh(self.solution) as fresh:
                for game in takewhile(lambda _: perf_counter() < until, shorter):
                    fresh.play([game])
        except Failed as again:
            if game:
                told = Counterexample(game.n, game.moves, game.right[-1], "", str(again))
                message += f", {where(game.n, len(game.moves))}"
        verdict = cast(Verdict, failed.verdict)
        return replace(report, verdict=verdict, message=message, counterexample=told)


def _counterexample(problem: Problem, wrong: Wrong, again: bool) -> Counterexample:
    """The counterexample of a wrong answer."""
    n, moves, right = wrong.game
    before = tuple((game.n, game.moves) for game in wrong.before) if again else ()
    message = counterexample_message(problem, n, moves, bool(before), again)
    return Counterexample(n, moves, right[-1], wrong.answered, message, before)


def _held_to(report: Report, require: Mapping[str, str]) -> Report:
    """The report, wrong if a requirement is missed; what is not clear is let pass."""
    for what, wanted in require.items():
        order = getattr(report, what).order
        if report.right and order and ORDERS.index(order) > ORDERS.index(wanted):
            message = f"{what} is {order}, and {wanted} is required"
            report = replace(report, verdict="wrong", message=message)
    return report
