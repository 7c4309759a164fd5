"""Public names that a package imports on first use, so that importing it stays fast."""

from collections.abc import Callable, Mapping
from importlib import import_module


def imported_on_use(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package (PEP 562), which imports its public names.

    A module of the package must not have the name of an export: once imported, the module would
    hide it.

    Args:
        package: its name.
        modules: for each public name, the module in the package that defines it.
    """

    def find(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return find
