"""Answers as text, states as digests, times and sizes."""

from array import array
from collections import Counter, defaultdict, deque
from enum import IntEnum
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
import pytest

from noughts.checker import calls


class Held:
    """An object with these attributes."""

    def __init__(self, **held: object) -> None:
        self.__dict__.update(held)


class Slotted:
    __slots__ = ("empty", "value")

    def __init__(self, value: object) -> None:
        self.value = value


class One(IntEnum):
    ONE = 1


class Liar:
    def __init__(self, text: str = "", number: object = None) -> None:
        self.text, self.number = text, number

    def __repr__(self) -> str:
        if self.text:
            return self.text
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]  # as people write it


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (One.ONE, "1"),
        (np.int64(2), "2"),
        (True, "True"),
        (1.0, "1.0"),
        (None, "None"),
        ("1", "'1'"),
        ("A", "'A'"),
        ("a\n\tb", "'a\\n\\tb'"),
        (Liar("1"), "Liar 1"),
        (Liar("'A'"), "Liar 'A'"),
        (Liar("!E"), "Liar !E"),
        (Liar("a\tb\nc"), "a\\tb\\nc"),
        (Liar(), "Liar (RuntimeError when it is shown)"),
        ([0] * 999, str([0] * 999)[:200] + "…"),
    ],
)
def test_written_uses_digits_for_integers_only(value: object, text: str) -> None:
    assert calls.written(value) == text


def test_play_answers_every_call_if_constructor_fails() -> None:
    def make(n: int) -> Any:
        raise ValueError("no")

    moves = [(0, 0, 1), (1, 1, 2)]
    assert calls.play(make, lambda game, n: game.move, 3, moves)[0] == ["!ValueError: no"] * 2


ROWS = [0] * 3
SEEN = {1}


def test_raised_survives_exception_without_message() -> None:
    class Shy(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert calls.raised(Shy()) == "!Shy: (its message cannot be read)"


def test_timed_repeats_at_least_as_often_as_requested() -> None:
    class Quick:
        def __init__(self, n: int) -> None:
            made.append(n)

        def move(self, row: int, col: int, player: int) -> None:
            moved.append(player)

    made: list[int] = []
    moved: list[int] = []
    make, move = calls.timed(Quick, lambda game, n: game.move, 3, [(0, 0, 1), (1, 1, 2)], 2)
    assert make > 0
    assert move > 0
    assert len(made) >= 2
    assert len(moved) == 2 * len(made)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": [1, 0]}, {"a": [0, 1]}),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"a": "1"}),
        ({"a": {1: 2}}, {"a": {1: 3}}),
        ({"a": {(1, 2)}}, {"a": {(2, 1)}}),
        ({"a": deque([1])}, {"a": deque([1, 2])}),
        ({"a": array("b", [1])}, {"a": array("b", [2])}),
        ({"a": np.eye(2)}, {"a": np.ones((2, 2))}),
        ({"a": Counter("ab")}, {"a": Counter("abb")}),
        ({"a": [ROWS, ROWS]}, {"a": [[0] * 3, [0] * 3]}),
        ({"a": [SEEN, SEEN]}, {"a": [{1}, {1}]}),
        ({"a": Held(b=1)}, {"a": Held(b=2)}),
        ({"a": Slotted(1)}, {"a": Slotted(2)}),
    ],
)
def test_state_differs_for_unequal_objects(
    one: dict[str, object], other: dict[str, object]
) -> None:
    states = [calls.state(Held(**held)) for held in (one, other)]
    assert None not in states
    assert states[0] != states[1]


def test_state_ignores_insertion_order() -> None:
    one, other = defaultdict(int), defaultdict(int)
    for key in ((0, 0), (1, 1)):
        one[key] = 1
    for key in ((1, 1), (0, 0)):
        other[key] = 1
    assert calls.state(Held(a=one)) == calls.state(Held(a=other)) is not None


@pytest.mark.parametrize(
    "hidden", [(x for x in [1]), lru_cache(lambda: 1), lambda row, seen=[]: seen, Lock()]
)
def test_state_of_opaque_object_is_none(hidden: object) -> None:
    assert calls.state(Held(a=hidden)) is None


def test_size_counts_shared_parts_once_and_arrays_behind_views() -> None:
    row = [0] * 1000
    assert calls.size([row, row]) < 2 * calls.size([row])
    assert calls.size(Held(a=np.zeros(1000)[:1])) > 8000
    assert calls.size(Held(a=deque(range(1000)))) > 8000
    assert calls.size(Slotted([[0] * 100 for _ in range(100)])) > 80_000
