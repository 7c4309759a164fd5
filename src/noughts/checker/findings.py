"""What is found out about a solution: a counterexample, and how its costs grow."""

from dataclasses import dataclass

from noughts.checker.solution import Answer, Move


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
