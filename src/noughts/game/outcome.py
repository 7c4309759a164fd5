"""How a game ended: the winner, and why."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import Literal, NamedTuple

from noughts.game.geometry import Geometry, Line


class Termination(Enum):
    """Why a game ended.

    Attributes:
        value: the word in records and in the API.
        words: the result in words; `{who}` stands for the winner.
        own: the result, addressed to the winner; empty for a draw.
    """

    words: str
    own: str

    def __new__(cls, value: str, words: str, own: str = "") -> Termination:
        """See the class."""
        self = object.__new__(cls)
        self._value_, self.words, self.own = value, words, own
        return self

    LINE = "line", "{who} wins", "You win"
    """A player holds every cell of a line: k marks in a row."""
    FULL_BOARD = "full_board", "draw: no moves left"
    """No legal move is left, and no line has won."""
    NO_WIN_LEFT = "no_win_left", "draw: no player can win"
    """No player can complete a line in the remaining moves. Only under `early_draw`."""
    RESIGNATION = "resignation", "{who} wins by resignation", "You win by resignation"
    """A player resigned. Declared by a host; no move ends a game this way."""
    TIMEOUT = "timeout", "{who} wins on time", "You win on time"
    """A player ran out of time. Declared by a host."""
    AGREEMENT = "agreement", "draw by agreement"
    """The players agreed to a draw. Declared by a host."""

    def __repr__(self) -> str:
        return f"Termination.{self.name}"  # evaluates back


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

    def _repr_html_(self) -> str:
        """Render the result and the winning lines for notebooks."""
        from noughts.picture import cell_name, facts_html, symbol  # slow to import

        who = "" if self.winner is None else symbol(self.winner)
        lines = " · ".join(f"{cell_name(line[0])}–{cell_name(line[-1])}" for line in self.lines)
        return facts_html(self.termination.words.format(who=who), [("in a row", lines)])


FULL_BOARD = Outcome(Termination.FULL_BOARD)
NO_WIN_LEFT = Outcome(Termination.NO_WIN_LEFT)


@lru_cache(maxsize=256)  # outcomes are immutable, and a small board has few
def won(geometry: Geometry, winner: int, lines: tuple[int, ...]) -> Outcome:
    """Return the outcome of a game that `winner` won with the lines of these numbers."""
    return Outcome(Termination.LINE, winner, tuple(map(geometry.cells, lines)))


Status = Literal["won", "draw", "pending"]


def status(outcome: Outcome | None) -> Status:
    """Return the status of a game with this outcome, None for a game in progress."""
    if outcome is None:
        return "pending"
    return "draw" if outcome.winner is None else "won"
