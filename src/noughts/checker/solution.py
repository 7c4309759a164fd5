"""Somebody's solution, as everything in this room sees it: it is asked games, it gives answers.

How it runs is its own affair: in this process (`noughts.checker.inside`), or in a process of its
own, in any language (`noughts.checker.running`).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal, NamedTuple, Protocol

from noughts.errors import NoughtsError

Problem = Literal["TicTacToe", "tictactoe"]
"""The class that judges each move, or the function that judges a whole game of 3×3."""

Flat = tuple[int, int]
"""The row and the column of a cell."""

Move = tuple[int, int, int]
"""The row, the column and the player."""

Answer = str
"""What a call answered, as written: ``0``, ``True``, ``'A'``; an exception: ``!Type: message``."""

How = Literal["play", "states", "together"]
"""Games are played one after the other; so, and with states; or by objects alive at once."""


class Game(NamedTuple):
    """A game, and what is right: an answer to each move; for ``tictactoe`` one to the game."""

    n: int
    moves: tuple[Move, ...]
    right: tuple[Answer, ...] = ()


class Played(NamedTuple):
    """What came of a game.

    Attributes:
        answers: as many as are right.
        state: of the object, as bytes that are equal only for equal states; None if not seen.
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
        self.verdict: str = verdict
        self.output: str = output


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

    def play(self, games: Sequence[Game], how: How = "play") -> list[Played]:
        """Play each game with a new object; together, they take their moves in turn.

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
    """The same solution as if nothing had been played; what it has taken is given back."""
    fresh = solution.fresh()
    try:
        yield fresh
    finally:
        if fresh is solution:
            solution.fresh()
        else:
            fresh.close()


class Choice(NamedTuple):
    """What is judged: its name in the file, in words, its problem, and notes."""

    name: str
    what: str
    problem: Problem
    notes: tuple[str, ...]


def chosen(found: Mapping[str, object], wanted: str | None, notes: Sequence[str] = ()) -> Choice:
    """Choose what is judged, of all that a file defines.

    Args:
        found: classes by their full names, and functions; the problem that each solves.
        wanted: the name that is asked for.
        notes: on the file.

    Raises:
        Failed: "unreadable", there is nothing, or nothing says which of several.
    """
    names = [name for name in found if wanted in (None, "", _last(name))]
    names.sort(key=lambda name: _unlikely(name, found[name]))
    if not names:
        missing = f"no class {wanted} has" if wanted else "no class has"
        nothing = f"{missing} a method move(row, col, player), and no function is called tictactoe"
        raise Failed("unreadable", notes[0] if notes and not wanted else nothing)
    name, *others = names
    problem: Problem = "tictactoe" if found[name] == "tictactoe" else "TicTacToe"
    if others and _unlikely(name, problem) == 3:
        several = f"several classes have a method move: {', '.join(names)}; choose with --name"
        raise Failed("unreadable", several)
    could = [f"{' and '.join(others)} could be judged too, with --name"] if others else []
    what = f"class {name}" + (".tictactoe" if problem == "tictactoe" else "")
    if name == problem == "tictactoe":
        what = "function tictactoe"
    return Choice(name, what, problem, (*notes, *could))


def _last(name: str) -> str:
    """A class's own name: that of ``Outer.Inner`` or ``space::Inner`` is the last."""
    return name.replace("::", ".").rpartition(".")[2]


def _unlikely(name: str, problem: object) -> int:
    """The larger, the less it is meant."""
    last = _last(name)
    named = "tictactoe" in last.lower().replace("_", "")
    return 1 if problem == "tictactoe" else 0 if last == "TicTacToe" else 2 if named else 3
