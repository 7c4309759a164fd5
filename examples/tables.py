"""The same three games as different kinds of tables and arrays, all with the same verdicts.

    python examples/tables.py

Libraries that are not installed are skipped. To install all of them, in a clone:
pip install ".[batch]" polars pandas duckdb
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa

from noughts.bulk import STATUSES, judge

GAMES = [[0, 3, 1, 4, 2], [0, 4, 8, 3, 5, 2, 6, 7, 1], [4, 0, 4]]  # X wins, a draw, an illegal move


def kinds() -> Iterator[tuple[str, Any]]:
    """Yield the games as each installed kind of table, with its name."""
    table = pa.table({"moves": GAMES})
    yield "lists", GAMES
    array = np.full((len(GAMES), 9), -1)
    for row, moves in zip(array, GAMES, strict=True):
        row[: len(moves)] = moves
    yield "NumPy array", array
    yield "PyArrow table", table
    yield "PyArrow batch", table.to_batches()[0]
    yield "PyArrow reader", table.to_reader()
    with suppress(ModuleNotFoundError):
        import polars

        yield "Polars frame", polars.DataFrame({"moves": GAMES})
        yield "Polars lazy frame", polars.LazyFrame({"moves": GAMES}).collect()
    with suppress(ModuleNotFoundError):
        import pandas

        yield "pandas frame", pandas.DataFrame({"moves": GAMES})
    with suppress(ModuleNotFoundError):
        import duckdb

        yield "DuckDB relation", duckdb.from_arrow(table)


def main() -> None:
    """Judge each kind of table and print its verdicts, which must be the same."""
    expected = judge(GAMES)
    for name, games in kinds():
        found = judge(games)
        print(f"{name:18}", *(STATUSES[status] for status in found.status))
        assert pa.table(found) == pa.table(expected)


if __name__ == "__main__":
    main()
