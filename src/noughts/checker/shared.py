"""What all objects of a class share, and how it is made what it was at first."""

import copy
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from noughts.checker.calls import names_of


class Shared:
    """What a class or function keeps beside its objects: the state that all of them share.

    Those are attributes of classes, the globals that its code names, default arguments, variables
    of enclosing functions, and caches. It is followed through what its own module defines.
    """

    def __init__(self, root: Any) -> None:
        """Find and copy it; nothing has been played yet."""
        self._classes: list[type] = []
        self._functions: list[Any] = []
        self._caches: list[Any] = []
        self._globals: dict[str, Any] = {}
        self._names: set[str] = set()
        self._module = root.__module__
        self._find(root)
        self._first = {place: (value, _copied(value)) for place, value in self._places()}

    def restore(self) -> None:
        """Make all of it what it was at first."""
        for place, _ in self._places():
            if place not in self._first:
                owner, name = self._owner(place), place[-1]
                if isinstance(owner, dict):
                    del owner[name]
                else:
                    delattr(owner, name)
        for place, (value, first) in self._first.items():
            owner, name = self._owner(place), place[-1]
            kept = value if first is value else _copied(first)
            if isinstance(owner, dict):
                owner[name] = kept
            else:
                setattr(owner, name, kept)
        for cache in self._caches:
            cache.cache_clear()

    def _owner(self, place: tuple[Any, ...]) -> Any:
        group, number = place[:2]
        if group == "class":
            return self._classes[number]
        if group == "global":
            return self._globals
        function = self._functions[number]
        return function.__closure__[place[2]] if group == "closure" else function

    def _places(self) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """Where something is kept, and what."""
        for number, owner in enumerate(self._classes):
            for name, value in list(vars(owner).items()):
                if not name.startswith("__") and _is_data(value):
                    yield ("class", number, name), value
        for name in sorted(self._names):
            if name in self._globals and _is_data(self._globals[name]):
                yield ("global", 0, name), self._globals[name]
        for number, function in enumerate(self._functions):
            for name in ("__defaults__", "__kwdefaults__"):
                if getattr(function, name):
                    yield ("function", number, name), getattr(function, name)
            for name, value in list(vars(function).items()):
                if _is_data(value):
                    yield ("function", number, name), value
            for cell, variable in enumerate(function.__closure__ or ()):
                try:
                    value = variable.cell_contents
                except ValueError:
                    continue  # it has no value yet
                if _is_data(value):
                    yield ("closure", number, cell, "cell_contents"), value

    def _find(self, thing: Any) -> None:
        """Follow a class or function into all that its module defines."""
        if hasattr(thing, "cache_clear") and thing not in self._caches:
            self._caches.append(thing)
        thing = getattr(thing, "__wrapped__", thing)
        for name in ("__func__", "fget", "func"):  # a static method, a property, a cached one
            thing = getattr(thing, name, None) or thing
        if isinstance(thing, type) and thing not in self._classes:
            if thing.__module__ == self._module:
                self._classes.append(thing)
                for part in [*vars(thing).values(), *thing.__bases__]:
                    self._find(part)
        elif isinstance(thing, FunctionType) and thing not in self._functions:
            if thing.__module__ == self._module:
                self._functions.append(thing)
                self._globals = thing.__globals__
                names = set(names_of(thing.__code__))
                self._names |= names
                for name in names & self._globals.keys():
                    self._find(self._globals[name])
                for cell in thing.__closure__ or ():
                    try:
                        self._find(cell.cell_contents)
                    except ValueError:
                        continue


def _is_data(value: object) -> bool:
    """Whether it is no part of a program, and can be changed or replaced."""
    program = (type, ModuleType, FunctionType, BuiltinFunctionType, staticmethod, classmethod)
    return not (
        isinstance(value, program)
        or hasattr(value, "cache_clear")
        or hasattr(type(value), "__get__")
        or type(value).__module__ in ("typing", "types")
    )


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:
        return value
