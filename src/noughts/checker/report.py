"""What came out: `Report`, as data, as text and as a page in a notebook."""

from dataclasses import dataclass, field
from typing import Literal

from noughts.checker.solution import Answer, Move, Problem

Verdict = Literal["right", "wrong", "crashed", "timeout", "memory", "unreadable"]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest game that shows a mistake.

    Attributes:
        n: the side of the board.
        moves: of the game, the last of them answered wrongly.
        expected: the right answer.
        answered: the solution's.
        before: games that other objects played before or meanwhile, where it takes them.
        message: one sentence: what is on the board, what is right.
    """

    n: int
    moves: tuple[Move, ...]
    expected: Answer
    answered: Answer
    message: str
    before: tuple[tuple[int, tuple[Move, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Growth:
    """How a cost grows with n.

    Attributes:
        order: "O(1)", "O(n)", "O(n^2)"; None if it is not clear.
        points: the sides measured, each with its cost (seconds or bytes).
    """

    order: str | None
    points: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on a solution.

    Attributes:
        solution: the name of its file or class.
        what: what was judged.
        problem, language: of the solution.
        verdict: see `Verdict`.
        message: one sentence.
        games: how many were played.
        counterexample: if it is wrong.
        diagnosis: the name in the catalogue of the mistake that answers alike, if one does.
        found: sentences: what was right, what wrong.
        assumed: sentences: what the games hold to.
        notes: what was chosen, warnings.
        time: of a move. make: of a new object. memory: of an object.
        output: what it printed, capped.
        seconds: how long it took.
    """

    solution: str
    what: str
    problem: Problem
    language: str
    verdict: Verdict
    message: str
    games: int = 0
    counterexample: Counterexample | None = None
    diagnosis: str | None = None
    found: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    time: Growth = field(default_factory=lambda: Growth(None))
    make: Growth = field(default_factory=lambda: Growth(None))
    memory: Growth = field(default_factory=lambda: Growth(None))
    output: str = ""
    seconds: float = 0.0

    @property
    def right(self) -> bool:
        """Whether no mistake was found."""
        return self.verdict == "right"
