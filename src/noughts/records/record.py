"""A recorded game, the verdict on it, and the fields that stand for its rules in every format."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from reprlib import Repr
from typing import Any, Literal, Self

from noughts.checks import integer
from noughts.errors import (
    CellTaken,
    Floating,
    Foul,
    GameOver,
    IllegalMove,
    InvalidRecord,
    OffBoard,
)
from noughts.fouls import foul
from noughts.game import Game
from noughts.geometry import Cell, Line, geometry_of
from noughts.kernels import load
from noughts.outcome import Status, status
from noughts.rules import Rules

encode = json.JSONEncoder(separators=(",", ":")).encode
"""JSON without spaces, as every record and verdict is written."""

STATUSES: tuple[Status | Literal["illegal"], ...] = ("pending", "won", "draw", "illegal")
"""What the numbers in `noughts.bulk.Verdicts.status` stand for."""

CODES = (None, OffBoard.code, CellTaken.code, GameOver.code, Floating.code, Foul.code)
"""What the numbers in `noughts.bulk.Verdicts.code` stand for; see `noughts.errors`."""

Claim = Literal["confirmed", "contradicted", "undecided"]
CLAIMS: tuple[Claim | None, ...] = (None, "confirmed", "contradicted", "undecided")
"""What becomes of the result that a record claims, where it claims one; see `claim_on`."""

MAX_LISTED = 10_000  # cells of the lines in a verdict, or one line: k runs of k would be k² cells

_short = Repr()
_short.maxstring = _short.maxother = 40
quoted = _short.repr
"""How messages show a value of JSON: never long, however large the value."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a record says of one move besides its cell.

    Attributes:
        comment: a text; empty if there is none.
        took: the milliseconds that the move took.
        left: the seconds that were left on the player's clock after it.
        moves_left: the moves to make in those seconds, where the clock counts them.
    """

    comment: str = ""
    took: int | None = None
    left: float | None = None
    moves_left: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One recorded game: its rules and its moves, which need not be legal.

    Attributes:
        rules: the rules of the game.
        moves: the cells in the order of play.
        id: the game's name in its file, a string or an integer; None if it has none.
        result: what the record claims, the player who won or 0 for a draw; None if it claims
            nothing.
        names: the players' names in the order of their turns; empty if there are none.
        comment: a text on the whole game.
        notes: what is said of each move; empty if nothing is.
    """

    rules: Rules
    moves: tuple[Cell, ...]
    id: str | int | None = None
    result: int | None = None
    names: tuple[str, ...] = ()
    comment: str = ""
    notes: tuple[Note, ...] = ()

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

    def to_json(self, **more: object) -> str:
        """The record and more fields as a line of JSON, without its newline and without notes."""
        rules = self.rules
        fields: dict[str, object] = {} if self.id is None else {"id": self.id}
        if rules.shape == rules.shape[:1] * 2 and rules == Rules.square(rules.shape[0]):
            fields |= {"n": rules.shape[0]}
        else:
            fields |= {"shape": rules.shape, "k": rules.k, "players": rules.players}
            fields |= {"early_draw": True} if rules.early_draw else {}
            fields |= {"gravity": True} if rules.gravity else {}
            fields |= {"variant": rules.variant} if rules.variant != "freestyle" else {}
        fields |= {"moves": self.moves}
        fields |= {} if self.result is None else {"result": self.result}
        fields |= {"names": self.names} if self.names else {}
        fields |= {"comment": self.comment} if self.comment else {}
        return encode(fields | more)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's verdict on one recorded game.

    Attributes:
        id: the id of the record.
        status: won, draw or pending, or illegal if some move was.
        winner: the player who won, or None.
        ply: how many legal moves were made.
        lines: the lines that the winning move completed.
        code: the code of the illegal move, see `noughts.errors`; None if every move was legal.
        message: the same in words.
        claim: what becomes of the result that the record claims; None if it claims none.
    """

    id: str | int | None
    status: Status | Literal["illegal"]
    winner: int | None
    ply: int
    lines: tuple[Line, ...] = ()
    code: str | None = None
    message: str | None = None
    claim: Claim | None = None

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
        fields |= {"claim": self.claim} if self.claim else {}
        return encode(fields)


def standing(status: str, winner: int | None) -> str:
    """What summaries count a verdict as: ``won by 1``, ``draw`` and so on."""
    return f"won by {winner}" if winner else status


def judge_record(record: Record) -> Verdict:
    """Referee a recorded game up to its end or to its first illegal move.

    Where the kernel was compiled, memory follows the moves, however many lines the board has.
    """
    kernel = load("judge")
    verdict = _judge(record) if kernel is None else _judge_compiled(kernel, record)
    return replace(verdict, claim=claim_on(record, verdict))


def claim_on(record: Record, verdict: Verdict) -> Claim | None:
    """What becomes of the result that a record claims; None if it claims none.

    The board confirms it or contradicts it where it decides the game: by a line, a draw, or a foul
    of renju as the last move, which loses. After such an end no move counts. The board leaves it
    undecided where the game could go on, since somebody may have resigned, and where an illegal
    move leaves open what was on the board.
    """
    winner = verdict.winner
    if record.result is None:
        return None
    if verdict.code == GameOver.code:
        winner = judge_record(Record(record.rules, record.moves[: verdict.ply])).winner
    elif verdict.code == Foul.code and verdict.ply + 1 == len(record.moves):
        winner = 2
    elif verdict.status in ("pending", "illegal"):
        return "undecided"
    return "confirmed" if record.result == (winner or 0) else "contradicted"


def _judge(record: Record) -> Verdict:
    game = Game(record.rules)
    try:
        for cell in record.moves:
            game.play(cell)
    except IllegalMove as error:
        return Verdict(record.id, "illegal", None, game.ply, code=error.code, message=str(error))
    outcome = game.outcome
    winner, lines = (outcome.winner, outcome.lines) if outcome else (None, ())
    lines = lines[: max(1, MAX_LISTED // record.rules.k)]
    return Verdict(record.id, status(outcome), winner, game.ply, lines)


def _judge_compiled(kernel: Any, record: Record) -> Verdict:
    rules, geometry = record.rules, geometry_of(record.rules)
    moves = array("q", [*map(geometry.number, record.moves), 0])  # an empty one is not aligned
    games = moves, array("q", [0, len(record.moves)]), rules
    verdict = array("b", [0]), array("b", [0]), array("i", [0]), array("b", [0])
    kernel.judge(*games, verdict)
    (number,), (winner,), (ply,), (code,) = verdict
    if code:
        error = refusal(CODES[code], rules, record.moves[: ply + 1])
        if error is None:  # who won is told by the moves before the end
            error = GameOver.of(judge_record(Record(rules, record.moves[:ply])).winner)
        return Verdict(record.id, "illegal", None, ply, code=error.code, message=str(error))
    found = kernel.winning_lines(*games, (verdict[1], verdict[2]), array("q", [0]))
    cells = [*map(geometry.cell, memoryview(found).cast("q"))]
    lines = tuple(tuple(cells[at : at + rules.k]) for at in range(0, len(cells), rules.k))
    return Verdict(record.id, STATUSES[number], winner or None, ply, lines)


def refusal(code: str | None, rules: Rules, moves: Sequence[Cell]) -> IllegalMove | None:
    """The error for the last of these moves, which a kernel refused; None if the game was over."""
    *before, cell = moves
    if code == OffBoard.code:
        return OffBoard.of(cell, rules.shape)
    if code == CellTaken.code:
        return CellTaken.of(cell)
    if code == Floating.code:
        return Floating.of(cell)
    if code == Foul.code:
        marks = {cell: ply % 2 + 1 for ply, cell in enumerate(before)}
        return Foul.of(str(foul(marks, (rules.shape[0], rules.shape[1]), cell)), cell)
    return None


def record_of_fields(fields: dict[str, Any]) -> Record:
    """The record that the fields of a JSON object stand for.

    Raises:
        InvalidRecord, InvalidRules, TypeError: a field is missing or makes no sense.
    """
    rules = rules_of_fields(fields)
    name = fields.get("id")
    if not isinstance(name, str | int | None) or isinstance(name, bool):
        raise InvalidRecord(f"id must be a string or an integer, not {quoted(name)}")
    moves = fields.get("moves")
    if not isinstance(moves, list):
        given = f"not {quoted(moves)}" if "moves" in fields else "but there are none"
        raise InvalidRecord(f"moves must be a list of cells such as [[0, 0], [1, 1]], {given}")
    sides = len(rules.shape)
    for i, move in enumerate(moves):
        if type(move) is not list or len(move) != sides:
            raise InvalidRecord(
                f"moves[{i}] must be a list of {sides} integers, not {quoted(move)}"
            )
        for at in move:
            if type(at) is not int:
                integer(at, f"moves[{i}]'s coordinate")
    names, comment = fields.get("names", []), fields.get("comment", "")
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise InvalidRecord(f"names must be a list of strings, not {quoted(names)}")
    if not isinstance(comment, str):
        raise InvalidRecord(f"comment must be a string, not {quoted(comment)}")
    cells, result = tuple(map(tuple, moves)), result_of_fields(fields, rules)
    return Record(rules, cells, name, result, tuple(names), comment)


def result_of_fields(fields: dict[str, Any], rules: Rules) -> int | None:
    """The result that a record claims, if it does.

    Raises:
        InvalidRecord, TypeError: it is neither 0 nor a player.
    """
    result = fields.get("result")
    if result is not None and not 0 <= integer(result, "result") <= rules.players:
        raise InvalidRecord(
            f"result must be 1 to {rules.players}, or 0 for a draw, not {quoted(result)}"
        )
    return result


_rules = lru_cache(maxsize=256)(Rules)


def rules_of_size(rules: Rules, shape: tuple[int, ...]) -> Rules:
    """The rules on a board of another size.

    Raises:
        InvalidRules: there are no such rules.
    """
    gravity, variant = rules.gravity, rules.variant
    return _rules(shape, rules.k, rules.players, rules.early_draw, gravity=gravity, variant=variant)


def rules_of_fields(fields: dict[str, Any]) -> Rules:
    """The rules that the fields of a record stand for.

    Raises:
        InvalidRecord, InvalidRules, TypeError: a field is missing or makes no sense.
    """
    if ("n" in fields) == ("shape" in fields):
        raise InvalidRecord('a game needs either "n" or "shape"')
    sides = [fields["n"]] * 2 if "n" in fields else fields["shape"]
    if not isinstance(sides, list):
        raise InvalidRecord(f"shape must be a list of sides, not {quoted(sides)}")
    name = "n" if "n" in fields else "a side of the board"
    shape = tuple(integer(side, name) for side in sides)
    k = None if fields.get("k") is None else integer(fields["k"], "k")
    players = integer(fields.get("players", 2), "players")
    for name in ("early_draw", "gravity"):
        if not isinstance(fields.get(name, False), bool):
            raise InvalidRecord(f"{name} must be true or false, not {quoted(fields[name])}")
    early_draw, gravity = fields.get("early_draw", False), fields.get("gravity", False)
    variant = fields.get("variant", "freestyle")
    if not isinstance(variant, str):
        raise InvalidRecord(f"variant must be a string, not {quoted(variant)}")
    return _rules(shape, k, players, early_draw, gravity=gravity, variant=variant)
