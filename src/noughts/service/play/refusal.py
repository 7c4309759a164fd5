"""Refusals: why the server does not do what it was asked, and every code for that."""

from __future__ import annotations

from typing import NamedTuple

from noughts.errors import CellTaken, GameOver, IllegalMove, NoughtsError, OffBoard, WrongTurn


class Reason(NamedTuple):
    """What a code stands for.

    Attributes:
        status: the HTTP status of the answer.
        sentence: the same for people; the message, where it needs to say no more.
    """

    status: int
    sentence: str


REASONS = {
    "malformed": Reason(422, "the request does not fit the description"),
    OffBoard.code: Reason(422, "the cell is off the board"),
    "stale": Reason(409, "the game has moved on; read the latest events and decide anew"),
    CellTaken.code: Reason(409, "the cell is already taken"),
    WrongTurn.code: Reason(409, "it is the other player's turn"),
    GameOver.code: Reason(409, "the game is over"),
    "waiting": Reason(409, "the game waits for the other player to join"),
    "seat_taken": Reason(409, "both seats are taken"),
    "nothing_to_take_back": Reason(409, "there is no move to take back"),
    "nothing_to_decline": Reason(409, "no takeback is offered"),
    "not_over": Reason(409, "a rematch comes after the end of the game"),
    "key_used": Reason(409, "this key was used for something else"),
    "no_token": Reason(401, "this needs the token of a seat: Authorization: Bearer TOKEN"),
    "unknown_token": Reason(401, "nobody knows this token"),
    "not_your_seat": Reason(403, "this token is for another game"),
    "wrong_invite": Reason(403, "this invitation is not for this game"),
    "cross_origin": Reason(403, "posts from pages of other origins are refused"),
    "no_game": Reason(404, "there is no such game"),
    "not_found": Reason(404, "there is no such address"),
    "wrong_method": Reason(405, "this address takes another method"),
    "too_large": Reason(413, "the body is larger than 4 KB"),
    "not_json": Reason(415, "the body must be JSON: Content-Type: application/json"),
    "too_many": Reason(429, "too many requests from your address; see Retry-After"),
    "failed": Reason(500, "the server has failed; it has logged why"),
    "unavailable": Reason(
        503, "the database does not answer; the same request, under the same key, is safe"
    ),
}
"""Every code with which the server refuses a request.

A move that the rules forbid has the code of its `IllegalMove`. The description of the API is made
from this list; docs/server.md and the page are tested against it.
"""


class Refused(NoughtsError):
    """A request that is refused, and why.

    Attributes:
        code: a key of `REASONS`.
        message: a sentence that says more than the code's, or the code's.
        seq: the game's latest event, where that helps the client.
        retry_after: in how many seconds to try again.
    """

    def __init__(
        self,
        code: str,
        message: str | None = None,
        seq: int | None = None,
        retry_after: int | None = None,
    ) -> None:
        self.code = code
        self.message = message or REASONS[code].sentence
        self.seq = seq
        self.retry_after = retry_after
        super().__init__(self.message)

    @classmethod
    def of(cls, error: IllegalMove, seq: int) -> Refused:
        """The refusal of a move that the rules refuse."""
        return cls(error.code, str(error), seq)

    @property
    def status(self) -> int:
        """The HTTP status of the answer."""
        return REASONS[self.code].status
