"""Maker against Breaker, compared with its definition."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, Rules
from noughts.compiled import load
from noughts.game.geometry import geometry_of
from oracle import random_game

BOARDS = [
    *[Rules((4, 4), k=4), Rules((4, 4), k=3), Rules((5, 4), k=4), Rules((2, 2, 3), k=3)],
    *[Rules((16,), k=3), Rules((3, 3, 2), k=3), Rules((5, 3), k=2), Rules((4, 1, 4), k=4)],
]
EMPTY_MOST = 12  # cells, for the definition to be quick

breaker: Any = load("noughts.opponent.exact._breaker")
pytestmark = pytest.mark.compiled("noughts.opponent.exact._breaker")


def nothing() -> None:
    """Let a search continue."""


@cache
def holds(lines: frozenset[frozenset[int]], to_move: bool) -> bool:
    """Return whether Breaker gets a mark on every line, given as the cells that Maker lacks."""
    if frozenset() in lines:
        return False
    cells = frozenset[int]().union(*lines)
    if to_move:
        return not cells or any(
            holds(frozenset(line for line in lines if cell not in line), False) for cell in cells
        )
    return all(holds(frozenset(line - {cell} for line in lines), True) for cell in cells)


@st.composite
def positions(draw: st.DrawFn) -> Game:
    rules = draw(st.sampled_from(BOARDS))
    few_enough = max(0, rules.cells - EMPTY_MOST)
    return random_game(rules, draw(st.integers(0, 10**6)), few_enough + draw(st.integers(0, 3)))


@cache
def breaker_of(rules: Rules) -> Any:
    """Return one search for all tests, which shares its solved positions."""
    return breaker.Breaker(rules, 2**16)


@pytest.mark.usefixtures("unmeasured")
@given(positions())
def test_holds_agrees_with_the_definition(game: Game) -> None:
    if game.outcome:
        return
    geometry = geometry_of(game.rules)
    numbers = [geometry.number(cell) for cell in game.history]
    marks = [numbers[::2], numbers[1::2]]
    bits = [sum(1 << cell for cell in own) for own in marks]
    for maker in (0, 1):
        lines = frozenset(
            frozenset(geometry.numbers(line)).difference(marks[maker])
            for line in geometry
            if not set(geometry.numbers(line)).intersection(marks[1 - maker])
        )
        expected = holds(lines, game.turn - 1 != maker)
        assert breaker_of(game.rules).holds(maker, *bits, nothing) == expected


@pytest.mark.parametrize("memory", [1, 100, 10_000])
def test_holds_with_a_small_table(memory: int) -> None:
    rules = Rules((7, 4), k=4)
    search = breaker.Breaker(rules, memory)
    assert 1 <= search.entries <= max(1, memory // 32)
    assert search.holds(0, 0, 0, nothing)
    assert not breaker.Breaker(Rules((5, 5), k=4), memory).holds(0, 0, 0, nothing)
    with pytest.raises(ValueError, match="maker must be 0 or 1"):
        search.holds(2, 0, 0, nothing)
