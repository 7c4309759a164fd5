"""`check`: a solution is judged, from its first game to the report on it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, cast

from noughts.checker.diagnosis import Log, diagnosis, kinds, panel
from noughts.checker.explore import every_game
from noughts.checker.games import SIDES, Case, Wrong, larger
from noughts.checker.growth import measure
from noughts.checker.inside import Inside, loaded
from noughts.checker.report import Counterexample, Report, Verdict
from noughts.checker.shrink import smallest
from noughts.checker.solution import Answer, Failed, Move, Played, Script, Solution, afresh
from noughts.checker.wording import (
    ASSUMED,
    CUT_SHORT,
    DIFFERS,
    MERGED,
    NOT_ALL,
    counterexample_message,
    right_message,
    wrong_message,
)

PATIENCE = 15.0  # seconds for every game on small boards
AROUND = 1.5  # seconds for the sizes around a mistake, and for the games that tell mistakes apart
TOGETHER = 25.0  # seconds for all games; most solutions take one or two
CHUNK = 50  # games on a larger board that are played at once
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
        Failed: a file cannot be judged. TypeError: nothing that could be.

    Cost: some seconds; a wrong solution is usually told within two.
    """
    opened = _opened(solution, isolated)
    try:
        return _Checking(opened, seed, games, progress).report(growth, require or {})
    finally:
        opened.close()


def _opened(solution: Any, isolated: bool) -> Solution:
    if isinstance(solution, str | PathLike):
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
        self.log: list[tuple[Sequence[Case], list[Played]]] = []
        self.asked: Sequence[Case] = ()

    def report(self, growth: bool, require: Mapping[str, str]) -> Report:
        """Judge it, and report."""
        opened = self.solution
        report = Report(
            opened.name, opened.what, opened.problem, opened.language, "right", "",
            notes=tuple(opened.notes), assumed=(ASSUMED,),
        )  # fmt: skip
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
        assumed = [MERGED] * self.merged
        if report.right:
            assumed += [NOT_ALL] * (not self.complete) + [CUT_SHORT] * self.cut_short
        report = replace(report, assumed=(*report.assumed, *assumed), games=self.games)
        report = replace(_held_to(report, require), output=self.solution.output)
        return replace(report, seconds=perf_counter() - self.start)

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

    def ask(self, cases: Sequence[Case], states: bool = False) -> list[Played]:
        """Play the cases.

        Raises:
            Wrong: the first wrong answer. Failed: it failed.
        """
        self.asked = cases
        played = self.solution.play([case.script for case in cases], states)
        for at, (case, each) in enumerate(zip(cases, played, strict=True), 1):
            if each.answers != case.right:
                self.log.append((cases[:at], played[:at]))
                self.games += at
                raise Wrong.of(case, each.answers)
        self.games += len(cases)
        if self.games < KEPT:
            self.log.append((cases, played))
        self.merged = self.merged or (len(cases) > 100 and played[-1].state is not None)
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
        cases = larger(n, self.seed, self.random_games)
        if n > 10:  # the diagonals first, then a bit of everything
            first, rest = list(islice(cases, 4)), list(cases)
            Random(self.seed).shuffle(rest)
            cases = chain(first, rest)
        while chunk := list(islice(cases, CHUNK)):
            self.ask(chunk)
            if perf_counter() > until and n > 10:
                self.cut_short = True
                return

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
        log = [
            (case.script, each.answers)
            for cases, played in self.log
            for case, each in zip(cases, played, strict=True)
        ]
        before: list[Script] = []
        again = True
        with suppress(Failed):  # then it is told as it was found
            found = smallest(self.solution, wrong, [script for script, _ in log[:-1]])
            again, (before, wrong) = found is not None, found or ([], wrong)
        told = _counterexample(self.solution, before, wrong, again)
        message = wrong_message(told.n, len(told.moves), bool(told.before))
        report = replace(report, verdict="wrong", message=message, counterexample=told)
        self.progress("looking for the mistake")
        return self._diagnosed(report, log)

    def _diagnosed(self, report: Report, log: Log) -> Report:
        """The report on a wrong answer, with the known mistake, or with what else is known."""
        cases, notes = panel(self.solution.problem), list(report.notes)
        pairs: list[tuple[Case, tuple[Answer, ...]]] = []
        try:
            with afresh(self.solution) as fresh:
                second = fresh.play([script for script, _ in log[:AGAIN]])
            if any(each.answers != log[at][1] for at, each in enumerate(second)):
                notes.append(DIFFERS)
            until = perf_counter() + AROUND
            with afresh(self.solution) as fresh:
                while len(pairs) < len(cases) and perf_counter() < until:
                    chunk = cases[len(pairs) : len(pairs) + CHUNK]
                    played = fresh.play([case.script for case in chunk])
                    pairs += [
                        (case, each.answers) for case, each in zip(chunk, played, strict=True)
                    ]
        except Failed as failed:
            notes.append(f"In other games it fails: {failed}")
            return replace(report, notes=tuple(notes))
        panelled = [(case.script, answers) for case, answers in pairs]
        mistake = diagnosis(self.solution.problem, panelled, log)
        name = mistake.name if mistake else None
        return replace(
            report, diagnosis=name, found=kinds(pairs)[: 1 if mistake else 2], notes=tuple(notes)
        )

    def _failed(self, report: Report, failed: Failed) -> Report:
        """The report on a solution that failed, with a game in which it does so again."""
        report = replace(report, verdict=cast(Verdict, failed.verdict), message=str(failed))
        case = None
        try:
            with afresh(self.solution) as fresh:
                for case in self.asked:
                    fresh.play([case.script])
        except Failed as again:
            if case:
                n, own = case.script.sides[-1], len(case.script.sides) - 1
                told = Counterexample(n, _moves(case.script, own), case.right[-1], "", str(again))
                report = replace(report, counterexample=told)
        return report


def _counterexample(
    solution: Solution, before: Sequence[Script], wrong: Wrong, again: bool
) -> Counterexample:
    """The counterexample of a wrong answer."""
    script = wrong.case.script
    own = script.calls[-1][0]
    everyone = [(each, number) for each in before for number in range(len(each.sides))]
    everyone += [(script, number) for number in range(len(script.sides)) if number != own]
    others = tuple((each.sides[number], _moves(each, number)) for each, number in everyone)
    n, moves = script.sides[own], _moves(script, own)
    message = counterexample_message(solution.problem, n, moves, bool(others), again)
    return Counterexample(n, moves, wrong.case.right[wrong.call], wrong.answered, message, others)


def _moves(script: Script, number: int) -> tuple[Move, ...]:
    """The moves of one of its objects."""
    return tuple(move for at, move in script.calls if at == number)


def _held_to(report: Report, require: Mapping[str, str]) -> Report:
    """The report, wrong if a requirement is missed; what is not clear is let pass."""
    for what, wanted in require.items():
        order = getattr(report, what).order
        if report.right and order and ORDERS.index(order) > ORDERS.index(wanted):
            message = f"{what} is {order}, and {wanted} is required"
            report = replace(report, verdict="wrong", message=message)
    return report
