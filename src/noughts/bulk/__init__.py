"""Judging recorded games: single records, arrays, tables, files, and files on a cluster.

`judge_record` needs only the standard library. `judge` and `winning_lines` take arrays, lists and
columns, and need NumPy. `judge_batch` takes tables of any library that supports Arrow's C
interface, and also needs PyArrow. Both come with ``noughts[batch]``.
"""

from typing import TYPE_CHECKING

from noughts.bulk.verdict import CODES, STATUSES, Verdict, judge_record
from noughts.exports import imported_on_use

if TYPE_CHECKING:
    from noughts.bulk.arrays import Verdicts, judge, winning_lines
    from noughts.bulk.batches import judge_batch
else:  # PyArrow is slow to import, and arrays do not need it
    __getattr__ = imported_on_use(
        __name__,
        {
            "Verdicts": "arrays",
            "judge": "arrays",
            "judge_batch": "batches",
            "winning_lines": "arrays",
        },
    )

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


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__]
