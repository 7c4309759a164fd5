"""Run the benchmarks and write docs/performance.md: ``script/bench``."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from lab.bench.computer import description
from lab.bench.page import page, refreshed
from lab.bench.plots import plots
from lab.bench.tables import table
from lab.bench.timing import Run, Table

PARTS = (
    *("referee", "judge", "limit", "game", "files", "opponent", "scores", "positions", "startup"),
    *("learning", "peers", "device"),
)
# the last three import jax, which must come last
DOCS = Path(__file__).parents[2] / "docs"


def options(arguments: Sequence[str] | None) -> Namespace:
    """Parse the arguments."""
    parser = ArgumentParser(
        "script/bench",
        description="Measure noughts and other libraries in turns, and write performance.md,"
        " performance.json and images/*.svg to docs/. With --quick or --only, print the figures"
        " instead, unless --docs names a folder.",
        epilog="A full run takes about 20 minutes, 3 GB of disk and 1 GB of memory. Leave the"
        " machine idle during the run.",
    )
    parser.add_argument(
        "--quick", action="store_true", help="check that everything works, with little data"
    )
    parser.add_argument(
        "--only",
        choices=PARTS,
        action="append",
        metavar="PART",
        help=f"measure only this part; one of {', '.join(PARTS)}; may be repeated",
    )
    parser.add_argument("--rounds", type=_rounds, default=9, help="number of rounds (default: 9)")
    parser.add_argument("--docs", type=Path, help="folder to write to")
    parser.add_argument(
        "--draw", action="store_true", help="measure nothing; redraw from performance.json"
    )
    return parser.parse_args(arguments)


def _rounds(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"must be a positive integer, got {text!r}")
    return int(text)


def measure(parts: Sequence[str], run: Run) -> dict[str, Any]:
    """Run the benchmarks and return the results, ready for JSON."""
    figures: dict[str, dict[str, Table]] = {}
    for number, part in enumerate(parts, start=1):
        run.report(f"{part}, part {number} of {len(parts)}")
        figures[part] = import_module(f"lab.bench.{part}").measure(run)
    return {"computer": description(), "rounds": run.rounds, "figures": figures}


def write(results: dict[str, Any], docs: Path) -> None:
    """Write the results, the page and its plots."""
    (docs / "images").mkdir(parents=True, exist_ok=True)
    content = json.dumps(results, indent=1, ensure_ascii=False) + "\n"
    (docs / "performance.json").write_text(content, "utf-8")
    draw(results, docs)


def draw(results: dict[str, Any], docs: Path) -> None:
    """Write the page, its plots, and the tables of other pages."""
    (docs / "performance.md").write_text(page(results), "utf-8")
    for name, drawn in plots(results["figures"]).items():
        (docs / "images" / f"{name}.svg").write_text(drawn, "utf-8")
    for other in docs.glob("*.md"):
        other.write_text(refreshed(other.read_text("utf-8"), results["figures"]), "utf-8")


def show(results: dict[str, Any]) -> None:
    """Print the figures."""
    for part, tables in results["figures"].items():
        for name, measured in tables.items():
            print(f"\n{table(f'{part}: {name}', measured)}")


def reporter() -> Callable[[str], None]:
    """Return a function that prints progress: on a terminal in one line, elsewhere line by line."""
    start, end = ("\r\033[K", "") if sys.stderr.isatty() else ("", "\n")
    return lambda text: print(f"{start}{text}", end=end, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the arguments, measure, and write or print the results."""
    chosen = options(arguments)
    partial = chosen.quick or chosen.only
    docs = chosen.docs or (None if partial else DOCS)
    if chosen.draw:
        docs = chosen.docs or DOCS
        draw(json.loads((docs / "performance.json").read_text("utf-8")), docs)
        return
    run = Run(chosen.rounds, 0.02 if chosen.quick else 1.0, reporter())
    results = measure([part for part in PARTS if part in (chosen.only or PARTS)], run)
    run.report("")
    if docs is None:
        show(results)
    else:
        write(results, docs)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print("\nstopped; nothing was written", file=sys.stderr)
        sys.exit(130)
