"""Types of requests and answers, which check, encode and describe them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta, Struct

from noughts.game.game import Game
from noughts.game.names import GAMES
from noughts.game.outcome import Termination
from noughts.game.rules import VARIANTS, Rules
from noughts.opponent import LEVELS, Advice, Finding, Solution
from noughts.picture import THEMES
from noughts.records.formats import KNOWN, Reading
from noughts.service.play import events
from noughts.service.play.api_errors import ERROR_CODES, FOULS, APIError
from noughts.service.play.events import NewGame, Opponent, Status, TimeControl
from noughts.service.play.state import ClockAnswer, Player, State, timestamp
from noughts.service.play.subscriptions import Here

MAX_SIDE = 100
MAX_FOUL_SIDE = 19  # smaller, as every event lists the fouls of the whole board
MAX_NAME = 32  # characters
MAX_MOVES = 100  # of a game to watch, enough for a small picture of it
JOINERS = "\u200c\u200d"  # within emoji and words of some scripts
JOINED = {"Lo", "Mn", "Sk", "So"}  # the categories of characters that joiners join
TAGS = re.compile("(?<=\U0001f3f4)[\U000e0061-\U000e007a]{1,6}\U000e007f")  # of a flag
BLANK = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that show nothing


def normalised(name: str | None) -> str | None:
    r"""Normalise a name: compose and trim it, and remove control and invisible characters.

    Composed, a few characters of Indic scripts and Hebrew become several; what is beyond 32
    characters then is cut off.

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
    return " ".join("".join(visible).split())[:MAX_NAME].rstrip() or None


def _joins(before: str, after: str) -> bool:
    """Return whether a joiner between these characters is visible."""
    return all(one and unicodedata.category(one) in JOINED for one in (before, after))


PLAYED = {
    name: variant
    for name, variant in VARIANTS.items()
    if variant.sides in (None, 2) and variant.players in (None, 2)
}


def most(variant: str) -> int:
    """Return the largest side of a board in games of this variant."""
    return MAX_FOUL_SIDE if VARIANTS[variant].fouls else MAX_SIDE


GAMES_TYPES = (
    "application/x-ndjson",
    "application/json",
    "text/plain",
    "text/csv",
    "application/x-go-sgf",
)
"""The types of posted games in the description of the API; games of other types are read, too."""

MEDIA_FORMATS = {
    "application/x-ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "application/x-go-sgf": "sgf",
}
"""The formats of records by media type; for any other type, the content decides."""


def check_played(rules: Rules) -> None:
    """Check that games with these rules can be played here. Raises ValueError if they cannot."""
    if len(rules.shape) != 2 or rules.players != 2 or rules.variant not in PLAYED:
        raise ValueError("games on a server have two players and boards of two dimensions")
    if max(rules.shape) > (largest := most(rules.variant)):
        raise ValueError(f"{rules.variant} boards have at most {largest} rows and columns here")


if TYPE_CHECKING:
    Format = str
    Level = str
    Look = str
    Reaction = str
else:  # msgspec reads these, and type checkers cannot
    Format = Literal[*(name for name, each in KNOWN.items() if each.read)]
    Level, Look = Literal[*LEVELS], Literal[*THEMES]
    Reaction = Literal[*events.REACTIONS]

FLAT = [f"`{name}`" for text, name in GAMES.items() if len(Rules.parse(text).shape) == 2]
RulesText = Annotated[str, Meta(max_length=100, extra_json_schema={"format": "rules"})]
RULES = Meta(
    description=f"The rules as text: a name ({', '.join(FLAT)}, or another name of these games), "
    "or a board and options such as `15x15,k=5,gravity`. Answers use the same text for the same "
    "rules."
)
DEPRECATED = Meta(
    description="Deprecated: part of `rules`. The next release removes this field.",
    extra_json_schema={"deprecated": True},
)
Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
Variant = Annotated[str, Meta(extra_json_schema={"enum": list(PLAYED)})]
Seat = Annotated[int, Meta(extra_json_schema={"enum": [1, 2]})]  # of answers
Name = Annotated[
    Annotated[str, Meta(max_length=MAX_NAME)] | None,
    Meta(description="Shown without control characters and outer spaces."),
]
Seq = Annotated[int, Meta(ge=0, le=2**31 - 1, description="The latest event that you have seen.")]
Key = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[!-~]+(?!\n)$",  # in Python `$` alone would allow a newline
        description="An idempotency key of 1 to 64 printable ASCII characters without spaces, "
        "chosen by the client. A request repeated under the same key is carried out once.",
    ),
]
NewKey = Annotated[
    str,
    Meta(
        min_length=22,  # 128 bits in base64
        max_length=64,
        pattern=r"^[!-~]+(?!\n)$",
        description="A secret random key of 22 to 64 printable ASCII characters without spaces, "
        "chosen by the client. Under the same key, the game is created once, and a repeated "
        "request returns your seat again.",
    ),
]
Coordinate = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Cell = tuple[Coordinate, Coordinate]


class Body(Struct, forbid_unknown_fields=True):
    """The body of a post; unknown fields, which may be typing errors, are rejected."""

    constraints: ClassVar[Mapping[str, object]] = {}
    """What a JSON schema says about several fields together."""


class NewGameRequest(Body):
    """The game to create: its `rules`, or `n` for an n×n board with n in a row to win."""

    constraints = {
        "if": {"required": ["n"], "properties": {"n": {"type": "integer"}}},
        "then": {"properties": {"rules": {"type": "null"}}},
        "else": {"required": ["rules"], "properties": {"rules": {"type": "string"}}},
    }

    rules: Annotated[RulesText | None, RULES] = None
    n: Side | None = None
    shape: Annotated[tuple[Side, Side] | None, DEPRECATED] = None
    k: Annotated[Side | None, DEPRECATED] = None
    gravity: Annotated[bool, DEPRECATED] = False
    variant: Annotated[Variant, DEPRECATED] = "freestyle"
    opponent: Opponent = "friend"
    level: Annotated[Level, Meta(description="The level of the computer.")] = "strong"
    seat: Annotated[Literal[1, 2], Meta(description="Your seat; seat 1 begins.")] = 1
    name: Name = None
    listed: Annotated[bool, Meta(description="Whether anyone may find and join the game.")] = False
    clock: TimeControl | None = None
    referee: Annotated[
        bool, Meta(description="Whether friends agree that both may see the referee's view.")
    ] = False
    key: NewKey | None = None

    def __post_init__(self) -> None:
        if [self.rules, self.n, self.shape].count(None) != 2:
            raise ValueError("expected rules or n, and not both")
        if self.rules and (self.k or self.gravity or self.variant != "freestyle"):
            raise ValueError("k, gravity and variant are part of rules: give them there")
        check_played(self.parsed_rules())
        self.name = normalised(self.name)

    def parsed_rules(self) -> Rules:
        """Return the rules of the game. Raises InvalidRules, which is a ValueError."""
        if self.rules is not None:
            return Rules.parse(self.rules)
        shape = self.shape or (self.n or 0, self.n or 0)
        return Rules(shape, self.k, gravity=self.gravity, variant=self.variant)

    def game(self) -> NewGame:
        """Return the game, without its id and invitation, which follow from the key."""
        return NewGame(
            id="",
            rules=self.parsed_rules(),
            opponent=self.opponent,
            level=self.level if self.opponent == "computer" else None,
            seat=1 if self.opponent == "self" else self.seat,
            name=self.name,
            listed=self.listed and self.opponent == "friend",
            invite=None,
            at=events.now(),
            seconds=self.clock.seconds if self.clock else None,
            increment=self.clock.increment if self.clock else None,
            referee=self.referee and self.opponent == "friend",
        )


class JoinRequest(Body):
    """The player who joins, and the invitation; a listed game needs none."""

    invite: Annotated[str, Meta(max_length=64)] | None = None
    name: Name = None
    key: Key | None = None

    def __post_init__(self) -> None:
        self.name = normalised(self.name)


class ActRequest(Body):
    """An action of a player."""

    seq: Seq
    key: Key


class MoveRequest(ActRequest):
    """A move."""

    cell: Annotated[Cell, Meta(description="`[row, column]`, counted from 0 at the top left.")]


class AnswerRequest(ActRequest):
    """An offer to the other player, or the answer to theirs."""

    accept: bool = True


class ReactionRequest(ActRequest):
    """A reaction, which is shown to everyone who has the game open."""

    reaction: Reaction


class GamesQuery(Struct, forbid_unknown_fields=True):
    """How to read posted games that leave something open."""

    rules: Annotated[
        RulesText | None,
        Meta(description="The rules of games that do not name their own, as text."),
    ] = None
    format: Annotated[
        Format | None,
        Meta(description="The format; by default that of the content type, or else detected."),
    ] = None
    origin: Annotated[
        Literal["top", "bottom"] | None,
        Meta(
            description="Whether the names of cells number rows from the top or the bottom; the "
            "format decides by default."
        ),
    ] = None

    def __post_init__(self) -> None:
        self.parsed_rules()

    def parsed_rules(self) -> Rules | None:
        """Return the rules, if given. Raises InvalidRules, which is a ValueError."""
        return None if self.rules is None else Rules.parse(self.rules)

    def reading(self, media_type: str) -> Reading:
        """Return how to read a body of this type."""
        return Reading(
            self.parsed_rules(), self.format or MEDIA_FORMATS.get(media_type), self.origin
        )


class OpenGamesQuery(Struct):
    """The games to list."""

    listed: Annotated[Literal["open"], Meta(description="Always `open`.")]


class PictureQuery(Struct):
    """The theme of the board."""

    look: Annotated[Look | None, Meta(description="The default is the theme of the game.")] = None


_rules_text = lru_cache(1000)(str)


class GameAnswer(Struct):
    """A game and its rules."""

    id: str
    rules: Annotated[str, RULES]
    shape: Annotated[tuple[int, int], Meta(description="Rows and columns.")]
    k: Annotated[int, Meta(description="The number of marks in a row that decides the game.")]
    gravity: Annotated[bool, DEPRECATED]
    variant: Annotated[Variant, DEPRECATED]

    @classmethod
    def about(cls, made: NewGame, **more: Any) -> Self:
        """Return the answer about this game, with its further fields."""
        rules, (rows, cols) = made.rules, made.rules.shape
        text = _rules_text(rules)
        return cls(made.id, text, (rows, cols), rules.k, rules.gravity, rules.variant, **more)


class StateAnswer(GameAnswer):
    """The state of a game."""

    status: Status
    turn: Seat | None
    termination: Annotated[
        Termination | None, Meta(description="How the game ended; null also if it was aborted.")
    ]
    winner: Seat | None
    lines: tuple[tuple[Cell, ...], ...]
    forbidden: Annotated[
        tuple[Cell, ...],
        Meta(description="Empty cells on which a move of the player to move is a foul."),
    ]
    moves: tuple[Cell, ...]
    players: tuple[Player, Player]
    opponent: Opponent
    level: str | None
    referee: Annotated[
        bool, Meta(description="Whether friends have agreed that both may see the referee's view.")
    ]
    offer: Annotated[Seat | None, Meta(description="The seat that offers a takeback.")]
    draw: Annotated[Seat | None, Meta(description="The seat that offers a draw.")]
    clock: ClockAnswer | None
    seq: int
    created: str
    rematch: Annotated[str | None, Meta(description="The id of the next game.")]
    before: Annotated[
        str | None, Meta(description="The id of the game that this is the rematch of.")
    ]

    @classmethod
    def of(cls, state: State, **more: Any) -> Self:
        """Return the answer that shows this state, with its further fields."""
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
    """A game, and the token for your seats in it."""

    id: str
    url: str
    token: str
    seats: tuple[Seat, ...]
    invite: Annotated[
        str | None,
        Meta(description="The invitation for a friend; null if no seat is free for one."),
    ]
    game: StateAnswer


class HintAnswer(Struct):
    """The best move for a player, and the seq of the game that it applies to."""

    seq: int
    advice: Advice


class SolutionAnswer(Struct, omit_defaults=True):
    """The exact value of a position, as `noughts solve` prints it."""

    moves: tuple[tuple[int, ...], ...]
    value: Annotated[
        Literal[1, 0, -1] | None,
        Meta(description="The value for the player to move; null if it was not found in time."),
    ]
    best: Annotated[tuple[int, ...] | None, Meta(description="A move that keeps the value.")]
    plies: Annotated[
        int | None, Meta(description="The plies to the end with best play by both, if known.")
    ]
    id: str | int | None = None

    @classmethod
    def of(cls, game: Game, solution: Solution, id: str | int | None) -> SolutionAnswer:
        """Return the answer about the position of a game."""
        # JSON can hold half of a surrogate pair, and UTF-8 cannot: answer with the escape as text.
        id = id.encode(errors="backslashreplace").decode() if isinstance(id, str) else id
        return cls(game.history, solution.value, solution.best, solution.plies, id)


class AnalysisAnswer(Struct):
    """The result that each move of a game gave away, and the moves that would have kept it."""

    findings: list[Finding]


class OpenGameAnswer(GameAnswer):
    """A game that is waiting for a second player."""

    name: str | None
    seat: Annotated[Seat, Meta(description="The free seat.")]
    clock: TimeControl | None
    created: str
    here: Annotated[bool, Meta(description="Whether the waiting player has the game open.")]
    away: Annotated[str | None, Meta(description="When that player left, if known.")]

    @classmethod
    def of(cls, game: NewGame, present: Here) -> OpenGameAnswer:
        """Return the answer that lists this game, with who is present."""
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
        Meta(description=f"At most the last {MAX_MOVES} moves; the first of these is seat 1's."),
    ]
    watchers: int

    @classmethod
    def of(cls, state: State, watchers: int) -> LiveGameAnswer:
        """Return the answer that lists this game, with the number of its watchers."""
        moves, players = state.game.history, (state.players[1], state.players[2])
        ply, last = len(moves), moves[max(0, len(moves) - MAX_MOVES + 1) // 2 * 2 :]
        return cls.about(state.made, players=players, ply=ply, moves=last, watchers=watchers)


class OpenGamesAnswer(Struct):
    """The waiting games, newest first, and the games to watch, most watched first."""

    games: list[OpenGameAnswer]
    live: list[LiveGameAnswer]


class HealthAnswer(Struct):
    """The health of the server."""

    status: Literal["ok", "ending"]


Code = Annotated[str, Meta(extra_json_schema={"enum": list(ERROR_CODES)})]
FoulKind = Annotated[str | None, Meta(description=f"The kind of a foul: {', '.join(FOULS)}.")]


class ErrorDetail(Struct, omit_defaults=True):
    """An error: a code for programs, a message for people, and the game's seq if that helps."""

    code: Code
    message: str
    seq: int | None = None
    kind: FoulKind = None

    @classmethod
    def of(cls, refused: APIError) -> ErrorDetail:
        """Return what to tell the client about this error."""
        return cls(refused.code, refused.message, refused.seq, refused.kind)


class ErrorLine(Struct, omit_defaults=True):
    """The line in place of the verdict on a game that cannot be read, or after the last one."""

    error: ErrorDetail
    line: Annotated[int | None, Meta(description="The number of the line in the body.")] = None


class Problem(Struct, omit_defaults=True):
    """The answer to a request that failed: problem details (RFC 9457) with a code for programs."""

    type: Annotated[str, Meta(description="The URL of the code in the page about the API.")]
    title: Annotated[str, Meta(description="What the code means.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, Meta(description="What is wrong with this request.")]
    code: Code
    error: Annotated[
        ErrorDetail,
        Meta(
            description="Deprecated: the code and the detail, as `code` and `message`. The next "
            "release removes this field.",
            extra_json_schema={"deprecated": True},
        ),
    ]
    seq: Annotated[int | None, Meta(description="The game's seq, if that helps.")] = None
    kind: FoulKind = None

    @classmethod
    def of(cls, refused: APIError, root: str) -> Problem:
        """Return the answer of a server at this path that reports this error."""
        code, title = refused.code, ERROR_CODES[refused.code].message
        error = ErrorDetail.of(refused)
        return cls(
            f"{root}/docs#error-{code}",
            title,
            refused.status,
            refused.message,
            code,
            error,
            refused.seq,
            refused.kind,
        )
