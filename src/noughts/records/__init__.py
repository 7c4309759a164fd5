"""Games in and out: call lists and JSON Lines.

A *call list* is the classic problem's own form, two JSON arrays on a line each: the names
``["TicTacToe","move",…]`` and their arguments ``[[3],[0,0,1],…]``. *JSON Lines* hold one game a
line, ``{"id": "a1", "n": 3, "moves": [[0,0],[1,1]]}``, or ``"shape"`` and ``"k"`` instead of
``"n"``. Files are read as streams, in memory that does not depend on their length, and a line that
cannot be read is reported in its place while the rest is read on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from json import JSONDecodeError
from reprlib import Repr
from typing import IO, Any, Literal, Protocol, Self

from noughts.errors import IllegalMove, InvalidRecord, InvalidRules, NoughtsError, integer
from noughts.game import Game
from noughts.geometry import Cell, Line
from noughts.outcome import status
from noughts.referee import TicTacToe
from noughts.rules import Rules

MAX_LINE = 4 << 20  # bytes; enough for a full game on a 600×600 board
MAX_N = 1_000_000  # of a call list; a larger board's sums would crowd out the other games

_short = Repr()
_short.maxstring = _short.maxother = 40
_encode = json.JSONEncoder(separators=(",", ":")).encode
_decode = json.JSONDecoder().decode


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded game: its rules and its moves, which need not be legal.

    Attributes:
        rules: what was played.
        moves: the cells in the order of play.
        id: the game's name in its file, a string or an integer; None if it has none.
    """

    rules: Rules
    moves: tuple[Cell, ...]
    id: str | int | None = None

    @classmethod
    def of(cls, game: Game, id: str | int | None = None) -> Self:
        """The record of a game."""
        return cls(game.rules, game.history, id)

    def game(self) -> Game:
        """The game, replayed.

        Raises:
            IllegalMove: as `Game.replay`.
        """
        return Game.replay(self.rules, self.moves)

    def to_json(self) -> str:
        """The record as one line of JSON, without the newline."""
        rules = self.rules
        fields: dict[str, object] = {} if self.id is None else {"id": self.id}
        if rules == Rules.square(rules.shape[0]):
            fields |= {"n": rules.shape[0]}
        else:
            fields |= {"shape": rules.shape, "k": rules.k, "players": rules.players}
            fields |= {"early_draw": True} if rules.early_draw else {}
        return _encode(fields | {"moves": self.moves})


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's word on one recorded game.

    Attributes:
        id: the record's.
        status: won, draw or pending, or illegal if some move was.
        winner: the player who won, or None.
        ply: how many legal moves were made.
        lines: the lines that the winning move completed.
        code: of the illegal move; see `noughts.errors`.
        message: the same in words.
    """

    id: str | int | None
    status: Literal["won", "draw", "pending", "illegal"]
    winner: int | None
    ply: int
    lines: tuple[Line, ...] = ()
    code: str | None = None
    message: str | None = None

    def to_json(self) -> str:
        """The verdict as one line of JSON, without the newline."""
        fields: dict[str, object] = {
            "id": self.id,
            "status": self.status,
            "winner": self.winner,
            "ply": self.ply,
            "lines": self.lines,
        }
        if self.status == "illegal":
            fields |= {"code": self.code, "message": self.message}
        return _encode(fields)


@dataclass(frozen=True, slots=True)
class CallList:
    """A game in the classic problem's form: the calls made on one `TicTacToe`.

    Attributes:
        n: what the constructor was called with.
        moves: the arguments (row, col, player) of each call of ``move``.
    """

    n: int
    moves: tuple[tuple[int, int, int], ...]

    def answers(self) -> list[int | IllegalMove | None]:
        """What each call returns: None for the constructor, then 0 or the winner.

        A refused call answers with its error and changes nothing; the calls after it still count.

        Raises:
            MemoryError: n is too large; see `TicTacToe`.
        """
        referee = TicTacToe(self.n)

        def answer(move: tuple[int, int, int]) -> int | IllegalMove:
            try:
                return referee.move(*move)
            except IllegalMove as error:
                return error

        return [None, *map(answer, self.moves)]

    def to_json(self) -> str:
        """The call list as two lines of JSON, without the last newline."""
        names = ["TicTacToe"] + ["move"] * len(self.moves)
        return f"{_encode(names)}\n{_encode([[self.n], *self.moves])}"


def judge_record(record: Record) -> Verdict:
    """Referee a recorded game up to its end or to its first illegal move."""
    game = Game(record.rules)
    try:
        for cell in record.moves:
            game.play(cell)
    except IllegalMove as error:
        return Verdict(record.id, "illegal", None, game.ply, (), error.code, str(error))
    outcome = game.outcome
    winner, lines = (outcome.winner, outcome.lines) if outcome else (None, ())
    return Verdict(record.id, status(outcome), winner, game.ply, lines)


def answers_to_json(answers: Iterable[int | IllegalMove | None]) -> str:
    """The answers to a call list as one JSON array; an error as its code and message."""
    return _encode(
        [
            {"code": answer.code, "message": str(answer)}
            if isinstance(answer, IllegalMove)
            else answer
            for answer in answers
        ]
    )


class ByLines(Protocol):
    """What is read by lines, such as a file opened for reading bytes."""

    def readline(self, limit: int, /) -> bytes:
        """The next line, of so many bytes at most."""


def read_records(
    file: ByLines, source: str, first_line: int = 1
) -> Iterator[Record | CallList | InvalidRecord]:
    """The games of a file, one after the other.

    A line that begins with ``[`` holds the names of a call list, and the next one its arguments;
    every other line is a game of JSON Lines. What cannot be read comes as an `InvalidRecord`, and
    the reading goes on.

    Args:
        file: opened for reading bytes.
        source: its name, for the errors.
        first_line: the number of the first line, in a file that was read up to there.
    """
    names: NumberedLine | None = None  # of a call list whose arguments come next
    line: NumberedLine | None = None
    for line in _numbered_lines(file, source, first_line):
        if names and not _begins_record(line):
            yield _read_call_list(names, line, source)
            names = None
            continue
        if names:
            yield _without_arguments(names, source)
        names = line if _begins_call_list(line) else None
        if not names:
            yield _read_game(line, source)
    if names:
        yield _without_arguments(names, source)
    if not line and first_line == 1:
        yield InvalidRecord("no record: the file is empty", source)


def write_records(records: Iterable[Record | CallList], file: IO[str]) -> None:
    """Write games so that `read_records` reads them back."""
    for record in records:
        file.write(record.to_json() + "\n")


NumberedLine = tuple[int, str | InvalidRecord]


def _numbered_lines(file: ByLines, source: str, first_line: int) -> Iterator[NumberedLine]:
    """The lines that are not blank, with their numbers; never more than one is held."""
    number = first_line - 1
    while raw := file.readline(MAX_LINE + 1):
        number += 1
        if len(raw) > MAX_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(MAX_LINE)
            problem = f"the line is longer than {MAX_LINE >> 20} MiB"
            yield number, InvalidRecord(problem, source, number)
            continue
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError as error:
            byte, column = raw[error.start], error.start + 1
            problem = f"the line is not UTF-8: byte 0x{byte:02x} at column {column}"
            yield number, InvalidRecord(problem, source, number)
            continue
        if line:
            yield number, line


def _begins_call_list(line: NumberedLine) -> bool:
    return isinstance(line[1], str) and line[1].startswith("[")


def _begins_record(line: NumberedLine) -> bool:
    """Whether the line opens a record, and so is not the arguments of the call list before it."""
    return isinstance(line[1], str) and bool(re.match(r'\{|\[\s*"', line[1]))


def _read_game(numbered: NumberedLine, source: str) -> Record | InvalidRecord:
    number, line = numbered
    try:
        return _record(_json(line, dict, 'an object such as {"n": 3, "moves": [[0, 0]]}'))
    except (NoughtsError, TypeError) as error:
        return _placed(error, source, number)


def _read_call_list(
    names: NumberedLine, arguments: NumberedLine, source: str
) -> CallList | InvalidRecord:
    number, line = names
    try:
        calls = _calls(_json(line, list, 'an array of names such as ["TicTacToe", "move"]'))
        number, line = arguments
        expected = "an array of arguments such as [[3], [0, 0, 1]]"
        return _call_list(calls, _json(line, list, expected))
    except (NoughtsError, TypeError) as error:
        return _placed(error, source, number)


def _without_arguments(names: NumberedLine, source: str) -> InvalidRecord:
    return InvalidRecord("the names have no line of arguments after them", source, names[0])


def _placed(error: NoughtsError | TypeError, source: str, number: int) -> InvalidRecord:
    """The error with the place where it occurred."""
    if isinstance(error, InvalidRecord) and error.line is not None:
        return error
    return InvalidRecord(str(error), source, number)


def _json(line: str | InvalidRecord, kind: type, expected: str) -> Any:
    """The value a line holds, of the kind expected."""
    if isinstance(line, InvalidRecord):
        raise line
    try:
        value = _decode(line)
    except JSONDecodeError as error:
        problem = f"{error.msg[0].lower()}{error.msg[1:]} at column {error.colno}"
        raise InvalidRecord(f"expected {expected}; this is not JSON: {problem}") from None
    except (RecursionError, ValueError) as error:  # nested too deep; a number of too many digits
        reason = "nested too deep" if isinstance(error, RecursionError) else "a number is too long"
        raise InvalidRecord(f"expected {expected}; {reason}") from None
    if not isinstance(value, kind):
        raise InvalidRecord(f"expected {expected}, not {_short.repr(value)}")
    return value


def _record(fields: dict[str, Any]) -> Record:
    rules = rules_of_record(fields)
    name = fields.get("id")
    if not isinstance(name, str | int | None) or isinstance(name, bool):
        raise InvalidRecord(f"id must be a string or an integer, not {_short.repr(name)}")
    moves = fields.get("moves")
    if not isinstance(moves, list):
        given = f"not {_short.repr(moves)}" if "moves" in fields else "but there are none"
        raise InvalidRecord(f"moves must be a list of cells such as [[0, 0], [1, 1]], {given}")
    sides = len(rules.shape)
    for i, move in enumerate(moves):
        if type(move) is not list or len(move) != sides:
            problem = f"moves[{i}] must be a list of {sides} integers, not {_short.repr(move)}"
            raise InvalidRecord(problem)
        for at in move:
            if type(at) is not int:
                integer(at, f"moves[{i}]'s coordinate")
    return Record(rules, tuple(map(tuple, moves)), name)


def rules_of_record(fields: dict[str, Any]) -> Rules:
    """The rules that the fields of a record stand for.

    Raises:
        InvalidRecord, InvalidRules, TypeError: a field is missing, or makes no sense.
    """
    if ("n" in fields) == ("shape" in fields):
        raise InvalidRecord('a game needs either "n" or "shape"')
    sides = [fields["n"]] * 2 if "n" in fields else fields["shape"]
    if not isinstance(sides, list):
        raise InvalidRecord(f"shape must be a list of sides, not {_short.repr(sides)}")
    name = "n" if "n" in fields else "a side of the board"
    shape = tuple(integer(side, name) for side in sides)
    k = None if fields.get("k") is None else integer(fields["k"], "k")
    players = integer(fields.get("players", 2), "players")
    early_draw = fields.get("early_draw", False)
    if not isinstance(early_draw, bool):
        raise InvalidRecord(f"early_draw must be true or false, not {_short.repr(early_draw)}")
    return _known_rules(shape, k, players, early_draw)


@lru_cache(maxsize=256)
def _known_rules(shape: tuple[int, ...], k: int | None, players: int, early_draw: bool) -> Rules:
    return Rules(shape, k, players, early_draw)


def _calls(names: list[Any]) -> int:
    """How many calls the names stand for."""
    for i, name in enumerate(names or [None]):
        expected = "move" if i else "TicTacToe"
        if name != expected:
            given = f"not {_short.repr(name)}" if names else "but the list is empty"
            raise InvalidRecord(f'call {i} must be "{expected}", {given}')
    return len(names)


def _call_list(calls: int, arguments: list[Any]) -> CallList:
    if len(arguments) != calls:
        raise InvalidRecord(f"expected the arguments of {calls} calls, not of {len(arguments)}")
    for i, given in enumerate(arguments):
        wanted, count = ("[row, col, player]", 3) if i else ("[n]", 1)
        if not isinstance(given, list) or len(given) != count:
            raise InvalidRecord(f"call {i} needs {wanted}, not {_short.repr(given)}")
        for value in given:
            integer(value, f"an argument of call {i}")
    (n,), *moves = arguments
    if not 1 <= n <= MAX_N:
        raise InvalidRules(f"n must be 1 to {MAX_N:,} in a call list, not {_short.repr(n)}")
    return CallList(n, tuple(map(tuple, moves)))
