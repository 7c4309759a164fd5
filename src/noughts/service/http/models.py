"""What requests say and answers hold, for the checks and the description of the API."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    model_validator,
)

from noughts.service.play.events import Wish

MAX_SIDE = 100
MAX_NAME = 32  # characters


def normalised(name: str | None) -> str | None:
    r"""A name as it is kept: composed, without control or invisible characters, trimmed.

    Raises:
        ValueError: it is longer than 32 characters.

    >>> normalised("  Ada\u202e \n Lovelace ")
    'Ada Lovelace'
    """
    if name is None:
        return None
    composed = unicodedata.normalize("NFC", name)
    visible = (
        " " if character.isspace() else character
        for character in composed
        if character.isspace() or unicodedata.category(character)[0] != "C"
    )
    short = " ".join("".join(visible).split())
    if len(short) > MAX_NAME:
        raise ValueError(f"a name has at most {MAX_NAME} characters, not {len(short)}")
    return short or None


def printable(key: str) -> str:
    """A key as it came.

    Raises:
        ValueError: it holds more than printable ASCII without spaces.
    """
    if not all("!" <= character <= "~" for character in key):
        raise ValueError("a key is printable ASCII without spaces")
    return key


Side = Annotated[StrictInt, Field(ge=1, le=MAX_SIDE)]
Seat = Literal[1, 2]
Name = Annotated[
    Annotated[str, Field(max_length=1000)] | None,
    AfterValidator(normalised),
    Field(description=f"At most {MAX_NAME} characters, once it is trimmed."),
]
Seq = Annotated[StrictInt, Field(ge=0, le=2**31 - 1, description="The latest event you know of.")]
Key = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        json_schema_extra={"pattern": "^[!-~]+$"},
        description="Chosen by you: 1 to 64 printable ASCII characters, none of them a space. "
        "What you send again under it is done once.",
    ),
    AfterValidator(printable),
]
Coordinate = Annotated[StrictInt, Field(ge=-(2**31), le=2**31 - 1)]
Cell = tuple[Coordinate, Coordinate]


class Request(BaseModel):
    """The body of a post; what is unknown is refused, so that a slip does not go unseen."""

    model_config = ConfigDict(extra="forbid")


class NewGameRequest(Request):
    """The game you want to play: `n`, or `shape` and `k`."""

    n: Side | None = None
    shape: tuple[Side, Side] | None = None
    k: Annotated[StrictInt, Field(ge=1, le=MAX_SIDE)] | None = None
    opponent: Literal["friend", "computer", "self"] = "friend"
    level: Literal["random", "easy", "medium", "perfect"] = "perfect"
    seat: Annotated[Seat, Field(description="1 begins.")] = 1
    name: Name = None
    listed: Annotated[StrictBool, Field(description="Anyone may find and join it.")] = False

    @model_validator(mode="after")
    def _board(self) -> NewGameRequest:
        if (self.n is None) == (self.shape is None):
            raise ValueError("say n, or shape and k")
        sides = self.sides
        if self.k is None and sides[0] != sides[1]:
            raise ValueError("the sides of the board differ: say how many win (k)")
        if self.k is not None and self.k > max(sides):
            raise ValueError(f"k must be 1 to {max(sides)} on this board, not {self.k}")
        return self

    @property
    def sides(self) -> tuple[int, int]:
        """The board's rows and columns."""
        return self.shape if self.shape is not None else (self.n or 0, self.n or 0)

    def wish(self) -> Wish:
        """The same, as the games understand it."""
        rows, cols = self.sides
        friend, computer = self.opponent == "friend", self.opponent == "computer"
        return Wish(
            rows=rows,
            cols=cols,
            k=self.k if self.k is not None else rows,
            opponent=self.opponent,
            level=self.level if computer else None,
            seat=1 if self.opponent == "self" else self.seat,
            name=self.name,
            listed=self.listed and friend,
        )


class JoinRequest(Request):
    """Who joins, and by which invitation; a listed game needs none."""

    invite: Annotated[str, Field(max_length=64)] | None = None
    name: Name = None
    key: Key | None = None


class ActRequest(Request):
    """Something a player does."""

    seq: Seq
    key: Key


class MoveRequest(ActRequest):
    """A move."""

    cell: Annotated[Cell, Field(description="[row, column], counted from 0 at the top left.")]


class TakebackRequest(ActRequest):
    """A takeback, or the answer to one that is offered."""

    accept: StrictBool = True


class RematchRequest(Request):
    """A rematch."""


class QrRequest(Request):
    """What the QR code shows: an address on this server."""

    text: Annotated[str, Field(min_length=1, max_length=300)]


class PlayerModel(BaseModel):
    """One side of the board."""

    name: str | None
    kind: Literal["human", "computer"]
    joined: bool


class StateModel(BaseModel):
    """The state of a game."""

    id: str
    shape: tuple[int, int]
    k: int
    status: Literal["waiting", "playing", "won", "draw", "resigned"]
    turn: Seat | None
    winner: Seat | None
    lines: list[list[Cell]]
    moves: list[Cell]
    players: list[PlayerModel]
    opponent: Literal["friend", "computer", "self"]
    level: str | None
    offer: Annotated[Seat | None, Field(description="The seat that offers a takeback.")]
    seq: int
    created: str
    rematch: Annotated[str | None, Field(description="The id of the next game.")]


class SeenModel(StateModel):
    """The state of a game, and your seats in it."""

    seats: list[Seat]


class SeatedModel(BaseModel):
    """A game, and what you need to play in it."""

    id: str
    url: str
    token: str
    seats: list[Seat]
    invite: str | None
    game: StateModel


class JoinedModel(BaseModel):
    """Your seat."""

    token: str
    seats: list[Seat]
    game: StateModel


class AnswerModel(BaseModel):
    """What was done: the event's seq, the ply it led to, and how the game stands."""

    seq: int
    ply: int
    status: str


class OpenGameModel(BaseModel):
    """A game that waits for somebody."""

    id: str
    shape: tuple[int, int]
    k: int
    name: str | None
    seat: Annotated[Seat, Field(description="The free one.")]
    created: str


class OpenGamesModel(BaseModel):
    """The games that wait, the newest first."""

    games: list[OpenGameModel]


class ErrorDetail(BaseModel):
    """Why not: a word for programs, a sentence for people, the game's seq where that helps."""

    code: str
    message: str
    seq: int | None = None


class ErrorModel(BaseModel):
    """A request that was refused."""

    error: ErrorDetail


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorModel, "description": text}
    for status, text in {
        401: "No token, or one that nobody knows.",
        403: "Not your seat; a wrong invitation; a page of another origin.",
        404: "No such game.",
        409: "Not now: stale, cell_taken, wrong_turn, game_over, waiting, seat_taken, not_over …",
        413: "The body is larger than 4 KB.",
        415: "The body is not JSON.",
        422: "Malformed, or off the board.",
        429: "Too many from your address; see Retry-After.",
        503: "The database does not answer; the same again, under the same key, is safe.",
    }.items()
}
