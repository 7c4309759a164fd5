"""Figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.timing import Table


def number(value: float | None) -> str:
    """A figure with as many digits as mean something: three.

    >>> [number(x) for x in (0.0123, 1.066, 35.24, 302_417, 83_640_000, None)]
    """
    if value is None:
        return "–"
    if abs(value) >= 1e6:
        return f"{digits(value / 1e6)} million"
    return digits(value)


def digits(value: float) -> str:
    """Three significant digits, never in powers of ten."""
    if value and abs(value) < 100:
        rounded = float(f"{value:.3g}")
        places = 2 if abs(rounded) >= 1 else 3
        return f"{rounded:.{places}f}" if abs(rounded) < 10 else f"{rounded:.1f}"
    return f"{float(f'{value:.3g}'):,.0f}"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def table(first: str, figures: Table) -> str:
    """A table of figures; `first` heads the column of the rows' names."""
    columns = list(dict.fromkeys(column for row in figures.values() for column in row))
    rows = [[name, *(number(row.get(c)) for c in columns)] for name, row in figures.items()]
    return markdown([first, *columns], rows)
