"""Every method of every compiled class and function, with arguments of every kind."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fuzz import Check
from noughts import Rules
from noughts.geometry import geometry_of
from noughts.kernels import load

NAMES = ("board", "judge", "solver", "tictactoe")
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, BufferError, MemoryError)
ATTRIBUTES = (*REFUSALS, AttributeError)

numbers = st.integers(-3, 12) | st.sampled_from(
    [sign * (2**k + d) for k in (7, 8, 31, 32, 62, 63, 64) for d in (-1, 0, 1) for sign in (1, -1)]
)
cells = st.tuples(numbers) | st.tuples(numbers, numbers) | st.tuples(numbers, numbers, numbers)
rules = st.sampled_from(
    [
        *(Rules(), Rules((1, 1)), Rules((4, 3), k=2), Rules((2, 2, 2)), Rules((3, 3), players=3)),
        *(Rules((5, 5), k=3, early_draw=True), Rules((2000, 3000), k=5), Rules((1,), k=1)),
    ]
)
arrays = st.builds(
    lambda values, kind: np.array(values, np.int64).astype(kind),
    st.lists(st.integers(-2, 12), max_size=12),
    st.sampled_from(["i1", "i4", "i8", "u1", "u2", "f8", ">i4", "O"]),
)
single = (
    numbers
    | cells
    | rules
    | rules.map(geometry_of)
    | arrays
    | arrays.map(lambda array: array.reshape(1, -1))
    | st.lists(st.lists(st.integers(0, 8), max_size=3), max_size=4)
    | st.sampled_from([None, True, 1.5, float("nan"), "1", b"", bytearray(24), 1j])
    | st.builds(lambda size: bytearray(size), st.sampled_from([0, 8, 24, 25]))
)
arguments = st.lists(
    single | st.tuples(single, single) | st.tuples(single, single, single), max_size=5
).map(tuple)
calls = st.tuples(
    st.integers(0, 99),  # which class or function
    st.booleans(),  # whether the object is made as it should be
    rules,
    arguments,
    st.lists(st.tuples(st.integers(0, 99), arguments), max_size=12),
)


@contextmanager
def calling_kernels() -> Iterator[Check]:
    """Any object, any of its methods, any arguments: an answer or an error."""
    loaded = [module for name in NAMES if (module := load(name))]
    doors = [
        door
        for module in loaded
        for name, door in sorted(vars(module).items())
        if callable(door) and getattr(door, "__module__", None) in {None, module.__name__}
        if not name.startswith("__")
    ]

    def check(call: tuple[int, bool, Rules, tuple[Any, ...], list[tuple[int, Any]]]) -> None:
        which, sound, board, given, methods = call
        door = doors[which % len(doors)]
        made = attempted(door, (board,) if sound and door.__name__ == "Board" else given)
        if made is None and inspect.isclass(door):
            made = attempted(door.__new__, (door, *given))
        if made is None:
            return
        names = [name for name in dir(type(made)) if name not in {"__class__", "__init_subclass__"}]
        for number, values in methods:
            name = names[number % len(names)]
            try:
                attribute = getattr(made, name)
            except ATTRIBUTES:
                continue
            if callable(attribute):
                attempted(attribute, values)

    yield check


def attempted(door: Any, given: tuple[Any, ...]) -> Any:
    """What a call answers, or None if it refuses."""
    try:
        return door(*given)
    except ATTRIBUTES:
        return None
