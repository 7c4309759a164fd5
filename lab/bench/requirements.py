"""What was asked of noughts' speed, and whether the figures meet it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lab.bench.files import PYARROW
from lab.bench.peers import OURS
from lab.bench.timing import Figures


@dataclass(frozen=True)
class Requirement:
    """One figure that was asked for.

    Attributes:
        what: is measured.
        bound: what it has to be, at least or at most.
        at_least: which of both.
        measured: reads it from the figures; a KeyError says that it was not measured.
        unit: written after it.
    """

    what: str
    at_least: bool
    bound: float
    measured: Callable[[Figures], float]
    unit: str = "×"

    def is_met(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value <= self.bound


def at(part: str, table: str, row: str, column: str) -> Callable[[Figures], float]:
    """One figure."""
    return lambda figures: figures[part][table][row][column]


def column(figures: Figures, part: str, table: str, name: str) -> Iterator[float]:
    """The figures of a column."""
    return (row[name] for row in figures[part][table].values())


def dearest_move(figures: Figures) -> float:
    """On the board where it is most, a move's cost by that of an empty method."""
    return max(column(figures, "referee", "moves", "times an empty method"))


def spread(figures: Figures) -> float:
    """The cost of a move on the dearest board by that on the cheapest."""
    costs = list(column(figures, "referee", "moves", "a move, ns"))
    return max(costs) / min(costs)


def two_threads(figures: Figures) -> float:
    """The lesser of the gains from a second thread."""
    row = figures["judge"]["threads"]["2"]
    return min(value for name, value in row.items() if name.endswith("times one thread"))


def json_lines_against_pyarrow(figures: Figures) -> float:
    """How fast JSON Lines are judged, by how fast the library that reads them does only that."""
    formats = figures["files"]["formats"]
    judged, read = formats["JSON Lines, verdicts as JSON Lines"], formats[PYARROW]
    return judged["games a second"] / read["games a second"]


def whole_games(board: str, bound: float) -> Requirement:
    """That the checked, compiled class is so many times faster."""
    what = f"whole games on {board}: checked `TicTacToe` against `SignedSums` in Python"
    return Requirement(what, True, bound, at("referee", "whole games", board, "times faster"))


def replay(peer: str, name: str, bound: float) -> Requirement:
    """That judge on one thread replays 3×3 games so many times faster."""
    ratio = at("peers", "3×3", peer, f"times as long as {OURS}")
    return Requirement(f"`judge` on one thread against {name}, 3×3", True, bound, ratio)


def game(board: str, bound: float) -> Requirement:
    """That a move in Game is so many times faster than OpenSpiel's."""
    what = f"`Game.play` and `outcome` against OpenSpiel, {board}"
    return Requirement(what, True, bound, at("game", "moves", board, "OpenSpiel / `Game`"))


def games_a_second(row: str, bound: float) -> Requirement:
    """That noughts judge reads so many games a second."""
    measured = at("files", "formats", row, "games a second")
    return Requirement(f"`noughts judge` on one core, {row}", True, bound, measured, "games/s")


def judged(row: str, bound: float) -> Requirement:
    """That judge takes at most so many nanoseconds a move."""
    return Requirement(
        f"`judge`, {row}", False, bound, at("judge", "boards", row, "ns a move"), "ns"
    )


REQUIREMENTS = [
    whole_games("3×3", 3.5),
    whole_games("10×10", 4.5),
    whole_games("100×100", 2.5),
    Requirement("a move against an empty compiled method, any board", False, 1.3, dearest_move),
    Requirement("a move, dearest board from n = 3 to 10 000 against cheapest", False, 1.5, spread),
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
    games_a_second("Parquet, verdicts as Parquet", 3e6),
    Requirement(
        *("`noughts judge` on one core, JSON Lines, against PyArrow that only reads them", True),
        *(0.6, json_lines_against_pyarrow),
    ),
    Requirement(
        *("`noughts judge`, memory for 100 million games", False, 1000),
        *(at("files", "many", "100,000,000 games", "memory at its peak, MB"), "MB"),
    ),
]
