"""The records of a game: how it was made, each event since, and the seats that tokens hold.

Of a secret, which is a token or an invitation, only the SHA-256 is in them.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import lru_cache
from hashlib import blake2b, sha256
from secrets import token_urlsafe
from time import time
from typing import Literal, NamedTuple

from noughts.game.outcome import Termination
from noughts.game.rules import Rules
from noughts.service.play.clock import TimeControl

Opponent = Literal["friend", "computer", "self"]
Status = Literal["waiting", "playing", "won", "draw", "resigned", "timeout", "aborted"]
REACTIONS = {
    "👏": "applause",
    "😮": "surprise",
    "😂": "laughter",
    "🤔": "thinking",
    "gg": "good game",
}
"""The reactions of players, each with its name."""


class Kind(NamedTuple):
    """A kind of event; everything that follows, sends or describes events reads this.

    Attributes:
        about: what it means, for people who write bots.
        said: what the page says: `{who}` did it, with this `{mark}`, in this `{cell}`.
        field: what it shows besides fields of the state: its `cell`, or its text by this name.
        own: what the page says to whoever did it; None for the same words.
        drawn: what it says where a draw was on offer; empty for the same words.
        fills: the field of the state that it fills: an offer, or the next game.
        status: the game's status afterwards, unless a move ends the game; None for no other.
        termination: why the game has ended; None if it has not, or was aborted.
        clock: whether it stops the clock that runs, or also starts the next one.
        settles: whether requests of those who do not know it are stale.
    """

    about: str
    said: str = ""
    field: str = ""
    own: str | None = None
    drawn: str = ""
    fills: str = ""
    status: Status | None = None
    termination: Termination | None = None
    clock: Literal["stops", "starts"] | None = None
    settles: bool = True


KINDS = {
    "joined": Kind(
        "The other player has come.", "{who} has joined.", "name", status="playing", clock="starts"
    ),
    "move": Kind(
        "Append its cell to the moves.",
        "{mark} at {cell}.",
        "cell",
        status="playing",
        clock="starts",
    ),
    "offer": Kind(
        "That seat asks to take back a move.",
        "{who} asks to take back a move.",
        own="You offer to take back.",
        fills="offer",
    ),
    "draw": Kind(
        "That seat offers a draw.", "{who} offers a draw.", own="You offer a draw.", fills="draw"
    ),
    "declined": Kind(
        "That seat declines the offer.",
        "The takeback was declined.",
        drawn="The draw was declined.",
    ),
    "takeback": Kind(
        "Cut the moves to its ply.", "A move was taken back.", status="playing", clock="starts"
    ),
    "agreed": Kind(
        "That seat accepts a draw.", status="draw", termination=Termination.AGREEMENT, clock="stops"
    ),
    "resigned": Kind(
        "That seat gives up.", status="resigned", termination=Termination.RESIGNATION, clock="stops"
    ),
    "timeout": Kind(
        "That seat’s time is up.",
        "{who} has no time left.",
        own="Your time is up.",
        status="timeout",
        termination=Termination.TIMEOUT,
        clock="stops",
    ),
    "rematch": Kind(
        "The next game is there, or withdrawn.",
        "{who} asks for a rematch.",
        own="",
        fills="rematch",
    ),
    "aborted": Kind("That seat withdraws the game, which nobody has joined.", status="aborted"),
    "reaction": Kind("That seat reacts; nothing else changes.", field="reaction", settles=False),
}
"""What can happen in a game, by its name in the log and in event streams."""


class NewGame(NamedTuple):
    """How a game was made; this never changes.

    Attributes:
        id: 96 random bits.
        rows, cols, k: the sides of the board, and how many in a row win.
        opponent: a friend, the computer, or the same person.
        level: of the computer; None where none plays.
        seat: of the player who made the game, 1 or 2; player 1 begins.
        name: of the player who made the game.
        listed: whether everybody may find and join the game.
        invite: the SHA-256 of the invitation's secret; None if there is no invitation.
        at: when, in milliseconds since 1970.
        gravity: whether marks fall.
        variant: what k in a row mean; see `noughts.Rules`.
        before: the id of the game of which this is the rematch; None if it is none.
        seconds: that players may think, for each move or for the whole game; None without a clock.
        increment: seconds that each move adds; None if `seconds` are for each move.
        referee: whether friends have agreed that both see the referee's view.
    """

    id: str
    rows: int
    cols: int
    k: int
    opponent: Opponent
    level: str | None
    seat: int
    name: str | None
    listed: bool
    invite: bytes | None
    at: int
    gravity: bool = False
    variant: str = "freestyle"
    before: str | None = None
    seconds: int | None = None
    increment: int | None = None
    referee: bool = False

    @property
    def time_control(self) -> TimeControl | None:
        """How long players may think; None without a clock."""
        return TimeControl(self.seconds, self.increment) if self.seconds else None

    def first_deadline(self, begun: int) -> tuple[str, int] | None:
        """The earliest time at which somebody's time can be up, if the game begins then.

        Whatever is played later: all the time that passes is taken from what the players have.
        """
        return (self.id, begun + self.seconds * 1000) if self.seconds else None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rules_of((self.rows, self.cols), self.k, self.gravity, self.variant)


class Event(NamedTuple):
    """One entry of a game's log.

    Attributes:
        game: the id of the game.
        seq: the number of the event in its game: 1, 2, 3, … without gaps.
        kind: what happened, one of `KINDS`.
        seat: who did it.
        key: the idempotency key, chosen by the client.
        at: when, in milliseconds since 1970.
        cell: the row-major number of the cell of a move.
        ply: the ply that a takeback goes back to.
        text: the name of the player who joined; the id of the game that is the rematch, or None if
            the rematch was aborted; a reaction.
    """

    game: str
    seq: int
    kind: str
    seat: int
    key: str
    at: int
    cell: int | None = None
    ply: int | None = None
    text: str | None = None


class Seats(NamedTuple):
    """The seats of a game that the token with this SHA-256 holds."""

    token: bytes
    game: str
    seats: tuple[int, ...]


class Change(NamedTuple):
    """What is written together or not at all.

    Attributes:
        event: the next event of a game; nothing is written if another event took its place.
        game: a new game.
        seats: new tokens.
        due: a game that a computer plays, and whether it is to move there now.
        clock: a game with a clock, and the earliest time at which it can be up, in milliseconds
            since 1970; None once the game is over.
    """

    event: Event | None = None
    game: NewGame | None = None
    seats: tuple[Seats, ...] = ()
    due: tuple[str, bool] | None = None
    clock: tuple[str, int | None] | None = None


@lru_cache(maxsize=100)  # a game's are asked for whenever its state is shown whole
def rules_of(shape: tuple[int, int], k: int | None, gravity: bool, variant: str) -> Rules:
    """These rules, which many games share. Raises InvalidRules."""
    return Rules(shape, k, gravity=gravity, variant=variant)


def now() -> int:
    """The time in milliseconds since 1970."""
    return int(time() * 1000)


def new_id() -> str:
    """An id that nobody can guess: 96 random bits."""
    return token_urlsafe(12)


def new_secret() -> str:
    """A token, an invitation, or what a browser keeps: 192 random bits."""
    return token_urlsafe(24)


def token_of(secret: str, game: str) -> str:
    """The token for one game of whoever holds this secret; it reveals nothing about other games.

    It is BLAKE2b of the game's id with the secret as its key, as long as a secret. Python's HMAC
    lets another thread have the interpreter meanwhile, and would wait for it again.

    Raises:
        ValueError: the secret is longer than 64 bytes.
    """
    code = blake2b(game.encode(), key=secret.encode(), digest_size=24).digest()
    return urlsafe_b64encode(code).decode()


def digest(secret: str) -> bytes:
    """The SHA-256 of a secret, which with so many random bits needs no salt."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
