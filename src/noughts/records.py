"""Games in and out: call lists and JSON Lines.

A *call list* is the classic problem's own form, two JSON arrays on a line each: the names
``["TicTacToe","move",…]`` and their arguments ``[[3],[0,0,1],…]``. *JSON Lines* hold one game a
line, ``{"id": "a1", "n": 3, "moves": [[0,0],[1,1]]}``, or ``"shape"`` and ``"k"`` instead of
``"n"``. Files are read as streams, in memory that does not depend on their length, and a line that
cannot be read is reported in its place while the rest is read on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from json import JSONDecodeError
from reprlib import Repr
from typing import IO, Any, Literal, Self

from noughts.errors import IllegalMove, InvalidRecord, InvalidRules, NoughtsError, integer
from noughts.game import Game
from noughts.lines import Cell, Line
from noughts.outcome import status
from noughts.referee import TicTacToe
from noughts.rules import Rules

MAX_LINE = 4 << 20  # bytes; enough for a full game on a 600×600 board

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


def read_records(file: IO[bytes], source: str) -> Iterator[Record | CallList | InvalidRecord]:
    """The games of a file, one after the other.

    The first line that is not blank tells the format: call lists begin with ``[``, anything else
    is JSON Lines. What cannot be read comes as an `InvalidRecord`, and the reading goes on.

    Args:
        file: opened for reading bytes.
        source: its name, for the errors.
    """
    lines = _numbered_lines(file, source)
    first = next(lines, None)
    if first is None:
        yield InvalidRecord("no record: the file is empty", source)
        return
    lines = chain([first], lines)
    is_call_list = isinstance(first[1], str) and first[1].startswith("[")
    yield from (_read_call_lists if is_call_list else _read_games)(lines, source)


def write_records(records: Iterable[Record | CallList], file: IO[str]) -> None:
    """Write games so that `read_records` reads them back."""
    for record in records:
        file.write(record.to_json() + "\n")


NumberedLines = Iterator[tuple[int, str | InvalidRecord]]


def _numbered_lines(file: IO[bytes], source: str) -> NumberedLines:
    """The lines that are not blank, with their numbers; never more than one is held."""
    number = 0
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


def _read_games(lines: NumberedLines, source: str) -> Iterator[Record | InvalidRecord]:
    for number, line in lines:
        try:
            yield _record(_json(line, dict, 'an object such as {"n": 3, "moves": [[0, 0]]}'))
        except (NoughtsError, TypeError) as error:
            yield _placed(error, source, number)


def _read_call_lists(lines: NumberedLines, source: str) -> Iterator[CallList | InvalidRecord]:
    for number, line in lines:
        _, arguments = next(lines, (None, ""))
        try:
            names = _json(line, list, 'an array of names such as ["TicTacToe", "move"]')
            if arguments == "":
                raise InvalidRecord("the names have no line of arguments after them")
            yield _call_list(
                names, _json(arguments, list, "an array of arguments such as [[3], [0, 0, 1]]")
            )
        except (NoughtsError, TypeError) as error:
            yield _placed(error, source, number)


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
    rules = _rules(fields)
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


def _rules(fields: dict[str, Any]) -> Rules:
    if ("n" in fields) == ("shape" in fields):
        raise InvalidRecord('a game needs either "n" or "shape"')
    sides = [fields["n"]] * 2 if "n" in fields else fields["shape"]
    if not isinstance(sides, list):
        raise InvalidRecord(f"shape must be a list of sides, not {_short.repr(sides)}")
    name = "n" if "n" in fields else "a side of the board"
    shape = tuple(integer(side, name) for side in sides)
    early_draw = fields.get("early_draw", False)
    return _known_rules(shape, fields.get("k"), fields.get("players", 2), early_draw)


@lru_cache(maxsize=256, typed=True)  # typed, or 2.0 would pass for a known 2
def _known_rules(shape: tuple[int, ...], k: int | None, players: int, early_draw: bool) -> Rules:
    return Rules(shape, k, players, early_draw)


def _call_list(names: list[Any], arguments: list[Any]) -> CallList:
    if len(names) != len(arguments):
        raise InvalidRecord(f"{len(names)} names have {len(arguments)} arguments: expected as many")
    for i, (name, given) in enumerate(zip(names, arguments, strict=True)):
        expected, count = ("move", 3) if i else ("TicTacToe", 1)
        if name != expected:
            raise InvalidRecord(f'call {i} must be "{expected}", not {_short.repr(name)}')
        if not isinstance(given, list) or len(given) != count:
            wanted = "[row, col, player]" if i else "[n]"
            raise InvalidRecord(f"call {i} needs {wanted}, not {_short.repr(given)}")
        for value in given:
            integer(value, f"an argument of call {i}")
    if not names:
        raise InvalidRecord('call 0 must be "TicTacToe"; the list is empty')
    (n,), *moves = arguments
    if n < 1:
        raise InvalidRules(f"n must be at least 1, not {n}")
    return CallList(n, tuple(map(tuple, moves)))
