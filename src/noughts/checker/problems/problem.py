"""A problem: what is asked of a solution, its right answers, and what is tried."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple, Protocol

from noughts.checker.explore import Play
from noughts.checker.reading import Function, Parameter, Source
from noughts.checker.reading.convention import Argument, Call, Convention, Role
from noughts.checker.reading.matching import BOARDS, plain
from noughts.checker.solution import Game


class Candidate(NamedTuple):
    """A class or function that may be a solution.

    Attributes:
        unlikely: lower for likelier candidates.
        name: its full name in the file.
        what: a description: ``class TicTacToe, 41 lines``.
        convention: how it is called.
    """

    unlikely: tuple[int, ...]
    name: str
    what: str
    convention: Convention


class Problem(Protocol):
    """A problem.

    Attributes:
        name: its name, as in reports.
        whole: whether a solution is called once, with a whole game or board.
        looked_for: what a file must contain, to follow "found no".
    """

    name: str
    whole: bool
    looked_for: str

    def candidates(self, source: Source) -> Iterator[Candidate]:
        """Yield what may be a solution of this problem."""

    def examples(self, n: int) -> list[Game]:
        """Return a few games or boards with every result, from which answers can be learned."""

    def play_all(self, play: Play, patient: Callable[[], bool], n: int | None) -> bool:
        """Play every game or board on small boards, shortest first; return whether all were played.

        Once `patient` returns False, an evenly spread part is left out. `n` is the only size of
        board that the solution has, if it has only one.

        Raises `Wrong` at a wrong answer that no shorter game gets.
        """


def described(kind: str, name: str, lines: int) -> str:
    """Return a description: ``class TicTacToe, 41 lines``."""
    return f"{kind} {name}" + (f", {lines} line{'s' * (lines > 1)}" if lines else "")


def functions(
    source: Source, problem: str, names: Collection[str], role: Role
) -> Iterator[tuple[Candidate, Function]]:
    """Yield each function and method with one of these names and one argument of this role."""
    for function in source.functions:
        if _takes_one(function, names):
            call = _call(function, role)
            what = described("function", function.name, function.lines)
            convention = Convention(problem, "", None, call, n=3)
            yield Candidate((1,), function.name, what, convention), function
    for each in source.classes:
        for method in each.methods:
            if _takes_one(method, names):
                what = described("class", f"{each.name}.{method.name}", each.lines)
                make = None if method.static else Call("")
                convention = Convention(problem, each.name, make, _call(method, role), n=3)
                yield Candidate((1,), each.name, what, convention), method


def needed(function: Function) -> tuple[Parameter, ...]:
    """Return the parameters without a default."""
    return tuple(parameter for parameter in function.parameters if not parameter.default)


def takes_board(function: Function) -> bool:
    """Return whether the only argument that a function needs is a board.

    It is called so, or its rows have a third cell; a move has only a row and a column.
    """
    names = [parameter.name for parameter in needed(function)]
    if len(names) != 1:
        return False
    third = rf"\b{re.escape(names[0])}\[\w+\]\[2\]"
    return plain(names[0]) in BOARDS or bool(re.search(third, function.text))


def takes_moves(function: Function) -> bool:
    """Return whether a function needs one argument, moves."""
    names = [plain(parameter.name) for parameter in needed(function)]
    return len(names) == 1 and names[0] in ("moves", "movesarr", "movelist", "moveslist")


def _takes_one(function: Function, names: Collection[str]) -> bool:
    """Return whether a function has one of these names and needs one argument."""
    needed = [parameter for parameter in function.parameters if not parameter.default]
    return plain(function.name) in names and len(needed) == 1 and not function.hidden


def _call(function: Function, role: Role) -> Call:
    argument = Argument(role, function.parameters[0].type)
    return Call(function.name, (argument,), function.returns, function.static)
