"""Measure everything in one run, and write docs/performance.md."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from lab.bench.computer import facts
from lab.bench.page import page, refreshed
from lab.bench.plots import plots
from lab.bench.tables import table
from lab.bench.timing import Run, Table

PARTS = (
    *("referee", "judge", "game", "files", "opponent", "positions", "startup", "learning"),
    "peers",
)
# jax, which the last two import, comes last
DOCS = Path(__file__).parents[2] / "docs"


def options(arguments: Sequence[str] | None) -> Namespace:
    """What was asked for."""
    parser = ArgumentParser(
        "script/bench",
        description="Measures noughts and its peers side by side, and writes performance.md,"
        " performance.json and images/*.svg into docs. With --quick or --only it prints the"
        " figures instead, unless --docs says where to write.",
        epilog="A full run takes some 20 minutes and, for a while, 3 GB of disk and 1 GB of"
        " memory; leave the machine alone meanwhile.",
    )
    parser.add_argument("--quick", action="store_true", help="see that it works: little of all")
    parser.add_argument(
        "--only", choices=PARTS, action="append", metavar="PART", help=f"of {', '.join(PARTS)}"
    )
    parser.add_argument("--rounds", type=_rounds, default=9, help="medians of so many (9)")
    parser.add_argument("--docs", type=Path, help="the folder to write into")
    parser.add_argument("--draw", action="store_true", help="only redraw, from performance.json")
    return parser.parse_args(arguments)


def _rounds(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError("must be a number from 1")
    return int(text)


def measure(parts: Sequence[str], run: Run) -> dict[str, Any]:
    """Everything that is written down, as JSON has it."""
    figures: dict[str, dict[str, Table]] = {}
    for number, part in enumerate(parts, start=1):
        run.report(f"{part}, part {number} of {len(parts)}")
        figures[part] = import_module(f"lab.bench.{part}").measure(run)
    return {"computer": facts(), "rounds": run.rounds, "figures": figures}


def write(results: dict[str, Any], docs: Path) -> None:
    """The page, its figures and its plots."""
    (docs / "images").mkdir(parents=True, exist_ok=True)
    content = json.dumps(results, indent=1, ensure_ascii=False) + "\n"
    (docs / "performance.json").write_text(content, "utf-8")
    draw(results, docs)


def draw(results: dict[str, Any], docs: Path) -> None:
    """The page, its plots, and the tables of other pages."""
    (docs / "performance.md").write_text(page(results), "utf-8")
    for name, drawn in plots(results["figures"]).items():
        (docs / "images" / f"{name}.svg").write_text(drawn, "utf-8")
    for other in docs.glob("*.md"):
        other.write_text(refreshed(other.read_text("utf-8"), results["figures"]), "utf-8")


def show(results: dict[str, Any]) -> None:
    """The figures, on standard output."""
    for part, tables in results["figures"].items():
        for name, measured in tables.items():
            print(f"\n{table(f'{part}: {name}', measured)}")


def reporter() -> Callable[[str], None]:
    """Shows what is done: on a terminal in one line, elsewhere a line each."""
    begin, end = ("\r\033[K", "") if sys.stderr.isatty() else ("", "\n")
    return lambda doing: print(f"{begin}{doing}", end=end, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, measure, and write or print."""
    asked = options(arguments)
    partial = asked.quick or asked.only
    docs = asked.docs or (None if partial else DOCS)
    if asked.draw:
        docs = asked.docs or DOCS
        draw(json.loads((docs / "performance.json").read_text("utf-8")), docs)
        return
    run = Run(asked.rounds, 0.02 if asked.quick else 1.0, reporter())
    results = measure([part for part in PARTS if part in (asked.only or PARTS)], run)
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
