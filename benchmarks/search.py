"""Print how long exact search takes on boards of which the value is known.

.venv/bin/python benchmarks/search.py
"""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time

from noughts import Rules
from noughts.errors import size
from noughts.opponent.search import solve

BOARDS = [
    *[((3, 3), 3), ((4, 4), 3), ((4, 4), 4), ((3, 3, 3), 3), ((6, 6), 6), ((6, 6), 5)],
    *[((5, 5), 4), ((6, 5), 4), ((6, 6), 4), ((7, 4), 4), ((7, 5), 4)],
]


def search_rows() -> Iterator[tuple[str, float]]:
    """For each board, the seconds of processor time and the positions visited."""
    for shape, k in BOARDS:
        start = process_time()
        solution = solve(Rules(shape, k))
        name = f"solve {size(shape)}, {k} in a row"
        yield f"{name}: seconds", process_time() - start
        yield f"{name}: positions", solution.nodes


def main() -> None:
    """Print the rows."""
    for name, value in search_rows():
        print(f"{name:<40} {value:>12,.3f}" if "seconds" in name else f"{name:<40} {value:>12,}")


if __name__ == "__main__":
    main()
