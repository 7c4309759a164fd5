"""What requests and answers hold: checked, encoded and described by the same types."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from msgspec import Meta, Struct

from noughts.game.outcome import Termination
from noughts.game.rules import VARIANTS, Rules
from noughts.opponent import LEVELS, Advice, Finding
from noughts.picture import THEMES
from noughts.service.play import events
from noughts.service.play.clock import ClockAnswer, TimeControl
from noughts.service.play.events import NewGame, Opponent, Status
from noughts.service.play.presence import Here
from noughts.service.play.refusal import FOULS, REASONS, Refused
from noughts.service.play.state import Player, State, timestamp

MAX_SIDE = 100
MAX_FOUL_SIDE = 19  # each event shows the fouls of the whole board, while others wait
MAX_NAME = 32  # characters
MAX_MOVES = 100  # of a game to watch: enough for a small picture of it
JOINERS = "\u200c\u200d"  # within emoji and words of some scripts
JOINED = {"Lo", "Mn", "Sk", "So"}  # the categories of characters that joiners join
TAGS = re.compile("(?<=\U0001f3f4)[\U000e0061-\U000e007a]{1,6}\U000e007f")  # of a flag
BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that show nothing


def normalised(name: str | None) -> str | None:
    r"""A name as it is kept: composed, without control or invisible characters, trimmed.

    Raises:
        ValueError: it is longer than 32 characters.

    >>> normalised("  Ada\u202e \n Lovelace ")
    'Ada Lovelace'
    >>> normalised("\N{WOMAN}\u200d\N{ROCKET}") == "\N{WOMAN}\u200d\N{ROCKET}"
    True
    """
    if name is None:
        return None
    composed = unicodedata.normalize("NFC", name).translate(dict.fromkeys(map(ord, BLANK)))
    tags = {at for flag in TAGS.finditer(composed) for at in range(*flag.span())}
    visible = [
        character
        for at, character in enumerate(composed)
        if character.isspace()
        or unicodedata.category(character)[0] != "C"
        or (character in JOINERS and _joins(composed[at - 1 : at], composed[at + 1 : at + 2]))
        or at in tags
    ]
    short = " ".join("".join(visible).split())
    if len(short) > MAX_NAME:
        raise ValueError(f"name: a name has at most {MAX_NAME} characters, not {len(short)}")
    return short or None


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between these changes how they look; elsewhere it would be invisible."""
    return all(one and unicodedata.category(one) in JOINED for one in (before, after))


PLAYED = {
    name: variant
    for name, variant in VARIANTS.items()
    if variant.sides in (None, 2) and variant.players in (None, 2)
}


def most(variant: str) -> int:
    """The largest side that a board may have in games of this variant."""
    return MAX_FOUL_SIDE if VARIANTS[variant].fouls else MAX_SIDE


if TYPE_CHECKING:
    Level = str
    Look = str
    Reaction = str
else:  # msgspec reads these, and type checkers cannot
    Level, Look = Literal[*LEVELS], Literal[*THEMES]
    Reaction = Literal[*events.REACTIONS]

Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
Variant = Annotated[str, Meta(extra_json_schema={"enum": list(PLAYED)})]
Seat = Annotated[int, Meta(extra_json_schema={"enum": [1, 2]})]  # of answers
Name = Annotated[
    Annotated[str, Meta(max_length=1000)] | None,
    Meta(description=f"At most {MAX_NAME} characters, once it is trimmed."),
]
Seq = Annotated[int, Meta(ge=0, le=2**31 - 1, description="The latest event you know of.")]
Key = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[!-~]+(?!\n)$",  # in Python `$` alone would allow a newline
        description="Chosen by you: 1 to 64 printable ASCII characters, none of them a space. "
        "What you send again under it is done once.",
    ),
]
NewKey = Annotated[
    str,
    Meta(
        min_length=22,  # 128 bits in base64
        max_length=64,
        pattern=r"^[!-~]+(?!\n)$",
        description="Made by you, at random, and told to nobody: 22 to 64 printable ASCII "
        "characters, none of them a space. The game that you ask for again under it is made once, "
        "and you get your seat again.",
    ),
]
Coordinate = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Cell = tuple[Coordinate, Coordinate]


class Body(Struct, forbid_unknown_fields=True):
    """The body of a post; an unknown field, which may be a slip, is refused."""


class NewGameRequest(Body):
    """The game you want to play: `n`, or `shape` and `k`."""

    n: Side | None = None
    shape: tuple[Side, Side] | None = None
    k: Side | None = None
    gravity: Annotated[bool, Meta(description="Marks fall: the last row is the lowest.")] = False
    variant: Variant = "freestyle"
    opponent: Opponent = "friend"
    level: Annotated[Level, Meta(description="Of the computer.")] = "strong"
    seat: Annotated[Literal[1, 2], Meta(description="1 begins.")] = 1
    name: Name = None
    listed: Annotated[bool, Meta(description="Anyone may find and join it.")] = False
    clock: TimeControl | None = None
    referee: Annotated[
        bool, Meta(description="Friends agree that both see the referee's view.")
    ] = False
    key: NewKey | None = None

    def __post_init__(self) -> None:
        if (self.n is None) == (self.shape is None):
            raise ValueError("say n, or shape and k")
        rules = self.rules()
        if max(rules.shape) > (largest := most(self.variant)):
            raise ValueError(f"{self.variant} has at most {largest} rows and columns here")
        self.name = normalised(self.name)

    def rules(self) -> Rules:
        """The rules of the game. Raises InvalidRules, which is a ValueError."""
        shape = self.shape or (self.n or 0, self.n or 0)
        return events.rules_of(shape, self.k, self.gravity, self.variant)

    def game(self) -> NewGame:
        """The game, without its id and its invitation, which follow from the key."""
        rules = self.rules()
        rows, cols = rules.shape
        return NewGame(
            id="",
            rows=rows,
            cols=cols,
            k=rules.k,
            opponent=self.opponent,
            level=self.level if self.opponent == "computer" else None,
            seat=1 if self.opponent == "self" else self.seat,
            name=self.name,
            listed=self.listed and self.opponent == "friend",
            invite=None,
            at=events.now(),
            gravity=rules.gravity,
            variant=rules.variant,
            seconds=self.clock.seconds if self.clock else None,
            increment=self.clock.increment if self.clock else None,
            referee=self.referee and self.opponent == "friend",
        )


class JoinRequest(Body):
    """Who joins, and by which invitation; a listed game needs none."""

    invite: Annotated[str, Meta(max_length=64)] | None = None
    name: Name = None
    key: Key | None = None

    def __post_init__(self) -> None:
        self.name = normalised(self.name)


class ActRequest(Body):
    """Something a player does."""

    seq: Seq
    key: Key


class MoveRequest(ActRequest):
    """A move."""

    cell: Annotated[Cell, Meta(description="[row, column], counted from 0 at the top left.")]


class AnswerRequest(ActRequest):
    """An offer to the other player, or the answer to theirs."""

    accept: bool = True


class ReactionRequest(ActRequest):
    """A reaction, which is shown to everybody who has the game open."""

    reaction: Reaction


class QrRequest(Body):
    """What the QR code shows: an address on this server."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class OpenGamesQuery(Struct):
    """Which games to list."""

    listed: Annotated[Literal["open"], Meta(description="Always: open.")]


class PictureQuery(Struct):
    """How the board is to look."""

    look: Annotated[Look | None, Meta(description="As the game has it, unless you choose one.")] = (
        None
    )


class GameAnswer(Struct):
    """A game, and what is played."""

    id: str
    shape: tuple[int, int]
    k: int
    gravity: bool
    variant: Variant

    @classmethod
    def about(cls, made: NewGame, **more: Any) -> Self:
        """The answer about this game, with its further fields."""
        shape = made.rows, made.cols
        return cls(made.id, shape, made.k, made.gravity, made.variant, **more)


class StateAnswer(GameAnswer):
    """The state of a game."""

    status: Status
    turn: Seat | None
    termination: Annotated[
        Termination | None, Meta(description="Why the game ended; null also if it was aborted.")
    ]
    winner: Seat | None
    lines: tuple[tuple[Cell, ...], ...]
    forbidden: Annotated[
        tuple[Cell, ...],
        Meta(description="Empty cells that are fouls of the player to move."),
    ]
    moves: tuple[Cell, ...]
    players: tuple[Player, Player]
    opponent: Opponent
    level: str | None
    referee: Annotated[
        bool, Meta(description="Whether friends have agreed that both see the referee's view.")
    ]
    offer: Annotated[Seat | None, Meta(description="The seat that offers a takeback.")]
    draw: Annotated[Seat | None, Meta(description="The seat that offers a draw.")]
    clock: ClockAnswer | None
    seq: int
    created: str
    rematch: Annotated[str | None, Meta(description="The id of the next game.")]
    before: Annotated[str | None, Meta(description="The id of the game that this is a rematch of.")]

    @classmethod
    def of(cls, state: State, **more: Any) -> Self:
        """The answer that shows this state, with its further fields."""
        made = state.made
        return cls.about(
            made,
            moves=state.game.history,
            players=(state.players[1], state.players[2]),
            opponent=made.opponent,
            level=made.level,
            referee=made.referee,
            seq=state.seq,
            created=timestamp(made.at),
            before=made.before,
            **state.standing(),
            **more,
        )


class SeenAnswer(StateAnswer):
    """The state of a game, and your seats in it."""

    seats: tuple[Seat, ...]


class SeatedAnswer(Struct):
    """A game, and what you need to play in it."""

    id: str
    url: str
    token: str
    seats: tuple[Seat, ...]
    invite: Annotated[
        str | None, Meta(description="What a friend joins by; null if nobody may be invited.")
    ]
    game: StateAnswer


class HintAnswer(Struct):
    """The best move for a player, and the state of the game that it is for."""

    seq: int
    advice: Advice


class AnalysisAnswer(Struct):
    """What each move of a game gave away, and what would have kept it."""

    findings: list[Finding]


class OpenGameAnswer(GameAnswer):
    """A game that waits for a second player."""

    name: str | None
    seat: Annotated[Seat, Meta(description="The free one.")]
    clock: TimeControl | None
    created: str
    here: Annotated[bool, Meta(description="Whether the player who waits has the game open.")]
    away: Annotated[str | None, Meta(description="Since when not, if that is known.")]

    @classmethod
    def of(cls, game: NewGame, present: Here) -> OpenGameAnswer:
        """The answer that lists this game, with who is present."""
        return cls.about(
            game,
            name=game.name,
            seat=3 - game.seat,
            clock=game.time_control,
            created=timestamp(game.at),
            here=present.here[game.seat - 1],
            away=present.away[game.seat - 1],
        )


class LiveGameAnswer(GameAnswer):
    """A listed game that is being played."""

    players: tuple[Player, Player]
    ply: int
    moves: Annotated[
        tuple[Cell, ...],
        Meta(description=f"The last of them, at most {MAX_MOVES}; the first of these is seat 1's."),
    ]
    watchers: int

    @classmethod
    def of(cls, state: State, watchers: int) -> LiveGameAnswer:
        """The answer that lists this game, with the number of its watchers."""
        moves, players = state.game.history, (state.players[1], state.players[2])
        ply, last = len(moves), moves[max(0, len(moves) - MAX_MOVES + 1) // 2 * 2 :]
        return cls.about(state.made, players=players, ply=ply, moves=last, watchers=watchers)


class OpenGamesAnswer(Struct):
    """The games that wait, the newest first, and those to watch, the most watched first."""

    games: list[OpenGameAnswer]
    live: list[LiveGameAnswer]


class HealthAnswer(Struct):
    """Whether the server is well."""

    status: Literal["ok", "ending"]


class ErrorDetail(Struct, omit_defaults=True):
    """Why: a word for programs, a sentence for people, and the game's seq where that helps."""

    code: Annotated[str, Meta(extra_json_schema={"enum": list(REASONS)})]
    message: str
    seq: int | None = None
    kind: Annotated[str | None, Meta(description=f"Of a foul: {', '.join(FOULS)}.")] = None


class ErrorAnswer(Struct):
    """A request that was refused."""

    error: ErrorDetail

    @classmethod
    def of(cls, refused: Refused) -> ErrorAnswer:
        """The answer that says why."""
        return cls(ErrorDetail(refused.code, refused.message, refused.seq, refused.kind))
