"""Reports on solutions: as data, as text, and as HTML in a notebook."""

from dataclasses import dataclass, field, replace
from html import escape
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from noughts.checker.catalogue import known
from noughts.checker.claim import Claim
from noughts.checker.messages import (
    BOARDS,
    answer_in_words,
    lines_of,
    where,
    who,
)
from noughts.checker.solution import Answer, Flat, Move, Problem, Verdict
from noughts.game.outcome import Outcome, Termination
from noughts.game.rules import Rules
from noughts.picture import cell_name, svg, text

COSTS = "time per move", "construction", "memory"
"""Names of the costs, in the order that `noughts.checker.complexity.measure` returns them."""

WIDTH = 100  # of a text, in characters
WIDEST = 12  # the largest board drawn as text
PICTURED = 25  # the largest board drawn as a picture
LISTED = 60  # the number of moves listed


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest game that reproduces a mistake.

    Attributes:
        n: the size of the board.
        moves: the moves; the answer to the last one is wrong.
        expected: the right answer.
        answered: the solution's answer.
        message: a sentence on the position and the right answer.
        before: games that other objects must play earlier or at the same time, each n and moves.
        larger: for a game on 1×1, the smallest one on 3×3 that fails too, if there is one.
    """

    n: int
    moves: tuple[Move, ...]
    expected: Answer
    answered: Answer
    message: str
    before: tuple[tuple[int, tuple[Move, ...]], ...] = ()
    larger: "Counterexample | None" = None


@dataclass(frozen=True, slots=True)
class Complexity:
    """The growth of a cost with n.

    Attributes:
        order: "O(1)", "O(n)" or "O(n^2)"; None if it is not clear.
        points: each measured n with its cost, in seconds or bytes.
    """

    order: str | None
    points: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on a solution.

    Attributes:
        solution: the name of its file or class.
        what: a description of the class or function.
        problem: the problem it solves.
        language: the language it is written in.
        verdict: see `Verdict`.
        message: the verdict as a sentence.
        games: the number of games played.
        counterexample: a game with a wrong answer, if there is one.
        diagnosis: the name of the known mistake that gives the same answers, if there is one.
        found: sentences on which kinds of games were right and wrong.
        assumed: sentences on what the games assume.
        notes: choices made for the author, and warnings.
        time: the complexity of a move.
        make: the complexity of the constructor.
        memory: the complexity of an object's size.
        output: the beginning of its printed output.
        seconds: the time that the check took.
        claim: what the solution says of itself, if it was handed in from the lesson's page.
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
    time: Complexity = field(default_factory=lambda: Complexity(None))
    make: Complexity = field(default_factory=lambda: Complexity(None))
    memory: Complexity = field(default_factory=lambda: Complexity(None))
    output: str = ""
    seconds: float = 0.0
    claim: Claim | None = None

    def with_claim(self, claim: Claim | None) -> "Report":
        """Return the report with a claim, if there is one, and a note on it."""
        if claim is None:
            return self
        return replace(self, claim=claim, notes=(*self.notes, claim.sentence(self.verdict)))

    @property
    def disproved(self) -> str:
        """The verdict that the solution claims, if it got another; otherwise an empty string."""
        return self.claim.verdict if self.claim and self.claim.verdict != self.verdict else ""

    @property
    def right(self) -> bool:
        """Whether no mistake was found."""
        return self.verdict == "right"

    @property
    def examples(self) -> list[Counterexample]:
        """The games or boards to show: the counterexample, and the larger one if there is one."""
        found = [self.counterexample, self.counterexample and self.counterexample.larger]
        return [each for each in found if each and (each.moves or self.problem in BOARDS)]

    @property
    def costs(self) -> dict[str, Complexity]:
        """The measured costs, by name."""
        costs = zip(COSTS, (self.time, self.make, self.memory), strict=True)
        return {name: complexity for name, complexity in costs if complexity.points}

    def __str__(self) -> str:
        """Return the report as about ten lines of text."""
        head = f"{self.solution}: {self.what}" if self.what else self.solution
        examples = self.examples
        lines = [head, f"  {'✓' if self.right else '✗'} {self.message}{':' if examples else ''}"]
        for number, example in enumerate(examples):
            if number:
                also = where(self.problem, example.n, len(example.moves))
                lines.append(f"    also wrong {also}:")
            lines += counterexample_lines(self.problem, example)
        if mistake := known(self.diagnosis or ""):
            lines += wrapped(f"It answers like a class that {mistake.does}.", "    ")
            lines += wrapped(mistake.why, "    ")
        for sentence in (*self.found, *self.notes):
            lines += wrapped(sentence, "  · ", "    ")
        costs = [f"{name}  {complexity_in_words(complexity, name == 'memory')}"
                 for name, complexity in self.costs.items()]  # fmt: skip
        return "\n".join([*lines, *(["  " + "     ".join(costs)] if costs else [])])

    def _repr_html_(self) -> str:
        """Return the report for a notebook, with the board as a picture."""
        drawn = counterexample_svg(self.counterexample) if self.counterexample else ""
        return f"<div>{drawn}<pre>{escape(str(self))}</pre></div>"


@dataclass(frozen=True)
class Position:
    """A board to draw; either player may have begun."""

    rules: Rules
    moves: tuple[Move, ...]
    outcome: Any = None
    forbidden: frozenset[tuple[int, ...]] = frozenset()

    @property
    def turn(self) -> int:
        """The player to move."""
        return 3 - self.moves[-1][2] if self.moves else 1

    @property
    def history(self) -> tuple[tuple[int, ...], ...]:
        """The cells in playing order."""
        return tuple(move[:2] for move in self.moves)

    def mark(self, cell: tuple[int, ...]) -> int:
        """Return the player whose mark is on the cell, or 0."""
        return next((player for *at, player in self.moves if tuple(at) == cell), 0)


def _position(example: Counterexample, *lines: tuple[Flat, ...]) -> Position:
    """Return the board of a counterexample with these lines highlighted."""
    ended = Outcome(Termination.LINE, example.moves[-1][2], lines) if lines else None
    return Position(Rules.square(example.n), example.moves, ended)


def counterexample_words(problem: Problem, example: Counterexample) -> list[str]:
    """Return sentences on the last move, both answers and the reason."""
    answered = answer_in_words(example.answered, example.expected)
    answer = f"{answered}, expected {example.expected}"
    if problem in BOARDS:
        return [answer, example.message]
    row, col, player = example.moves[-1]
    move = f"{who(problem, player)} plays {cell_name((row, col))}: row {row}, column {col}"
    return [f"{len(example.moves)}. {move}", answer, example.message]


def games_in_order(problem: Problem, example: Counterexample) -> list[str]:
    """Return the moves of the game and of all other games it depends on; or the board."""
    if problem in BOARDS:
        board = [[" "] * example.n for _ in range(example.n)]
        for row, col, player in example.moves:
            board[row][col] = who(problem, player)
        return [f"board: {[''.join(row) for row in board]}"]
    others = [f"another object: {n}×{n} {_in_order(moves)}".rstrip() for n, moves in example.before]
    return [*others, f"moves: {_in_order(example.moves)}"]


def counterexample_lines(problem: Problem, example: Counterexample) -> list[str]:
    """Return the board with an explanation beside it, followed by the moves."""
    drawn, width = [""], 0
    if example.n <= WIDEST:
        last = () if problem in BOARDS else ((example.moves[-1][:2],),)
        drawn = text(_position(example, *last)).split("\n")
        width = max(map(len, drawn)) + 5
    sentences = counterexample_words(problem, example)
    beside = ["", *(line for each in sentences for line in wrap(each, WIDTH - width - 4))]
    pairs = zip_longest(drawn, beside, fillvalue="")
    lines = [f"    {left:<{width}}{right}".rstrip() for left, right in pairs]
    for game in games_in_order(problem, example):
        lines += wrapped(game, "    ", "      ")
    return [*filter(None, lines)]


def counterexample_svg(example: Counterexample) -> str:
    """Return the board as a picture, or an empty string if it is too large."""
    if not example.moves or example.n > PICTURED:
        return ""
    found = lines_of(example.n, example.moves, example.moves[-1][2])
    return svg(_position(example, *(tuple(line) for _, line in found)))


def wrapped(sentence: str, first: str, rest: str | None = None) -> list[str]:
    """Wrap a sentence, indenting the first line and the rest."""
    return wrap(sentence, WIDTH, initial_indent=first, subsequent_indent=rest or first)


def _in_order(moves: tuple[Move, ...]) -> str:
    names = [cell_name(move[:2]) for move in moves]
    more = f" … {len(names) - LISTED} more" if len(names) > LISTED else ""
    return " ".join(names[:LISTED]) + more


def complexity_in_words(complexity: Complexity, of_bytes: bool = False) -> str:
    """Return an order with its factor: ``O(n)   12 ns × n``."""
    if complexity.order is None:
        return "not clear"
    power = {"O(1)": 0, "O(n)": 1}.get(complexity.order, 2)
    n, cost = complexity.points[-1]
    factor = ("", " × n", " × n²")[power]
    order = complexity.order.replace("^2", "²")
    return f"{order}  {amount(cost / n**power, of_bytes)}{factor}"


def amount(cost: float, of_bytes: bool) -> str:
    """Return a size or a time with its unit: ``12 ns``."""
    if of_bytes:
        return f"{cost:.0f} bytes" if cost < 10_000 else f"{cost / 1000:.0f} kB"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if cost >= scale:
            return f"{cost / scale:.3g} {unit}"
    return f"{cost / 1e-9:.0f} ns" if cost >= 1e-8 else f"{cost / 1e-9:.2g} ns"
