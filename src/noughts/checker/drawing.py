"""A counterexample and a growth, as text and as a picture."""

from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from noughts.checker.findings import Counterexample, Growth
from noughts.checker.solution import Flat, Move, Problem
from noughts.checker.wording import answer_in_words, through, who
from noughts.game.outcome import Outcome, Termination
from noughts.game.rules import Rules
from noughts.picture import cell_name, svg, text

WIDTH = 100
WIDEST = 12  # boards beyond this are not drawn as text
PICTURED = 25  # nor these as a picture
LISTED = 60  # moves that are listed


@dataclass(frozen=True)
class Position:
    """A board to draw, whoever began."""

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
        """The cells in the order of play."""
        return tuple(move[:2] for move in self.moves)

    def mark(self, cell: tuple[int, ...]) -> int:
        """The player whose mark is on the cell."""
        return next((player for *at, player in self.moves if tuple(at) == cell), 0)


def position(told: Counterexample, *lines: tuple[Flat, ...]) -> Position:
    """The board of a counterexample, with the cells of these lines set off."""
    ended = Outcome(Termination.LINE, told.moves[-1][2], lines) if lines else None
    return Position(Rules.square(told.n), told.moves, ended)


def counterexample_words(problem: Problem, told: Counterexample) -> list[str]:
    """What is wrong: the move, both answers, and why."""
    row, col, player = told.moves[-1]
    move = f"{who(problem, player)} plays {cell_name((row, col))}: row {row}, column {col}"
    answer = f"{answer_in_words(told.answered)}, right is {told.expected}"
    return [f"{len(told.moves)}. {move}", answer, told.message]


def games_in_order(told: Counterexample) -> list[str]:
    """The moves of all games that it takes."""
    others = [f"another object: {n}×{n} {_in_order(moves)}".rstrip() for n, moves in told.before]
    return [*others, f"in order: {_in_order(told.moves)}"]


def counterexample_lines(problem: Problem, told: Counterexample) -> list[str]:
    """The board and, beside it, what is wrong; then the moves in their order."""
    drawn = text(position(told, (told.moves[-1][:2],))).split("\n") if told.n <= WIDEST else [""]
    width = max(map(len, drawn)) + 5 if told.n <= WIDEST else 0
    sentences = counterexample_words(problem, told)
    beside = ["", *(line for each in sentences for line in wrap(each, WIDTH - width - 4))]
    drawn += [""] * (len(beside) - len(drawn))
    beside += [""] * (len(drawn) - len(beside))
    pairs = zip(drawn, beside, strict=True)
    lines = [f"    {left:<{width}}{right}".rstrip() for left, right in pairs]
    for game in games_in_order(told):
        lines += wrapped(game, "    ", "      ")
    return [*filter(None, lines)]


def counterexample_svg(told: Counterexample) -> str:
    """The board as a picture; empty where it is too large for one."""
    if not told.moves or told.n > PICTURED:
        return ""
    found = through(told.n, told.moves)
    return svg(position(told, *(tuple(line) for _, line, marks in found if marks == told.n)))


def wrapped(sentence: str, first: str, rest: str | None = None) -> list[str]:
    """A sentence in lines, the first and the others indented."""
    return wrap(sentence, WIDTH, initial_indent=first, subsequent_indent=rest or first)


def _in_order(moves: tuple[Move, ...]) -> str:
    names = [cell_name(move[:2]) for move in moves]
    more = f" … {len(names) - LISTED} more" if len(names) > LISTED else ""
    return " ".join(names[:LISTED]) + more


def growth_words(growth: Growth, of_bytes: bool = False) -> str:
    """An order with its factor: ``O(n)   12 ns × n``."""
    if growth.order is None:
        return "not clear"
    power = {"O(1)": 0, "O(n)": 1}.get(growth.order, 2)
    n, cost = growth.points[-1]
    factor = ("", " × n", " × n²")[power]
    order = growth.order.replace("^2", "²")
    return f"{order}  {amount(cost / n**power, of_bytes)}{factor}"


def amount(cost: float, of_bytes: bool) -> str:
    """Bytes, or a time, with its unit: ``12 ns``."""
    if of_bytes:
        return f"{cost:.0f} bytes" if cost < 10_000 else f"{cost / 1000:.0f} kB"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if cost >= scale:
            return f"{cost / scale:.3g} {unit}"
    return f"{cost / 1e-9:.0f} ns" if cost >= 1e-8 else f"{cost / 1e-9:.2g} ns"
