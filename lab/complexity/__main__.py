"""Measure how often complexities are right: ``script/lab complexity [--runs N] [--results FILE]``.

Three solutions in each language, of O(1), O(n) and O(n²) per move, are compiled once and measured
again and again beside two busy loops. Each result is appended to a file at once, so an interrupted
run can be continued.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from noughts.checker.complexity import measure
from noughts.checker.languages import LANGUAGES, open_solution
from noughts.checker.solution import Failed

SOLUTIONS = Path(__file__).with_name("solutions")
RIGHT = {"sums": ("O(1)", "O(n)"), "lines": ("O(n)", "O(n^2)"), "board": ("O(n^2)", "O(n^2)")}
BUSY = 2  # programs beside the measurements


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Run this many programs that do nothing but keep a processor busy."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def read(path: Path) -> list[dict[str, str]]:
    """Return the results in a file so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def run(path: Path, runs: int, languages: list[str], jobs: int) -> None:
    """Measure each solution until the file has this many results of it.

    Measurements at the same time keep each other's processors busy, too.
    """
    done = Counter((result["language"], result["solution"]) for result in read(path))
    missing = {
        file: runs - done[LANGUAGES[file.suffix].name, file.stem]
        for file in sorted(SOLUTIONS.iterdir())
        if not languages or LANGUAGES[file.suffix].name in languages
    }
    left, stopped = sum(max(0, each) for each in missing.values()), Event()

    def repeat(file: Path) -> None:
        nonlocal left
        try:
            solution = open_solution(file)
        except Failed as failed:
            print(f"{file.name}: {failed}", file=sys.stderr)
            return
        for _ in range(missing[file]):
            if stopped.is_set():
                break
            fresh = solution.fresh()
            time, make, memory = measure(fresh)
            fresh.close()
            result = {"language": LANGUAGES[file.suffix].name, "solution": file.stem,
                      "time": time.order, "make": make.order, "memory": memory.order}  # fmt: skip
            results.write(json.dumps(result) + "\n")
            results.flush()
            left -= 1
            print(f"\r{left:,} measurements left ", end="", file=sys.stderr)
        solution.close()

    with busy(BUSY), path.open("a") as results, ThreadPoolExecutor(jobs) as pool:
        try:
            list(pool.map(repeat, [file for file, each in missing.items() if each > 0]))
        finally:
            stopped.set()
            print(file=sys.stderr)


def table(results: list[dict[str, str]]) -> Iterator[str]:
    """Yield the lines of a table: how often each answer was right, not clear and wrong."""
    counts: dict[tuple[str, str], list[Counter[str]]] = defaultdict(lambda: [Counter(), Counter()])
    for result in results:
        for at, cost in enumerate(("time", "memory")):
            right = RIGHT[result["solution"]][at]
            found = result[cost]
            word = "right" if found == right else "wrong" if found else "not clear"
            counts[result["language"], result["solution"]][at][word] += 1
    words = "right", "not clear", "wrong"
    yield f"{'':24}{'time':^30}{'memory':^30}"
    yield f"{'language':12}{'per move':12}" + 2 * "".join(f"{word:>10}" for word in words)
    for (language, solution), both in sorted(counts.items()):
        row = "".join(f"{count[word]:>10}" for count in both for word in words)
        yield f"{language:12}{RIGHT[solution][0]:12}{row}"


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser(prog="script/lab complexity", description=__doc__)
    parser.add_argument("--runs", type=int, default=100, help="runs per solution (default: 100)")
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("build/complexity.jsonl"),
        help="JSON Lines file to continue (default: build/complexity.jsonl)",
    )
    parser.add_argument("--language", action="append", default=[], help="only this one; repeatable")
    parser.add_argument("--jobs", type=int, default=1, help="measurements at the same time")
    given = parser.parse_args()
    given.results.parent.mkdir(parents=True, exist_ok=True)
    try:
        run(given.results, given.runs, given.language, given.jobs)
    except KeyboardInterrupt:
        print(file=sys.stderr)
    print(*table(read(given.results)), sep="\n")


if __name__ == "__main__":
    main()
