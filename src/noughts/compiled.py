"""Compiled code: the modules that may be missing, and what happens then.

The names of compiled modules begin with an underscore. There are two kinds. Accelerators (PEP 399),
such as `noughts.game._board`, have a definition in Python beside them, which takes their place
where they are missing. The others exist only compiled; a function that needs one says so.
"""

from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType | None:
    """The compiled module of this full name, or None where it was not compiled."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def accelerated(definition: str) -> ModuleType:
    """The accelerator of this module, or the module itself where that was not compiled."""
    room, _, name = definition.rpartition(".")
    return load(f"{room}._{name}") or import_module(definition)


def required(name: str, what: str) -> ModuleType:
    """The compiled module of this full name, for what does not work without it.

    Args:
        name: the module.
        what: what it is needed for, the subject of a sentence: "exact search".

    Raises:
        ModuleNotFoundError: it was not compiled.
    """
    module = load(name)
    if module is None:
        raise ModuleNotFoundError(
            f"{what} needs {name}, but noughts was installed without a C compiler", name=name
        )
    return module
