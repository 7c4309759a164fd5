"""Calls to a solution, its answers as text, and what its objects hold.

This file imports the standard library alone, and nothing of noughts: it runs in the process of a
solution too, where noughts may be missing.
"""

import gc
import sys
import time
from array import array
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from operator import index
from types import (
    BuiltinFunctionType,
    CodeType,
    EllipsisType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    NoneType,
    WrapperDescriptorType,
)
from typing import Any

MAX_ANSWER = 200
"""The characters of an answer that are kept."""

_DIGITS = ("0", "1", "2")


def play(
    make: Callable[[int], Any], sides: Sequence[int], calls: Iterable[tuple[int, Sequence[int]]]
) -> tuple[list[str], Any]:
    """Make an object for each side, then make the calls; return the answers and the last object.

    Where an object cannot be made, every call to it answers with that exception.

    Raises:
        MemoryError, KeyboardInterrupt: in the solution; they are no answers.
    """
    objects: list[Any] = []
    answers = []
    for n in sides:
        try:
            objects.append(make(n))
        except (MemoryError, KeyboardInterrupt):
            raise
        except BaseException as error:
            objects.append(_Unmade(error))
    for number, move in calls:
        try:
            answer = objects[number].move(*move)
        except (MemoryError, KeyboardInterrupt):
            raise
        except BaseException as error:
            answers.append(raised(error))
        else:
            simple = type(answer) is int and 0 <= answer <= 2
            answers.append(_DIGITS[answer] if simple else written(answer))
    return answers, objects[-1] if objects else None


def ask(function: Callable[[list[list[int]]], Any], calls: Iterable[Sequence[int]]) -> list[str]:
    """Call `function` with the cells of a whole game; return its one answer.

    Raises:
        MemoryError, KeyboardInterrupt: in the solution; they are no answers.
    """
    try:
        return [written(function([[row, col] for row, col, _ in calls]))]
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:
        return [raised(error)]


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
    """What decides how `thing` goes on, as bytes that are equal only for equal states.

    That is its attributes, and what its class and its functions hold and use: class attributes,
    defaults, closures, globals. Two dictionaries or sets are equal in whatever order they were
    filled; parts that are the same object are told from equal ones. None if something is in it
    that cannot be seen through: an iterator, a cache, a random generator, a file.
    """
    try:
        text = _Walk().text(thing)
    except (_UnseenError, RecursionError, ValueError, AttributeError, TypeError):
        return None
    return blake2b(text.encode(errors="backslashreplace"), digest_size=16).digest()


# The processor's time, where there is such a clock: the same however busy the machine is.
_clock: Callable[[], float] = getattr(time, "thread_time", time.perf_counter)

STEPS = 20  # of the clock, at least, that a time is measured in: a browser's are of 0.1 ms or 1 ms


def timed(
    make: Callable[[Any], Any], n: int, moves: Sequence[Sequence[int]], repeats: int, whole: bool
) -> tuple[float, float]:
    """The shortest time to make an object, and then the shortest to make all the moves.

    Where that is too short for the clock, it is that of many objects, divided. If `whole`, `make`
    is a function that takes all the moves at once.
    """
    made = moved = float("inf")
    cells = [[row, col] for row, col, _ in moves]
    least, objects = STEPS * _step(), 1
    collects = gc.isenabled()
    gc.disable()
    try:
        while repeats:
            start = _clock()
            if whole:
                for _ in range(objects):
                    make([*cells])
                ready, end = start, _clock()
            else:
                plays = [make(n).move for _ in range(objects)]
                ready = _clock()
                for move in plays:
                    for row, col, player in moves:
                        move(row, col, player)
                end = _clock()
            if (end if moves else ready) - (ready if moves else start) < least:
                objects *= 2
                continue
            moved = min(moved, (end - ready) / objects)
            made = min(made, (ready - start) / objects)
            repeats -= 1
    finally:
        if collects:
            gc.enable()
    return made, moved


@lru_cache(1)
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


class _UnseenError(Exception):
    """Something that holds a state cannot be looked into."""


_PLAIN = frozenset({int, bool, float, complex, str, bytes, NoneType, range, EllipsisType})
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, CodeType)
_NAMED = (MethodDescriptorType, MemberDescriptorType, GetSetDescriptorType, WrapperDescriptorType)
# Classes of the standard library that say nothing, or that `_Walk.content` looks into.
_KNOWN = {
    *("object", "dict", "list", "tuple", "set", "frozenset", "int", "str", "float", "bytes"),
    *("bytearray", "deque", "array", "Counter", "defaultdict", "OrderedDict", "ABC", "Generic"),
    *("Protocol", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "SimpleNamespace"),
}
# Modules and functions that hold a state of their own, or by which any other can be reached.
_HIDING = {
    *("random", "secrets", "time", "datetime", "uuid", "os", "threading", "itertools.count"),
    *("globals", "locals", "vars", "eval", "exec", "__import__", "open", "input"),
}
# What every class has, and what never changes.
_QUIET = {
    *("__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "__qualname__"),
    *("__slots__", "__match_args__", "__parameters__", "__orig_bases__", "__abstractmethods__"),
    *("_abc_impl", "__dataclass_fields__", "__dataclass_params__", "__annotate__", "__hash__"),
    *("__firstlineno__", "__static_attributes__", "__annotate_func__", "__annotations_cache__"),
}


def _library(module: object) -> bool:
    """Whether this is the name of a module whose functions and classes do not change."""
    return _is_library(str(module))


@lru_cache(1 << 10)
def _is_library(module: str) -> bool:
    name = module.partition(".")[0]
    return name in sys.stdlib_module_names - {"__main__"} or name in {"numpy", "typing_extensions"}


@lru_cache(1 << 12)
def names_of(code: CodeType) -> tuple[str, ...]:
    """The names that a function looks up, those of the functions inside it too."""
    inner = (names_of(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return tuple(dict.fromkeys((*code.co_names, *(name for names in inner for name in names))))


class _Walk:
    """One walk through all that an object holds."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.kept: list[object] = []  # so that no key of `seen` is given to another object
        self.classes: set[type] = set()

    def text(self, thing: Any) -> str:
        """All that is in it, as text; of a part met before, which it was."""
        kind = type(thing)
        if kind in _PLAIN:
            return repr(thing)
        if kind is tuple:
            return f"({self.all(thing)})"
        if id(thing) in self.seen:
            return f"@{self.seen[id(thing)]}"
        self.seen[id(thing)] = len(self.seen)
        self.kept.append(thing)
        if kind is list:
            plain = _PLAIN.issuperset(map(type, thing))
            return repr(thing) if plain else f"[{self.all(thing)}]"
        if kind is FunctionType:
            return self.function(thing)
        if issubclass(kind, type):
            return self.cls(thing)
        if kind in _PARTS:
            return f"{kind.__name__} {self.all(_PARTS[kind](thing))}"
        return self.other(thing, kind)

    def all(self, things: Iterable[Any]) -> str:
        """Several things, in their order."""
        return ",".join(map(self.text, things))

    def mapping(self, items: Iterable[tuple[Any, Any]]) -> str:
        """A dictionary, in whatever order it was filled."""
        pairs = list(items)
        texts = {self.text(key): value for key, value in pairs}
        if len(texts) < len(pairs):  # two keys that look alike
            raise _UnseenError
        return ",".join(f"{key}:{self.text(texts[key])}" for key in sorted(texts))

    def other(self, thing: Any, kind: type) -> str:
        """An object of any class that can be seen through."""
        numpy = sys.modules.get("numpy")
        if numpy and isinstance(thing, (numpy.ndarray, numpy.generic)):
            if thing.dtype.hasobject:
                raise _UnseenError
            return f"{thing.dtype.str}{thing.shape}{thing.tobytes()!r}{self.text(thing.base)}"
        if kind in _NAMED or kind.__module__ == "typing":
            return f"{kind.__name__} {thing}"
        if kind is ModuleType or kind is BuiltinFunctionType:
            return self.named(thing)
        if any(_library(base.__module__) and base.__name__ not in _KNOWN for base in kind.__mro__):
            raise _UnseenError
        return f"{self.cls(kind)}{self.content(thing)}{self.attributes(thing, kind)}"

    def named(self, thing: Any) -> str:
        """A module, or a function in C."""
        owner = getattr(thing, "__self__", thing) or sys
        if not isinstance(owner, ModuleType):
            return f"{thing.__name__} of {self.text(owner)}"
        if owner.__name__ in _HIDING or not _library(owner.__name__):
            raise _UnseenError
        return f"{owner.__name__}.{thing.__name__}"

    def function(self, function: FunctionType) -> str:
        """A function: its defaults, its closure, and the globals that it uses."""
        where = f"{function.__module__}.{function.__qualname__}:{function.__code__.co_firstlineno}"
        if _library(function.__module__):
            return where
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        parts = [where, self.all((function.__defaults__, function.__kwdefaults__, *cells))]
        if function.__dict__:
            parts.append(self.mapping(function.__dict__.items()))
        for name in names_of(function.__code__):
            if name in function.__globals__:
                parts.append(f"{name}={self.text(function.__globals__[name])}")
            elif name in _HIDING:
                raise _UnseenError
        return f"<{' '.join(parts)}>"

    def cls(self, kind: type) -> str:
        """A class; the first time with its attributes and those of its bases."""
        parts = []
        for base in kind.__mro__:
            parts.append(base.__qualname__)
            if base not in self.classes and not _library(base.__module__):
                self.classes.add(base)
                members = ((k, v) for k, v in vars(base).items() if k not in _QUIET)
                parts.append(",".join(f"{name}={self.text(value)}" for name, value in members))
        return f"<{' '.join(parts)}>"

    def content(self, thing: Any) -> str:
        """What it holds as one of the classes of the standard library."""
        if isinstance(thing, dict):
            if isinstance(thing, OrderedDict):
                return f"[{self.all(thing.items())}]"
            factory = thing.default_factory if isinstance(thing, defaultdict) else None
            return f"{{{self.mapping(dict.items(thing))}}}{self.text(factory)}"
        if isinstance(thing, set | frozenset):
            texts = sorted(map(self.text, thing))
            if len(set(texts)) < len(texts):
                raise _UnseenError
            return f"{{{','.join(texts)}}}"
        if isinstance(thing, list | tuple):
            return f"[{self.all(thing)}]"
        if isinstance(thing, deque):
            return f"[{self.all(thing)}]{thing.maxlen}"
        if isinstance(thing, array):
            return f"{thing.typecode}{thing.tobytes()!r}"
        for plain in (int, float, str, bytes, bytearray):
            if isinstance(thing, plain):
                return plain.__repr__(thing)
        return ""

    def attributes(self, thing: Any, kind: type) -> str:
        """Its attributes, of its dictionary and its slots."""
        texts = [self.mapping(getattr(thing, "__dict__", {}).items())]
        for base in () if _library(kind.__module__) else kind.__mro__:
            for name, slot in vars(base).items():
                if type(slot) is MemberDescriptorType:
                    try:
                        texts.append(f"{name}={self.text(slot.__get__(thing))}")
                    except AttributeError:  # never set
                        texts.append(name)
        return f"{{{','.join(texts)}}}"


# The parts that say all of an object of these classes.
_PARTS: dict[type, Callable[[Any], Iterable[Any]]] = {
    MethodType: lambda method: (method.__func__, method.__self__),
    staticmethod: lambda method: (method.__func__,),
    classmethod: lambda method: (method.__func__,),
    property: lambda of: (of.fget, of.fset, of.fdel),
    cached_property: lambda of: (of.func,),
    partial: lambda of: (of.func, of.args, of.keywords),
    MappingProxyType: lambda mapping: mapping.items(),
}
