"""Known mistakes: short classes, with an explanation of each mistake and its cause.

A solution with the same answers in every game makes the same mistake. To add one, write the class
in the file of its kind. The first sentence of its docstring, in lower case, completes "It answers
like a class that …"; the second explains why people write it. The mistake is named after the class.
Comments with "wrong" mark its wrong lines; without them, all lines of its methods count as wrong.
"""

import inspect
from collections.abc import Iterator
from re import sub
from types import ModuleType
from typing import Any, NamedTuple

from noughts.checker.catalogue import answers, functions, lines, shared, sizes, turns
from noughts.checker.reading.matching import MARKS
from noughts.checker.solution import Problem


class Mistake(NamedTuple):
    """A known mistake.

    Attributes:
        name: lower case with hyphens: ``anti-diagonal-off-by-one``.
        does: what it does wrong, to follow "It answers like a class that".
        why: a sentence on why people make it.
        solution: a class or function that makes it.
    """

    name: str
    does: str
    why: str
    solution: Any

    @property
    def letters(self) -> bool:
        """Whether its code has letters for players.

        Such a mistake may have the same answers as one without letters; the code of a solution then
        tells which of them it makes.
        """
        return MARKS.search(self.does) is not None


def _mistakes(*modules: ModuleType) -> Iterator[Mistake]:
    for module in modules:
        for name, solution in vars(module).items():
            ours = getattr(solution, "__module__", None) == module.__name__
            if ours and not name.startswith("_"):
                does, _, why = inspect.cleandoc(solution.__doc__ or "").partition("\n\n")
                hyphened = sub(r"(?<!^)(?=[A-Z])|_", "-", name).lower()
                does = does[:1].lower() + does[1:].rstrip(".")
                yield Mistake(hyphened, " ".join(does.split()), " ".join(why.split()), solution)


CATALOGUE: dict[Problem, tuple[Mistake, ...]] = {
    "TicTacToe": tuple(_mistakes(lines, answers, sizes, turns, shared)),
    "tictactoe": tuple(_mistakes(functions)),
}
"""Known mistakes by problem."""


def known(name: str) -> Mistake | None:
    """Return the known mistake with this name, or None."""
    every = (mistake for mistakes in CATALOGUE.values() for mistake in mistakes)
    return next((mistake for mistake in every if mistake.name == name), None)
