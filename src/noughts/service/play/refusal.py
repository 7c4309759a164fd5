"""Refusals: why the server does not do what it was asked, and every code for that."""

from typing import NamedTuple

from noughts.errors import REFUSALS, IllegalMove, NoughtsError, OffBoard, WrongTurn


class Reason(NamedTuple):
    """Why a request is refused."""

    status: int  # of HTTP
    message: str  # for people who write bots
    said: str = ""  # what the page says instead, if it does


PLAYERS_ONLY = "Only the players can do this."
_MOVES: tuple[type[IllegalMove], ...] = (WrongTurn, *REFUSALS)
REASONS = {
    error.code: Reason(
        422 if error is OffBoard else 409,
        error.sentence,
        f"{error.sentence[0].upper()}{error.sentence[1:]}.",
    )
    for error in _MOVES
} | {
    "malformed": Reason(422, "the request does not fit the description"),
    "stale": Reason(
        409,
        "the game has moved on; read the latest events and decide again",
        "The game has moved on, so your move was not played.",
    ),
    "waiting": Reason(
        409, "the other player has not joined yet", "The other player has not joined yet."
    ),
    "seat_taken": Reason(409, "both seats are taken", "This game already has two players."),
    "nothing_to_take_back": Reason(
        409, "there is no move to take back", "There is no move to take back."
    ),
    "nothing_to_decline": Reason(409, "nothing is offered"),
    "no_draw": Reason(409, "a computer does not agree to a draw"),
    "timeout": Reason(409, "the time is up", "Time is up."),
    "not_over": Reason(409, "a rematch comes after the end of the game"),
    "not_waiting": Reason(409, "the game does not wait for anybody"),
    "no_hints": Reason(409, "hints are given in games against the computer"),
    "too_long": Reason(409, "the game is too long to be analysed"),
    "key_used": Reason(409, "this key was used for something else"),
    "no_token": Reason(401, "send the token of a seat: Authorization: Bearer TOKEN", PLAYERS_ONLY),
    "unknown_token": Reason(401, "nobody has this token", PLAYERS_ONLY),
    "not_your_seat": Reason(403, "this token is for another game", PLAYERS_ONLY),
    "wrong_invite": Reason(
        403, "a wrong invitation", "This link is not an invitation to this game."
    ),
    "cross_origin": Reason(403, "posts from pages of other origins are refused"),
    "no_game": Reason(404, "there is no such game"),
    "not_found": Reason(404, "there is no such address"),
    "wrong_method": Reason(405, "this address takes another method"),
    "too_large": Reason(413, "the body is larger than 4 KB"),
    "not_json": Reason(415, "the body must be JSON: Content-Type: application/json"),
    "bad_request": Reason(400, "this is not HTTP"),
    "wrong_host": Reason(421, "this server has another name: start it with --host-name NAME"),
    "too_slow": Reason(408, "the request did not come in ten seconds"),
    "head_too_large": Reason(431, "the address and the headers are larger than 16 KB"),
    "too_many": Reason(
        429, "too many requests; see Retry-After", "Too many requests; please wait a moment."
    ),
    "failed": Reason(500, "the server has failed; it has logged why"),
    "unavailable": Reason(
        503, "the database does not answer; the same request, under the same key, is safe"
    ),
}
"""Every code with which the server refuses a request; everything else reads them from here.

A move that the rules forbid has the code of its `IllegalMove`.
"""

FOULS = {
    "overline": "an overline: six or more in a row",
    "double_four": "a double-four: two fours at once",
    "double_three": "a double-three: two open threes at once",
}
"""What is wrong with a foul, by its kind."""


class Refused(NoughtsError):
    """A request that is refused, and why."""

    def __init__(
        self,
        code: str,  # a key of `REASONS`
        message: str | None = None,  # a sentence that says more than the code's
        seq: int | None = None,  # the game's latest event, where that helps the client
        retry_after: int | None = None,  # seconds until it is worth trying again
        kind: str | None = None,  # of a foul
    ) -> None:
        self.code: str = code
        self.seq: int | None = seq
        self.retry_after: int | None = retry_after
        self.kind: str | None = kind
        self.status: int = REASONS[code].status
        self.message: str = message or REASONS[code].message
        super().__init__(self.message)
