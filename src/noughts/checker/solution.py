"""The interface of a solution: it plays games and returns its answers.

A solution runs in this process (`noughts.checker.in_process`) or in a process of its own, in any
language (`noughts.checker.isolated`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from noughts.errors import NoughtsError

if TYPE_CHECKING:  # engines need only the errors
    from noughts.checker.reading.convention import Convention

Problem = str
"""The name of a problem in `noughts.checker.problems`."""

Flat = tuple[int, int]  # the row and column of a cell
Move = tuple[int, int, int]  # the row, column and player
Answer = str  # its text: ``0``, ``True``, ``'A'``; for an exception ``!Type: message``
How = Literal["play", "states", "together"]  # in turn, the same with states, or all at once


class Game(NamedTuple):
    """A game and the right answers: one per move, or for ``tictactoe`` one for the whole game."""

    n: int
    moves: tuple[Move, ...]
    right: tuple[Answer, ...] = ()


class Played(NamedTuple):
    """The outcome of a game.

    Attributes:
        answers: one for each right answer.
        state: a digest of the object that is equal only for equal states; None if unavailable.
    """

    answers: tuple[Answer, ...]
    state: bytes | None = None


Verdict = Literal["right", "wrong", "crashed", "timeout", "memory", "unusable"]


class Failed(NoughtsError):
    """A solution crashed, hung, exceeded a limit or could not be read.

    Attributes:
        verdict: "crashed", "timeout", "memory" or "unusable".
        output: the beginning of its printed output.
        line: the line of its file that is wrong, if known.
    """

    def __init__(
        self, verdict: Verdict, message: str, output: str = "", line: int | None = None
    ) -> None:
        super().__init__(message)
        self.verdict: Verdict = verdict
        self.output: str = output
        self.line: int | None = line


class Solution(Protocol):
    """A solution that can play games.

    Its methods raise `Failed` if the solution crashes, hangs or exceeds a limit.

    Attributes:
        name: the name of its file or class.
        what: a description: ``class TicTacToe, 41 lines``.
        problem: the problem it solves.
        language: ``Python``, ``Java``, …
        notes: choices made for the author, one sentence each.
        convention: how it is called, and what its answers mean.
    """

    name: str
    what: str
    problem: Problem
    language: str
    notes: tuple[str, ...]
    convention: Convention

    @property
    def output(self) -> str:
        """The beginning of its printed output so far."""

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """Play each game with a new object; with "together", the objects move in turn."""

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """Return the shortest times to create an object and to play all the moves, in seconds."""

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """Return the size in bytes of an object after these moves, or None if unavailable."""

    def adopt(self, convention: Convention) -> None:
        """Read its answers by this convention from now on; its calls stay the same."""

    def fresh(self) -> Solution:
        """Return the solution in its initial state; this may be the same object."""

    def close(self) -> None:
        """End the solution's process, if there is one."""


@contextmanager
def renewed(solution: Solution) -> Iterator[Solution]:
    """Provide the solution in its initial state, and release its resources afterwards."""
    fresh = solution.fresh()
    try:
        yield fresh
    finally:
        if fresh is solution:
            solution.fresh()
        else:
            fresh.close()
