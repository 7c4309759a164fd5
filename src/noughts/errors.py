"""All exceptions, and helpers for their messages.

::

    NoughtsError
    ├── InvalidRules        rules that cannot be played    also a ValueError
    ├── InvalidRecord       a record that cannot be read   also a ValueError; .source .line
    ├── InvalidPosition     marks that no game can reach   also a ValueError; .cell
    └── IllegalMove         a move the rules forbid        also a ValueError; .code .cell .player
        ├── UnknownPlayer   "unknown_player"
        ├── OffBoard        "off_board"                    also an IndexError
        ├── CellTaken       "cell_taken"
        ├── WrongTurn       "wrong_turn"
        ├── Floating        "floating"
        ├── Foul            "foul"                         .kind
        └── GameOver        "game_over"

When a move breaks several rules at once, the first of these is reported: the player is unknown,
the cell is off the board, the game is over, it is another player's turn, the cell is taken, the
mark would fall, the move is a foul. A value of the wrong type is a plain ``TypeError``.
An object that raises one of these errors is left unchanged.
"""

from collections.abc import Callable, Iterable
from reprlib import Repr
from typing import ClassVar, Self


class NoughtsError(Exception):
    """The base class of every error that noughts raises on purpose, except for wrong types."""


class InvalidRules(NoughtsError, ValueError):
    """Impossible rules, such as a board without cells or a k longer than every side."""


class InvalidRecord(NoughtsError, ValueError):
    """A record of a game that cannot be read.

    Attributes:
        source: where the record came from, usually a file name.
        line: the line number, counted from 1, or None.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None) -> None:
        super().__init__(message)
        self.source = source
        self.line = line

    def __str__(self) -> str:
        line = "" if self.line is None else str(self.line)
        place = ":".join(filter(None, (self.source, line)))
        return ": ".join(filter(None, (place, self.args[0])))  # games.jsonl:12: message


class InvalidPosition(NoughtsError, ValueError):
    """Text or marks that no game can reach.

    Attributes:
        cell: the cell at fault; None if the text or the position as a whole is wrong.
    """

    def __init__(self, message: str, cell: tuple[int, ...] | None = None) -> None:
        super().__init__(message)
        self.cell = cell


class IllegalMove(NoughtsError, ValueError):
    """A move that the rules forbid.

    Attributes:
        code: the reason as one word, the same in Python, in records and in the server's API.
        sentence: the reason in words, without the cell and the player.
        cell: the cell, as the caller gave it.
        player: the player who tried to move.
    """

    code: ClassVar[str] = "illegal_move"
    sentence: ClassVar[str] = "the rules forbid this move"

    def __init__(
        self, message: str, cell: tuple[int, ...] | None = None, player: int | None = None
    ) -> None:
        super().__init__(message)
        self.cell = cell
        self.player = player


class UnknownPlayer(IllegalMove):
    """The player is not one of 1…P."""

    code = "unknown_player"

    @classmethod
    def of(cls, player: int, players: int, cell: tuple[int, ...] | None = None) -> Self:
        """Describe `player` in a game for `players` players."""
        known = "1 or 2" if players == 2 else f"1 to {players}"
        return cls(f"player {short_repr(player)} is unknown: expected {known}", cell, player)


class OffBoard(IllegalMove, IndexError):
    """The cell is not on the board. Negative coordinates never wrap around."""

    code = "off_board"
    sentence = "that cell is off the board"

    @classmethod
    def of(cls, cell: tuple[int, ...], shape: tuple[int, ...], player: int | None = None) -> Self:
        """Describe `cell` on a board of this shape."""
        return cls(f"cell {short_repr(cell)} is off the {size(shape)} board", cell, player)


class CellTaken(IllegalMove):
    """The cell already has a mark."""

    code = "cell_taken"
    sentence = "that cell is taken"

    @classmethod
    def of(cls, cell: tuple[int, ...], player: int | None = None) -> Self:
        """Describe `cell`."""
        return cls(f"cell {cell} is already taken", cell, player)


class WrongTurn(IllegalMove):
    """It is another player's turn."""

    code = "wrong_turn"
    sentence = "it is not your turn"

    @classmethod
    def of(cls, player: int, turn: int, cell: tuple[int, ...] | None = None) -> Self:
        """Describe a move by `player` when it is player `turn`'s turn."""
        return cls(f"player {player} cannot move: it is player {turn}'s turn", cell, player)


class Floating(IllegalMove):
    """With gravity a mark would fall through this cell, since the one below it is empty."""

    code = "floating"
    sentence = "a mark would fall from that cell"

    @classmethod
    def of(cls, cell: tuple[int, ...], player: int | None = None) -> Self:
        """Describe `cell`."""
        below = (cell[0] + 1, *cell[1:])
        return cls(f"a mark on cell {cell} would fall: cell {below} is empty", cell, player)


class Foul(IllegalMove):
    """Renju forbids player 1 this move.

    Attributes:
        kind: "overline", "double_four" or "double_three"; see `noughts.game.fouls`.
    """

    code = "foul"
    sentence = "renju forbids that cell"

    def __init__(
        self,
        message: str,
        cell: tuple[int, ...] | None = None,
        player: int | None = None,
        kind: str = "",
    ) -> None:
        super().__init__(message, cell, player)
        self.kind = kind

    @classmethod
    def of(cls, kind: str, cell: tuple[int, ...], player: int | None = None) -> Self:
        """Describe a foul of this kind on `cell`."""
        what = kind.replace("_", "-")
        article = "an" if kind == "overline" else "a"
        return cls(f"cell {cell} is a foul: it makes {article} {what}", cell, player, kind)


class GameOver(IllegalMove):
    """The game has ended, so that no move is legal."""

    code = "game_over"
    sentence = "the game is over"

    @classmethod
    def of(
        cls, winner: int | None, cell: tuple[int, ...] | None = None, player: int | None = None
    ) -> Self:
        """Describe a move after a win by `winner`, or after a draw if that is None."""
        result = f"player {winner} has won" if winner else "it is a draw"
        return cls(f"the game is over: {result}", cell, player)


REFUSALS: tuple[type[IllegalMove], ...] = (OffBoard, CellTaken, GameOver, Floating, Foul)
"""The errors of a move made in turn, in the order of their numbers in compiled code, from 1."""


def size(shape: tuple[int, ...]) -> str:
    """Write the size of a board: ``3×3``, ``15×15``, ``3×3×3``."""
    return "×".join(map(short_repr, shape if len(shape) > 1 else (1, *shape)))


class _ShortRepr(Repr):
    """A `repr` cut to a length that suits a message."""

    def __init__(self) -> None:
        super().__init__()
        self.maxtuple = self.maxlist = 8  # the coordinates of any cell
        self.maxstring = self.maxother = 40

    def repr_int(self, x: int, level: int) -> str:
        return str(x) if x.bit_length() <= 128 else f"an integer of {x.bit_length()} bits"


short_repr: Callable[[object], str] = _ShortRepr().repr
"""Return the `repr` of a value for a message, cut if it is long."""


def did_you_mean(word: str, known: Iterable[str], spelled: Callable[[str], str] = str) -> str:
    """Return the question that ends a message about an unknown word, with the nearest known one.

    If no known word is near, return an empty string. `spelled` says how the user writes a word.

    >>> did_you_mean("gomuko", ["gomoku", "renju"]), did_you_mean("chess", ["gomoku", "renju"])
    ("; did you mean 'gomoku'?", '')
    """
    from difflib import get_close_matches  # slow to import, rarely needed

    return "".join(
        f"; did you mean {short_repr(spelled(name))}?" for name in get_close_matches(word, known, 1)
    )
