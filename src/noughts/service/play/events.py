"""The records of a game: how it was made, each event since, and the seats that tokens hold.

They hold the SHA-256 of tokens and invitations, never these secrets themselves.
"""

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
MARK = "~"  # in the id of a game, after what tells its database; ids made in one alone have none
REACTIONS = {
    "👏": "applause",
    "😮": "surprise",
    "😂": "laughter",
    "🤔": "thinking",
    "gg": "good game",
}
"""The reactions of players, each with its name."""


class Kind(NamedTuple):
    """A kind of event; everything that follows, sends or describes events reads this."""

    about: str  # what it means, for people who write bots
    said: str = ""  # what the page says: `{who}` did it, with this `{mark}`, in this `{cell}`
    field: str = ""  # what it shows besides the state: its `cell`, or its text under this name
    own: str | None = None  # what the page says to the player who did it; None: the same
    drawn: str = ""  # what the page says where a draw was offered; empty: the same
    fills: str = ""  # the field of the state that it fills: an offer, or the next game
    status: Status | None = None  # of the game afterwards, unless a move ends it; None: unchanged
    termination: Termination | None = None  # why the game has ended; None also if it was aborted
    loses: bool = False  # whether the player who did it has lost
    clock: Literal["stops", "starts"] | None = None  # the running one; "starts": also the next
    settles: bool = True  # whether requests of players who do not know it are stale


KINDS = {
    "joined": Kind(
        "The other player has come.", "{who} has joined.", "name", status="playing", clock="starts"
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
        "Cut the moves to its ply.", "A move was taken back.", status="playing", clock="starts"
    ),
    "agreed": Kind(
        "That seat accepts a draw.", status="draw", termination=Termination.AGREEMENT, clock="stops"
    ),
    "resigned": Kind(
        "That seat gives up.",
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
    """How a game was made; this never changes."""

    id: str  # 16 characters that nobody can guess
    rows: int
    cols: int
    k: int
    opponent: Opponent
    level: str | None  # of the computer; None where none plays
    seat: int  # of the player who made the game, 1 or 2; player 1 begins
    name: str | None  # of that player
    listed: bool  # whether everybody may find and join the game
    invite: bytes | None  # the SHA-256 of the invitation; None if there is no invitation
    at: int  # when, in milliseconds since 1970
    gravity: bool = False
    variant: str = "freestyle"
    before: str | None = None  # the id of the game of which this is the rematch
    seconds: int | None = None  # that players may think; None without a clock
    increment: int | None = None  # seconds that a move adds; None if `seconds` are for each move
    referee: bool = False  # whether friends have agreed that both see the referee's view

    @property
    def time_control(self) -> TimeControl | None:
        """How long players may think; None without a clock."""
        return TimeControl(self.seconds, self.increment) if self.seconds else None

    def first_deadline(self, begun: int) -> tuple[str, int] | None:
        """The earliest time at which somebody's time can be up, if the game begins then.

        This holds whatever is played: all the time that passes is taken from one of the players.
        """
        return (self.id, begun + self.seconds * 1000) if self.seconds else None

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return rules_of((self.rows, self.cols), self.k, self.gravity, self.variant)


class Event(NamedTuple):
    """One entry of a game's log."""

    game: str
    seq: int  # its number in the game: 1, 2, 3, … without gaps
    kind: str  # one of `KINDS`
    seat: int  # who did it
    key: str  # the idempotency key, chosen by the client
    at: int  # when, in milliseconds since 1970
    cell: int | None = None  # the row-major number of the cell of a move
    ply: int | None = None  # that a takeback goes back to
    text: str | None = None  # who joined; the rematch, or None if it was aborted; a reaction


class Seats(NamedTuple):
    """The seats of a game that the token with this SHA-256 holds."""

    token: bytes
    game: str
    seats: tuple[int, ...]


class Change(NamedTuple):
    """What is written together or not at all: not if another event has taken the event's place."""

    event: Event | None = None
    game: NewGame | None = None
    seats: tuple[Seats, ...] = ()
    due: tuple[str, bool] | None = None  # a computer's game, and whether it is to move now
    clock: tuple[str, int | None] | None = None  # a game, and from when time can be up; None: over


@lru_cache(maxsize=100)
def rules_of(shape: tuple[int, int], k: int | None, gravity: bool, variant: str) -> Rules:
    """These rules, made once for many games. Raises InvalidRules."""
    return Rules(shape, k, gravity=gravity, variant=variant)


def now() -> int:
    """The time in milliseconds since 1970."""
    return int(time() * 1000)


def new_id() -> str:
    """An id that nobody can guess: 96 random bits."""
    return token_urlsafe(12)


def id_of(key: str) -> str:
    """The id of the game that is made under this idempotency key; it does not reveal the key.

    So the games themselves say under which keys games were made.
    """
    return urlsafe_b64encode(blake2b(b"game", key=key.encode(), digest_size=12).digest()).decode()


def new_secret() -> str:
    """A token, an invitation, or what a browser keeps: 192 random bits."""
    return token_urlsafe(24)


def token_of(secret: str, game: str) -> str:
    """The token for this game of the player with this secret; it reveals no token of another game.

    It is BLAKE2b of the game's id, keyed with the secret of at most 64 bytes. Python's HMAC would
    let other threads run, and then wait for its turn.
    """
    code = blake2b(game.encode(), key=secret.encode(), digest_size=24).digest()
    return urlsafe_b64encode(code).decode()


def digest(secret: str) -> bytes:
    """The SHA-256 of a secret, which with so many random bits needs no salt."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
