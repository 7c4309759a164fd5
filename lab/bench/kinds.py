"""Judge the same games as every kind of table and array: ``script/lab kinds``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds

from lab.bench.random_games import as_ragged, random_games
from lab.bench.timing import Run, busy
from noughts import Rules
from noughts.bulk import judge, judge_batch

GAMES = 1_000_000


def cases(games: int) -> dict[str, Callable[[int], float]]:
    """Return the timed cases: complete random 3×3 games with integer ids."""
    moves = random_games(Rules(), games)
    values, offsets = as_ragged(moves)
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values))
    side = pa.array(np.full(games, 3, np.int8))
    table = pa.table({"id": pa.array(range(games)), "n": side, "moves": lists})
    (batch,) = table.to_batches()
    frame: Any = pl.from_arrow(table)
    database = duckdb.connect(config={"threads": 1})
    database.from_arrow(table).create("games")
    chunks = pa.Table.from_batches(table.to_batches(10_000))
    of_arrow, of_objects = table.to_pandas(types_mapper=pd.ArrowDtype), table.to_pandas()
    tables: dict[str, Callable[[], Any]] = {
        "PyArrow batch": lambda: batch,
        "PyArrow table": lambda: table,
        "PyArrow table, chunks of 10,000": lambda: chunks,
        "PyArrow reader": table.to_reader,
        "PyArrow dataset": lambda: ds.dataset(table),
        "Polars": lambda: frame,
        "Polars, collected": lambda: frame.lazy().collect(),
        "pandas, Arrow's types": lambda: of_arrow,
        "pandas, objects": lambda: of_objects,
        "DuckDB, with its query": lambda: database.sql("select * from games"),
        "DuckDB, only its query": lambda: database.sql("select * from games").to_arrow_table(),
    }
    judged = {name: busy(judge_new, make) for name, make in tables.items()}
    judged["DuckDB, only its query"] = busy(tables["DuckDB, only its query"])
    arrays = {"NumPy, `judge`": moves, "lists, `judge`": lists.to_pylist()}
    return judged | {name: busy(judge, array) for name, array in arrays.items()}


def judge_new(make: Callable[[], Any]) -> None:
    """Create a table and judge it, since a reader can be read only once."""
    judge_batch(make())


def main() -> None:
    """Print nanoseconds per game, and the speed relative to a PyArrow batch."""
    times = Run().times("kinds", cases(GAMES))
    print("| games | ns per game | speed of the batch |\n| --- | --- | --- |")
    for name in times.seconds:
        ratio = times.ratio("PyArrow batch", name)
        print(f"| {name} | {times.median(name) / GAMES * 1e9:.0f} | {ratio:.2f} |")


if __name__ == "__main__":
    main()
