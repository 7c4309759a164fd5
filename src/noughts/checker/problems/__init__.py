"""The problems that solutions solve, one per file, and the choice among what a file defines."""

from collections.abc import Sequence
from dataclasses import replace

from noughts.checker.problems.boards import BoardPossible, BoardWinner
from noughts.checker.problems.problem import Candidate, Problem
from noughts.checker.problems.tic_tac_toe import TicTacToe
from noughts.checker.problems.whole_game import WholeGame
from noughts.checker.reading import Function, Source
from noughts.checker.reading.convention import PLAIN, Answers, Convention, Name, Value
from noughts.checker.reading.matching import MARKS, NOBODY, value, written
from noughts.checker.solution import Failed

PROBLEMS: dict[str, Problem] = {
    problem.name: problem for problem in (TicTacToe(), WholeGame(), BoardWinner(), BoardPossible())
}
"""The problems by name."""

LISTED = 5  # classes, and methods of each, in a sentence on what was found


def choose(
    source: Source, wanted: str | None = None, players: Sequence[str] = (), text: str = ""
) -> Candidate:
    """Choose the class or function to judge.

    Args:
        source: what the file defines.
        wanted: the requested name, if any.
        players: the values of the players as text, if requested: ``("X", "O")``.
        text: the text of the file, in which the marks of the players are looked for.

    Raises:
        Failed: "unusable": there is no candidate, or several are equally likely.
    """
    every = [found for problem in PROBLEMS.values() for found in problem.candidates(source)]
    found = [each for each in every if wanted in (None, "", each.name, _last(each.name))]
    found.sort(key=lambda each: (bool(each.convention.obstacle), each.unlikely))
    unnamed = not found or found[0].unlikely[0]  # no class has the very name TicTacToe
    if unnamed and (named := _set_in_constructor(source, wanted)):
        return named
    if not found:
        raise Failed("unusable", _missing(source, wanted))
    best, *others = found
    if obstacle := best.convention.obstacle:
        raise Failed("unusable", obstacle)
    others = [each for each in others if not each.convention.obstacle]
    if others and best.unlikely[0] == others[0].unlikely[0] == 3:
        names = ", ".join(each.name for each in (best, *others) if each.unlikely[0] == 3)
        raise Failed(
            "unusable", f"several classes have a method move: {names}; choose one with --name"
        )
    convention = _adapted(best.convention, players, text)
    rest = " or ".join(dict.fromkeys(each.name for each in others if each.name != best.name))
    could = (f"to check {rest} instead, use --name",) if rest else ()
    return best._replace(convention=replace(convention, notes=(*convention.notes, *could)))


def _adapted(convention: Convention, players: Sequence[str], text: str) -> Convention:
    """Return a convention with these players, or with a hint if the text has letters."""
    if not players:
        marks = MARKS.search(text)
        if convention.players != (1, 2) or marks is None:
            return convention
        letters = "x,o" if marks[2] in "xo" else "X,O"
        hint = f"its code has {marks[0]}: if its players are letters, use --players {letters}"
        return replace(convention, hint=hint)
    given = _given(players, convention.players)
    won = (written(given[0]), written(given[1]))
    worded = not all(isinstance(each, int) for each in given)
    if worded:  # it may still answer 1 or 2
        won = ((*won[0], "1"), (*won[1], "2"))
    nobody = tuple(text for text in NOBODY if text not in (*won[0], *won[1]))
    answers = (
        convention.answers if convention.answers.mover else Answers(won, nobody, phrased=worded)
    )
    said = f"players are {given[0]!r} and {given[1]!r}"
    notes = ("; ".join((*convention.notes, said)),)
    return replace(convention, players=given, answers=answers, notes=notes, begins="first")


def _given(players: Sequence[str], known: tuple[Value, Value]) -> tuple[Value, Value]:
    """Return the values of the players as requested."""
    first, second = (
        Name(old.enum, text)
        if isinstance(old, Name)
        else number
        if isinstance(number := value(text), int)
        else text
        for text, old in zip(players, known, strict=True)
    )
    return first, second


def _set_in_constructor(source: Source, wanted: str | None) -> Candidate | None:
    """Return the class `TicTacToe` if its methods are not in the file or are set on its objects."""
    for each in source.classes:
        made = not each.methods or each.bases
        if each.name == "TicTacToe" and wanted in (None, "", each.name) and made:
            return Candidate((0,), each.name, f"class TicTacToe, {each.lines} lines", PLAIN)
    return None


def _missing(source: Source, wanted: str | None) -> str:
    """Return a sentence on what was found and what was looked for."""
    looked = ", or a ".join(problem.looked_for for problem in PROBLEMS.values())
    has = []
    for each in source.classes:
        if wanted in (None, "", each.name, _last(each.name)):
            methods = [method for method in each.methods if not method.hidden][:LISTED]
            shown = ", ".join(map(_signature, methods)) or "no methods"
            has.append(f"class {each.name} has {shown}")
    if wanted and not has:
        has.append(f"there is no class {wanted}")
    found = "; ".join(has[:LISTED]) or "no class was found"
    return f"{found}; looked for a {looked}"


def _signature(function: Function) -> str:
    return f"{function.name}({', '.join(each.name for each in function.parameters)})"


def _last(name: str) -> str:
    """Return the last part of a class's full name, ``Inner`` in ``Outer.Inner``."""
    return name.replace("::", ".").rpartition(".")[2]
