"""`noughts judge` from start to end, on one core and on files of random 3×3 games.

The time covers the whole command, including a few tenths of a second for its start-up.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.parquet as pq

from lab.bench.alone import noughts, run_alone
from lab.bench.random_games import chunks, records, write
from lab.bench.timing import Case, Run, Table
from noughts import Rules
from noughts.bulk import judge_record

PARQUET, JSON_LINES = 10_000_000, 2_000_000  # games
MANY = 100_000_000
PYARROW = "JSON Lines, only read by PyArrow"
READ = """
import sys
from pyarrow.json import ReadOptions, read_json
read_json(sys.argv[1], ReadOptions(use_threads=False))
"""
SAMPLE = 10_000  # games whose verdicts are compared with the verdicts on single games


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    with TemporaryDirectory(prefix="noughts-bench-") as name:
        folder = Path(name)
        check(folder)
        return {"formats": formats(run, folder), "many": many(run, folder)}


def check(folder: Path) -> None:
    """Check that files and single games get the same verdicts."""
    rules = Rules()
    expected = [judge_record(record) for record in records(rules, chunks(rules, SAMPLE, seed=1))]
    for source, out in product(("games.parquet", "games.jsonl"), ("out.parquet", "out.jsonl")):
        write(folder / source, rules, SAMPLE)
        run_alone(noughts(), "judge", folder / source, "--out", folder / out)
        found = verdicts(folder / out)
        assert found == [(one.status, one.winner, one.ply) for one in expected], source


def verdicts(path: Path) -> list[tuple[str, int | None, int]]:
    """Return the verdicts in a file."""
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
    else:
        rows = map(json.loads, path.read_text("utf-8").splitlines())
    return [(row["status"], row["winner"], row["ply"]) for row in rows]


def formats(run: Run, folder: Path) -> Table:
    """Measure games per second for each format of games and verdicts."""
    sources = {"Parquet": ("games.parquet", PARQUET), "JSON Lines": ("games.jsonl", JSON_LINES)}
    outs = {"Parquet": "out.parquet", "JSON Lines": "out.jsonl"}
    sizes, peaks = dict[str, int](), dict[str, float]()
    cases: dict[str, Case] = {}
    for read, (source, count) in sources.items():
        run.report(f"files: writing {run.sized(count):,} random games as {read}")
        write(folder / source, Rules(), run.sized(count))
        for written, out in outs.items():
            name = f"{read}, verdicts as {written}"
            sizes[name] = run.sized(count)
            command = (noughts(), "judge", folder / source, "--out", folder / out)
            cases[name] = _case(name, command, peaks)
    sizes[PYARROW] = sizes["JSON Lines, verdicts as JSON Lines"]
    cases[PYARROW] = _case(PYARROW, (sys.executable, "-c", READ, folder / "games.jsonl"), peaks)
    times = run.times("files", cases)
    return {name: _row(sizes[name], times.median(name), peaks[name]) for name in cases}


def many(run: Run, folder: Path) -> Table:
    """Judge a file of a hundred million games once, and measure the memory."""
    count = run.sized(MANY)
    source, out = folder / "games.parquet", folder / "out.parquet"
    run.report(f"files: writing {count:,} random games as Parquet")
    write(source, Rules(), count)
    run.report(f"files: judging {count:,} games")
    took = run_alone(noughts(), "judge", source, "--out", out)
    assert pq.read_metadata(out).num_rows == count
    return {f"{count:,} games": _row(count, took.seconds, took.megabytes)}


def _case(name: str, command: tuple[object, ...], peaks: dict[str, float]) -> Case:
    """Return a case that runs a command, and record its largest peak memory."""

    def case(_: int) -> float:
        took = run_alone(*command)
        peaks[name] = max(took.megabytes, peaks.get(name, 0))
        return took.seconds

    return case


def _row(games: int, seconds: float, megabytes: float) -> dict[str, float]:
    return {"games per second": games / seconds, "peak memory, MB": megabytes}
