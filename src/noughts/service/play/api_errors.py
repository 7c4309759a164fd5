"""The errors of the API: every code, with its HTTP status and message."""

from typing import NamedTuple

from noughts.errors import REFUSALS, IllegalMove, NoughtsError, OffBoard, WrongTurn


class ErrorCode(NamedTuple):
    """An error code of the API."""

    status: int  # of HTTP
    message: str  # for developers
    said: str = ""  # what the page shows instead; empty if it never shows this error


PLAYERS_ONLY = "Only the players can do this."
_MOVES: tuple[type[IllegalMove], ...] = (WrongTurn, *REFUSALS)
MOVE_CODES = frozenset(error.code for error in _MOVES)
ERROR_CODES = {
    error.code: ErrorCode(
        422 if error is OffBoard else 409,
        error.sentence,
        f"{error.sentence[0].upper()}{error.sentence[1:]}.",
    )
    for error in _MOVES
} | {
    "malformed": ErrorCode(422, "the request does not match the API description"),
    "stale": ErrorCode(
        409,
        "the game has moved on; read the latest events and decide again",
        "The game has moved on, so your move was not played.",
    ),
    "waiting": ErrorCode(
        409, "the other player has not joined yet", "The other player has not joined yet."
    ),
    "seat_taken": ErrorCode(409, "both seats are taken", "This game already has two players."),
    "nothing_to_take_back": ErrorCode(
        409, "there is no move to take back", "There is no move to take back."
    ),
    "nothing_to_decline": ErrorCode(409, "there is no offer to decline"),
    "no_draw": ErrorCode(409, "the computer does not accept draws"),
    "timeout": ErrorCode(409, "time is up", "Time is up."),
    "not_over": ErrorCode(409, "the game is not over yet"),
    "not_waiting": ErrorCode(409, "the game is not waiting for a player"),
    "no_hints": ErrorCode(409, "hints are only available in games against the computer"),
    "too_long": ErrorCode(409, "the game is too long to analyse"),
    "key_used": ErrorCode(409, "this key was already used for a different request"),
    "no_token": ErrorCode(
        401, "send the token of your seat as Authorization: Bearer TOKEN", PLAYERS_ONLY
    ),
    "unknown_token": ErrorCode(401, "invalid token", PLAYERS_ONLY),
    "not_your_seat": ErrorCode(403, "this token is for another game", PLAYERS_ONLY),
    "wrong_invite": ErrorCode(
        403, "invalid invitation", "This link is not an invitation to this game."
    ),
    "cross_origin": ErrorCode(403, "cross-origin posts are not allowed"),
    "disabled": ErrorCode(
        403, "this server does not solve positions; its operator can allow it by --solve-seconds"
    ),
    "no_game": ErrorCode(404, "game not found"),
    "not_found": ErrorCode(404, "no such URL"),
    "wrong_method": ErrorCode(405, "method not allowed for this URL; see Allow"),
    "too_large": ErrorCode(413, "the body is larger than 4 KB"),
    "not_json": ErrorCode(415, "the body must be JSON, sent with Content-Type: application/json"),
    "bad_encoding": ErrorCode(415, "the body must be plain text or compressed by gzip"),
    "bad_request": ErrorCode(400, "this is not a valid HTTP request"),
    "wrong_host": ErrorCode(421, "host not allowed; add it with --host-name"),
    "too_slow": ErrorCode(408, "the request was not complete within ten seconds"),
    "head_too_large": ErrorCode(431, "the URL and headers are larger than 16 KB"),
    "too_many": ErrorCode(
        429, "too many requests; see Retry-After", "Too many requests; please wait a moment."
    ),
    "damaged": ErrorCode(
        500, "this game cannot be read; details are in the server log", "This game is damaged."
    ),
    "failed": ErrorCode(500, "internal server error; details are in the server log"),
    "unavailable": ErrorCode(
        503, "the database is not responding; it is safe to retry with the same key"
    ),
}
"""Every error code of the API; everything else reads them from here.

A move that the rules forbid has the code of its `IllegalMove`.
"""

FOULS = {
    "overline": "an overline: six or more in a row",
    "double_four": "a double-four: two fours at once",
    "double_three": "a double-three: two open threes at once",
}
"""Descriptions of fouls by kind."""


class APIError(NoughtsError):
    """An error that the API reports to the client."""

    def __init__(
        self,
        code: str,  # a key of `ERROR_CODES`
        message: str | None = None,  # more specific than the message of the code
        seq: int | None = None,  # of the game's latest event, where that helps the client
        retry_after: int | None = None,  # seconds
        kind: str | None = None,  # of a foul
    ) -> None:
        self.code: str = code
        self.seq: int | None = seq
        self.retry_after: int | None = retry_after
        self.kind: str | None = kind
        self.status: int = ERROR_CODES[code].status
        self.message: str = message or ERROR_CODES[code].message
        super().__init__(self.message)
