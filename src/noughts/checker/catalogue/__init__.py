"""Known mistakes: for each a short class that makes it, what it does wrong, and why people do it.

A solution that answers as one of these in every game makes its mistake. To add one, write the class
in the file it belongs to: the first sentence of its docstring, in lower case, ends the sentence
"It answers like a class that …"; the second says why people do it. Its name is that of the class.
Lines whose comment has "wrong" are the mistake; where none has, it is all that the class does.
"""

import inspect
from collections.abc import Iterator
from re import sub
from types import ModuleType
from typing import Any, NamedTuple

from noughts.checker.catalogue import answers, functions, lines, shared, sizes, turns
from noughts.checker.solution import Problem


class Mistake(NamedTuple):
    """A known mistake.

    Attributes:
        name: in lower case with hyphens: ``anti-diagonal-off-by-one``.
        does: what it does wrong, to follow "It answers like a class that".
        why: why people do it, a sentence.
        solution: a class or a function that makes it.
    """

    name: str
    does: str
    why: str
    solution: Any


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
"""The known mistakes in each problem."""


def known(name: str) -> Mistake | None:
    """The known mistake of this name."""
    every = (mistake for mistakes in CATALOGUE.values() for mistake in mistakes)
    return next((mistake for mistake in every if mistake.name == name), None)
