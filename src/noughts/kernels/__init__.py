"""Everything compiled, and only that: Cython, built where a C compiler is found.

There are two kinds. `board` and `tictactoe` are accelerators (PEP 399): `noughts.board` and
`noughts.referee.tictactoe` define what they do, and serve where they are missing. The others exist
only compiled; the modules that need them say so where they are missing.

The .pxd files hold inline functions that kernels share: they become part of each kernel that names
them, so that a kernel is there as a whole or not at all.
"""

from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType | None:
    """The kernel of this name, or None where it was not compiled."""
    path = f"{__name__}.{name}"
    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if error.name != path:
            raise
        return None


def accelerated(definition: str) -> ModuleType:
    """The kernel that accelerates this module, or the module itself where it was not compiled."""
    return load(definition.rpartition(".")[2]) or import_module(definition)


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
