"""Every compiled function and method, with arguments of every kind."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fuzz import Check
from noughts import Rules
from noughts.compiled import load
from noughts.game.geometry import geometry_of

NAMES = (
    *("noughts.game._board", "noughts.referee._tictactoe", "noughts.bulk._judge"),
    *("noughts.opponent.exact._columns", "noughts.opponent.exact._solver"),
)
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, BufferError, MemoryError)
ATTRIBUTES = (*REFUSALS, AttributeError)

NUMBERS = [
    sign * (2**k + d) for k in (7, 8, 31, 32, 62, 63, 64) for d in (-1, 0, 1) for sign in (1, -1)
]
RULES = [
    *(Rules(), Rules((1, 1)), Rules((4, 3), k=2), Rules((2, 2, 2)), Rules((3, 3), players=3)),
    *(Rules((5, 5), k=3, early_draw=True), Rules((2000, 3000), k=5), Rules((1,), k=1)),
    *(Rules((4, 4), k=3, gravity=True), Rules((2, 3, 3), k=3, gravity=True)),
]
KINDS = ["i1", "i4", "i8", "u1", "u2", "f8", ">i4", "O"]
ODD = [None, True, 1.5, float("nan"), "1", b"", 1j]
Call = tuple[int, bool, Rules, tuple[Any, ...], list[tuple[int, tuple[Any, ...]]]]


class Calls(Random):
    """Calls of all kinds, from a seed; Hypothesis would take ten times as long to draw them."""

    def number(self) -> int:
        return self.randint(-3, 12) if self.random() < 0.7 else self.choice(NUMBERS)

    def cell(self) -> tuple[int, ...]:
        return tuple([self.number() for _ in range(self.choice([1, 2, 2, 2, 3]))])

    def array(self) -> Any:
        values = [self.randint(-2, 12) for _ in range(self.randrange(13))]
        return np.array(values, np.int64).astype(self.choice(KINDS))

    def single(self) -> Any:
        kind = self.randrange(12)
        if kind < 4:
            return self.number()
        if kind < 6:
            return self.cell()
        if kind == 6:
            return self.choice(RULES)
        if kind == 7:
            return geometry_of(self.choice(RULES))
        if kind < 10:
            return self.array() if kind == 8 else self.array().reshape(1, -1)
        if kind == 10:
            return [[self.randrange(9) for _ in range(self.randrange(4))] for _ in range(3)]
        return self.choice([*ODD, bytearray(self.choice([0, 8, 24, 25]))])

    def argument(self) -> Any:
        if self.random() < 0.8:
            return self.single()
        return tuple([self.single() for _ in range(self.choice([2, 3]))])

    def arguments(self) -> tuple[Any, ...]:
        return tuple([self.argument() for _ in range(self.choice([0, 1, 1, 2, 2, 3, 4, 5]))])

    def call(self) -> Call:
        """Return a class or function, whether its arguments are valid, and calls of methods."""
        methods = [(self.randrange(99), self.arguments()) for _ in range(self.randrange(13))]
        return (
            *(self.randrange(99), self.random() < 0.5, self.choice(RULES), self.arguments()),
            methods,
        )


calls = st.integers(0, 2**64 - 1)  # seeds; an example is a hundred calls


@contextmanager
def calling_compiled() -> Iterator[Check]:
    """Yield a check that any call of any method returns or raises an expected error."""
    loaded = [module for name in NAMES if (module := load(name))]
    callables = [
        value
        for module in loaded
        for name, value in sorted(vars(module).items())
        if callable(value)
        and getattr(value, "__module__", None) in {None, "noughts", module.__name__}
        if not name.startswith("__")
    ]

    def check(seed: int) -> None:
        drawn = Calls(seed)
        for _ in range(100):
            call = drawn.call()
            try:
                check_one(call)
            except BaseException as error:
                error.add_note(f"in the call {call}")
                raise

    def check_one(call: Call) -> None:
        which, sound, board, given, methods = call
        target = callables[which % len(callables)]
        made = attempted(target, (board,) if sound and target.__name__ == "Board" else given)
        if made is None and inspect.isclass(target):
            made = attempted(target.__new__, (target, *given))
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


def attempted(target: Any, given: tuple[Any, ...]) -> Any:
    """Return the result of a call, or None if it raises an expected error."""
    try:
        return target(*given)
    except ATTRIBUTES:
        return None
