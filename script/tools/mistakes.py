"""Generate `mistakes.json`, the lesson's cards of known mistakes, for ``script/page/mistakes``."""

from __future__ import annotations

import inspect
import json
import re
from functools import cache
from textwrap import dedent
from typing import Any

from noughts.checker import check
from noughts.checker.catalogue import CATALOGUE, Mistake
from noughts.checker.games import judged
from noughts.checker.in_process import InProcess
from noughts.checker.report import Counterexample
from noughts.checker.solution import Game
from noughts.service.http.assets import PAGE

FILE = PAGE / "learn" / "mistakes.json"
KNOWN = CATALOGUE["TicTacToe"]
COMMENT = re.compile(r"\s*#.*")
WRONG = re.compile(r"#.*\bwrong\b")  # see the catalogue
DOCSTRING = re.compile(r'\n\s*""".*?"""', re.DOTALL)

Card = dict[str, Any]


# The game


def game(example: Counterexample) -> Card:
    """Convert a counterexample to the format of the lesson."""
    moves = [list(move) for move in example.moves]
    shown: Card = {"n": example.n, "moves": moves}
    shown |= {"expected": example.expected, "answered": example.answered}
    if example.before:
        shown["before"] = [[n, [list(move) for move in moves]] for n, moves in example.before]
    return shown


def games(game: Card) -> list[Game]:
    """Return the games that show the mistake: other objects' games first, then the card's."""
    boards = [*game.get("before", ()), (game["n"], game["moves"])]
    return [Game(n, tuple((row, col, player) for row, col, player in moves)) for n, moves in boards]


def answers(mistake: Mistake, game: Card) -> list[str]:
    """Return the answers of a class with this mistake to every move of the games."""
    suspect = _suspect(mistake.name).fresh()
    played = suspect.play(games(game), "together" if game.get("together") else "play")
    suspect.close()
    return [answer for each in played for answer in each.answers]


@cache
def _suspect(name: str) -> InProcess:
    return InProcess(next(mistake.solution for mistake in KNOWN if mistake.name == name))


def found(mistake: Mistake) -> Card:
    """Return the smallest game that the checker finds."""
    example = check(mistake.solution, games=200, growth=False).counterexample
    assert example is not None, mistake.name
    shown = game(example)
    return shown if answers(mistake, shown)[-1] == example.answered else shown | {"together": True}


# The card


def card(mistake: Mistake, game: Card) -> Card:
    """Return the lesson's card of a mistake, which this game shows.

    `fails` names the other mistakes that also answer a move of the game wrongly.
    """
    code, wrong = _code(mistake.solution)
    right = [answer for each in games(game) for answer in judged(each.n, each.moves).right]
    return {
        "name": mistake.name,
        "kind": mistake.solution.__module__.rpartition(".")[2],
        "does": f"{mistake.does[0].upper()}{mistake.does[1:]}.",
        "why": mistake.why,
        "code": code,
        "wrong": wrong,
        "right": _right(mistake.solution),
        "game": game,
        "fails": [each.name for each in KNOWN if each != mistake and answers(each, game) != right],
    }


def _code(solution: type) -> tuple[list[str], list[int]]:
    """Return the source lines of a class, renamed TicTacToe, and the numbers of the wrong ones."""
    bases = ", ".join(base.__name__ for base in solution.__bases__ if base is not object)
    source = DOCSTRING.sub("", inspect.getsource(solution), count=1).rstrip()
    body = source.replace(solution.__name__, "TicTacToe").split("\n")[1:]
    body = body[1:] if not body[0] else body
    code = [f"class TicTacToe({bases}):" if bases else "class TicTacToe:"]
    code += [COMMENT.sub("", line) for line in body]
    marked = [at for at, line in enumerate(body, 1) if WRONG.search(line)]
    done = [at for at, line in enumerate(code) if line and not re.match(r"class|\s+def ", line)]
    return code, marked or done


def _right(solution: type) -> list[str]:
    """Return the correct versions of the overridden methods, unless too long to compare."""
    right = {name: method for name, method in vars(solution.__base__).items() if callable(method)}
    names = [name for name in vars(solution) if name in right]
    if not names or {"move", "__init__"} & {*names}:
        return []
    methods = [dedent(DOCSTRING.sub("", inspect.getsource(right[name]))) for name in names]
    return "\n".join(methods).rstrip().split("\n")


def main() -> None:
    """Write the file, with one card per line."""
    cards = [json.dumps(card(each, found(each)), ensure_ascii=False) for each in KNOWN]
    FILE.write_text("[\n" + ",\n".join(cards) + "\n]\n")


if __name__ == "__main__":
    main()
