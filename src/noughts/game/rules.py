"""Rules: the board, the number of players, and what wins."""

import re
from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, NamedTuple, Never, Self

from noughts.arguments import Cell, integer
from noughts.errors import InvalidRules, did_you_mean, short_repr, size

MAX_PLAYERS = 8
MAX_DIMENSIONS = 8  # the lines through one cell multiply by three with each dimension
MAX_CELLS = 2**31 - 1  # so that a cell's number fits in 32 bits
MAX_LINES = 1 << 22  # for rules that need memory per line; early draws take about 100 MB


def _always(player: int, before: int, after: int) -> bool:
    return True


def _exactly(player: int, before: int, after: int) -> bool:
    return player not in (before, after)  # the run is not longer than k


def _open(player: int, before: int, after: int) -> bool:
    return before in (0, player) or after in (0, player)


def _renju(player: int, before: int, after: int) -> bool:
    return player == 2 or _exactly(player, before, after)


class Variant(NamedTuple):
    """The meaning of k in a row, in words and as functions for referees and engines.

    Attributes:
        name, label: the value of `Rules.variant`, and its label in lists.
        aim: what a player aims for or must avoid; `{k}` stands for the number.
        about: the aim as a sentence.
        title: the usual name of five in a row on 15×15 in this variant, or an empty string.
        decides: a function of a player and the marks next to both ends of the player's completed
            line, each a player or 0, that returns whether the line ends the game. It does not
            distinguish between opponents.
        counts: a function of the board's shape and the cells next to both ends of a line, which
            can be off the board, that returns whether the line can win at all; None if all can.
        loses: whether a player who completes a line loses.
        fouls: whether player 1 can commit a `Foul`.
        players, sides, k: the numbers that the game must have; None for any.
        falls: whether the game can have gravity.
        gomocup: the number in Gomocup's protocol and in records of its games, or None.
        example: a position that shows the variant, as `Game.from_text` reads it; may be empty.
    """

    name: str
    label: str
    aim: str
    about: str
    title: str = ""
    decides: Callable[[int, int, int], bool] = _always
    counts: Callable[[tuple[int, ...], tuple[Cell, Cell]], bool] | None = None
    loses: bool = False
    fouls: bool = False
    players: int | None = None
    sides: int | None = None
    k: int | None = None
    falls: bool = True
    gomocup: int | None = None
    example: str = ""


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant(
            "freestyle",
            "Freestyle",
            "{k} in a row",
            "{k} or more in a row wins.",
            title="Gomoku",
            gomocup=0,
            example="2x9.k~5_XXXXXX3O1O1O1O1O",
        ),
        Variant(
            "standard",
            "Standard",
            "exactly {k} in a row",
            "Exactly {k} in a row wins; a longer row does not count.",
            title="Gomoku, exactly five",
            decides=_exactly,
            gomocup=1,
            example="2x9.k~5.variant~standard_XXXXXX3O1O1O1O1O",
        ),
        Variant(
            "caro",
            "Caro",
            "{k} in a row, caro",
            "{k} in a row wins unless the other player has blocked both ends.",
            title="Caro",
            decides=_open,
            gomocup=8,
            example="2x9.k~5.variant~caro_OXXXXXO2O7O",
        ),
        Variant(
            "misere",
            "Misère",
            "{k} in a row loses",
            "The player who gets {k} in a row loses.",
            loses=True,
            players=2,
            example="3x3.variant~misere_XXXOO4",
        ),
        Variant(
            "renju",
            "Renju",
            "renju",
            "X wins with exactly five and may not make a longer row, two fours or two open threes "
            "at once. O wins with five or more.",
            title="Renju",
            decides=_renju,
            fouls=True,
            players=2,
            sides=2,
            k=5,
            falls=False,
            gomocup=4,
            example="9x9.k~5.variant~renju_O1O1O1O33XX6X8X23",
        ),
    )
}
"""The variants by name; the single source for lists and descriptions."""


class Option(NamedTuple):
    """An option of `Rules`; the single source for readers and writers of rules.

    Attributes:
        usual: the default, whose type all values have.
        form: the option in text, with a value as an example.
        about: a sentence about the option.
        words: a few words about a game with the option; empty if it goes without saying.
        example: a position that shows the option, as `Game.from_text` reads it; may be empty.
    """

    usual: Any
    form: str
    about: str
    words: str = ""
    example: str = ""


OPTIONS = {
    "players": Option(
        2,
        "players=3",
        f"2 to {MAX_PLAYERS} players take turns; the default is 2.",
        example="4x4.k~3.players~3_XXX1OO2CC6",
    ),
    "early_draw": Option(
        False,
        "early-draw",
        "The game is a draw as soon as no player can still win.",
        example="3x3.early-draw_OXXXXOOO1",
    ),
    "gravity": Option(
        False,
        "gravity",
        "Marks fall to the lowest free row.",
        words="marks fall",
        example="connect-four_31OOO4XXXX",
    ),
    "variant": Option("freestyle", "variant=caro", "What k in a row means; see the variants."),
}
"""The options by name, which are also arguments of `Rules`."""


class Rules:  # a dataclass takes 10 ms to import, and a named tuple equals other tuples
    """The rules of a game: `players` take turns, and k marks in a row, in any direction, win.

    Rules are frozen and hashable, and equal only to rules with the same fields.

    Args:
        shape: the sides of the board, (rows, columns) or 1 to 8 sides, with up to 2³¹ − 1 cells.
        k: the number of marks in a row that win; None for the whole side if all sides are equal.
        players: 2 to 8; player 1 moves first.
        early_draw: whether the game ends as soon as no player can still win, not only on a full
            board.
        gravity: whether marks fall. A cell can be played only in the last row, which has the
            largest first coordinate, or above a taken cell. The first side points down in any
            dimension.
        variant: the meaning of k in a row, one of `VARIANTS`. In caro the border blocks nothing,
            and more than k always win. In renju player 1 commits a `Foul` with an overline, a
            double-four or a double-three (see `noughts.game.fouls`); the game is a draw once
            every empty cell would be a foul.

    Raises:
        InvalidRules: a side, the number of cells, k or the number of players is out of range; a
            game with early draws has more than 4,194,304 lines; the variant is unknown or does not
            fit the other arguments.
        TypeError: an argument has the wrong type.

    >>> Rules()
    Rules(shape=(3, 3), k=3, players=2, early_draw=False)
    >>> Rules.connect_four()
    Rules(shape=(6, 7), k=4, players=2, early_draw=False, gravity=True)
    >>> Rules.gomoku("renju").cells
    225
    """

    __slots__ = ("cells", "early_draw", "gravity", "k", "players", "shape", "variant")

    shape: tuple[int, ...]
    k: int
    players: int
    early_draw: bool
    gravity: bool
    variant: str
    cells: int  # the number of cells

    def __new__(
        cls,
        shape: tuple[int, ...] = (3, 3),
        k: int | None = None,
        players: int = 2,
        early_draw: bool = False,
        *,
        gravity: bool = False,
        variant: str = "freestyle",
    ) -> Self:
        """Check the arguments; see the class."""
        shape = _checked_shape(shape)
        if k is None and len(set(shape)) > 1:
            raise InvalidRules(f"the sides of a {size(shape)} board differ: give k")
        k = shape[0] if k is None else integer(k, "k")
        if not 1 <= k <= max(shape):
            raise InvalidRules(
                f"k must be 1 to {short_repr(max(shape))} on a {size(shape)} board, "
                f"got {short_repr(k)}"
            )
        players = integer(players, "players")
        if not 2 <= players <= MAX_PLAYERS:
            raise InvalidRules(f"players must be 2 to {MAX_PLAYERS}, got {short_repr(players)}")
        for name, flag in (("early_draw", early_draw), ("gravity", gravity)):
            if not isinstance(flag, bool):
                raise TypeError(f"{name} must be True or False, not {short_repr(flag)}")
        _check_variant(variant, shape, k, players, gravity)
        if (early_draw and k > 1) or VARIANTS[variant].counts:
            what = "early draws need" if early_draw else f"{variant} needs"
            # Along each direction there are side - k + 1 first cells per side.
            ways = prod(side + 2 * max(0, side - k + 1) for side in shape)
            lines = max((ways - prod(shape)) // 2, prod(shape) if VARIANTS[variant].counts else 0)
            if lines > MAX_LINES:
                raise InvalidRules(f"{what} a board of at most {MAX_LINES:,} lines, got {lines:,}")
        self = super().__new__(cls)
        fields = (shape, k, players, early_draw, gravity, variant, prod(shape))
        for name, value in zip(_FIELDS, fields, strict=True):
            object.__setattr__(self, name, value)
        return self

    @classmethod
    def square(cls, n: int) -> Self:
        """Return the classic rules: on an n×n board a whole row, column or diagonal wins."""
        return cls((n, n))

    @classmethod
    def connect_four(cls) -> Self:
        """Return the rules of Connect Four: 6×7, four in a row, marks fall."""
        return cls((6, 7), 4, gravity=True)

    @classmethod
    def gomoku(cls, variant: str = "freestyle") -> Self:
        """Return the rules of gomoku in a variant: 15×15, five in a row."""
        return cls((15, 15), 5, variant=variant)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read rules from text; ``Rules.parse(str(rules)) == rules``.

        Args:
            text: a name (see `NAMED` and `ALIASES`) or a board such as ``15x15``, then any
                options, separated by commas: ``connect-four``, ``renju,20x20``,
                ``4x5,k=3,players=3,early-draw``, ``9x9,k=4,gravity,variant=caro``. ``5`` is short
                for ``5x5``, and ``mnk(15,15,5)`` for ``15x15,k=5``; ``7x`` is a board of one
                dimension. Capital letters, and hyphens, underscores and spaces in a name, make no
                difference.

        Raises:
            InvalidRules: the text does not describe rules, or no game has such rules.
            TypeError: `text` is not a string.

        >>> Rules.parse("renju") == Rules.gomoku("renju")
        True
        >>> Rules.parse("4x5,k=3,gravity")
        Rules(shape=(4, 5), k=3, players=2, early_draw=False, gravity=True)
        """
        if not isinstance(text, str):
            raise TypeError(f"rules must be text such as 'renju', not {short_repr(text)}")
        text = text.lower().replace("×", "x").replace("è", "e")
        if mnk := _MNK.match(text):
            text = _flat_board(*map(int, mnk.groups())) + text[mnk.end() :]
        words = [word.strip() for word in text.split(",")]
        fields: dict[str, Any] = {}
        if (named := NAMED.get(words[0])) or (named := _by_another_name(words[0])):
            fields = {"shape": named.shape} | options_of(named)
            if set(named.shape) != {named.k}:  # otherwise k follows the size
                fields["k"] = named.k
            del words[0]
        names = [word.partition("=")[0] for word in words]
        for place, (name, word) in enumerate(zip(names, words, strict=True)):
            if name in names[:place] and name in _KINDS:
                raise InvalidRules(f"the rules give {short_repr(name)} twice")
            value = word[len(name) + 1 :]
            kind = _KINDS.get(name)
            if place == 0 and re.fullmatch(r"[0-9]{1,18}(x[0-9]{1,18})*x?", word):
                sides = tuple(map(int, word.rstrip("x").split("x")))
                fields["shape"] = sides * 2 if word.isdigit() else sides
            elif word in FLAGS:
                fields[FLAGS[word]] = True
            elif (kind is int and re.fullmatch(r"[0-9]{1,18}", value)) or (kind is str and value):
                fields[name.replace("-", "_")] = kind(value)
            else:
                raise _unknown(word, text)
        _check_sides(fields, words)
        return cls(**fields)

    def __str__(self) -> str:
        """Write the rules as text, which `parse` reads.

        >>> [str(rules) for rules in [Rules(), Rules.gomoku("caro"), Rules((4, 5), 3, 3)]]
        ['3x3', 'caro', '4x5,k=3,players=3']
        """
        for name, named in NAMED.items():
            if self == named:
                return name
        words = ["x".join(map(str, self.shape)) + ("x" if len(self.shape) == 1 else "")]
        words += [] if set(self.shape) == {self.k} else [f"k={self.k}"]
        for name, value in options_of(self).items():
            if value != OPTIONS[name].usual:
                word = name.replace("_", "-")
                words.append(word if value is True else f"{word}={value}")
        return ",".join(words)

    def _fields(self) -> tuple[tuple[int, ...], int, int, bool, bool, str]:
        return self.shape, self.k, self.players, self.early_draw, self.gravity, self.variant

    def __setattr__(self, name: str, _: object) -> Never:
        raise AttributeError(f"rules are frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"rules are frozen: {name} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if isinstance(other, Rules) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._fields())

    def __reduce__(self) -> tuple[object, ...]:
        *fields, gravity, variant = self._fields()  # so copies and pickles are checked too
        return partial(type(self), gravity=gravity, variant=variant), tuple(fields)

    def __repr__(self) -> str:
        shape, k, players, early_draw, gravity, variant = self._fields()
        falls = f", {gravity=}" if gravity else ""
        differs = f", {variant=}" if variant != "freestyle" else ""
        return f"Rules({shape=}, {k=}, {players=}, {early_draw=}{falls}{differs})"


def options_of(rules: Rules) -> dict[str, Any]:
    """Return the values of all options, by name."""
    return {name: getattr(rules, name) for name in OPTIONS}


def as_rules(rules: Rules | str) -> Rules:
    """Return `rules`, parsed if they are text.

    Raises:
        InvalidRules: the text does not describe rules.
        TypeError: `rules` is neither `Rules` nor text.
    """
    if not isinstance(rules, Rules | str):
        raise TypeError(f"rules must be Rules or text such as 'renju', not {short_repr(rules)}")
    return Rules.parse(rules) if isinstance(rules, str) else rules


_FIELDS = ("shape", "k", "players", "early_draw", "gravity", "variant", "cells")


def _check_variant(
    variant: object, shape: tuple[int, ...], k: int, players: int, gravity: bool
) -> None:
    """Raise an error if the variant does not fit the other arguments."""
    if not isinstance(variant, str):
        raise TypeError(f"variant must be a string, not {short_repr(variant)}")
    if variant not in VARIANTS:
        raise InvalidRules(
            f"variant must be one of {', '.join(VARIANTS)}, got {short_repr(variant)}"
            + did_you_mean(variant, VARIANTS)
        )
    described = VARIANTS[variant]
    if described.players not in (None, players):
        raise InvalidRules(f"{variant} is for {described.players} players, not {players}")
    if described.sides not in (None, len(shape)):
        raise InvalidRules(
            f"{variant} is for boards of {described.sides} dimensions, not {len(shape)}"
        )
    if described.k not in (None, k):
        raise InvalidRules(f"k must be {described.k} in {variant}, got {short_repr(k)}")
    if gravity and not described.falls:
        raise InvalidRules(f"{variant} cannot have gravity")
    if described.fouls and (players != 2 or len(shape) != 2 or gravity):
        raise InvalidRules(
            f"{variant} has fouls: it needs 2 players, a board of 2 dimensions and no gravity"
        )


def _checked_shape(shape: object) -> tuple[int, ...]:
    if not isinstance(shape, tuple | list):
        raise TypeError(f"shape must be a tuple of sides such as (3, 3), not {short_repr(shape)}")
    sides = tuple(integer(side, "a side of the board") for side in shape)
    if not 1 <= len(sides) <= MAX_DIMENSIONS:
        raise InvalidRules(f"a board has 1 to {MAX_DIMENSIONS} dimensions, got {len(sides)}")
    if min(sides) < 1:
        raise InvalidRules(
            f"every side of the board must be at least 1, got {short_repr(min(sides))}"
        )
    if prod(sides) > MAX_CELLS:
        raise InvalidRules(f"a board has at most {MAX_CELLS:,} cells; {size(sides)} has more")
    return sides


NAMED = {"connect-four": Rules.connect_four(), "gomoku": Rules.gomoku()} | {
    name: Rules.gomoku(name)
    for name, variant in VARIANTS.items()
    if name != "freestyle"
    and variant.k in (None, 5)
    and {variant.players, variant.sides} <= {None, 2}
}
"""The rules that have a name: Connect Four, and gomoku in every variant."""

ALIASES: dict[str, tuple[str, ...]] = {
    "3x3": (
        "tic-tac-toe",
        "noughts-and-crosses",
        "naughts-and-crosses",
        "xs-and-os",
        "ttt",
        "three-in-a-row",
        "3-in-a-row",
    ),
    "connect-four": ("connect-4", "c4", "four-in-a-row", "4-in-a-row", "connectx"),
    "gomoku": (
        "freestyle",
        "gomoku-freestyle",
        "freestyle-gomoku",
        "five-in-a-row",
        "5-in-a-row",
        "gobang",
        "wuziqi",
    ),
    "standard": ("gomoku-standard", "standard-gomoku"),
    "caro": ("gomoku-caro", "caro-gomoku", "gomoku+"),
    "misere": ("gomoku-misere", "misere-gomoku"),
    "renju": ("gomoku-renju", "renju-gomoku"),
    "3x3,variant=misere": ("misere-tic-tac-toe", "inverse-tic-tac-toe", "toe-tac-tick"),
    "4x4x4": ("qubic",),
    "4x4x4,gravity": ("score-four",),
}
"""Other names of games, by the text that `str` writes; `Rules.parse` reads them all."""

UNSUPPORTED = {
    "omok": "omok forbids both players a double-three, which no variant here does; the nearest "
    "rules are 'standard,19x19'",
    "pente": "pente has captures, which no variant here has",
    "ninuki-renju": "ninuki-renju has captures, which no variant here has",
    "connect-6": "in connect6 players place two marks per turn, here one",
    "pentago": "in pentago parts of the board turn, and here marks never move",
    "notakto": "in notakto both players place the same mark, and here each has their own; the "
    "nearest rules are 'misere-tic-tac-toe'",
    "wild-tic-tac-toe": "in wild tic-tac-toe players choose X or O at each move, and here each has "
    "their own mark",
    "ultimate-tic-tac-toe": "ultimate tic-tac-toe is played on nine boards, and here on one",
    "3d-tic-tac-toe": "3D tic-tac-toe has a board of 3x3x3 or 4x4x4 cells; write one of them",
}
"""Games that `Rules` cannot describe, or not by this name, and the reason."""

FLAGS = {name.replace("_", "-"): name for name, option in OPTIONS.items() if option.usual is False}
"""The options that are on or off, by the word that turns them on."""

K = Option(None, "k=5", "The number in a row; by default the whole side, if all sides are equal.")
"""The option k, which every game has."""

FORMS = tuple(option.form for option in (K, *OPTIONS.values()))
"""The options of rules in text, each with an example of its value."""

_KINDS: dict[str, type] = {"k": int} | {
    name.replace("_", "-"): type(option.usual) for name, option in OPTIONS.items()
}
_ACCEPTED = (
    f": start with {', '.join(NAMED)} or a board such as 15x15; then, after commas, add "
    f"{', '.join(FORMS[:-1])} or {FORMS[-1]}"
)
_NUMBER = "([0-9]{1,9})"
_MNK = re.compile(rf"\s*mnk\(\s*(?:m=)?{_NUMBER},\s*(?:n=)?{_NUMBER},\s*(?:k=)?{_NUMBER}\s*\)")
_BETWEEN = r"[\s(),;:./*xk=-]"
_THREE_NUMBERS = re.compile(  # "15,15,5", "15x15 5 in a row", "(15, 15, 5)"
    rf"{_BETWEEN}{{0,9}}{_NUMBER}{_BETWEEN}{{1,9}}{_NUMBER}{_BETWEEN}{{1,9}}{_NUMBER}"
    rf"{_BETWEEN}{{0,9}}(?:in a row)?"
)


def _key(name: str) -> str:
    """Return a name without what people write differently: hyphens, spaces, a version."""
    return re.sub(r"[_-]v[0-9]$|[\s_'’-]", "", name.replace("&", "and"))


_TEXTS = {_key(name): name for name in NAMED} | {
    _key(name): text for text, names in ALIASES.items() for name in names
}
_REASONS = {_key(name): reason for name, reason in UNSUPPORTED.items()}


def _by_another_name(word: str) -> Rules | None:
    """Return the rules with this other name, or None.

    Raises:
        InvalidRules: the word is the name of a game that `Rules` cannot describe.
    """
    key = _key(word)
    if reason := _REASONS.get(key):
        raise InvalidRules(f"unknown rules {short_repr(word)}: {reason}")
    return Rules.parse(_TEXTS[key]) if key in _TEXTS else None


def _flat_board(m: int, n: int, k: int) -> str:
    """Return the text of an m,n,k-game.

    Raises:
        InvalidRules: m and n differ. Some authors mean m rows and n columns, others the reverse.
    """
    if m != n:
        raise InvalidRules(
            f"mnk({m},{n},{k}) does not say which side is which: write {m}x{n},k={k} for {m} rows "
            f"or {n}x{m},k={k} for {n} rows"
        )
    return f"{m}x{n},k={k}"


def _check_sides(fields: dict[str, Any], words: list[str]) -> None:
    """Raise an error if k is missing and was probably written as a third side."""
    sides = fields.get("shape", ())
    if "k" not in fields and len(sides) == 3 and sides[2] <= min(sides[:2]) and len(set(sides)) > 1:
        meant = ",".join([f"{sides[0]}x{sides[1]},k={sides[2]}", *words[1:]])
        raise InvalidRules(
            f"the sides of a {size(sides)} board differ: give k; did you mean {short_repr(meant)}?"
        )


def _unknown(word: str, text: str) -> InvalidRules:
    """Return the error for a word of `text` that no rules have, with what was probably meant."""
    meant = ""
    if numbers := _THREE_NUMBERS.fullmatch(text):
        rows, cols, k = map(int, numbers.groups())
        meant = f"; did you mean '{rows}x{cols},k={k}'?" if 0 < k <= max(rows, cols) else ""
    elif word not in NAMED and _key(word) not in _TEXTS:  # these are only in the wrong place
        others = [name for names in ALIASES.values() for name in names if len(name) > 3]
        known = [*NAMED, *others, *FLAGS, *(f"variant={name}" for name in VARIANTS)]
        meant = did_you_mean(word, known)
    return InvalidRules(f"unknown rules {short_repr(word)}{meant or _ACCEPTED}")
