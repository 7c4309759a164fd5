"""Verdicts on single records, and the numbering of statuses, codes and claims."""

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
"""The statuses, indexed by the numbers in `noughts.bulk.Verdicts.status`."""

CODES = (None, *(error.code for error in REFUSALS))
"""The codes of illegal moves, indexed by the numbers in `noughts.bulk.Verdicts.code`."""

IMPOSSIBLE = "impossible"
"""The code of a record whose board no game reaches."""

Claim = Literal["confirmed", "contradicted", "undecided"]
CLAIMS: tuple[Claim | None, ...] = (None, "confirmed", "contradicted", "undecided")
"""Whether the board confirms the result that a record claims; None without a claim."""

MAX_LISTED = 10_000  # cells in the lines of a verdict, unless one line is longer


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one recorded game.

    Attributes:
        id: the id of the record.
        status: won, draw, pending or illegal.
        winner: the player who won, or None.
        ply: the number of legal moves, up to the first illegal one.
        lines: the lines that the winning move completed.
        code: the code of the illegal move, see `noughts.errors`, or `IMPOSSIBLE` if no game reaches
            the recorded board; None if all moves were legal.
        message: the reason in words; None if all moves were legal.
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
        """Return the verdict as one line of JSON, without a newline."""
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
    """Return the name under which a verdict is counted, such as ``won by 1`` or ``draw``."""
    return f"won by {winner}" if winner else status


def judge_record(record: Record) -> Verdict:
    """Judge a recorded game up to its end or its first illegal move.

    With compiled code, memory depends on the number of moves and not on the size of the board.
    """
    if record.impossible:
        claim: Claim | None = None if record.result is None else "undecided"
        why = record.impossible
        return Verdict(record.id, "illegal", None, 0, (), IMPOSSIBLE, why, claim)
    compiled = load("noughts.bulk._judge")
    verdict = _judge(record) if compiled is None else _judge_compiled(compiled, record)
    return replace(verdict, claim=claim_on(record, verdict))


def claim_on(record: Record, verdict: Verdict) -> Claim | None:
    """Compare the result that a record claims with the board; return None without a claim.

    The board decides a game by a line, a draw, or a renju foul as the last move, which loses. Moves
    after such an end do not count. The claim is undecided if the game could go on, since a player
    may have resigned, or if an illegal move leaves the players' board unknown.
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
    moves = array("q", [*map(geometry.number, record.moves), 0])  # an empty array is misaligned
    games = moves, array("q", [0, len(record.moves)]), rules
    verdict = [array(kind, [0]) for kind in "bbibb"]
    compiled.judge(*games, tuple(verdict))
    (number,), (winner,), (ply,), (code,), (ended,) = verdict
    if code:
        error = illegal_move(CODES[code], rules, record.moves[: ply + 1], ended)
        return Verdict(record.id, "illegal", None, ply, code=error.code, message=str(error))
    found = compiled.winning_lines(*games, (verdict[1], verdict[2]), array("q", [0]))
    cells = [*map(geometry.cell, memoryview(found).cast("q"))]
    lines = tuple(tuple(cells[at : at + rules.k]) for at in range(0, len(cells), rules.k))
    return Verdict(record.id, STATUSES[number], winner or None, ply, lines)


def illegal_move(code: str | None, rules: Rules, moves: Sequence[Cell], ended: int) -> IllegalMove:
    """Return the error with this code for the last of these moves.

    Args:
        ended: who had won before, or 0.
    """
    if code == GameOver.code:
        return GameOver.of(ended or None)
    *before, cell = moves
    if code == OffBoard.code:
        return OffBoard.of(cell, rules.shape)
    if code == Foul.code:
        marks = {cell: ply % 2 + 1 for ply, cell in enumerate(before)}
        return Foul.of(str(foul(marks, (rules.shape[0], rules.shape[1]), cell)), cell)
    error: Any = REFUSALS[CODES.index(code) - 1]
    illegal: IllegalMove = error.of(cell)
    return illegal
