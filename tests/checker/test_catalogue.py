"""Known mistakes: each is found and diagnosed."""

import json
from dataclasses import replace
from typing import Any

import pytest

from checker.conftest import sampled
from noughts.checker import check
from noughts.checker.catalogue import CATALOGUE, Mistake, known
from noughts.checker.problems import choose
from noughts.checker.reading.convention import Convention
from noughts.checker.reading.live import read_live
from noughts.checker.solution import Problem
from script.tools.mistakes import FILE, KNOWN, game

LESSON = {card["name"]: card["game"] for card in json.loads(FILE.read_text())}
EVERY = [mistake for mistakes in CATALOGUE.values() for mistake in mistakes]
SAMPLE = {
    *("anti-diagonal-off-by-one", "elif-at-the-centre", "none-for-zero", "rows-are-one-list"),
    *("one-board-in-a-global", "three-for-n", "player-as-index", "none-for-pending"),
}


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("mistake", sampled(SAMPLE, EVERY, lambda mistake: str(mistake.name)))
def test_check_diagnoses_known_mistake(mistake: Mistake) -> None:
    report = check(mistake.solution, games=200, growth=False)
    assert report.verdict == "wrong"
    assert report.diagnosis == mistake.name
    assert mistake.does in " ".join(str(report).split())
    assert report.counterexample is not None
    assert report.counterexample.answered != report.counterexample.expected
    if mistake in KNOWN and report.counterexample.n <= 10:
        assert LESSON[mistake.name].items() >= game(report.counterexample).items()


def test_catalogue_explains_each_mistake() -> None:
    assert len(CATALOGUE["TicTacToe"]) >= 25
    assert len({mistake.name for mistake in EVERY}) == len(EVERY)
    for mistake in EVERY:
        assert mistake.does[0].islower()
        assert not mistake.does.endswith(".")
        assert mistake.why.endswith(".")
        assert known(mistake.name) is mistake
    assert known("no such mistake") is None


@pytest.mark.parametrize("problem", CATALOGUE)
def test_mistakes_of_a_problem_are_called_alike(problem: Problem) -> None:
    """Check what the diagnosis relies on, as it reads only the first of them."""
    called = {_called(mistake.solution) for mistake in CATALOGUE[problem]}
    assert len(called) == 1


def _called(solution: Any) -> Convention:
    """Return its convention without its name and the types that its code states."""
    convention = choose(read_live(solution)).convention
    call, make = convention.call, convention.make
    call = replace(
        call, name="", returns="", arguments=tuple(a._replace(type="") for a in call.arguments)
    )
    return replace(convention, owner="", call=call, make=make and replace(make, returns=""))


class Unsigned:
    """Counts marks without signs, and checks both diagonals after every move."""

    def __init__(self, n: int) -> None:
        self.n, self.rows, self.cols, self.both = n, [0] * n, [0] * n, [0, 0]

    def move(self, row: int, col: int, player: int) -> int:
        self.rows[row] += 1
        self.cols[col] += 1
        self.both[0] += row == col
        self.both[1] += row + col == self.n - 1
        return player if self.n in (self.rows[row], self.cols[col], *self.both) else 0


def test_diagnosis_ignores_answers_after_false_win() -> None:
    report = check(Unsigned, games=100, growth=False)
    assert report.diagnosis == "marks-of-both-counted", report
