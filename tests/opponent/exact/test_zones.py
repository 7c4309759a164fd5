"""Zones of wins: the same moves win with any marks of the other player outside them."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from noughts import Rules
from noughts.opponent.exact.zones import Step, WrongStep, Zones, bits
from oracle import board, winning_lines

BOARDS = [Rules((4, 4), k=3), Rules((5, 3), k=3), Rules((3, 2, 2), k=2), Rules((12,), k=3)]


class Oracle:
    """An exhaustive search for wins. Sets of cells are bits."""

    def __init__(self, rules: Rules) -> None:
        number = {cell: 1 << at for at, cell in enumerate(board(rules.shape))}
        lines = winning_lines(rules.shape, rules.k)
        self.lines = [sum(number[cell] for cell in line) for line in lines]
        self.everywhere = sum(number.values())
        self.wins = cache(self._wins)

    def has_line(self, marks: int) -> bool:
        return any(line & marks == line for line in self.lines)

    def _wins(self, own: int, other: int, moves: bool) -> bool:
        """Return whether `own`, to move if `moves`, completes a line against every reply."""
        left = list(bits(self.everywhere & ~(own | other)))
        if moves:
            return any(
                self.has_line(own | cell) or self.wins(own | cell, other, False) for cell in left
            )
        return bool(left) and not any(
            self.has_line(other | cell) or not self.wins(own, other | cell, True) for cell in left
        )


class Table:
    """Random winning steps; some continue after a pass, and some lack a reply."""

    def __init__(self, rules: Rules, rng: Random) -> None:
        self.oracle, self._rng = Oracle(rules), rng
        self._steps: list[Step] = []
        self.zones = Zones(rules, self._steps.__getitem__)

    def win(self, own: int, other: int, spare: int) -> int:
        """Return a step with a zone for `spare` marks; `own` is to move and wins."""
        wins = self.oracle.wins
        left = list(bits(self.oracle.everywhere & ~(own | other)))
        ends = [cell for cell in left if self.oracle.has_line(own | cell)]
        move = self._rng.choice(ends or [one for one in left if wins(own | one, other, False)])
        own |= move
        listed, passed = 0, None
        if not ends:
            listed = self.oracle.everywhere & ~(own | other)
            if wins(own, other, True) and self._rng.random() < 0.8:
                passed = self.win(own, other, spare + 1)
                listed &= self.zones.zone(passed, own, other, spare + self._rng.randrange(2))
        replies = {reply: self.win(own, other | reply, spare) for reply in bits(listed)}
        self._steps.append(Step(move, replies, passed))
        return len(self._steps) - 1

    def follow(self, number: int, own: int, other: int) -> bool:
        """Return whether following this step completes a line against every reply."""
        step, has_line = self._steps[number], self.oracle.has_line
        if step.move & (own | other):
            return False
        own |= step.move
        if has_line(own):
            return True
        left = self.oracle.everywhere & ~(own | other)
        for reply in bits(left):
            if has_line(other | reply):
                return False
            if any(has_line(own | cell) for cell in bits(left & ~reply)):
                continue
            following = step.replies.get(reply, step.passed)
            if following is None or not self.follow(following, own, other | reply):
                return False
        return left > 0


@settings(max_examples=20)
@given(st.sampled_from(BOARDS), st.integers(0, 10**6), st.integers(0, 2))
def test_marks_outside_the_zone_do_not_stop_a_win(rules: Rules, seed: int, spare: int) -> None:
    rng = Random(seed)
    table = Table(rules, rng)
    oracle = table.oracle
    cells = rng.sample(list(bits(oracle.everywhere)), rng.randrange(2, 6))
    own, other = sum(cells[::2]), sum(cells[1::2])
    assume(not oracle.has_line(own) and not oracle.has_line(other))
    assume(oracle.wins(own, other, True))
    try:
        step = table.win(own, other, spare)
        zone = table.zones.zone(step, own, other, spare)
    except WrongStep:
        assume(False)
    outside = list(bits(oracle.everywhere & ~(own | other | zone)))
    for count in range(spare + 1):
        for marks in combinations(outside, count):
            more = other | sum(marks)
            assert oracle.has_line(more) or table.follow(step, own, more)


def test_zone_rejects_a_step_that_does_not_win() -> None:
    steps = [Step(1, {}), Step(0, {}), Step(2, {4: 0})]
    zones = Zones(Rules((5,), k=3), steps.__getitem__)
    for number, own, other, message in [
        (0, 1, 0, "A1 is taken"),
        (0, 0, 2 | 4, "completes a line"),
        (1, 0, 2, "no answer to A1"),
        (2, 0, 4, "no answer to A1"),
    ]:
        with pytest.raises(WrongStep, match=message):
            zones.zone(number, own, other)
    assert zones.zone(0, 2 | 4, 0) == 1
