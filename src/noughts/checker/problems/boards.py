"""Boards of 3×3: who has won on one, and whether a game can lead to one."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, product

from noughts.checker.explore import Play
from noughts.checker.games import lines
from noughts.checker.problems.problem import Candidate, functions, takes_board
from noughts.checker.reading import Function, Source
from noughts.checker.reading.convention import Answers, Call, Value
from noughts.checker.reading.matching import MARKS, answers_of, is_integer, plain
from noughts.checker.solution import Game, Move

CHUNK = 500  # boards at once
EMPTY = re.compile(
    r"""(?:[!=]==?|\bis(?: not)?|\bin|\.count\() ?(?:(['"])([ ._\-*#eE]?)\1|(None|null|nil)\b)"""
)
"""A comparison that shows whether a cell is empty."""

LETTERED = re.compile(r"""\w\s*=\s*(['"])[XOxo]\1""")
"""A constant that is the letter of a player."""
NUMBERED = re.compile(r"[!=]==?\s*[0-2]\b|\b[0-2] (?:not )?in\b")
"""What shows that cells are numbers."""
COUNTED = re.compile(r"\b(?:len|count|sum)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\) ?[!=]=")
"""A comparison of a count, not of a cell."""
MARKED = re.compile(r"""[!=]= ?(['"])[ ._\-*#eE]?\1|\] (?:is(?: not)?|[!=]=) None\b""")
"""A comparison of a cell with an empty mark that is not a number."""
TRUE = re.compile(
    r"\b(?:if|elif|while|and|or|not) \(*\w+(?:\[[^]]*\])+ ?(?:\)|and\b|or\b|:|$)"
    r"|\b(?:all|any)\(\w+(?:\[[^]]*\])*\)",
    re.MULTILINE,
)
"""What tests a cell for truth, so that an empty one has to be false."""
NINE = re.compile(r"\b2, ?4, ?6\b|\w\[[3-8]\]|\brange\(9\)")
"""What shows that a board is a row of nine cells."""


class BoardWinner:
    """The function `check_winner(board)`, on the 5,478 boards that games reach."""

    name: str = "winner"
    whole: bool = True
    looked_for: str = "function check_winner(board)"
    names: tuple[str, ...] = (
        *("checkwinner", "getwinner", "winner", "findwinner", "whowon", "tictactoewinner"),
        *("checkboard", "checkforwinner", "determinewinner", "evaluateboard", "gamewinner"),
        *("issolved", "whowins", "whoswinner", "calculatewinner", "tictactoecheck", "checkwin"),
    )

    def candidates(self, source: Source) -> Iterator[Candidate]:
        """Yield each function that judges a board."""
        for found, function in functions(source, self.name, (*self.names, "tictactoe"), "board"):
            if plain(function.name) == "tictactoe" and not takes_board(function):
                continue
            type = found.convention.call.arguments[0].type
            cell = re.sub(r"[\[\]<>]|[Ll]ist|vector|std::", "", type)
            lettered = MARKS.search(function.text) or LETTERED.search(source.text)
            marked = lettered or MARKED.search(function.text)
            counted = NUMBERED.search(COUNTED.sub("", function.text)) and not marked
            numbers = is_integer(cell) if type else bool(counted)
            players: tuple[Value, Value] = (1, 2) if numbers else ("X", "O")
            answers = answers_of(function, players, source, turns=True)
            if answers and not answers.mover:
                call = _given(found.convention.call, function)
                convention = replace(
                    found.convention,
                    call=call,
                    players=players,
                    answers=answers,
                    empty=0 if numbers else _empty(function, call.arguments[0].type),
                )
                yield found._replace(unlikely=(4,), convention=convention)

    def play_all(self, play: Play, patient: Callable[[], bool], n: int | None) -> bool:
        """Judge every board that a game reaches."""
        return _judge_all(play, patient, [game for game in _boards() if _reached(game.moves)])

    def examples(self, n: int) -> list[Game]:
        """Return every fiftieth board that a game reaches, and the full ones."""
        reached = [game for game in _boards() if _reached(game.moves)]
        return [*reached[::50], *(game for game in reached if len(game.moves) == 9)]


class BoardPossible:
    """The function `valid_tic_tac_toe(board)`, on all 19,683 boards."""

    name: str = "possible"
    whole: bool = True
    looked_for: str = "function valid_tic_tac_toe(board)"
    names: tuple[str, ...] = (
        *("validtictactoe", "isvalidtictactoe", "validboard", "isvalidboard", "isvalid"),
        *("ispossible", "checkvalid", "isvalidstate", "validstate", "validatetictactoe"),
        *("validateboard", "checkvalidboard", "isboardvalid", "isvalidtictactoeboard"),
    )

    def candidates(self, source: Source) -> Iterator[Candidate]:
        """Yield each function that judges whether a board is possible."""
        for found, function in functions(source, self.name, self.names, "board"):
            if is_integer(found.convention.call.arguments[0].type):
                continue  # it judges a cell
            answers = Answers(nobody=(), mover=True)
            call = _given(found.convention.call, function, "list[str]")
            convention = replace(
                found.convention, call=call, players=("X", "O"), answers=answers, exact=True
            )
            yield found._replace(unlikely=(5,), convention=convention)

    def examples(self, n: int) -> list[Game]:
        """Return no boards: answers are true or false."""
        return []

    def play_all(self, play: Play, patient: Callable[[], bool], n: int | None) -> bool:
        """Judge every board."""
        right = {True: ("1",), False: ("0",)}
        games = [game._replace(right=right[_reached(game.moves)]) for game in _boards()]
        return _judge_all(play, patient, games)


def _empty(function: Function, type: str) -> Value:
    """Return the mark of an empty cell: what the function compares cells with, None or a space.

    Cells that are tested for truth, and are not letters of a text of this type, are None.
    """
    found = EMPTY.findall(function.text)
    marks: list[str] = [mark for quote, mark, _ in found if quote]
    if marks:
        return max(marks, key=len)
    tested = TRUE.search(function.text) and type not in ("str", "list[str]")
    return None if found or tested else " "


def _given(call: Call, function: Function, usual: str = "") -> Call:
    """Return a call with a board without a type as the function uses it; `usual` is its type."""
    (board,), text = call.arguments, function.text
    if board.type:
        return call
    if NINE.search(text):
        board = board._replace(role="cells")
    else:
        joined = f"join({function.parameters[0].name})" in text
        board = board._replace(type="list[str]" if joined else usual)
    return replace(call, arguments=(board,))


@cache
def _boards() -> tuple[Game, ...]:
    """Return all boards, those with few marks first, with the number of the winner, or 0."""
    every = []
    for marks in product((0, 1, 2), repeat=9):
        moves = tuple((at // 3, at % 3, mark) for at, mark in enumerate(marks) if mark)
        won = [p for p in (1, 2) if _has_line(moves, p)]
        every.append(Game(3, moves, (str(won[0]) if won else "0",)))
    return tuple(sorted(every, key=lambda game: len(game.moves)))


def _has_line(moves: tuple[Move, ...], player: int) -> bool:
    mine = {move[:2] for move in moves if move[2] == player}
    return any(mine.issuperset(line) for line in lines(3))


def _reached(moves: tuple[Move, ...]) -> bool:
    """Return whether a game that player 1 begins can lead to this board."""
    ahead = sum(1 if player == 1 else -1 for *_, player in moves)
    first, second = (_has_line(moves, player) for player in (1, 2))
    return ahead in (0, 1) and not (first and ahead == 0) and not (second and ahead == 1)


def _judge_all(play: Play, patient: Callable[[], bool], games: list[Game]) -> bool:
    rest = iter(games)
    while chunk := list(islice(rest, CHUNK)):
        play(chunk, "play")  # the first boards even if its process took long to start
        if not patient():
            break
    return next(rest, None) is None
