"""Every known mistake is caught, and each by its own name."""

import pytest

from noughts.checker import check
from noughts.checker.catalogue import CATALOGUE, Mistake, known

EVERY = [mistake for mistakes in CATALOGUE.values() for mistake in mistakes]


@pytest.mark.untraced
@pytest.mark.parametrize("mistake", EVERY, ids=lambda mistake: mistake.name)
def test_it_is_caught_and_told_by_its_name(mistake: Mistake) -> None:
    report = check(mistake.solution, games=200, growth=False)
    assert report.verdict == "wrong"
    assert report.diagnosis == mistake.name
    assert mistake.does in " ".join(str(report).split())
    assert report.counterexample is not None
    assert report.counterexample.answered != report.counterexample.expected


def test_there_are_many_and_each_says_what_it_does_and_why() -> None:
    assert len(CATALOGUE["TicTacToe"]) >= 25
    assert len({mistake.name for mistake in EVERY}) == len(EVERY)
    for mistake in EVERY:
        assert mistake.does[0].islower()
        assert not mistake.does.endswith(".")
        assert mistake.why.endswith(".")
        assert known(mistake.name) is mistake
    assert known("no such mistake") is None
