"""Somebody's solution, as everything in this room sees it: it is asked games, it gives answers.

How it runs is its own affair: in this process (`noughts.checker.inside`), or in a process of its
own, in any language (`noughts.checker.process`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol

from noughts.errors import NoughtsError

Problem = Literal["TicTacToe", "tictactoe"]
"""The class that judges each move, or the function that judges a whole game of 3×3."""

Flat = tuple[int, int]
"""The row and the column of a cell."""

Move = tuple[int, int, int]
"""The row, the column and the player."""

Answer = str
"""What a call answered, as written: ``0``, ``True``, ``'A'``; an exception: ``!Type: message``."""


@dataclass(frozen=True, slots=True)
class Script:
    """Calls to a solution, and the objects that take them; all are alive until its end.

    Attributes:
        sides: the n of each object, in the order in which they are made.
        calls: the moves, each with the number of its object.
    """

    sides: tuple[int, ...]
    calls: tuple[tuple[int, Move], ...]


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a script.

    Attributes:
        answers: one for each call; for ``tictactoe``, one for the whole game.
        state: the state of the last object, as bytes that are equal only for equal states; None if
            it cannot be seen.
    """

    answers: tuple[Answer, ...]
    state: bytes | None = None


class Failed(NoughtsError):
    """A solution has ended, hangs, or took more than it may have.

    Attributes:
        verdict: "crashed", "timeout", "memory" or "unreadable".
        output: what it printed, as much as is kept.
    """

    def __init__(self, verdict: str, message: str, output: str = "") -> None:
        super().__init__(message)
        self.verdict, self.output = verdict, output


class Solution(Protocol):
    """A solution that can be asked.

    Attributes:
        name: of its file, or of the class.
        what: what is judged: ``class TicTacToe, 41 lines``.
        problem: which problem it solves.
        language: ``Python``, ``Java``, …
        notes: what was chosen for its author, a sentence each.
    """

    name: str
    what: str
    problem: Problem
    language: str
    notes: tuple[str, ...]

    @property
    def output(self) -> str:
        """What it printed until now, as much as is kept."""

    def play(self, scripts: Sequence[Script], states: bool = False) -> list[Played]:
        """Play each script with new objects; with `states`, say what is known of the last one's.

        Raises:
            Failed: it ended, hangs, or took too much.
        """

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """The shortest time to make an object, and then the shortest to make all these moves.

        Raises:
            Failed: it ended, hangs, or took too much.
        """

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """The bytes that an object takes after these moves; None if that cannot be measured.

        Raises:
            Failed: it ended, hangs, or took too much.
        """

    def fresh(self) -> "Solution":
        """The same solution, as if nothing had been played; itself, where that cannot be had."""

    def close(self) -> None:
        """End its process, if it has one."""


@contextmanager
def afresh(solution: Solution) -> Iterator[Solution]:
    """The same solution as if nothing had been played; what it takes is given back at the end."""
    fresh = solution.fresh()
    try:
        yield fresh
    finally:
        if fresh is not solution:
            fresh.close()
