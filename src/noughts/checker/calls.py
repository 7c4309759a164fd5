"""Calls to a Python solution: answers as text, states as bytes, times and sizes.

This file also runs in the solution's own process, where noughts may not be installed. It therefore
imports only the standard library.
"""

import gc
import io
import pickle
import re
import sys
import time
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import cache
from hashlib import blake2b
from operator import index
from typing import Any

MAX_ANSWER = 200  # characters of an answer
_DIGITS = ("0", "1", "2")
_max = max  # a solution may replace the built-in `max`
_PLAIN = frozenset({int, bool, float, complex, str, bytes, range, type(None), type(...)})
_SHARED = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.CodeType)


Make = Callable[[int], Any]  # creates an object for a board of this size
Bind = Callable[[Any, int], Callable[..., Any]]  # returns what moves, of an object for this size


def created(make: Make, n: int) -> Any:
    """Create an object; if that fails, return what answers every call with the exception.

    Raises:
        MemoryError, KeyboardInterrupt: raised by the solution; neither counts as an answer.
    """
    try:
        return make(n)
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        return _Unmade(error)


def play(make: Make, bind: Bind, n: int, moves: Sequence[Sequence[int]]) -> tuple[list[str], Any]:
    """Play a game with a new object; return its answers and the object. Raises as `created`."""
    thing = created(make, n)
    return answers(bind, thing, n, moves), thing


def play_together(
    make: Make, bind: Bind, games: Sequence[tuple[int, Sequence[Sequence[int]]]]
) -> list[list[str]]:
    """Return the answers of objects that exist at the same time and move in turn."""
    objects = [created(make, n) for n, _ in games]
    found: list[list[str]] = [[] for _ in games]
    for ply in range(_max(len(moves) for _, moves in games)):
        for thing, said, (n, moves) in zip(objects, found, games, strict=True):
            if ply < len(moves):
                said += answers(bind, thing, n, moves[ply : ply + 1])
    return found


def call_function(
    function: Callable[..., Any], n: int, marks: Iterable[Sequence[int]]
) -> list[str]:
    """Call `function` with a whole game or board and return its single answer; see `play`."""
    return answers(lambda function, _: function, function, n, [(n, [*marks])])


def board(
    n: int, marks: Iterable[Sequence[int]], first: object, second: object, empty: object
) -> list[list[object]]:
    """Return a board with these marks of the two players."""
    rows = [[empty] * n for _ in range(n)]
    for row, col, player in marks:
        rows[row][col] = first if player == 1 else second
    return rows


def evaluated(name: str, names: dict[str, Any], make: str, call: str) -> tuple[Any, Any]:
    """Return the functions that these expressions define, with the names of a solution.

    Raises NameError if the names do not include `name`, of a class or function.
    """
    if name.partition(".")[0] not in names:
        raise NameError(name)
    found = {**names, "noughts_board": board}
    return eval(make, found), eval(call, found)


def answers(bind: Bind, thing: Any, n: int, moves: Iterable[Sequence[Any]]) -> list[str]:
    """Return the answer or exception of each call, as text. Raises as `created`."""
    found: list[str] = []
    if type(thing) is _Unmade:
        return [raised(thing.error) for _ in moves]
    try:
        act = bind(thing, n)
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        return [raised(error) for _ in moves]
    for move in moves:
        try:
            answer = act(*move)
        except (MemoryError, KeyboardInterrupt):
            raise
        except BaseException as error:
            found.append(raised(error))
        else:
            digit = type(answer) is int and 0 <= answer <= 2
            found.append(_DIGITS[answer] if digit else written(answer))
    return found


class _Unmade:
    """A stand-in for an object whose constructor failed."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def written(value: object) -> str:
    """Return an answer as text: ``0`` for any integer equal to 0, ``True``, ``None``, ``'A'``.

    Only integers are written as digits and only strings in quotes, whatever their `repr` returns.
    """
    try:
        if isinstance(value, str):
            text = str.__repr__(value)
        elif isinstance(value, Enum) and not isinstance(value, int):
            text = value.name
        elif type(value) in _PLAIN:
            text = repr(value)
        elif hasattr(type(value), "__index__"):
            text = int.__repr__(index(value))  # type: ignore[arg-type]
        else:
            text = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))  # the same in every run
            if text[:1] in "!-'\"0123456789":
                text = f"{type(value).__name__} {text}"
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        text = f"{type(value).__name__} ({type(error).__name__} when it is shown)"
    return line(text)


def raised(error: BaseException) -> str:
    """Return an exception as an answer: ``!IndexError: list index out of range``."""
    try:
        text = f"!{type(error).__name__}: {error}"
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException:
        text = f"!{type(error).__name__}: (its message cannot be read)"
    return line(text.removesuffix(": "))


def line(text: str) -> str:
    """Shorten a text and escape everything that would end a line or an answer."""
    if len(text) > MAX_ANSWER:
        text = text[:MAX_ANSWER] + "…"
    if not text.isprintable():
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return text


def state(thing: object) -> bytes | None:
    """Return a digest that is equal only for equal states, or None if a part cannot be read.

    Unreadable parts are, for example, generators, files and local functions. The order in which
    dictionaries and sets were filled does not matter. Two references to one part differ from
    references to two equal parts. Class attributes are not included: games played by several
    objects at once reveal shared state.
    """
    text = io.BytesIO()
    try:
        _State(text).dump(thing)
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException:  # the object's own methods may raise anything
        return None
    return blake2b(text.getvalue(), digest_size=16).digest()


class _State(pickle.Pickler):
    """A pickler that identifies classes by identity and ignores the order of sets and mappings."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.seen: dict[int, tuple[int, object]] = {}  # kept alive, so that no id is reused

    def persistent_id(self, thing: Any) -> Any:
        """Return a replacement for parts whose pickle depends on more or less than their state."""
        kind = type(thing)
        if issubclass(kind, type):  # wherever the class was defined
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


# Processor time, where such a clock exists, is the same on a busy machine.
_clock: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)

STEPS = 20  # a measured time spans at least this many clock steps (0.1 ms or 1 ms in browsers)


def timed(
    make: Make, bind: Bind, n: int, moves: Sequence[Sequence[int]], repeats: int
) -> tuple[float, float]:
    """Return the shortest times to create an object and then to play all the moves, in seconds.

    If one run is too short for the clock, several objects are timed together.
    """
    made = moved = float("inf")
    least, objects = STEPS * _step(), 1
    collects = gc.isenabled()
    gc.disable()
    try:
        while repeats:
            start = _clock()
            plays = [bind(make(n), n) for _ in range(objects)]
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
    """Return the smallest observed step of the clock, in seconds."""
    steps = []
    for _ in range(5):
        start = now = _clock()
        while now == start:
            now = _clock()
        steps.append(now - start)
    return min(steps)


def grown(make: Make, bind: Bind, n: int, moves: Iterable[Sequence[int]]) -> int:
    """Return the size in bytes of an object after these moves."""
    thing = make(n)
    act = bind(thing, n)
    for move in moves:
        act(*move)
    return size(thing)


def size(thing: object) -> int:
    """Return the bytes of an object and its parts, once each, without classes and functions."""
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
