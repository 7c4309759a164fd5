"""Refusals: why the server does not do what it was asked."""

from __future__ import annotations

from noughts.errors import IllegalMove, NoughtsError

STATUS = {
    "malformed": 422,
    "off_board": 422,
    "stale": 409,
    "cell_taken": 409,
    "wrong_turn": 409,
    "game_over": 409,
    "waiting": 409,
    "seat_taken": 409,
    "nothing_to_take_back": 409,
    "nothing_to_decline": 409,
    "not_over": 409,
    "key_used": 409,
    "no_token": 401,
    "unknown_token": 401,
    "not_your_seat": 403,
    "wrong_invite": 403,
    "cross_origin": 403,
    "no_game": 404,
    "not_found": 404,
    "wrong_method": 405,
    "too_large": 413,
    "not_json": 415,
    "too_many": 429,
    "failed": 500,
    "unavailable": 503,
}
"""The HTTP status of each code."""


class Refused(NoughtsError):
    """A request that is refused, and why.

    Attributes:
        code: the reason as one word, a key of `STATUS`.
        message: the same as a sentence.
        seq: the game's latest, where that helps the client.
        retry_after: in how many seconds to try again.
    """

    def __init__(
        self, code: str, message: str, seq: int | None = None, retry_after: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.seq = seq
        self.retry_after = retry_after

    @classmethod
    def of(cls, error: IllegalMove, seq: int) -> Refused:
        """The refusal of a move that the rules refuse."""
        return cls(error.code, str(error), seq)

    @property
    def status(self) -> int:
        """Of the answer."""
        return STATUS[self.code]

    def body(self) -> dict[str, object]:
        """What the answer says, as JSON."""
        fields: dict[str, object] = {"code": self.code, "message": self.message}
        return {"error": fields if self.seq is None else fields | {"seq": self.seq}}
