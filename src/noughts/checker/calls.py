"""Calls to a solution in Python: answers as text, states as bytes, times and sizes.

This file imports the standard library alone, and nothing of noughts: it runs in the process of a
solution too, where noughts may be missing.
"""

import gc
import io
import pickle
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import blake2b
from operator import index
from types import (
    BuiltinFunctionType,
    CodeType,
    EllipsisType,
    FunctionType,
    ModuleType,
    NoneType,
    SimpleNamespace,
)
from typing import Any

MAX_ANSWER = 200
"""The characters of an answer that are kept."""

_DIGITS = ("0", "1", "2")
_max = max  # a solution may have a `max` of its own put there
_PLAIN = frozenset({int, bool, float, complex, str, bytes, NoneType, range, EllipsisType})
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)


def play(
    make: Callable[[int], Any], games: Sequence[tuple[int, Sequence[Sequence[int]]]]
) -> tuple[list[list[str]], Any]:
    """Play games by objects that are alive at once, in turn; return the answers, and the last one.

    Where an object cannot be made, every call to it answers with that exception.

    Raises:
        MemoryError, KeyboardInterrupt: in the solution; they are no answers.
    """
    objects: list[Any] = []
    for n, _ in games:
        try:
            objects.append(make(n))
        except (MemoryError, KeyboardInterrupt):
            raise
        except BaseException as error:
            objects.append(_Unmade(error))
    if len(games) == 1:  # nearly always: as below, in half the time
        return [_answers(objects[0], games[0][1])], objects[0]
    answers: list[list[str]] = [[] for _ in games]
    for ply in range(_max(len(moves) for _, moves in games)):
        for thing, said, (_, moves) in zip(objects, answers, games, strict=True):
            if ply < len(moves):
                said += _answers(thing, moves[ply : ply + 1])
    return answers, objects[-1]


def ask(function: Callable[[list[list[int]]], Any], moves: Iterable[Sequence[int]]) -> list[str]:
    """Call `function` with the cells of a whole game; return its one answer. Raises: see `play`."""
    return _answers(SimpleNamespace(move=function), [[[[row, col] for row, col, _ in moves]]])


def _answers(thing: Any, moves: Iterable[Sequence[Any]]) -> list[str]:
    """What each call answers, or what it raises, as text."""
    answers = []
    for move in moves:
        try:
            answer = thing.move(*move)
        except (MemoryError, KeyboardInterrupt):
            raise
        except BaseException as error:
            answers.append(raised(error))
        else:
            digit = type(answer) is int and 0 <= answer <= 2
            answers.append(_DIGITS[answer] if digit else written(answer))
    return answers


class _Unmade:
    """An object that could not be made."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def move(self, *_: int) -> None:
        raise self.error


def written(value: object) -> str:
    """The answer as text: ``0`` for every integer that is 0, ``True``, ``None``, ``'A'``.

    Only an integer is written as digits and only a string in quotes, whatever its `repr` says.
    """
    try:
        if isinstance(value, str):
            text = str.__repr__(value)
        elif type(value) in _PLAIN:
            text = repr(value)
        elif hasattr(type(value), "__index__"):
            text = int.__repr__(index(value))  # type: ignore[arg-type]
        else:
            text = repr(value)
            if text[:1] in "!-'\"0123456789":
                text = f"{type(value).__name__} {text}"
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        text = f"{type(value).__name__} ({type(error).__name__} when it is shown)"
    return line(text)


def raised(error: BaseException) -> str:
    """The exception as an answer: ``!IndexError: list index out of range``."""
    try:
        text = f"!{type(error).__name__}: {error}"
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException:
        text = f"!{type(error).__name__}: (its message cannot be read)"
    return line(text.removesuffix(": "))


def line(text: str) -> str:
    """The text, shortened, with nothing that ends a line or an answer."""
    if len(text) > MAX_ANSWER:
        text = text[:MAX_ANSWER] + "…"
    if not text.isprintable():
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text


def state(thing: object) -> bytes | None:
    """What an object holds, as bytes that are equal only for equal states.

    Two dictionaries or sets are equal in whatever order they were filled; parts that are the same
    object are told from equal ones. None if something is in it that cannot be seen through: a
    generator, a file, a function of its own. What all objects share is no part of it: that shows
    where several play.
    """
    text = io.BytesIO()
    try:
        _State(text).dump(thing)
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException:  # whatever its own methods raise
        return None
    return blake2b(text.getvalue(), digest_size=16).digest()


class _State(pickle.Pickler):
    """Writes down an object, in which classes are known by their identity."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.seen: dict[int, tuple[int, object]] = {}  # kept, so that no identity is given twice

    def persistent_id(self, thing: Any) -> Any:
        """What stands for a part whose bytes would tell more or less than its state."""
        kind = type(thing)
        if issubclass(kind, type):  # wherever it was defined
            return id(thing)
        if kind not in _UNORDERED:
            return None
        if id(thing) in self.seen:
            return f"@{self.seen[id(thing)][0]}"
        self.seen[id(thing)] = len(self.seen), thing
        return (
            kind,
            getattr(thing, "default_factory", None),
            sorted(_UNORDERED[kind](thing), key=repr),
        )


_UNORDERED: dict[type, Callable[[Any], Iterable[Any]]] = {
    **dict.fromkeys((dict, Counter, defaultdict), lambda mapping: mapping.items()),
    **dict.fromkeys((set, frozenset), iter),
}


# The processor's time, where there is such a clock: the same however busy the machine is.
_clock: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)

STEPS = 20  # of the clock, at least, that a time is measured in: a browser's are of 0.1 ms or 1 ms


def timed(
    make: Callable[[int], Any], n: int, moves: Sequence[Sequence[int]], repeats: int
) -> tuple[float, float]:
    """The shortest time to make an object, and then the shortest to make all the moves.

    Where that is too short for the clock, it is that of many objects, divided.
    """
    made = moved = float("inf")
    least, objects = STEPS * _step(), 1
    collects = gc.isenabled()
    gc.disable()
    try:
        while repeats:
            start = _clock()
            plays = [make(n).move for _ in range(objects)]
            ready = _clock()
            for move in plays:
                for row, col, player in moves:
                    move(row, col, player)
            end = _clock()
            if (end - ready if moves else ready - start) < least:
                objects *= 2
                continue
            moved = min(moved, (end - ready) / objects)
            made = min(made, (ready - start) / objects)
            repeats -= 1
    finally:
        if collects:
            gc.enable()
    return made, moved


@cache
def _step() -> float:
    """The smallest step of the clock that is seen, in seconds."""
    steps = []
    for _ in range(5):
        start = now = _clock()
        while now == start:
            now = _clock()
        steps.append(now - start)
    return min(steps)


def grown(make: Callable[[int], Any], n: int, moves: Iterable[Sequence[int]]) -> int:
    """The bytes that an object takes after these moves."""
    thing = make(n)
    for move in moves:
        thing.move(*move)
    return size(thing)


def size(thing: object) -> int:
    """The bytes of an object and all it holds, shared parts once; no classes, no functions."""
    seen: set[int] = set()
    total, todo = 0, [thing]
    numpy = sys.modules.get("numpy")
    while todo:
        part = todo.pop()
        if id(part) in seen or isinstance(part, _SHARED):
            continue
        seen.add(id(part))
        total += sys.getsizeof(part)
        todo += gc.get_referents(part)
        if numpy and isinstance(part, numpy.ndarray) and part.base is not None:
            todo.append(part.base)  # a view holds its array
    return total
