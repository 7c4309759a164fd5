"""A game: checked, reversible, with its history and its outcome."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from itertools import product
from typing import Self

from noughts.errors import (
    CellTaken,
    GameOver,
    IllegalMove,
    OffBoard,
    UnknownPlayer,
    WrongTurn,
    integer,
    shown,
)
from noughts.lines import Cell, lines_of
from noughts.outcome import Outcome, Termination
from noughts.rules import Rules


class Game:
    """A game of k in a row, move by move.

    Every move is checked and can be taken back. Cells are tuples of coordinates counted from 0,
    (row, col) on a flat board with row 0 on top; players are 1…P and take turns in this order.

    Cost: `play` and `undo` touch only the lines through the cell, at most four on a square board
    that needs a whole side, at most k in each direction elsewhere. Memory grows with the moves
    made, not with the board.

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

    __slots__ = ("_marks", "_outcome", "_rules", "_tallies")

    def __init__(self, rules: Rules = Rules()) -> None:  # noqa: B008  # Rules are immutable
        if not isinstance(rules, Rules):
            raise TypeError(f"rules must be Rules, not {shown(rules)}")
        self._rules = rules
        self._marks: dict[Cell, int] = {}  # in the order of play: the board and its history
        self._tallies = _Tallies(rules)
        self._outcome = self._judge([])

    @classmethod
    def replay(cls, rules: Rules, cells: Iterable[Cell]) -> Self:
        """The game in which these cells were played in this order.

        Raises:
            IllegalMove, TypeError: of the first move refused; a note on it says which ply.
        """
        game = cls(rules)
        for ply, cell in enumerate(cells, start=1):
            try:
                game.play(cell)
            except (IllegalMove, TypeError) as error:
                error.add_note(f"at ply {ply}")
                raise
        return game

    @property
    def rules(self) -> Rules:
        """The rules of this game."""
        return self._rules

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self._marks)

    @property
    def turn(self) -> int:
        """The player to move; after the end, the player who would be."""
        return len(self._marks) % self._rules.players + 1

    @property
    def history(self) -> tuple[Cell, ...]:
        """The cells in the order of play. Cost: O(ply), it is a snapshot."""
        return tuple(self._marks)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._outcome

    @property
    def legal_moves(self) -> LegalMoves:
        """The cells that may be played now, as a lazy view that follows the game."""
        return LegalMoves(self)

    def play(self, cell: Cell, player: int | None = None) -> Outcome | None:
        """Make a move for the player whose turn it is.

        Args:
            cell: a tuple of as many coordinates as the board has sides.
            player: who makes the move, where that is to be checked too.

        Returns:
            The outcome if this move ends the game, else None.

        Raises:
            IllegalMove: `why_illegal` says which. TypeError: the cell is not a tuple of integers.
            Whatever is raised, nothing has changed.
        """
        cell = self._checked_cell(cell)
        error = self._why_illegal(cell, player)
        if error is not None:
            raise error
        turn = self.turn
        self._marks[cell] = turn
        self._outcome = self._judge(self._tallies.add(cell, turn))
        return self._outcome

    def undo(self) -> Cell:
        """Take the last move back and return its cell.

        Raises:
            IndexError: no move has been made.
        """
        if not self._marks:
            raise IndexError("no move to undo: none has been made")
        cell, player = self._marks.popitem()
        self._tallies.remove(cell, player)
        self._outcome = None
        return cell

    def mark(self, cell: Cell) -> int:
        """The player whose mark is on the cell, 0 if it is empty.

        Raises:
            OffBoard, TypeError: there is no such cell.
        """
        cell = self._checked_cell(cell)
        if not self._on_board(cell):
            raise OffBoard.of(cell, self._rules.shape)
        return self._marks.get(cell, 0)

    def is_legal(self, cell: Cell, player: int | None = None) -> bool:
        """Whether `play` would accept this move.

        Raises:
            TypeError: the cell is not a tuple of integers.
        """
        return self.why_illegal(cell, player) is None

    def why_illegal(self, cell: Cell, player: int | None = None) -> IllegalMove | None:
        """The error that `play` would raise for this move, or None if it is legal.

        Raises:
            TypeError: the cell is not a tuple of integers.
        """
        return self._why_illegal(self._checked_cell(cell), player)

    def live_lines(self, player: int) -> int:
        """How many lines `player` may still complete, as far as other players' marks go.

        Raises:
            UnknownPlayer, TypeError: there is no such player.
        """
        return self._tallies.live(self._checked_player(player))

    def threats(self, player: int) -> frozenset[Cell]:
        """The empty cells with which `player` would complete a line now. Two are a fork.

        Cost: O(k) for each line that lacks one mark; for k = 1, O(cells).

        Raises:
            UnknownPlayer, TypeError: there is no such player.
        """
        player = self._checked_player(player)
        if self._rules.k == 1:
            return frozenset(self._empty_cells())
        lines = lines_of(self._rules)
        return frozenset(
            cell
            for line in self._tallies.lines_with(self._rules.k - 1, player)
            for cell in lines.cells(line)
            if cell not in self._marks
        )

    @property
    def winnable(self) -> bool:
        """Whether anyone can still complete a line in the moves that are left.

        Exact: false as soon as no player has a line without other players' marks whose empty
        cells are at most that player's remaining moves. With E empty cells and P players, the
        side to move has ⌈E/P⌉ of them. True when a line is complete.
        """
        rules = self._rules
        empty = rules.cells - self.ply
        for wait in range(rules.players):
            player = (self.ply + wait) % rules.players + 1
            moves = (empty - wait + rules.players - 1) // rules.players
            if self._tallies.can_complete(player, moves):
                return True
        return False

    def key(self) -> bytes:
        """The position as a key for transposition tables: one byte a cell, row-major.

        Positions of equal rules have equal keys exactly when every cell bears the same mark,
        however they came about. Cost: O(cells).
        """
        marks = self._marks
        return bytes(marks.get(cell, 0) for cell in product(*map(range, self._rules.shape)))

    def copy(self) -> Self:
        """An independent game in the same state. Cost: O(state), less than a replay."""
        twin = type(self).__new__(type(self))
        twin._rules, twin._outcome = self._rules, self._outcome
        twin._marks = self._marks.copy()
        twin._tallies = self._tallies.copy()
        return twin

    __copy__ = copy

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as rules and moves."""
        return type(self).replay, (self._rules, self.history)

    def __eq__(self, other: object) -> bool:
        """Whether both have the same rules and the same history."""
        if not isinstance(other, Game):
            return NotImplemented
        return self._rules == other._rules and self.history == other.history

    __hash__ = None  # type: ignore[assignment]  # it changes with every move

    def __repr__(self) -> str:
        """An expression for the same game."""
        if not self._marks:
            return f"Game({self._rules!r})"
        return f"Game.replay({self._rules!r}, {list(self._marks)!r})"

    def __str__(self) -> str:
        """The board as text; see `noughts.picture`."""
        from noughts.picture import text

        return text(self)

    def _repr_svg_(self) -> str:
        """The board as SVG, which notebooks show; see `noughts.picture`."""
        from noughts.picture import svg

        return svg(self)

    def _judge(self, completed: list[int]) -> Outcome | None:
        """The outcome after a move that completed these lines."""
        if completed:
            lines = lines_of(self._rules)
            cells = tuple(lines.cells(line) for line in sorted(completed, key=lines.order))
            return Outcome(Termination.LINE, self._marks[cells[0][0]], cells)
        if self.ply == self._rules.cells:
            return Outcome(Termination.FULL_BOARD)
        if self._rules.early_draw and not self.winnable:
            return Outcome(Termination.NO_WIN_LEFT)
        return None

    def _why_illegal(self, cell: Cell, player: int | None) -> IllegalMove | None:
        turn = self.turn
        if player is not None:
            player = integer(player, "player")
            if not 1 <= player <= self._rules.players:
                return UnknownPlayer.of(player, self._rules.players, cell)
        if not self._on_board(cell):
            return OffBoard.of(cell, self._rules.shape, player or turn)
        if self._outcome is not None:
            return GameOver.of(self._outcome.winner, cell, player or turn)
        if player is not None and player != turn:
            return WrongTurn.of(player, turn, cell)
        if cell in self._marks:
            return CellTaken.of(cell, turn)
        return None

    def _on_board(self, cell: Cell) -> bool:
        shape = self._rules.shape
        if len(cell) != len(shape):
            return False
        for at, side in zip(cell, shape, strict=True):  # noqa: SIM110  # twice as fast as all()
            if not 0 <= at < side:
                return False
        return True

    def _checked_cell(self, cell: object) -> Cell:
        if not isinstance(cell, tuple | list):
            sides = len(self._rules.shape)
            raise TypeError(f"a cell is a tuple of {sides} integers, not {shown(cell)}")
        return tuple([integer(at, "a cell's coordinate") for at in cell])

    def _checked_player(self, player: int) -> int:
        player = integer(player, "player")
        if not 1 <= player <= self._rules.players:
            raise UnknownPlayer.of(player, self._rules.players)
        return player

    def _empty_cells(self) -> Iterator[Cell]:
        cells = product(*map(range, self._rules.shape))
        return (cell for cell in cells if cell not in self._marks)


class LegalMoves(Set[Cell]):
    """The legal moves of a game, in row-major order; empty once the game is over.

    A lazy view: it holds nothing and follows the game. ``in``, ``len`` and ``bool`` cost O(1).
    It may be iterated over while moves are played and taken back.

    >>> game = Game(Rules.square(2))
    >>> list(game.legal_moves), len(game.legal_moves), (2, 0) in game.legal_moves
    ([(0, 0), (0, 1), (1, 0), (1, 1)], 4, False)
    """

    __slots__ = ("_game",)

    def __init__(self, game: Game) -> None:
        self._game = game

    @classmethod
    def _from_iterable(cls, cells: Iterable[Cell]) -> frozenset[Cell]:  # type: ignore[override]
        """What the set operators ``& | - ^`` give: a set of its own, no view."""
        return frozenset(cells)

    def __contains__(self, cell: object) -> bool:
        """Whether the cell may be played now; false for what is no cell."""
        try:
            return self._game.is_legal(cell)  # type: ignore[arg-type]  # wrong types say so
        except TypeError:
            return False

    def __len__(self) -> int:
        """How many moves are legal."""
        return 0 if self._game.outcome else self._game.rules.cells - self._game.ply

    def __iter__(self) -> Iterator[Cell]:
        """The cells from the top left, row by row."""
        return iter(()) if self._game.outcome else self._game._empty_cells()

    def __repr__(self) -> str:
        """An expression for the same view."""
        return f"{self._game!r}.legal_moves"


class _Tallies:
    """How many marks each player has on each line, for the lines that bear any.

    The tallies of a line are packed into one integer, a field of bits for each player: a mark of
    player p adds `_one[p]`. A line is live for p while all other fields are 0.
    """

    __slots__ = ("_field", "_lines", "_live", "_one", "_packed", "_width")

    def __init__(self, rules: Rules) -> None:
        self._lines = lines_of(rules)
        self._width = rules.k.bit_length()
        players = range(rules.players + 1)  # 0 stays unused
        self._one = [0] + [1 << self._width * (player - 1) for player in players[1:]]
        self._field = [one * ((1 << self._width) - 1) for one in self._one]
        self._packed: dict[int, int] = {}
        # for each player, the live lines that bear marks, by how many
        self._live: list[defaultdict[int, set[int]]] = [defaultdict(set) for _ in players]

    def add(self, cell: Cell, player: int) -> list[int]:
        """Count a mark on every line through the cell; return the lines it completes."""
        packed, live = self._packed, self._live[player]
        one, field = self._one[player], self._field[player]
        completed = []
        for lines in self._lines.through(cell):
            for line in lines:
                before = packed.get(line, 0)
                packed[line] = before + one
                if not before & ~field:  # live
                    tally = before // one
                    live[tally].discard(line)
                    live[tally + 1].add(line)
                    if tally + 1 == self._lines.k:
                        completed.append(line)
                elif not before & field:  # it may have been live for another player until now
                    self._live_lines_like(before).discard(line)
        return completed

    def remove(self, cell: Cell, player: int) -> None:
        """Take back what `add` counted for this cell and player."""
        packed, live = self._packed, self._live[player]
        one, field = self._one[player], self._field[player]
        for lines in self._lines.through(cell):
            for line in lines:
                after = packed[line] - one
                if after:
                    packed[line] = after
                else:
                    del packed[line]
                if not after & ~field:
                    tally = after // one
                    live[tally + 1].discard(line)
                    if tally:
                        live[tally].add(line)
                elif not after & field:
                    self._live_lines_like(after).add(line)

    def live(self, player: int) -> int:
        """How many lines are live for the player."""
        return self._unmarked() + sum(map(len, self._live[player].values()))

    def lines_with(self, tally: int, player: int) -> Set[int]:
        """The live lines on which the player has this many marks, at least 1."""
        return self._live[player].get(tally, frozenset())

    def can_complete(self, player: int, moves: int) -> bool:
        """Whether the player has a live line with at most this many empty cells."""
        needed = self._lines.k - moves  # the marks that such a line already bears, at least
        if needed <= 0 and self._unmarked():
            return True
        return any(tally >= needed and lines for tally, lines in self._live[player].items())

    def copy(self) -> _Tallies:
        """An independent copy."""
        twin = _Tallies.__new__(_Tallies)
        twin._lines, twin._width = self._lines, self._width
        twin._one, twin._field = self._one, self._field
        twin._packed = self._packed.copy()
        twin._live = [
            defaultdict(set, {tally: lines.copy() for tally, lines in live.items()})
            for live in self._live
        ]
        return twin

    def _unmarked(self) -> int:
        """How many lines bear no mark at all, and so are live for everyone."""
        return self._lines.count - len(self._packed)

    def _live_lines_like(self, packed: int) -> set[int]:
        """The set that holds the lines with these tallies; an unused one if nobody's are live."""
        player = (packed.bit_length() - 1) // self._width + 1
        tally, others = divmod(packed, self._one[player])
        return set() if others else self._live[player][tally]
