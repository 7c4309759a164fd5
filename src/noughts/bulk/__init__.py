"""Judging recorded games: single records, arrays, tables, files, and files on a cluster.

`judge_record` needs only the standard library. `judge` and `winning_lines` take arrays, lists and
columns, and need NumPy. `judge_batch` takes tables of any library that supports Arrow's C
interface, and also needs PyArrow. Both come with ``noughts[batch]``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from noughts.bulk.verdict import CODES, STATUSES, Verdict, judge_record

if TYPE_CHECKING:
    from noughts.bulk.arrays import Verdicts, judge, winning_lines
    from noughts.bulk.batches import judge_batch

__all__ = [
    "CODES",
    "STATUSES",
    "Verdict",
    "Verdicts",
    "judge",
    "judge_batch",
    "judge_record",
    "winning_lines",
]


if not TYPE_CHECKING:  # which would take every name for an attribute

    def __getattr__(name: str) -> object:
        """Import a public name on first use: PyArrow is slow, and arrays do not need it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = "batches" if name == "judge_batch" else "arrays"
        return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__]
