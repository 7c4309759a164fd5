"""What kernels that also run uncompiled name of Cython, as plain Python: names that do nothing."""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

compiled = False


def unchanged(thing: T) -> T:
    """The class or function itself: what Cython's decorators say is for the compiler alone."""
    return thing


def exceptval(*_: object, **__: object) -> Callable[[T], T]:
    """The same for the decorator that takes arguments."""
    return unchanged


cclass = cfunc = ccall = inline = final = unchanged
int = longlong = object


def declare(_: object, value: T) -> T:
    """The value of a constant, whose type is for the compiler alone."""
    return value
