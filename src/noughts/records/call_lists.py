"""Call lists, the format of the classic problem: two lines, each a JSON array.

The first line holds the names of the calls, ``["TicTacToe","move",…]``, the second their arguments,
``[[3],[0,0,1],…]``. The answer is one array: ``[null,0,…,1]``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from noughts.arguments import integer
from noughts.errors import IllegalMove, InvalidRecord, InvalidRules, short_repr
from noughts.records.record import encode
from noughts.referee import TicTacToe

MAX_N = 1_000_000  # larger boards need too much memory


@dataclass(frozen=True, slots=True)
class CallList:
    """The calls made on one `TicTacToe` during a game.

    Attributes:
        n: the argument of the constructor.
        moves: the arguments (row, col, player) of each call of ``move``.
    """

    n: int
    moves: tuple[tuple[int, int, int], ...]

    def answers(self) -> list[int | IllegalMove | None]:
        """Make the calls and return their results: None for the constructor, then 0 or the winner.

        The result of an illegal move is its error; later calls still count.

        Raises:
            MemoryError: `n` is too large; see `TicTacToe`.
        """
        referee = TicTacToe(self.n)
        answers: list[int | IllegalMove | None] = [None]
        for move in self.moves:
            try:
                answers.append(referee.move(*move))
            except IllegalMove as error:
                answers.append(error)
        return answers

    def to_json(self) -> str:
        """Return the call list as two lines of JSON, without a newline at the end."""
        names = ["TicTacToe"] + ["move"] * len(self.moves)
        return f"{encode(names)}\n{encode([[self.n], *self.moves])}"


def answers_to_json(answers: Iterable[int | IllegalMove | None]) -> str:
    """Return the results of a call list as a JSON array; an error becomes its code and message."""
    return encode(
        [
            {"code": each.code, "message": str(each)} if isinstance(each, IllegalMove) else each
            for each in answers
        ]
    )


def count_calls(names: list[Any]) -> int:
    """Check the names of a call list and return their number.

    Raises:
        InvalidRecord: a name is wrong, or the list is empty.
    """
    for i, name in enumerate(names or [None]):
        expected = "move" if i else "TicTacToe"
        if name != expected:
            given = short_repr(name) if names else "an empty list"
            raise InvalidRecord(f'call {i} must be "{expected}", got {given}')
    return len(names)


def call_list_of(calls: int, arguments: list[Any]) -> CallList:
    """Create a call list of this many calls with these arguments.

    Raises:
        InvalidRecord, InvalidRules, TypeError: there are more or fewer arguments, or one is wrong.
    """
    if len(arguments) != calls:
        raise InvalidRecord(f"expected the arguments of {calls} calls, got {len(arguments)}")
    for i, given in enumerate(arguments):
        wanted, count = ("[row, col, player]", 3) if i else ("[n]", 1)
        if not isinstance(given, list) or len(given) != count:
            raise InvalidRecord(
                f"the arguments of call {i} must be {wanted}, got {short_repr(given)}"
            )
        for value in given:
            integer(value, f"an argument of call {i}")
    (n,), *moves = arguments
    if not 1 <= n <= MAX_N:
        raise InvalidRules(f"n must be 1 to {MAX_N:,} in a call list, got {short_repr(n)}")
    return CallList(n, tuple(map(tuple, moves)))
