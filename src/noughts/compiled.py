"""Imports of compiled modules, which may be missing.

The names of compiled modules begin with an underscore. There are two kinds. Accelerators (PEP 399),
such as `noughts.game._board`, have a definition in Python beside them, which replaces them where
they are missing. The others exist only in compiled form; a function that needs one raises an error.
"""

from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType | None:
    """Return the compiled module with this full name, or None if it was not compiled."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def accelerated(definition: str) -> ModuleType:
    """Return the accelerator of the named module, or that module if it was not compiled."""
    package, _, name = definition.rpartition(".")
    return load(f"{package}._{name}") or import_module(definition)


def required(name: str, what: str) -> ModuleType:
    """Return the compiled module `name`, without which `what` cannot work.

    Args:
        name: the module's full name.
        what: the subject of the error's sentence, such as "exact search".

    Raises:
        ModuleNotFoundError: the module was not compiled.
    """
    module = load(name)
    if module is None:
        raise ModuleNotFoundError(
            f"{what} needs {name}, but noughts was installed without a C compiler", name=name
        )
    return module
