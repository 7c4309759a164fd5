"""What all objects of a class share, and how it is made again what it was at first."""

import copy
from collections.abc import Iterator
from contextlib import suppress
from types import BuiltinFunctionType, CellType, FunctionType, ModuleType
from typing import Any

from noughts.checker.calls import names_of


class Shared:
    """What a class or a function keeps beside its objects.

    Those are attributes of classes, globals that its code names, default arguments, variables of
    enclosing functions, and caches; they are followed through what its own module defines.

    Args:
        root: the class or function. It is copied what it shares now, before anything is played.
    """

    def __init__(self, root: Any) -> None:
        self._owners: list[Any] = []  # classes, functions, variables of enclosing functions
        self._caches: list[Any] = []
        self._globals: dict[str, Any] = {}
        self._names: set[str] = set()
        self._module = root.__module__
        self._find(root)
        self._first = [(*place, _copied(place[2])) for place in self._places()]

    def restore(self) -> None:
        """Make all of it what it was at first."""
        known = {(id(owner), name) for owner, name, _, _ in self._first}
        for owner, name, _ in list(self._places()):
            if (id(owner), name) not in known:
                owner.pop(name) if owner is self._globals else delattr(owner, name)
        for owner, name, value, first in self._first:
            kept = _made_again(value, first)
            if owner is self._globals:
                owner[name] = kept
            else:
                setattr(owner, name, kept)
        for cache in self._caches:
            cache.cache_clear()

    def _places(self) -> Iterator[tuple[Any, str, Any]]:
        """Where something is kept, under which name, and what it is now."""
        for name in self._names & self._globals.keys():
            if _is_data(self._globals[name]):
                yield self._globals, name, self._globals[name]
        for owner in self._owners:
            names = ["cell_contents"] if isinstance(owner, CellType) else list(vars(owner))
            names = [name for name in names if not name.startswith("__")]
            if isinstance(owner, FunctionType):
                names += ["__defaults__", "__kwdefaults__"]
            for name in names:
                with suppress(AttributeError, ValueError):  # a variable without a value yet
                    if _is_data(value := getattr(owner, name)):
                        yield owner, name, value

    def _find(self, thing: Any) -> None:
        """Follow a class or function into all that its module defines."""
        if hasattr(thing, "cache_clear") and thing not in self._caches:
            self._caches.append(thing)
        for name in ("__wrapped__", "__func__", "fget", "func"):  # what decorators make of it
            thing = getattr(thing, name, None) or thing
        ours = getattr(thing, "__module__", None) == self._module
        if not ours or any(thing is owner for owner in self._owners):
            return
        if isinstance(thing, type):
            self._owners.append(thing)
            for part in [*vars(thing).values(), *thing.__bases__]:
                self._find(part)
        elif isinstance(thing, FunctionType):
            self._owners += [thing, *(thing.__closure__ or ())]
            self._globals = thing.__globals__
            names = {*names_of(thing.__code__)} - self._names
            self._names |= names
            for name in names & self._globals.keys():
                self._find(self._globals[name])
            for cell in thing.__closure__ or ():
                with suppress(ValueError):
                    self._find(cell.cell_contents)


def _is_data(value: object) -> bool:
    """Whether it is no part of a program."""
    program = (type, ModuleType, FunctionType, BuiltinFunctionType, property)
    return not (
        isinstance(value, program)
        or hasattr(value, "cache_clear")
        or hasattr(type(value), "__get__")
        or type(value).__module__ in ("typing", "types")
    )


def _made_again(value: Any, first: Any) -> Any:
    """The value with what it held at first: the same list, since others may hold it too."""
    if first is value:
        return value
    if type(value) is list:
        value[:] = _copied(first)
    elif type(value) in (dict, set):
        value.clear()
        value.update(_copied(first))
    else:
        return _copied(first)
    return value


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # it cannot be copied, then it stays as it is
        return value
