"""`check`: judge a solution, from its first game to the report."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice, takewhile
from os import PathLike
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, cast

from noughts.checker import messages
from noughts.checker.complexity import measure
from noughts.checker.diagnosis import Round, diagnosis, findings, panel
from noughts.checker.explore import every_game
from noughts.checker.games import SIDES, Wrong, first_wrong, larger, together
from noughts.checker.in_process import InProcess, load_file
from noughts.checker.problems import PROBLEMS
from noughts.checker.report import Counterexample, Report
from noughts.checker.shrink import smallest
from noughts.checker.solution import Failed, Game, How, Played, Solution, renewed
from noughts.checker.understanding import understood

# Time limits, in seconds
PATIENCE = 15.0  # for every game on small boards
AROUND = 1.5  # for the board sizes just below a mistake
COMPARING = 4.0  # for the games that distinguish known mistakes; most solutions need one second
ENDING = 5.0  # for finding the game that crashes a solution
TOGETHER = 16.0  # for all games; most solutions need one or two, in a browser two to nine
CHUNK = 50  # games played at once on boards up to 10×10
FEW = 5  # the same on larger boards, messages.where one game may take a third of a second
ORDERS = ("O(1)", "O(n)", "O(n^2)")
_BEFORE_FIRST = re.compile(
    r"-1\b|18446744073709551615|4294967295|(?<!stack )overflow|KeyError: \W*0\b"
)
"""What an exception says if an index is one before the first, or if there is no row 0."""
LONGER = 4.0  # patience when a required complexity is measured again
AGAIN = 500  # number of games that a wrong solution plays a second time
KEPT = 100_000  # maximum number of games kept for the diagnosis


def check(
    solution: Any,
    *,
    seed: int = 0,
    games: int = 1000,
    isolated: bool = True,
    growth: bool = True,
    require: Mapping[str, str] | None = None,
    strict: bool = False,
    progress: Callable[[str], None] = lambda doing: None,
) -> Report:
    """Judge a solution of the problem *Design Tic-Tac-Toe*; this takes a few seconds.

    Args:
        solution: a class or function, which runs in this process; the path of a file; or a
            `Solution`, which is closed at the end.
        seed: the seed of the random games.
        games: the approximate number of random games.
        isolated: run a file in a process of its own.
        growth: measure how time and memory grow with n.
        require: required complexities, such as ``{"time": "O(1)", "memory": "O(n)"}``.
        strict: fail a required complexity whose measurement is not clear.
        progress: called with a description of each step.

    Returns:
        The report: `Report.right` is the verdict, and ``str(report)`` explains it.

    Raises:
        Failed: a file cannot be judged.
        OSError: a file does not exist or cannot be read.
        TypeError: `solution` is none of the above.
    """
    opened = _opened(solution, isolated)
    try:
        return _Checking(opened, seed, games, progress).report(growth, require or {}, strict)
    finally:
        opened.close()


def _opened(solution: Any, isolated: bool) -> Solution:
    if isinstance(solution, str | PathLike):
        Path(solution).stat()  # raises OSError if it does not exist
        if not isolated:
            return load_file(Path(solution))
        from noughts.checker.languages import open_solution  # browsers have no processes

        return open_solution(Path(solution))
    if hasattr(solution, "play") and hasattr(solution, "fresh"):
        return cast(Solution, solution)
    return InProcess(solution)


class _Checking:
    """The check of one solution, with the games it played and its answers."""

    def __init__(
        self, solution: Solution, seed: int, games: int, progress: Callable[[str], None]
    ) -> None:
        self.solution = solution
        self.seed, self.random_games = seed, games
        self.progress = progress
        self.start = perf_counter()
        self.games = 0
        self.complete = False  # every game on small boards was played
        self.cut_short = False  # larger boards were cut short
        self.merged = False
        self.log: list[Round] = []
        self.current: Sequence[Game] = ()

    def report(self, growth: bool, require: Mapping[str, str], strict: bool) -> Report:
        """Judge the solution and return the report."""
        opened = self.solution
        report = Report(opened.name, opened.what, opened.problem, opened.language, "right", "",
                        notes=opened.notes)  # fmt: skip
        try:
            self._understand()
            if learned := opened.convention.answers.learned:
                notes = (*opened.notes, messages.learned_note(learned))
                report = replace(report, notes=notes)
            self._play_all()
            boards = report.problem in messages.BOARDS
            message = messages.right_message(self.games, self.complete, opened.convention.n, boards)
            report = replace(report, message=message)
        except Wrong as wrong:
            report = self._explained(report, wrong)
        except Failed as failed:
            report = self._failed(report, failed)
        if growth and report.verdict in ("right", "wrong") and not opened.convention.n:
            report = self._measured(report)
            if any(getattr(report, what).points for what in _unclear(report, require)):
                report = self._measured(report, LONGER)
            report = _held_to(report, require, strict)
        remarks = {
            messages.MERGED: self.merged,
            messages.NOT_ALL: report.right and not self.complete,
            messages.CUT_SHORT: report.right and self.cut_short,
        }
        assumed = (messages.ASSUMED, *(sentence for sentence, holds in remarks.items() if holds))
        seconds = perf_counter() - self.start
        return replace(report, assumed=assumed, games=self.games,
                       output=opened.output, seconds=seconds)  # fmt: skip

    def _understand(self) -> None:
        """Learn what its answers mean. Raises Failed, "unusable", if that is not who has won."""
        try:
            self.solution.adopt(understood(self.solution))
        except Failed as failed:
            if failed.verdict == "unusable":
                raise  # any other failure is found again in the games, with the game that causes it

    def _measured(self, report: Report, patience: float = 1.0) -> Report:
        """Add the complexities to the report, except where the report has clear ones already."""
        again = patience > 1
        self.progress(f"measuring time and memory{' again, for longer' if again else ''}")
        try:
            with renewed(self.solution) as fresh:
                found = measure(fresh, patience)
        except Failed as failed:
            note = f"Time and memory were not measured: {failed}"
            notes = report.notes if again else (*report.notes, note)
            return replace(report, notes=notes)
        before = report.time, report.make, report.memory
        time, make, memory = (
            old if old.order else new for old, new in zip(before, found, strict=True)
        )
        return replace(report, time=time, make=make, memory=memory)

    def play(self, games: Sequence[Game], how: How) -> list[Played]:
        """Play games, raising `Wrong` at the first wrong answer."""
        self.current = games
        played = self.solution.play(games, how)
        wrong = first_wrong(games, played, how)
        count = len(wrong.before) + 1 if wrong else len(games)
        self.games += count
        if self.games < KEPT or wrong:
            answers = [each.answers for each in played[:count]]
            self.log.append(Round(games[:count], "play" if how == "states" else how, answers))
        if wrong:
            raise wrong
        self.merged = self.merged or (len(games) > 100 and played[-1].state is not None)
        return played

    def _play_all(self) -> None:
        """Play all games, raising `Wrong` at the first wrong answer."""
        self.progress("playing every game on small boards")
        convention = self.solution.convention
        small = self.start + (TOGETHER if convention.whole else PATIENCE)
        problem = PROBLEMS[self.solution.problem]
        self.complete = problem.play_all(self.play, lambda: perf_counter() < small, convention.n)
        if convention.whole:
            return
        deadline = self.start + TOGETHER
        sides = [n for n in SIDES if convention.n in (None, n)]
        for left, n in zip(range(len(sides), 0, -1), sides, strict=True):
            self.progress(f"playing on {n}×{n}")
            until = perf_counter() + max(0.0, deadline - perf_counter()) / left * 2
            try:
                self._play_on(n, until)
            except Wrong:
                self._between(n)
                raise

    def _play_on(self, n: int, until: float) -> None:
        """Play games on n×n until all are played or time runs out."""
        games = larger(n, self.seed, self.random_games)
        if n > 10:  # the diagonals first, then a mixture
            first, rest = list(islice(games, 4)), list(games)
            Random(self.seed).shuffle(rest)
            games = chain(first, rest)
        while chunk := list(islice(games, FEW if n > 10 else CHUNK)):
            self.play(chunk, "play")
            if perf_counter() > until and n > 10:
                self.cut_short = True
                return
        only = self.solution.convention.n
        for several in together(n, self.seed):
            self.play([game for game in several if only in (None, game.n)], "together")

    def _between(self, n: int) -> None:
        """Play on the sizes between the previous one and n, raising `Wrong` at a wrong answer."""
        if self.solution.convention.n:
            return
        before = max(SIDES[SIDES.index(n) - 1], 3)
        until = perf_counter() + AROUND
        for smaller in range(before + 1, n):
            if perf_counter() < until:
                self._play_on(smaller, until)

    def _explained(self, report: Report, wrong: Wrong) -> Report:
        """Add the counterexample and the diagnosis of a wrong answer to the report."""
        self.progress("searching for the smallest game that fails")
        how, found = self.log[-1].how, None
        before = [game for asked in self.log for game in asked.games][:-1]
        with suppress(Failed):  # then the game is reported as it was found
            others = wrong.before if how == "together" else before
            found = smallest(self.solution, wrong.game, others, how)
        example = _counterexample(self.solution, found or wrong, found is not None)
        message = messages.wrong_message(
            report.problem, example.n, len(example.moves), bool(example.before)
        )
        report = replace(report, verdict="wrong", message=message, counterexample=example)
        self.progress("identifying the mistake")
        report = self._diagnosed(report)
        example = report.counterexample or example
        from_one = messages.FROM_ONE if _fails_on_first_cell(example) else ""
        unfinished = (v for k, v in messages.UNFINISHED.items() if example.answered.startswith(k))
        hints = filter(None, [self.solution.convention.hint, from_one, *unfinished])
        return replace(report, notes=(*report.notes, *hints))

    def _diagnosed(self, report: Report) -> Report:
        """Add the known mistake to the report, or else a description of the wrong answers."""
        tried, mistake, only = list[Round](), None, self.solution.convention.n
        games_of_all_kinds = [
            asked
            for asked in panel(self.solution.problem)
            if all(only in (None, game.n) for game in asked.games)
        ]
        try:
            if not self._answers_again():
                report = replace(report, notes=(*report.notes, messages.DIFFERS))
            until = perf_counter() + COMPARING
            with renewed(self.solution) as fresh:
                for games, how, _ in games_of_all_kinds:
                    if perf_counter() < until:
                        answers = [each.answers for each in fresh.play(games, how)]
                        tried.append(Round(games, how, answers))
            example = report.counterexample
            if example and example.n == 1 and _fails_on_three(tried):
                example = replace(example, larger=self._on_three())
                report = replace(report, counterexample=example)
            letters = bool(self.solution.convention.hint)
            mistake = diagnosis(self.solution.problem, tried, self.log, letters=letters)
        except Failed as failed:
            report = replace(report, message=f"{report.message}; in other games {failed}")
        right, wrong = findings(tried)
        found = (right, "" if mistake else wrong)
        name = mistake.name if mistake else None
        return replace(report, diagnosis=name, found=tuple(filter(None, found)))

    def _on_three(self) -> Counterexample | None:
        """Return the smallest game on 3×3 that fails, since a board of one cell hides causes."""
        until = perf_counter() + ENDING
        with suppress(Failed), renewed(self.solution) as fresh:

            def play(games: Sequence[Game], how: How) -> list[Played]:
                played = fresh.play(games, how)
                if wrong := first_wrong(games, played, how):
                    raise wrong
                return played

            try:
                every_game(self.solution.problem, play, lambda: perf_counter() < until, (3,))
            except Wrong as wrong:
                if found := smallest(self.solution, wrong.game, (), "play"):
                    return _counterexample(self.solution, found, True)
        return None

    def _answers_again(self) -> bool:
        """Return whether fresh solutions give the same answers to the first games."""
        for _ in range(3):
            left = AGAIN
            with renewed(self.solution) as fresh:
                for games, how, answers in self.log:
                    played = fresh.play(games[:left], how)
                    if any(each.answers != answers[at] for at, each in enumerate(played)):
                        return False
                    left -= len(played)
                    if not left:
                        break
        return True

    def _failed(self, report: Report, failed: Failed) -> Report:
        """Add a failure, and if possible a game that causes it, to the report."""
        message, example, until = str(failed), None, perf_counter() + ENDING
        each = (9999,) if self.solution.convention.whole else range(1, 9999)
        shorter = (
            Game(game.n, game.moves[:count], game.right[:count])
            for game in self.current
            for count, _ in zip(each, game.right, strict=False)
        )
        game = None
        try:
            with renewed(self.solution) as fresh:
                for game in takewhile(lambda _: perf_counter() < until, shorter):
                    fresh.play([game])
        except Failed as again:
            if game:
                example = Counterexample(game.n, game.moves, game.right[-1], "", str(again))
                message += f", {messages.where(report.problem, game.n, len(game.moves))}"
        return replace(report, verdict=failed.verdict, message=message, counterexample=example)


def _counterexample(solution: Solution, wrong: Wrong, again: bool) -> Counterexample:
    n, moves, right = wrong.game
    expected, answered = (
        solution.convention.write(moves, answer) for answer in (right[-1], wrong.answered)
    )
    before = tuple((game.n, game.moves) for game in wrong.before) if again else ()
    message = messages.counterexample_message(solution.problem, n, moves, bool(before), again)
    return Counterexample(n, moves, expected, answered, message, before)


def _fails_on_three(played: Sequence[Round]) -> bool:
    """Return whether one of these games on 3×3 fails; if none does, a search takes seconds."""
    return any(
        game.n == 3 and given != game.right
        for games, _, answers in played
        for game, given in zip(games, answers, strict=True)
    )


def _fails_on_first_cell(example: Counterexample) -> bool:
    """Return whether a mark in row 0 and column 0 ends with an index before the first."""
    shown = example.larger or example
    first = len(shown.moves) == 1 and shown.moves[0][:2] == (0, 0)
    return first and shown.answered.startswith("!") and bool(_BEFORE_FIRST.search(shown.answered))


def _unclear(report: Report, require: Mapping[str, str]) -> list[str]:
    """Return the required costs of a right solution whose measured complexity is not clear."""
    highest = ORDERS[-1]  # always met
    return [
        what
        for what, wanted in require.items()
        if report.right and wanted != highest and getattr(report, what).order is None
    ]


def _held_to(report: Report, require: Mapping[str, str], strict: bool) -> Report:
    """Make the report wrong if a requirement is missed.

    An unclear measurement misses a requirement only if `strict`; otherwise the report notes it.
    """
    for what, wanted in require.items():
        order = getattr(report, what).order
        if report.right and order and ORDERS.index(order) > ORDERS.index(wanted):
            message = f"{what} is {order}, but {wanted} is required"
            report = replace(report, verdict="wrong", message=message)
    for what in _unclear(report, require):
        measured = getattr(report, what).points
        found = f"{what} {'is not clear' if measured else 'was not measured'}"
        if strict:
            message = f"{found}, but {require[what]} is required"
            return replace(report, verdict="wrong", message=message)
        note = messages.unclear_note(found, require[what])
        report = replace(report, notes=(*report.notes, note))
    return report
