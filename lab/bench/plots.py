"""The figures as SVG plots, in the colours of the boards, for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from lab.bench.referee import EMPTY_METHOD
from lab.bench.tables import number
from lab.bench.timing import Figures, Table
from noughts.picture.svg import STYLE

Points = Sequence[tuple[float, float]]
WIDTH = 760
LINE_HEIGHT = 17
OWN_STYLE = (
    ".noughts text{text-anchor:start}.noughts .name{fill:var(--ink)}"
    ".noughts .end{text-anchor:end}.noughts .middle{text-anchor:middle}"
    ".noughts .grid{stroke:var(--grid)}"
    ".noughts .line{fill:none;stroke-width:2;stroke-linejoin:round}"
)


@dataclass(frozen=True)
class Scale:
    """An axis, from `low` at the pixel `start` to `high` at `end`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = True

    def __call__(self, value: float) -> float:
        low, high, value = (math.log(x) if self.log else x for x in (self.low, self.high, value))
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return the powers of ten, or four or five round steps."""
        if self.log:
            first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
            return [10.0**power for power in range(first, last + 1)]
        step = round_step(self.high / 4)
        return [step * i for i in range(int(self.high / step) + 1)]


def round_step(least: float) -> float:
    """Return the next larger 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def decades(values: Iterable[float]) -> tuple[float, float]:
    """Return the powers of ten around all values."""
    found = list(values)
    low, high = math.floor(math.log10(min(found))), math.ceil(math.log10(max(found)))
    return 10.0**low, 10.0 ** max(high, low + 1)


def drawing(title: str, height: int, shapes: Iterable[str]) -> str:
    """Return the whole SVG."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="noughts" role="img"'
            f' viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
            ' style="max-width:100%;height:auto">',
            f"<title>{escape(title)}</title>",
            f"<style>{STYLE}{OWN_STYLE}</style>",
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="var(--paper)"/>',
            text(24, 26, title, "name"),
            *shapes,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>'


def grid(x: Scale, y: Scale, ticks: Sequence[float]) -> list[str]:
    """Return the lines and labels behind a plot; `ticks` belong to the x axis."""
    shapes = []
    for value in y.ticks():
        at = y(value)
        shapes.append(f'<path class="grid" d="M{x.start:.1f} {at:.1f}H{x.end:.1f}"/>')
        shapes.append(text(x.start - 8, at, short(value), "end"))
    shapes += [text(x(value), y.start + 18, short(value), "middle") for value in ticks]
    return shapes


def short(value: float) -> str:
    """Return a number for an axis."""
    for power, letter in ((1e6, " M"), (1e3, " k")):
        if value >= power:
            return f"{value / power:g}{letter}"
    return f"{value:g}"


def line(points: Points, x: Scale, y: Scale, colour: str, dashes: str = "") -> list[str]:
    """Return a line with a dot at each point."""
    places = [(x(one), y(other)) for one, other in points]
    path = "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    dots = [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in places]
    return [f'<path class="line" stroke="{colour}"{dashed} d="M{path}"/>', *dots]


def apart(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Return places close to the wanted ones, in the same order, at least `least` apart."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    places = dict.fromkeys(order, 0.0)
    lowest = low
    for i in order:
        places[i] = max(wanted[i], lowest)
        lowest = places[i] + least
    highest = high
    for i in reversed(order):
        places[i] = min(places[i], highest)
        highest = places[i] - least
    return [places[i] for i in range(len(wanted))]


def colour(number: int) -> str:
    return f"var(--p{1 + number % 8})"


def moves_by_size(figures: Figures) -> str:
    """Plot nanoseconds per move against the side of the board, for every referee."""
    series = by_referee(figures["referee"])
    x = Scale(3, 10_000, 64, WIDTH - 230)
    low, high = decades(value for points in series.values() for _, value in points)
    y = Scale(low, high, 370, 56)
    shapes = grid(x, y, (3, 10, 100, 1000, 10_000))
    labels = apart([y(points[-1][1]) for points in series.values()], LINE_HEIGHT, y.end, y.start)
    for i, ((name, points), label) in enumerate(zip(series.items(), labels, strict=True)):
        tint = "var(--faint)" if name == EMPTY_METHOD else colour(i)
        shapes += line(points, x, y, tint, "2 4" if name == EMPTY_METHOD else "")
        at = x(points[-1][0]) + 7, y(points[-1][1])
        shapes.append(f'<path class="grid" d="M{at[0]:.1f} {at[1]:.1f}L{x.end + 22} {label:.1f}"/>')
        shapes.append(f'<circle cx="{x.end + 28}" cy="{label:.1f}" r="4" fill="{tint}"/>')
        shapes.append(text(x.end + 40, label, name, "name"))
    shapes.append(text((x.start + x.end) / 2, y.start + 40, "side of the board, n", "middle"))
    return drawing("Nanoseconds per move on a warm board, both scales logarithmic", 426, shapes)


def by_referee(tables: Mapping[str, Table]) -> dict[str, Points]:
    """Return pairs of n and nanoseconds for every referee and for the empty method."""
    series: dict[str, list[tuple[float, float]]] = {}
    for board, row in tables["sizes"].items():
        for name, value in row.items():
            series.setdefault(name, []).append((float(board.partition("×")[0]), value))
    return dict(series)


def threads(figures: Figures) -> str:
    """Plot games per second against the number of threads, with a panel for each board."""
    table = figures["judge"]["threads"]
    columns = [name for name in next(iter(table.values())) if name.endswith("games per second")]
    shapes = []
    for i, name in enumerate(columns):
        points = [(float(count), row[name]) for count, row in table.items()]
        left = 72 + i * WIDTH / len(columns)
        x = Scale(1, points[-1][0], left, left + WIDTH / len(columns) - 110)
        y = Scale(0, max(value for _, value in points) * 1.1, 270, 80, log=False)
        shapes += [text(left, 56, name.partition(",")[0])]
        shapes += grid(x, y, [count for count, _ in points])
        shapes += line(points, x, y, colour(i))
        shapes.append(text((x.start + x.end) / 2, y.start + 40, "threads", "middle"))
    return drawing("Games per second, judged as arrays", 326, shapes)


def peers(figures: Figures) -> str:
    """Plot nanoseconds per 3×3 game for each library, on a logarithmic scale."""
    table = figures["peers"]["3×3"]
    costs = {name.replace("`", ""): row["ns per game"] for name, row in table.items()}
    bottom = 60 + 34 * len(costs)
    low, high = decades(costs.values())
    x = Scale(low, high, 270, WIDTH - 90)
    shapes = []
    for tick in x.ticks():
        shapes.append(f'<path class="grid" d="M{x(tick):.1f} 50V{bottom}"/>')
        shapes.append(text(x(tick), bottom + 18, short(tick), "middle"))
    for i, (name, cost) in enumerate(sorted(costs.items(), key=lambda item: item[1])):
        y, tint = 72 + 34 * i, colour(0) if name in ("judge", "Game") else "var(--faint)"
        bar = f'x="{x.start}" y="{y - 8}" width="{x(cost) - x.start:.1f}" height="16" rx="3"'
        shapes.append(text(256, y, name, "name end"))
        shapes.append(f'<rect {bar} fill="{tint}"/>')
        shapes.append(text(x(cost) + 10, y, number(cost)))
    return drawing("Nanoseconds per 3×3 game, on a logarithmic scale", bottom + 40, shapes)


PLOTS: dict[str, Callable[[Figures], str]] = {
    "moves-by-size": moves_by_size,
    "threads": threads,
    "peers": peers,
}


def plots(figures: Figures) -> dict[str, str]:
    """Return the plots of the measured figures, by name."""
    drawn = {}
    for name, draw in PLOTS.items():
        try:
            drawn[name] = draw(figures)
        except KeyError:
            continue
    return drawn
