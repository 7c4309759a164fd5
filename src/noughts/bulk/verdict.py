"""The verdict on one recorded game, and the words and numbers of verdicts."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from noughts.compiled import load
from noughts.errors import REFUSALS, Foul, GameOver, IllegalMove, OffBoard
from noughts.game.fouls import foul
from noughts.game.game import Game
from noughts.game.geometry import Cell, Line, geometry_of
from noughts.game.outcome import Status, status
from noughts.game.rules import Rules
from noughts.records.record import Record, encode

STATUSES: tuple[Status | Literal["illegal"], ...] = ("pending", "won", "draw", "illegal")
"""What the numbers in `noughts.bulk.Verdicts.status` stand for."""

CODES = (None, *(error.code for error in REFUSALS))
"""What the numbers in `noughts.bulk.Verdicts.code` stand for; see `noughts.errors`."""

Claim = Literal["confirmed", "contradicted", "undecided"]
CLAIMS: tuple[Claim | None, ...] = (None, "confirmed", "contradicted", "undecided")
"""Whether the board confirms the result that a record claims; None without a claim."""

MAX_LISTED = 10_000  # cells of the lines in a verdict, or one line; k lines would be k² cells


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's verdict on one recorded game.

    Attributes:
        id: the id of the record.
        status: won, draw, pending, or illegal if a move was.
        winner: the player who won, or None.
        ply: how many legal moves were made.
        lines: the lines that the winning move completed.
        code: why the illegal move was refused, see `noughts.errors`; None if all moves were legal.
        message: the same in words.
        claim: whether the board confirms the record's result; None if the record has none.
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
        """The verdict as a line of JSON, without the newline."""
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
    """The name under which a verdict is counted: ``won by 1``, ``draw`` and so on."""
    return f"won by {winner}" if winner else status


def judge_record(record: Record) -> Verdict:
    """Referee a recorded game up to its end or its first illegal move.

    Where compiled code is there, memory depends on the moves and not on the board.
    """
    compiled = load("noughts.bulk._judge")
    verdict = _judge(record) if compiled is None else _judge_compiled(compiled, record)
    return replace(verdict, claim=claim_on(record, verdict))


def claim_on(record: Record, verdict: Verdict) -> Claim | None:
    """Whether the board confirms the result that a record claims; None without a claim.

    The board decides a game by a line, a draw, or a foul of renju as the last move, which loses.
    Moves after such an end do not count. It is undecided if the game could go on, since somebody
    may have resigned, and if an illegal move makes it unclear what was on the board.
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


def _judge_compiled(compiled: Any, record: Record) -> Verdict:
    rules, geometry = record.rules, geometry_of(record.rules)
    moves = array("q", [*map(geometry.number, record.moves), 0])  # an empty one is not aligned
    games = moves, array("q", [0, len(record.moves)]), rules
    verdict = array("b", [0]), array("b", [0]), array("i", [0]), array("b", [0])
    compiled.judge(*games, verdict)
    (number,), (winner,), (ply,), (code,) = verdict
    if code:
        error = refusal(CODES[code], rules, record.moves[: ply + 1])
        if error is None:  # the moves before the end say who won
            error = GameOver.of(judge_record(Record(rules, record.moves[:ply])).winner)
        return Verdict(record.id, "illegal", None, ply, code=error.code, message=str(error))
    found = compiled.winning_lines(*games, (verdict[1], verdict[2]), array("q", [0]))
    cells = [*map(geometry.cell, memoryview(found).cast("q"))]
    lines = tuple(tuple(cells[at : at + rules.k]) for at in range(0, len(cells), rules.k))
    return Verdict(record.id, STATUSES[number], winner or None, ply, lines)


def refusal(code: str | None, rules: Rules, moves: Sequence[Cell]) -> IllegalMove | None:
    """The error for the last of these moves, which was refused; None if the game was over."""
    *before, cell = moves
    if code == GameOver.code:
        return None
    if code == OffBoard.code:
        return OffBoard.of(cell, rules.shape)
    if code == Foul.code:
        marks = {cell: ply % 2 + 1 for ply, cell in enumerate(before)}
        return Foul.of(str(foul(marks, (rules.shape[0], rules.shape[1]), cell)), cell)
    error: Any = REFUSALS[CODES.index(code) - 1]
    refused: IllegalMove = error.of(cell)
    return refused
