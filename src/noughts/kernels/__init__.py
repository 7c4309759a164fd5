"""Everything compiled, and only that: Cython in pure-Python mode, built where a C compiler is.

Where a kernel could not be compiled, `position` and `search` run as plain Python, and importing any
other raises ImportError, since its caller then has something better. Kernels import nothing of ours
but `noughts.errors`.

The .pxd files hold what is never run uncompiled, as inline functions in Cython's own syntax: they
are parts of the kernel that names them. A kernel is one module, so that it is there as a whole or
not at all, and no call from part to part leaves it.
"""

from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType | None:
    """The kernel of this name, or None where it was not compiled."""
    try:
        return import_module(f"{__name__}.{name}")
    except ImportError:
        return None


def required(name: str, what: str) -> ModuleType:
    """The kernel of this name, for what cannot be done without it.

    Args:
        name: the kernel.
        what: what it is needed for, the subject of a sentence: "exact search".

    Raises:
        ModuleNotFoundError: it was not compiled.
    """
    kernel = load(name)
    if kernel is None:
        raise ModuleNotFoundError(
            f"{what} needs noughts.kernels.{name}, but noughts was installed without a C compiler",
            name=f"{__name__}.{name}",
        )
    return kernel
