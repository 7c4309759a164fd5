"""How a game ended: who won, and why, are two types."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Literal, NamedTuple

from noughts.game.geometry import Geometry, Line


class Termination(Enum):
    """Why a game ended."""

    LINE = "line"
    """A player holds every cell of a line: k marks in a row."""
    FULL_BOARD = "full_board"
    """No cell is left that may be played, and no line has won: a draw."""
    NO_WIN_LEFT = "no_win_left"
    """Nobody can complete a line in the moves that are left: a draw, under `early_draw` only."""
    RESIGNATION = "resignation"
    """A player gave up. No move ends a game so: a host declares it."""

    TIMEOUT = "timeout"
    """A player's time was up. A host declares it, too."""
    AGREEMENT = "agreement"
    """The players agreed to a draw. A host declares it, too."""

    def __repr__(self) -> str:
        return f"Termination.{self.name}"  # which can be evaluated back


class Outcome(NamedTuple):
    """The end of a game.

    Attributes:
        termination: why it ended.
        winner: the player who won, or None for a draw.
        lines: every line that the last move completed, each a tuple of its k cells; rows first,
            then columns, diagonals and anti-diagonals.
    """

    termination: Termination
    winner: int | None = None
    lines: tuple[Line, ...] = ()


FULL_BOARD = Outcome(Termination.FULL_BOARD)
NO_WIN_LEFT = Outcome(Termination.NO_WIN_LEFT)


@lru_cache(maxsize=256)  # outcomes are values, and on a small board there are few
def won(geometry: Geometry, winner: int, lines: tuple[int, ...]) -> Outcome:
    """The outcome of a game in which `winner` has completed the lines of these numbers."""
    return Outcome(Termination.LINE, winner, tuple(map(geometry.cells, lines)))


Status = Literal["won", "draw", "pending"]


def status(outcome: Outcome | None) -> Status:
    """How a game stands, in the word that records use; None is a game that goes on."""
    if outcome is None:
        return "pending"
    return "draw" if outcome.winner is None else "won"
