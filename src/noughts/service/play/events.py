"""What is written down of a game: how it was made, and every event since."""

from __future__ import annotations

from dataclasses import dataclass
from time import time
from typing import Literal, NamedTuple

Opponent = Literal["friend", "computer", "self"]
Kind = Literal["joined", "move", "offer", "declined", "takeback", "resigned", "rematch"]


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game as it was made; this never changes.

    Attributes:
        id: 96 random bits.
        rows, cols, k: the board, and how many in a row win.
        opponent: who sits across: a friend, the computer, or the same person.
        level: the computer's.
        seat: of whoever made the game, 1 or 2; 1 begins.
        name: theirs.
        listed: whether anyone may find and join it.
        invite: the SHA-256 of the invitation's secret.
        at: when, in milliseconds since 1970.
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


class Event(NamedTuple):
    """One entry of a game's log.

    Attributes:
        game: its id.
        seq: its number in the game: 1, 2, 3, … without gaps.
        kind: what happened.
        seat: who did it.
        key: chosen by the client: what it sends again under the same key is one event.
        at: when, in milliseconds since 1970.
        cell: of a move: row times columns plus column.
        ply: of a takeback: the ply it goes back to.
        text: of joined: the name; of rematch: the next game's id.
    """

    game: str
    seq: int
    kind: Kind
    seat: int
    key: str
    at: int
    cell: int | None = None
    ply: int | None = None
    text: str | None = None


class Seats(NamedTuple):
    """Who may move in a game: the SHA-256 of a token, and the seats it stands for."""

    token: bytes
    game: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What is written together, or not at all: an event, and what comes of it.

    Attributes:
        event: the next one of a game; the change fails if another took its place.
        game: a game that is made.
        seats: tokens that are given out.
        due: whether a computer is to move now, in a game that it plays.
    """

    event: Event | None = None
    game: NewGame | None = None
    seats: tuple[Seats, ...] = ()
    due: bool | None = None

    @property
    def about(self) -> str:
        """The id of the game that is made, or changes: the one where `due` holds."""
        if self.game:
            return self.game.id
        assert self.event is not None
        return self.event.game


def now() -> int:
    """The time, in milliseconds since 1970."""
    return int(time() * 1000)
