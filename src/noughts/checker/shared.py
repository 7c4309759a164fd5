"""What all objects of a class share, and how it is made again what it was at first."""

import copy
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any


class Shared:
    """Attributes of classes, globals that code names, and default arguments.

    They are followed through what the module of a class or function defines. Until it is given
    back, copies stand in their places.

    Args:
        root: the class or function.
    """

    def __init__(self, root: Any) -> None:
        self._owners: list[Any] = []
        self._globals: dict[str, Any] = {}
        self._names: set[str] = set()
        self._find(root, root.__module__)
        self._first = [*self._places()]
        self.renew()

    def renew(self) -> None:
        """Make all of it what it was at first."""
        copies: dict[int, Any] = {}  # what stands in two places is one thing again
        self._put([(*place, _copied(value, copies)) for *place, value in self._first])

    def give_back(self) -> None:
        """Leave it as it was found."""
        self._put(self._first)

    def _put(self, places: Sequence[tuple[Any, ...]]) -> None:
        first = {(id(owner), name) for owner, name, _ in places}
        for owner, name, _ in [*self._places()]:
            if (id(owner), name) not in first:
                owner.pop(name) if owner is self._globals else delattr(owner, name)
        for owner, name, value in places:
            if owner is self._globals:
                owner[name] = value
            else:
                with suppress(AttributeError):  # it cannot be set, as of an Enum
                    setattr(owner, name, value)

    def _places(self) -> Iterator[tuple[Any, str, Any]]:
        """Where something is kept now: a class, a function or the globals; its name; what it is."""
        for name in self._names & self._globals.keys():
            if _is_data(self._globals[name]):
                yield self._globals, name, self._globals[name]
        for owner in self._owners:
            if isinstance(owner, FunctionType):
                yield owner, "__defaults__", owner.__defaults__
                yield owner, "__kwdefaults__", owner.__kwdefaults__
            else:
                for name, value in vars(owner).items():
                    if not name.startswith("__") and _is_data(value):
                        yield owner, name, value

    def _find(self, thing: Any, module: str) -> None:
        """Follow a class or function into all that its module defines."""
        thing = getattr(thing, "__func__", thing)  # of a static method, or one of a class
        known = any(thing is owner for owner in self._owners)
        if known or getattr(thing, "__module__", None) != module:
            return
        if isinstance(thing, type):
            self._owners.append(thing)
            for part in (*vars(thing).values(), *thing.__bases__):
                self._find(part, module)
        elif isinstance(thing, FunctionType):
            self._owners.append(thing)
            self._globals = thing.__globals__
            for name in _names(thing.__code__) - self._names:
                self._names.add(name)
                self._find(self._globals.get(name), module)


def _names(code: CodeType) -> set[str]:
    """The names that a function looks up, those of the functions inside it too."""
    inner = (_names(part) for part in code.co_consts if isinstance(part, CodeType))
    return {*code.co_names}.union(*inner)


def _is_data(value: object) -> bool:
    """Whether it is no part of a program."""
    program = (type, ModuleType, FunctionType, BuiltinFunctionType)
    return not (isinstance(value, program) or hasattr(type(value), "__get__"))


def _copied(value: Any, copies: dict[int, Any]) -> Any:
    try:
        return copy.deepcopy(value, copies)
    except Exception:  # it cannot be copied, then it stays as it is
        return value
