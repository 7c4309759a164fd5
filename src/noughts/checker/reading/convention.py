"""The calling convention of a solution: how it is constructed, called and understood."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from noughts.checker.reading.source import Enum

Role = Literal[
    "n", "row", "col", "row number", "col number", "player", "cell", "index", "number",
    "moves", "board", "cells",
]  # fmt: skip
"""What an argument is; a cell is a pair of row and column.

An index is the number of a cell, row by row from 0; numbers of cells, rows and columns are counted
from 1. A board is given row by row, or as all its cells.
"""


@dataclass(frozen=True, slots=True)
class Name:
    """A member of an enum: the full name of the enum, and that of the member."""

    enum: str
    member: str


Value = int | str | None | Name  # True and False are ints


class Argument(NamedTuple):
    """An argument: its role, and the type and the label of its parameter, or empty strings."""

    role: Role
    type: str = ""
    label: str = ""


@dataclass(frozen=True)
class Call:
    """A call of a function, a method or a constructor.

    Attributes:
        name: its name; empty for a constructor that is called by the name of its class.
        arguments: its arguments in order.
        returns: the type it returns as written, or an empty string.
        static: whether it is called without an object.
        value: whether it is read without parentheses.
    """

    name: str
    arguments: tuple[Argument, ...] = ()
    returns: str = ""
    static: bool = False
    value: bool = False

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """The roles of its arguments."""
        return tuple(argument.role for argument in self.arguments)


WINS = re.compile(
    r"""['"](?:the )?(?:player )?(\w+)(?: has| is)?(?: the)? (?:wins?|won|winner)"""
    r"""(?: the game)?\W*['"]|['"](?:the )?winner(?: is|:) (?:player )?(\w+)\W*['"]""",
    re.IGNORECASE,
)
"""Phrases that name the winner."""
WON = re.compile(r"""['"](?:you |player )?(?:wins?|won|victory)\W*['"]""", re.IGNORECASE)
"""Phrases that say that the player who moved has won."""
UNDECIDED = re.compile(
    r"['\"](?:(?:the )?game |it |match )?(?:is |it's |ended in )?(?:a |in |still |keep )?"
    r"(?:no (?:winner|one)|nobody|draw|tied?|pending|progress|ongoing|playing|continues?|continue"
    r"|next(?: turn| player)?|undecided)\b.{0,20}['\"]",
    re.IGNORECASE,
)
"""Phrases that name no winner."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The meaning of a solution's answers, by their text.

    Attributes:
        won: for each player, the answers that say that this player has won, the usual one first.
        nobody: the answers that say that nobody has won.
        mover: whether "true" says that the player who moved, or who was asked about, has won.
        phrased: whether an answer may be a phrase, such as "X wins" or "Game continues", or say
            whether the move wins, as "win" and True do.
        learned: other answers, each with "0", "1", "2", or "mover" for the player who moved.
    """

    won: tuple[tuple[str, ...], tuple[str, ...]] = (("1",), ("2",))
    nobody: tuple[str, ...] = ("0",)
    mover: bool = False
    phrased: bool = False
    learned: tuple[tuple[str, str], ...] = ()

    def read(self, text: str, player: int) -> str:
        """Return the answer to a move of `player` as "0", "1" or "2"; any other as it is."""
        truth = text.lower() if text.lower() in ("true", "false") else ""
        if self.mover and truth:
            return str(player) if truth == "true" else "0"
        winner = WINS.fullmatch(text) if self.phrased else None
        said = winner[1] or winner[2] if winner else ""
        named = {said, f"'{said}'"} if winner else {text}
        for answer, texts in (("1", self.won[0]), ("2", self.won[1]), ("0", self.nobody)):
            if not named.isdisjoint(texts):
                return answer
        if self.phrased and (truth == "true" or WON.fullmatch(text)):
            return str(player)
        if self.phrased and (truth == "false" or UNDECIDED.fullmatch(text)):
            return "0"
        for said, answer in self.learned:
            if text == said:
                return str(player) if answer == "mover" else answer
        return f"int {text}" if text in ("0", "1", "2") else text

    def write(self, answer: str, player: int) -> str:
        """Return the usual text of an answer to a move of `player`."""
        for said, meaning in self.learned:
            if answer == (str(player) if meaning == "mover" else meaning):
                return said
        if self.mover and answer in ("0", str(player)):
            return str(answer == str(player))
        usual = {"0": self.nobody, "1": self.won[0], "2": self.won[1]}.get(answer)
        return usual[0] if usual else answer.removeprefix("int ")


PLAIN_ANSWERS = Answers()
"""The answers of the original problem: the number of the winner, or 0."""


@dataclass(frozen=True)
class Convention:
    """How a solution is called. From this its driver is generated.

    Attributes:
        problem: the name of the problem that it solves.
        owner: the full name of its class; empty for a function.
        make: how an object is created; None if `call` needs none.
        call: the method that moves, or the function that judges a whole game or board.
        asks: what is called after each move to learn who has won; None if the move answers.
        players: the values of the two players.
        answers: what the answers mean.
        n: the size of the board; None if it is an argument.
        empty: the mark of an empty cell, in boards.
        notes: what was taken for what, one sentence each.
        inner: whether an object needs one of the enclosing class.
        enums: the enums that its answers are members of.
        hint: what to try if the solution turns out to be wrong, or an empty string.
        obstacle: why it cannot be called, or an empty string.
        begins: which player its source says moves first, "first" or "second", or an empty string.
        exact: whether its answers must be those of the problem, whatever it is called with.
        in_order: whether it refuses a move of the player whose turn it is not. As the games of the
            checker may begin with either player, the one who begins is called player 1.
        renews: whether the move returns the object for the next one, and leaves its own as it is.
    """

    problem: str
    owner: str
    make: Call | None
    call: Call
    asks: Call | None = None
    players: tuple[Value, Value] = (1, 2)
    answers: Answers = PLAIN_ANSWERS
    n: int | None = None
    empty: Value = " "
    notes: tuple[str, ...] = ()
    inner: bool = False
    enums: tuple[Enum, ...] = ()
    hint: str = ""
    obstacle: str = ""
    begins: str = ""
    exact: bool = False
    in_order: bool = False
    renews: bool = False

    @cached_property
    def takes_turns(self) -> bool:
        """Whether the solution itself knows whose turn it is."""
        return self.in_order or (not self.whole and "player" not in self.call.roles)

    def sent(self, moves: Sequence[tuple[int, int, int]]) -> Sequence[tuple[int, int, int]]:
        """Return the moves as they are sent to the solution."""
        if self.in_order and moves and moves[0][2] == 2:
            return [(row, col, 3 - player) for row, col, player in moves]
        return moves

    @cached_property
    def whole(self) -> bool:
        """Whether it is called once, with a whole game or board."""
        return not {"moves", "board", "cells"}.isdisjoint(self.call.roles)

    def read(self, moves: Sequence[tuple[int, int, int]], texts: Sequence[str]) -> tuple[str, ...]:
        """Return the answers to these moves as the referee writes them.

        A solution that takes turns calls the player who begins player 1.
        """
        if self.answers is PLAIN_ANSWERS and not self.takes_turns:  # the usual case
            return tuple(texts)
        if self.whole:
            return tuple(self.answers.read(text, 1) for text in texts)
        swapped = self.takes_turns and bool(moves) and moves[0][2] == 2
        swap = {"1": "2", "2": "1"} if swapped else {}
        return tuple(
            swap.get(answer, answer)
            for text, (_, _, player) in zip(texts, moves, strict=False)
            for answer in [self.answers.read(text, 3 - player if swapped else player)]
        )

    def write(self, moves: Sequence[tuple[int, int, int]], answer: str) -> str:
        """Return an answer to the last of these moves as the solution writes it."""
        player = moves[-1][2] if moves and not self.whole else 1
        if self.takes_turns and moves and moves[0][2] == 2:
            player, answer = 3 - player, {"1": "2", "2": "1"}.get(answer, answer)
        return self.answers.write(answer, player)


PLAIN = Convention(
    "TicTacToe",
    "TicTacToe",
    Call("", (Argument("n"),)),
    Call("move", (Argument("row"), Argument("col"), Argument("player"))),
)
"""The convention of the original problem: ``TicTacToe(n)`` and ``move(row, col, player)``."""
