"""The records of a game: how it was created, its events, and the seats that tokens hold.

They contain the SHA-256 of tokens and invitations, never these secrets themselves.
"""

import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from contextvars import ContextVar
from hashlib import blake2b, sha256
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from noughts.game.outcome import Termination
from noughts.game.rules import Rules

Opponent = Literal["friend", "computer", "self"]
Status = Literal["waiting", "playing", "won", "draw", "resigned", "timeout", "aborted"]
MARK = "~"  # ends the prefix by which a game's id names its database, if there are several
REACTIONS = {
    "👏": "applause",
    "😮": "surprise",
    "😂": "laughter",
    "🤔": "thinking",
    "gg": "good game",
}
"""The reactions of players, with their names."""


class Kind(NamedTuple):
    """A kind of event; everything that applies, sends or describes events reads this."""

    about: str  # its meaning, for developers
    said: str = ""  # shown by the page, with `{who}`, `{mark}` and `{cell}` filled in
    field: str = ""  # an extra field of the sent event: its `cell`, or its text under this name
    own: str | None = None  # shown to the player who did it; None if the same
    drawn: str = ""  # shown if a draw was offered; empty if the same
    fills: str = ""  # the field of the state that it sets: an offer, or the next game
    status: Status | None = None  # of the game afterwards, unless a move ends it; None if unchanged
    termination: Termination | None = None  # why the game has ended; None also if it was aborted
    loses: bool = False  # whether the player who did it has lost
    clock: Literal["stops", "starts"] | None = None  # the running one; "starts": also the next
    settles: bool = True  # whether requests from players who have not seen it are stale


KINDS = {
    "joined": Kind(
        "The other player has joined.",
        "{who} has joined.",
        "name",
        status="playing",
        clock="starts",
    ),
    "move": Kind(
        "Append its cell to the moves.",
        "{mark} plays {cell}.",
        "cell",
        status="playing",
        clock="starts",
    ),
    "offer": Kind(
        "That seat asks to take back a move.",
        "{who} asks to take back a move.",
        own="You asked to take back your move.",
        fills="offer",
    ),
    "draw": Kind(
        "That seat offers a draw.", "{who} offers a draw.", own="You offered a draw.", fills="draw"
    ),
    "declined": Kind(
        "That seat declines the offer.",
        "The takeback was declined.",
        drawn="The draw was declined.",
    ),
    "takeback": Kind(
        "Truncate the moves to its ply.", "A move was taken back.", status="playing", clock="starts"
    ),
    "agreed": Kind(
        "That seat accepts a draw.", status="draw", termination=Termination.AGREEMENT, clock="stops"
    ),
    "resigned": Kind(
        "That seat resigns.",
        status="resigned",
        termination=Termination.RESIGNATION,
        loses=True,
        clock="stops",
    ),
    "timeout": Kind(
        "That seat’s time is up.",
        "{who} has run out of time.",
        own="Your time is up.",
        status="timeout",
        termination=Termination.TIMEOUT,
        loses=True,
        clock="stops",
    ),
    "rematch": Kind(
        "The next game was created, or cancelled.",
        "{who} asks for a rematch.",
        own="",
        fills="rematch",
    ),
    "aborted": Kind("That seat cancels the game before anyone has joined.", status="aborted"),
    "reaction": Kind(
        "That seat shows a reaction; nothing else changes.", field="reaction", settles=False
    ),
}
"""The kinds of events by their names in the log and in event streams."""


MAX_SECONDS = 7 * 24 * 3600
MAX_INCREMENT = 3600  # seconds


class TimeControl(Struct, frozen=True, forbid_unknown_fields=True):
    """The time that players have to think."""

    seconds: Annotated[int, Meta(ge=1, le=MAX_SECONDS)]
    increment: Annotated[
        Annotated[int, Meta(ge=0, le=MAX_INCREMENT)] | None,
        Meta(
            description="Seconds that each move adds to its player's time for the whole game; "
            "null if `seconds` apply to each move."
        ),
    ] = None


class NewGame(NamedTuple):
    """A game as it was created; this never changes."""

    id: str  # 16 characters that cannot be guessed
    rules: Rules
    opponent: Opponent
    level: str | None  # of the computer; None if it does not play
    seat: int  # of the player who created the game, 1 or 2; player 1 begins
    name: str | None  # of that player
    listed: bool  # whether anyone may find and join the game
    invite: bytes | None  # the SHA-256 of the invitation; None if there is none
    at: int  # milliseconds since 1970
    before: str | None = None  # the id of the game that this is the rematch of
    seconds: int | None = None  # that players have to think; None without a clock
    increment: int | None = None  # seconds that a move adds; None if `seconds` apply to each move
    referee: bool = False  # whether friends have agreed that both may see the referee's view

    @property
    def time_control(self) -> TimeControl | None:
        """The time that players have to think; None without a clock."""
        return TimeControl(self.seconds, self.increment) if self.seconds else None

    def first_deadline(self, begun: int) -> tuple[str, int] | None:
        """Return the earliest time at which a player's time can be up, if the game begins then.

        It holds whatever is played, as all the time that passes is taken from one of the players.
        """
        return (self.id, begun + self.seconds * 1000) if self.seconds else None


class Event(NamedTuple):
    """One entry of a game's log."""

    game: str
    seq: int  # its number in the game: 1, 2, 3, … without gaps
    kind: str  # one of `KINDS`
    seat: int  # of the player who did it
    key: str  # the idempotency key, chosen by the client
    at: int  # milliseconds since 1970
    cell: int | None = None  # the row-major number of the cell of a move
    ply: int | None = None  # to which a takeback goes back
    text: str | None = None  # a name; a reaction; the id of a rematch, None if that was aborted


class Seats(NamedTuple):
    """The seats of a game that the token with this SHA-256 holds."""

    token: bytes
    game: str
    seats: tuple[int, ...]


class Change(NamedTuple):
    """A set of writes made together, or not at all if the place of the event is taken."""

    event: Event | None = None
    game: NewGame | None = None
    seats: tuple[Seats, ...] = ()
    due: tuple[str, bool] | None = None  # a computer's game, and whether the computer is to move
    clock: tuple[str, int | None] | None = None  # a game, and when time can be up; None if over


LATEST = 253_402_300_800_000  # ms; the year 10000


class World(NamedTuple):
    """The clocks and the randomness of a server, which a simulation replaces."""

    unix_time: Callable[[], float] = time.time  # seconds since 1970
    monotonic: Callable[[], float] = time.monotonic  # seconds, by a clock that never jumps
    token: Callable[[int], str] = secrets.token_urlsafe  # of this many random bytes


WORLD: ContextVar[World] = ContextVar("world", default=World())  # noqa: B039  # it is immutable


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return int(WORLD.get().unix_time() * 1000)


def monotonic() -> float:
    """Return the time in seconds by a clock that never jumps."""
    return WORLD.get().monotonic()


def check_time(at: object) -> None:
    """Raise ValueError if this is not a time in milliseconds since 1970."""
    if not isinstance(at, int) or not 0 <= at < LATEST:
        raise ValueError(f"unknown time {at!r}")


def new_id() -> str:
    """Return a new id of 96 random bits, which cannot be guessed."""
    return WORLD.get().token(12)


def id_of(key: str) -> str:
    """Return the id of the game that is created under this idempotency key.

    So the games themselves record their keys. The id does not reveal the key.
    """
    return urlsafe_b64encode(blake2b(b"game", key=key.encode(), digest_size=12).digest()).decode()


def new_secret() -> str:
    """Return a new token, invitation or browser secret of 192 random bits."""
    return WORLD.get().token(24)


def token_of(secret: str, game: str) -> str:
    """Return the token for this game of the player with this secret.

    It is BLAKE2b of the game's id, keyed with the secret of at most 64 bytes, so it reveals no
    token of another game. Python's HMAC releases the GIL, and then waits to get it back.
    """
    code = blake2b(game.encode(), key=secret.encode(), digest_size=24).digest()
    return urlsafe_b64encode(code).decode()


def digest(secret: str) -> bytes:
    """Return the SHA-256 of a secret, which has too many random bits to need a salt."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
