"""Exact search with arbitrary arguments: it returns or raises, and stays within its memory.

Only a build that checks every access to memory finds all errors; script/sanitize creates one and
runs these tests.
"""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts import Rules
from noughts.compiled import load

compiled: Any = load("noughts.opponent.exact._solver")
breaker: Any = load("noughts.opponent.exact._breaker")
pytestmark = pytest.mark.compiled("noughts.opponent.exact._solver")
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, BufferError, MemoryError)
HUGE = [2**k + d for k in (31, 32, 62, 63, 64) for d in (-1, 0, 1)]
huge = st.sampled_from(HUGE) | st.sampled_from(HUGE).map(lambda n: -n)
odd = st.sampled_from([None, 1.5, float("nan"), "1", b"", (), True, 1j, [1]])


class Enough(Exception):
    pass


def stop() -> None:
    raise Enough


number = st.integers(0, 511) | st.sampled_from([-1, 63, 64, 65]) | huge | odd


@given(
    rules=st.sampled_from([Rules(), Rules((2, 3, 2), k=2), Rules((64,), k=8), Rules((8, 8), k=4)]),
    memory=st.sampled_from([0, 1, 100, 10**4]) | st.just(2**62) | number,
    questions=st.lists(
        st.tuples(number, number, number)
        | st.tuples(st.integers(0, 1), *[st.integers(0, 511)] * 2),
        max_size=5,
    ),
)
@example(Rules((64,), k=8), 1, [(0, 0, 0), (1, 2**63, 2**62), (0, 2**64 - 1, 2**64 - 1)])
def test_prover_survives_arbitrary_arguments(rules: Rules, memory: Any, questions: Any) -> None:
    try:
        prover = compiled.Prover(rules, memory)
    except REFUSALS:
        return
    for player, first, second in questions:
        try:
            wins = prover.wins(player, first, second, stop)
            assert wins in (True, False)
            for cell in prover.moves(first, second):
                assert not (first | second) >> cell & 1
        except (*REFUSALS, Enough):
            with suppress(Enough):  # an error leaves it ready for the next question
                assert prover.wins(0, 0, 0, stop) in (True, False)


@given(
    rules=st.sampled_from([Rules(), Rules((2, 3, 2), k=2), Rules((64,), k=8), Rules((8, 8), k=4)]),
    memory=st.sampled_from([0, 1, 100, 10**4]) | number,
    questions=st.lists(
        st.tuples(number, number, number)
        | st.tuples(st.integers(0, 1), *[st.integers(0, 511)] * 2),
        max_size=5,
    ),
)
@example(Rules((64,), k=8), 1, [(0, 0, 0), (1, 2**63, 2**62), (0, 2**64 - 1, 2**64 - 1)])
def test_breaker_survives_arbitrary_arguments(rules: Rules, memory: Any, questions: Any) -> None:
    try:
        search = breaker.Breaker(rules, memory)
    except REFUSALS:
        return
    for question in questions:
        with suppress(*REFUSALS, Enough):
            assert search.holds(*question, stop) in (True, False)
        with suppress(Enough):  # an error leaves it ready for the next question
            assert search.holds(0, 0, 0, stop) in (True, False)


def test_prover_is_initialised_once() -> None:
    prover = compiled.Prover(Rules((3,), k=2), 0)
    prover.__init__(Rules(), 0)  # changes nothing
    assert (prover.entries, prover.moves(0, 0)) == (2, [1, 0, 2])
    wrong: list[tuple[Any, ...]] = [(), (Rules(),), (Rules(), 2**70)]
    for arguments in wrong:
        with pytest.raises((TypeError, OverflowError)):
            compiled.Prover.__new__(compiled.Prover, *arguments)
    with pytest.raises(MemoryError):
        compiled.Prover(Rules.square(8), 2**62)
    for copied in (copy.copy, pickle.dumps):
        with pytest.raises(TypeError):
            copied(prover)
