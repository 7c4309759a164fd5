"""Figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lab.bench.timing import Table


def number(value: float | None) -> str:
    """A figure with as many digits as mean something: three."""
    if value is None:
        return "–"
    if abs(value) >= 1e6:
        return f"{number(value / 1e6)} million"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:#.3g}"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def table(first: str, figures: Table) -> str:
    """A table of figures; `first` heads the column of the rows' names."""
    columns = list(dict.fromkeys(column for row in figures.values() for column in row))
    rows = [[name, *(shown(row.get(c)) for c in columns)] for name, row in figures.items()]
    return markdown([first, *columns], rows)


def shown(value: float | None) -> str:
    """A figure, or a small count as it is."""
    return str(value) if isinstance(value, int) and abs(value) < 1000 else number(value)
