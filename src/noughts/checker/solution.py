"""The interface of a solution: it plays games and returns its answers.

A solution runs in this process (`noughts.checker.in_process`) or in a process of its own, in any
language (`noughts.checker.isolated`).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal, NamedTuple, Protocol

from noughts.errors import NoughtsError

Problem = Literal["TicTacToe", "tictactoe"]
"""The class that judges each move, or the function that judges a whole 3×3 game."""

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


class Failed(NoughtsError):
    """A solution crashed, hung, exceeded a limit or could not be read.

    Attributes:
        verdict: "crashed", "timeout", "memory" or "unreadable".
        output: the beginning of its printed output.
    """

    def __init__(self, verdict: str, message: str, output: str = "") -> None:
        super().__init__(message)
        self.verdict: str = verdict
        self.output: str = output


class Solution(Protocol):
    """A solution that can play games.

    Its methods raise `Failed` if the solution crashes, hangs or exceeds a limit.

    Attributes:
        name: the name of its file or class.
        what: a description: ``class TicTacToe, 41 lines``.
        problem: the problem it solves.
        language: ``Python``, ``Java``, …
        notes: choices made for the author, one sentence each.
    """

    name: str
    what: str
    problem: Problem
    language: str
    notes: tuple[str, ...]

    @property
    def output(self) -> str:
        """The beginning of its printed output so far."""

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """Play each game with a new object; with "together", the objects move in turn."""

    def seconds(self, n: int, moves: Sequence[Move], repeats: int) -> tuple[float, float]:
        """Return the shortest times to create an object and to play all the moves, in seconds."""

    def size(self, n: int, moves: Sequence[Move]) -> int | None:
        """Return the size in bytes of an object after these moves, or None if unavailable."""

    def fresh(self) -> "Solution":
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


class Choice(NamedTuple):
    """The class or function to judge: its name in the file, a description, its problem, notes."""

    name: str
    what: str
    problem: Problem
    notes: tuple[str, ...]


def chosen(found: Mapping[str, object], wanted: str | None, notes: Sequence[str] = ()) -> Choice:
    """Choose the class or function to judge.

    Args:
        found: the problem solved by each class (by its full name) or function.
        wanted: the requested name, if any.
        notes: notes on the file.

    Raises:
        Failed: "unreadable": no candidate was found, or several are equally likely.
    """
    names = [name for name in found if wanted in (None, "", _last(name))]
    names.sort(key=lambda name: _unlikely(name, found[name]))
    if not names:
        missing = f"class {wanted} does not have" if wanted else "no class has"
        nothing = f"{missing} a method move(row, col, player), and no function is called tictactoe"
        raise Failed("unreadable", notes[0] if notes and not wanted else nothing)
    name, *others = names
    problem: Problem = "tictactoe" if found[name] == "tictactoe" else "TicTacToe"
    if others and _unlikely(name, problem) == 3:
        several = f"several classes have a method move: {', '.join(names)}; choose one with --name"
        raise Failed("unreadable", several)
    could = [f"to judge {' or '.join(others)} instead, use --name"] if others else []
    what = f"class {name}" + (".tictactoe" if problem == "tictactoe" else "")
    if name == problem == "tictactoe":
        what = "function tictactoe"
    return Choice(name, what, problem, (*notes, *could))


def _last(name: str) -> str:
    """Return the last part of a class's full name, ``Inner`` in ``Outer.Inner``."""
    return name.replace("::", ".").rpartition(".")[2]


def _unlikely(name: str, problem: object) -> int:
    """Return a rank that is lower for likelier candidates."""
    last = _last(name)
    named = "tictactoe" in last.lower().replace("_", "")
    return 1 if problem == "tictactoe" else 0 if last == "TicTacToe" else 2 if named else 3
