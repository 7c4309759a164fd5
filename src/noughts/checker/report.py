"""What came out: `Report`, as data, as text and as a page in a notebook."""

from dataclasses import dataclass, field
from html import escape
from typing import Literal

from noughts.checker.catalogue import known
from noughts.checker.drawing import counterexample_lines, counterexample_svg, growth_words, wrapped
from noughts.checker.findings import Counterexample, Growth
from noughts.checker.solution import Problem

__all__ = ["Counterexample", "Growth", "Report", "Verdict"]

Verdict = Literal["right", "wrong", "crashed", "timeout", "memory", "unreadable"]

COSTS = "time of a move", "making one", "memory"
"""The names of what is measured, in the order of `noughts.checker.growth.measure`."""


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

    @property
    def costs(self) -> dict[str, Growth]:
        """What was measured, by its name."""
        costs = zip(COSTS, (self.time, self.make, self.memory), strict=True)
        return {name: growth for name, growth in costs if growth.points}

    def __str__(self) -> str:
        """The report in some ten lines."""
        head = f"{self.solution}: {self.what}" if self.what else self.solution
        told = self.counterexample
        shown = told is not None and bool(told.moves)
        lines = [head, f"  {'✓' if self.right else '✗'} {self.message}{':' if shown else ''}"]
        if told and shown:
            lines += counterexample_lines(self.problem, told)
        if mistake := known(self.diagnosis or ""):
            lines += wrapped(f"It answers like a class that {mistake.does}.", "    ")
            lines += wrapped(mistake.why, "    ")
        for sentence in (*self.found, *self.notes):
            lines += wrapped(sentence, "  · ", "    ")
        grown = [f"{name}  {growth_words(growth, name == 'memory')}"
                 for name, growth in self.costs.items()]  # fmt: skip
        return "\n".join([*lines, *(["  " + "     ".join(grown)] if grown else [])])

    def _repr_html_(self) -> str:
        """The report in a notebook, with the board as a picture."""
        drawn = counterexample_svg(self.counterexample) if self.counterexample else ""
        return f"<div>{drawn}<pre>{escape(str(self))}</pre></div>"
