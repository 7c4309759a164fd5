"""Judge games on Spark and Ray with the code in docs/scaling.md, and compare the verdicts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lab.bench.random_games import as_ragged, random_games
from noughts import Rules

PAGE = Path(__file__).parents[2] / "docs" / "scaling.md"


def samples() -> list[str]:
    """Return the Python code on the page, first for Spark, then for Ray."""
    section = PAGE.read_text("utf-8").partition("\n## Spark and Ray\n")[2].partition("\n## ")[0]
    return re.findall(r"^```py\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def games(count: int) -> pa.Table:
    """Create 3×3 games: half are complete, half are random numbers, some off the board."""
    random = np.random.default_rng(1)
    complete = random_games(Rules.square(3), count // 2)
    arbitrary = random.integers(
        -9, 10, (count - count // 2, 9)
    )  # negative numbers mark the end of a game
    values, offsets = as_ragged(np.concatenate([complete, arbitrary]))
    moves = pa.ListArray.from_arrays(offsets, values)
    return pa.table({"id": np.arange(count), "n": np.full(count, 3), "moves": moves})


def compare(where: str, found: pa.Table, expected: list[dict[str, Any]]) -> None:
    """Exit with an error at the first verdict that differs from the expected one."""
    for one, other in zip_longest(found.sort_by("id").to_pylist(), expected):
        if one != other:
            sys.exit(f"{where}: {one}\nnoughts judge: {other}")
    print(f"{where}: {len(expected):,} verdicts, equal to noughts judge")


def main() -> None:
    """Parse the arguments, judge three times and compare."""
    parser = ArgumentParser(prog="script/lab elsewhere", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, metavar="N", help="number of games")
    count = parser.parse_args().games
    on_spark, on_ray = samples()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("data").mkdir()
        pq.write_table(games(count), "data/games.parquet")
        judge = ["noughts", "judge", "data/games.parquet", "--out", "expected.parquet"]
        subprocess.run(judge, check=False)  # exit status 1, since some games are illegal
        expected = pq.read_table("expected.parquet").sort_by("id").to_pylist()

        spark: dict[str, Any] = {}
        exec(on_spark, spark)
        compare(f"Spark {version('pyspark')}", spark["verdicts"].toArrow(), expected)
        exec(on_ray, {})
        compare(f"Ray {version('ray')}", pq.read_table("verdicts"), expected)


if __name__ == "__main__":
    main()
