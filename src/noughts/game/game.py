"""A game whose moves are checked and can be undone, with its history and outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from itertools import chain, product
from typing import TYPE_CHECKING, ClassVar, Self

from noughts.arguments import integer, plain_cell
from noughts.compiled import accelerated
from noughts.errors import IllegalMove, InvalidPosition, InvalidRules
from noughts.game.geometry import Cell
from noughts.game.outcome import Outcome
from noughts.game.rules import VARIANTS, Rules, as_rules

if TYPE_CHECKING:  # types come from the definition
    from noughts.game.board import Board
else:
    Board = accelerated("noughts.game.board").Board


class Game:
    """A game of k in a row, move by move.

    Every move is checked and can be undone. Cells are tuples of coordinates counted from 0,
    (row, col) on a flat board with row 0 on top; players are 1…P and take turns in this order.

    Cost: `play` and `undo` touch only the lines through the cell: at most four on a square board
    where a whole side wins, otherwise up to k in each direction. Memory grows with the number of
    moves, not with the board.

    Args:
        rules: `Rules`, or their text such as ``"renju"``; see `Rules.parse`.

    Raises:
        InvalidRules: the text does not describe rules.
        TypeError: `rules` is neither `Rules` nor text.

    Threads can share a game: each call ends before another starts, but between two calls of one
    thread another can move. An interrupt (Ctrl-C) takes effect before or after a move. A signal
    handler or garbage collector callback that runs in the middle of a game's method can use that
    game if the board is compiled; otherwise it gets a RuntimeError, and nothing changes.

    >>> game = Game()
    >>> for cell in [(0, 0), (0, 1), (1, 1), (0, 2)]:
    ...     game.play(cell)
    >>> sorted(game.threats(1))
    [(2, 2)]
    >>> game.play((2, 2))
    Outcome(termination=Termination.LINE, winner=1, lines=(((0, 0), (1, 1), (2, 2)),))
    >>> game.undo()
    (2, 2)
    """

    __slots__ = ("_board", "_rules")

    def __init__(self, rules: Rules | str = Rules()) -> None:  # noqa: B008  # immutable
        if not isinstance(rules, Rules):  # without a call, since programs create many games
            rules = as_rules(rules)
        self._rules = rules
        self._board = Board(rules)

    @classmethod
    def replay(cls, rules: Rules | str, cells: Iterable[Cell]) -> Self:
        """Return a game in which these cells have been played in this order.

        Raises:
            IllegalMove, TypeError: for the first move that `play` rejects; a note on the error
                gives its ply.
            InvalidRules, TypeError: as for `Game`.
        """
        game = cls(rules)
        for ply, cell in enumerate(cells, start=1):
            try:
                game.play(cell)
            except (IllegalMove, TypeError) as error:
                error.add_note(f"at ply {ply}")
                raise
        return game

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return a game with the position in `text`, which `to_text` wrote.

        Its history leads to the same marks. It is always the same history, but not always the one
        that was played. Cost: O(marks²). With gravity, with fouls, or where some runs do not
        count, finding an order of play takes a search of up to 20,000 tries.

        Raises:
            InvalidPosition: the text is not a position as `to_text` writes it, no game by these
                rules reaches it, or the search for one ran out of tries.
            TypeError: `text` is not a string.
        """
        from noughts.game.position import read_position  # slow to import, rarely needed

        return cls.replay(*read_position(text))

    @classmethod
    def from_board(
        cls, rows: object, rules: Rules | str | None = None, *, turn: int | None = None
    ) -> Self:
        """Return a game that has led to this board.

        Who is to move follows from the number of marks. The history is one that leads to the
        marks, not always the one that was played. Cost: as for `from_text`.

        Args:
            rows: the board, as a list of rows or as text with one row per line. A row is text
                such as ``"XOX"`` or ``"X | O | X"``, or a list of marks. Marks are X and O or
                the players' numbers; ``.``, ``-``, ``_``, 0, None and a space are empty cells. A
                single row can hold all cells of the board that the rules describe.
            rules: the rules; by default tic-tac-toe, if the board is 3×3.
            turn: the player to move, to have it checked; None if it is not known.

        Raises:
            InvalidPosition: a mark is unknown, the rows do not fit the board, or no game reaches
                these marks: there are too many of one player, two players have a line, a mark
                floats, or the last move cannot have been the winner's.
            InvalidRules: the board is not 3×3 and the rules are not given, or are wrong.
            TypeError: an argument has the wrong type.

        >>> game = Game.from_board(["XOX", ".O.", "..X"])
        >>> game.turn, sorted(game.threats(2))
        (2, [(2, 1)])
        """
        from noughts.game.diagram import read_diagram  # slow to import, rarely needed
        from noughts.game.position import cells_of_marks

        known, marks = read_diagram(rows, rules)
        game = cls.replay(known, cells_of_marks(known, marks))
        if turn is not None and integer(turn, "turn") != game.turn:
            raise InvalidPosition(
                f"the board has {game.ply} marks: player {game.turn} is to move, not {turn}"
            )
        return game

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self._rules

    @property
    def turn(self) -> int:
        """The player to move; after the end, the player whose turn it would be."""
        return self._board.turn

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return self._board.ply

    @property
    def history(self) -> tuple[Cell, ...]:
        """The cells in the order of play, as a new tuple. Cost: O(ply)."""
        return self._board.history

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it is in progress."""
        return self._board.outcome

    def mark(self, cell: Cell) -> int:
        """Return the player whose mark is on the cell, 0 if it is empty.

        Raises:
            OffBoard, TypeError: there is no such cell.
        """
        return self._board.mark(cell)

    def key(self) -> bytes:
        """Return the position as a key for transposition tables: one byte per cell, row-major.

        Under the same rules two positions have equal keys if and only if their boards are equal,
        regardless of the order of the moves. Cost: O(cells).
        """
        return self._board.key()

    def to_text(self) -> str:
        """Return the position as text that `from_text` reads, for a URL, a file or a test.

        The text contains the rules and, after ``_``, the cells row by row: ``X`` and ``O``, ``C``
        to ``H`` for players 3 to 8, and the number of empty cells between them. The turn and the
        outcome follow from the marks; the order of the moves is lost. Games with equal rules and
        marks have equal texts. No character needs escaping in a URL.

        >>> Game.replay(Rules(), [(0, 0), (1, 1)]).to_text()
        '3x3_X3O4'
        >>> Game.from_text("3x3_X3O4").turn
        1
        """
        from noughts.game.position import position_text

        return position_text(self._rules, self.history)

    def play(self, cell: Cell, player: int | None = None) -> Outcome | None:
        """Make a move for the player whose turn it is.

        Args:
            cell: a tuple with one coordinate per dimension of the board.
            player: the player who makes the move, to check the turn, too.

        Returns:
            The outcome if this move ends the game, else None.

        Raises:
            IllegalMove: the rules forbid the move; the game is unchanged.
            TypeError: the cell is not a tuple of integers, or the player not an integer.
        """
        return self._board.play(cell, player)

    def drop(self, column: int | tuple[int, ...]) -> Outcome | None:
        """Let a mark fall in a column, for the player whose turn it is. Cost: O(rows).

        Args:
            column: the column, counted from 0; on boards of more than two dimensions, a tuple of
                all coordinates but the first.

        Returns:
            The outcome if this move ends the game, else None.

        Raises:
            IllegalMove: the column is full (`CellTaken`) or off the board, or the game is over.
            InvalidRules: marks do not fall in these rules.
            TypeError: the column is not an integer or a tuple of integers.

        >>> game = Game("connect-four")
        >>> for column in [3, 3, 4]:
        ...     game.drop(column)
        >>> game.history
        ((5, 3), (4, 3), (5, 4))
        """
        if not self._rules.gravity:
            raise InvalidRules("marks do not fall in these rules: use play(cell)")
        dimensions = len(self._rules.shape)
        given = column if isinstance(column, tuple | list) else (integer(column, "column"),)
        rest = plain_cell(given, dimensions)
        return self.play(fallen(self, rest))

    def undo(self) -> Cell:
        """Undo the last move and return its cell.

        Raises:
            IndexError: no move has been made.
        """
        return self._board.undo()

    @property
    def legal_moves(self) -> LegalMoves:
        """The cells that can be played now, as a lazy view that follows the game."""
        return LegalMoves(self)

    def is_legal(self, cell: Cell, player: int | None = None) -> bool:
        """Return whether `play` would accept this move.

        Raises:
            TypeError: the cell is not a tuple of integers, or the player not an integer.
        """
        return self._board.why_illegal(cell, player) is None

    def why_illegal(self, cell: Cell, player: int | None = None) -> IllegalMove | None:
        """Return the error that `play` would raise for this move, or None if it is legal.

        Raises:
            TypeError: the cell is not a tuple of integers, or the player not an integer.
        """
        return self._board.why_illegal(cell, player)

    def live_lines(self, player: int) -> int:
        """Return the number of lines without marks of other players.

        Raises:
            UnknownPlayer, TypeError: there is no such player.
        """
        return self._board.live_lines(player)

    def tallies(self, player: int) -> list[int]:
        """Return how many of the player's live lines have 0, 1, 2 … of the player's marks.

        The last number can be 0. Cost: O(min(k, ply)).

        Raises:
            UnknownPlayer, TypeError: there is no such player.
        """
        return self._board.live_tallies(player)

    def threats(self, player: int) -> frozenset[Cell]:
        """Return the cells where a mark of `player` would complete a line now.

        Two such cells are a fork. Cells from which a mark would fall, and lines that do not count
        in the variant, are left out. In misère, completing a line loses.

        Cost: O(1) if there are none, otherwise O(lines with marks); for k = 1, O(cells).

        Raises:
            UnknownPlayer, TypeError: there is no such player.
        """
        lines = self._board.lines_lacking_one(player)  # which checks the player
        if self._rules.k == 1:
            return frozenset(self._open_cells())
        cells = chain.from_iterable(map(self._board.geometry.cells, lines))
        return frozenset(filter(self._is_open, cells))

    @property
    def winnable(self) -> bool:
        """Whether any player can still complete a line in the remaining moves, or has done so.

        With E empty cells and P players, the player to move has ⌈E/P⌉ moves left. This is exact for
        freestyle and misère without gravity; with gravity and in the other variants it can still be
        True when the last line without other players' marks can no longer win.
        """
        return self._board.winnable

    @property
    def forbidden(self) -> frozenset[Cell]:
        """The empty cells where the player to move would commit a foul. Cost in renju: O(cells)."""
        if self.outcome or not VARIANTS[self._rules.variant].fouls or self.turn != 1:
            return frozenset()
        return frozenset(cell for cell in self._open_cells() if not self.is_legal(cell))

    def _open_cells(self) -> Iterator[Cell]:
        """Yield the empty cells on which a mark stays, row by row."""
        return filter(self._is_open, product(*map(range, self._rules.shape)))

    def _is_open(self, cell: Cell) -> bool:
        return not self._board.mark(cell) and self._board.stays(cell)

    def copy(self) -> Self:
        """Return an independent game in the same state. Cost: O(state), less than a replay."""
        twin = type(self).__new__(type(self))
        twin._rules, twin._board = self._rules, self._board.copy()
        return twin

    __copy__ = copy

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).replay, (self._rules, self.history)

    def __eq__(self, other: object) -> bool:
        """Return whether both games have the same rules and the same history."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._rules == other._rules and self.history == other.history

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # it changes with every move

    def __repr__(self) -> str:
        if not self.ply:
            return f"Game({self._rules!r})"
        return f"Game.replay({self._rules!r}, {list(self.history)!r})"

    def __str__(self) -> str:
        """Return the board as text (see `noughts.picture`), or the `repr` if it is too large."""
        from noughts.picture import MAX_CELLS, text  # slow to import, and rarely needed

        return text(self) if self._rules.cells <= MAX_CELLS else repr(self)

    def _repr_svg_(self) -> str | None:
        """Return the board as SVG for notebooks, or None if it is too large."""
        from noughts.picture import MAX_CELLS, svg

        return svg(self) if self._rules.cells <= MAX_CELLS else None


def fallen(game: Game, column: Cell) -> Cell:
    """Return the cell on which a mark comes to rest in a column. Cost: O(rows).

    It is the highest cell if the column is full, and off the board if there is no such column.
    """
    depth, *sides = game.rules.shape
    if len(column) == len(sides) and all(
        0 <= at < side for at, side in zip(column, sides, strict=True)
    ):
        free = (row for row in range(depth) if not game.mark((row, *column)))
        return max(free, default=0), *column
    return 0, *column


class LegalMoves(Set[Cell]):
    """The legal moves of a game, in row-major order; empty once the game is over.

    A lazy view, which stores nothing and follows the game. ``in``, ``len`` and ``bool`` cost O(1),
    except that ``len`` costs O(cells) with gravity and in renju. ``in`` is False for anything but
    a cell. You can play and undo moves while iterating.

    >>> game = Game(Rules.square(2))
    >>> list(game.legal_moves), len(game.legal_moves), (2, 0) in game.legal_moves
    ([(0, 0), (0, 1), (1, 0), (1, 1)], 4, False)
    """

    __slots__ = ("_game",)

    def __init__(self, game: Game) -> None:
        self._game = game

    @classmethod
    def _from_iterable(cls, cells: Iterable[Cell]) -> frozenset[Cell]:  # type: ignore[override]
        """Return a frozenset, not a view, as the result of the operators ``& | - ^``."""
        return frozenset(cells)

    def __contains__(self, cell: object) -> bool:
        try:
            return self._game.is_legal(cell)  # type: ignore[arg-type]  # wrong types raise
        except TypeError:
            return False

    def __len__(self) -> int:
        rules = self._game.rules
        if rules.gravity or VARIANTS[rules.variant].fouls:
            return sum(1 for _ in self)
        return rules.cells - self._game.ply if self else 0

    def __bool__(self) -> bool:
        return self._game.outcome is None

    def __iter__(self) -> Iterator[Cell]:
        if not self:
            return iter(())
        cells = self._game._open_cells()
        fouls = VARIANTS[self._game.rules.variant].fouls
        return filter(self._game.is_legal, cells) if fouls else cells

    def __repr__(self) -> str:
        return f"{self._game!r}.legal_moves"
