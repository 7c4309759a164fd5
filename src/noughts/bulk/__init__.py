"""Judging games: one record, or many games at once in arrays, Arrow batches, files, on a cluster.

`judge_record` needs nothing else. `judge` and `winning_lines` take arrays, lists and columns, and
need NumPy; `judge_batch` takes tables, of any library that speaks Arrow, and needs PyArrow too. The
extra is ``noughts[batch]``.
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


def __getattr__(name: str) -> object:
    """Import what is asked for: PyArrow is slow to import, and arrays do not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "batches" if name == "judge_batch" else "arrays"
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    """The public names, as completion shows them."""
    return __all__
