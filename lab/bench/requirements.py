"""Requirements on the speed of noughts, and whether the figures meet them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lab.bench.files import PYARROW
from lab.bench.peers import OURS
from lab.bench.timing import Figures


@dataclass(frozen=True)
class Requirement:
    """A requirement on one figure.

    Attributes:
        what: the name of the figure.
        at_least: whether the bound is a minimum; otherwise it is a maximum.
        bound: the bound.
        measured: reads the figure from the results; raises KeyError if it was not measured.
        unit: the unit, written after the figure.
    """

    what: str
    at_least: bool
    bound: float
    measured: Callable[[Figures], float]
    unit: str = "×"

    def is_met(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound


def at(part: str, table: str, row: str, column: str) -> Callable[[Figures], float]:
    """Return a function that reads one figure."""
    return lambda figures: figures[part][table][row][column]


def column(figures: Figures, part: str, table: str, name: str) -> Iterator[float]:
    """Yield the figures of a column."""
    return (row[name] for row in figures[part][table].values())


def slowest_move(figures: Figures) -> float:
    """Return the largest ratio, over all boards, of a move to an empty method."""
    return max(column(figures, "referee", "moves", "times an empty method"))


def spread(figures: Figures) -> float:
    """Return the ratio of the slowest board's move to the fastest board's."""
    costs = list(column(figures, "referee", "moves", "a move, ns"))
    return max(costs) / min(costs)


def two_threads(figures: Figures) -> float:
    """Return the smallest speed-up from a second thread."""
    row = figures["judge"]["threads"]["2"]
    return min(value for name, value in row.items() if name.endswith("times one thread"))


def json_lines_against_pyarrow(figures: Figures) -> float:
    """Return the speed of judging JSON Lines relative to only reading them with PyArrow."""
    formats = figures["files"]["formats"]
    judged, read = formats["JSON Lines, verdicts as JSON Lines"], formats[PYARROW]
    return judged["games per second"] / read["games per second"]


def whole_games(board: str, bound: float) -> Requirement:
    """Require a speed-up of the checked, compiled class."""
    what = f"whole games on {board}: checked `TicTacToe` against `SignedSums` in Python"
    return Requirement(what, True, bound, at("referee", "whole games", board, "times faster"))


def replay(peer: str, name: str, bound: float) -> Requirement:
    """Require a speed-up of `judge` on one thread over another library, on 3×3 games."""
    ratio = at("peers", "3×3", peer, f"times as long as {OURS}")
    return Requirement(f"`judge` on one thread against {name}, 3×3", True, bound, ratio)


def game(board: str, bound: float) -> Requirement:
    """Require a speed-up of a move in `Game` over OpenSpiel."""
    what = f"`Game.play` and `outcome` against OpenSpiel, {board}"
    return Requirement(what, True, bound, at("game", "moves", board, "OpenSpiel / `Game`"))


def games_per_second(row: str, bound: float) -> Requirement:
    """Require a number of games per second of `noughts judge`."""
    measured = at("files", "formats", row, "games per second")
    return Requirement(f"`noughts judge` on one core, {row}", True, bound, measured, "games/s")


def judged(row: str, bound: float) -> Requirement:
    """Require a maximum of nanoseconds per move of `judge`."""
    return Requirement(
        f"`judge`, {row}", False, bound, at("judge", "boards", row, "ns per move"), "ns"
    )


def limit(row: str, bound: float) -> Requirement:
    """Require a maximum of the time that something takes, as a multiple of the limit's."""
    return Requirement(row, False, bound, at("limit", "ratios", row, "times as long"))


def scores(kind: str, bound: float) -> Requirement:
    """Require a maximum of the time for exact scores, as a multiple of bitbully's."""
    ratio = at("scores", "scores", kind, "noughts / `mtdf`")
    return Requirement(f"exact scores of Connect Four, {kind} / bitbully", False, bound, ratio)


def extra_for_scores(kind: str, bound: float) -> Requirement:
    """Require a maximum of the milliseconds that exact scores take beyond bitbully's."""

    def beyond(figures: Figures) -> float:
        row = figures["scores"]["scores"][kind]
        return row["noughts, ms"] - row["`mtdf`, ms"]

    what = f"exact scores of Connect Four, {kind}: extra time per position over bitbully"
    return Requirement(what, False, bound, beyond, "ms")


REQUIREMENTS = [
    whole_games("3×3", 3.5),
    whole_games("10×10", 4.5),
    whole_games("100×100", 2.5),
    Requirement("a move against an empty compiled method, any board", False, 1.3, slowest_move),
    Requirement("a move, slowest board from n = 3 to 10,000 against fastest", False, 1.5, spread),
    judged("3×3, int8", 2),
    judged("100×100, int16", 2.5),
    judged("4×4, int8", 3),
    judged("Connect Four, int8", 6),
    judged("15×15, 5 in a row, freestyle, int16", 12),
    Requirement("`judge`, two threads against one", True, 1.8, two_threads),
    replay("OpenSpiel", "OpenSpiel's loop", 100),
    replay("pgx, compiled batches", "pgx's compiled batches", 10),
    game("3×3", 1),
    game("15×15, 5 in a row", 40),
    limit("`judge`, 3×3, int8 / plain C", 0.2),  # with AVX2; 0.13 with AVX-512, 0.6 without both
    limit("`judge`, games that go on after their end / plain C", 0.3),
    limit("`judge`, 10,000 games, two threads / one", 1.05),
    limit("`judge_batch`, Arrow, all columns / plain C", 0.9),
    limit('`judge_batch`, `columns=["status"]` / plain C', 0.6),
    limit("`judge_batch`, illegal games / legal ones", 3),
    limit("`VectorGame`, 16,384 × 3×3 / plain C", 0.56),
    limit("`VectorGame`, 16,384 × Connect Four / plain C", 0.42),
    limit("`VectorGame`, one game of 3×3 / OpenSpiel", 0.75),
    limit("importing `judge_batch` / NumPy and PyArrow", 1.4),
    extra_for_scores("L3_R1", 0.05),
    extra_for_scores("L2_R1", 0.05),
    scores("L1_R1", 0.5),
    scores("L1_R3", 0.15),
    games_per_second("Parquet, verdicts as Parquet", 3e6),
    Requirement(
        *("`noughts judge` on one core, JSON Lines, against only reading them with PyArrow", True),
        *(0.6, json_lines_against_pyarrow),
    ),
    Requirement(
        *("`noughts judge`, memory for 100 million games", False, 1000),
        *(at("files", "many", "100,000,000 games", "peak memory, MB"), "MB"),
    ),
]
