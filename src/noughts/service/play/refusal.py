"""Refusals: why the server does not do what it was asked, and every code for that."""

from __future__ import annotations

from noughts.errors import (
    CellTaken,
    Floating,
    Foul,
    GameOver,
    NoughtsError,
    OffBoard,
    WrongTurn,
)

REASONS: dict[str, tuple[int, str]] = {
    "malformed": (422, "the request does not fit the description"),
    OffBoard.code: (422, "the cell is off the board"),
    "stale": (409, "the game has moved on; read the latest events and decide anew"),
    CellTaken.code: (409, "the cell is already taken"),
    Floating.code: (409, "a mark on this cell would fall"),
    Foul.code: (409, "renju forbids this move; kind says why"),
    WrongTurn.code: (409, "it is the other player's turn"),
    GameOver.code: (409, "the game is over"),
    "waiting": (409, "the game waits for the other player to join"),
    "seat_taken": (409, "both seats are taken"),
    "nothing_to_take_back": (409, "there is no move to take back"),
    "nothing_to_decline": (409, "nothing is offered"),
    "no_draw": (409, "a computer agrees to no draw"),
    "timeout": (409, "the time is up"),
    "not_over": (409, "a rematch comes after the end of the game"),
    "not_waiting": (409, "the game does not wait for anybody"),
    "no_hints": (409, "hints are given in games against the computer"),
    "too_long": (409, "the game is too long to be analysed"),
    "key_used": (409, "this key was used for something else"),
    "no_token": (401, "this needs the token of a seat: Authorization: Bearer TOKEN"),
    "unknown_token": (401, "nobody knows this token"),
    "not_your_seat": (403, "this token is for another game"),
    "wrong_invite": (403, "this invitation is not for this game"),
    "cross_origin": (403, "posts from pages of other origins are refused"),
    "no_game": (404, "there is no such game"),
    "not_found": (404, "there is no such address"),
    "wrong_method": (405, "this address takes another method"),
    "too_large": (413, "the body is larger than 4 KB"),
    "not_json": (415, "the body must be JSON: Content-Type: application/json"),
    "bad_request": (400, "this is not HTTP"),
    "wrong_host": (421, "this server has another name: it is started with --host-name NAME"),
    "too_slow": (408, "the request did not come in time"),
    "head_too_large": (431, "the address and the headers are larger than 16 KB"),
    "too_many": (429, "too many requests from your address; see Retry-After"),
    "failed": (500, "the server has failed; it has logged why"),
    "unavailable": (
        503,
        "the database does not answer; the same request, under the same key, is safe",
    ),
}
"""The HTTP status and the sentence of every code with which the server refuses a request.

A move that the rules forbid has the code of its `IllegalMove`. The description of the API is made
from this list; docs/server.md and the page are tested against it.
"""


class Refused(NoughtsError):
    """A request that is refused, and why.

    Attributes:
        code: a key of `REASONS`.
        status: the HTTP status of the answer.
        message: a sentence that says more than the code's, or the code's.
        seq: the game's latest event, where that helps the client.
        retry_after: in how many seconds to try again.
        kind: of a foul.
    """

    def __init__(
        self,
        code: str,
        message: str | None = None,
        seq: int | None = None,
        retry_after: int | None = None,
        kind: str | None = None,
    ) -> None:
        self.code = code
        self.status, sentence = REASONS[code]
        self.message = message or sentence
        self.seq = seq
        self.retry_after = retry_after
        self.kind = kind
        super().__init__(self.message)
