"""What a kernel needs of the module `cython` to run as plain Python where Cython is not installed.

The idea is that of fontTools: types are annotations, which Python never looks at, so only the
decorators are left to stand in for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

compiled = False
int = int  # the C type that constants are declared with; the others stand in annotations only


def declare(_: type, value: T) -> T:
    """A constant with a C type: the constant."""
    return value


def cfunc(function: T) -> T:
    """The decorator of functions that only C calls."""
    return function


cclass = cfunc


def exceptval(*_: Any, **__: Any) -> Callable[[T], T]:
    """The decorator that tells which C value stands for an exception."""
    return cfunc
