"""Figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lab.bench.timing import Table


def number(value: float | None) -> str:
    """Return a figure with three significant digits."""
    if value is None:
        return "–"
    if abs(value) >= 1e6:
        return f"{number(value / 1e6)} million"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:#.3g}"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def table(first: str, figures: Table) -> str:
    """Return a table of figures; `first` is the heading of the row names."""
    columns = list(dict.fromkeys(column for row in figures.values() for column in row))
    rows = [[name, *(formatted(row.get(c)) for c in columns)] for name, row in figures.items()]
    return markdown([first, *columns], rows)


def formatted(value: float | None) -> str:
    """Return a small count unchanged, and any other figure with three digits."""
    return str(value) if isinstance(value, int) and abs(value) < 1000 else number(value)
