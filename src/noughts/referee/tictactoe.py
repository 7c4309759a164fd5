"""The classic problem, checked: `TicTacToe`, and `tictactoe` for a whole game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Self

from noughts.errors import (
    CellTaken,
    GameOver,
    IllegalMove,
    InvalidRules,
    OffBoard,
    UnknownPlayer,
    integer,
    shown,
)
from noughts.referee.signed import SignedSums


class TicTacToe:
    """The referee of an n×n board: each move is judged at once, by the signed sums of its lines.

    It is told who plays and does not enforce turns; either player may begin.
    `checked=True` refuses a move on a taken cell or after the end. `checked=False` trusts the
    caller there, as the classic problem does, and needs memory for the sums alone. A cell off the
    board, an unknown player and a wrong type are refused in both.

    Cost: O(1) a move. Memory: O(n), and when checked also one entry for each move made.

    Args:
        n: the side of the board, at least 1; no upper limit but memory.
        checked: whether taken cells and the end of the game are noticed.

    Raises:
        InvalidRules: n is less than 1.
        MemoryError: the sums of so large a board do not fit.
        TypeError: n is not an integer, or checked not a bool.

    >>> game = TicTacToe(3)
    >>> [game.move(0, 0, 1), game.move(0, 2, 2), game.move(1, 1, 1), game.move(2, 0, 2)]
    [0, 0, 0, 0]
    >>> game.move(2, 2, 1)
    1
    >>> game.diagonal, game.winner
    (3, 1)
    """

    __slots__ = ("_sums", "_taken", "_winner")

    def __init__(self, n: int, *, checked: bool = True) -> None:
        n = integer(n, "n")
        if n < 1:
            raise InvalidRules(f"n must be at least 1, not {shown(n)}")
        if not isinstance(checked, bool):
            raise TypeError(f"checked must be True or False, not {shown(checked)}")
        try:
            self._sums = SignedSums(n)
        except (MemoryError, OverflowError):
            raise MemoryError(f"the 2n + 2 sums of n = {shown(n)} do not fit in memory") from None
        self._taken: set[tuple[int, int]] | None = set() if checked else None
        self._winner = 0

    def move(self, row: int, col: int, player: int) -> int:
        """Make a move and judge it.

        Args:
            row: 0 to n - 1, from the top.
            col: 0 to n - 1, from the left.
            player: 1 or 2.

        Returns:
            `player` if this move wins, else 0.

        Raises:
            UnknownPlayer, OffBoard: always. GameOver, CellTaken: when checked.
            TypeError: an argument is not an integer. Whatever is raised, nothing has changed.
        """
        row, col, player = integer(row, "row"), integer(col, "col"), integer(player, "player")
        n, cell = self._sums.n, (row, col)
        if player not in (1, 2):
            raise UnknownPlayer.of(player, 2, cell)
        if not (0 <= row < n and 0 <= col < n):
            raise OffBoard.of(cell, (n, n), player)
        if self._taken is not None:
            if self._winner or len(self._taken) == n * n:
                raise GameOver.of(self._winner or None, cell, player)
            if cell in self._taken:
                raise CellTaken.of(cell, player)
            self._taken.add(cell)
        won = self._sums.move(row, col, player)
        self._winner = self._winner or won
        return won

    @property
    def n(self) -> int:
        """The side of the board."""
        return self._sums.n

    @property
    def rows(self) -> tuple[int, ...]:
        """The signed sum of each row, from the top. Cost: O(n), it is a snapshot."""
        return tuple(self._sums.rows)

    @property
    def cols(self) -> tuple[int, ...]:
        """The signed sum of each column, from the left. Cost: O(n), it is a snapshot."""
        return tuple(self._sums.cols)

    @property
    def diagonal(self) -> int:
        """The signed sum of the diagonal, where row == col."""
        return self._sums.diagonal

    @property
    def anti_diagonal(self) -> int:
        """The signed sum of the anti-diagonal, where row + col == n - 1."""
        return self._sums.anti_diagonal

    @property
    def winner(self) -> int:
        """The player who won first, or 0 while nobody has."""
        return self._winner

    @classmethod
    def _restore(
        cls,
        rows: Iterable[int],
        cols: Iterable[int],
        diagonal: int,
        anti_diagonal: int,
        winner: int,
        taken: Iterable[tuple[int, int]] | None,
    ) -> Self:
        """The referee in a given state; what `repr`, copies and pickles are made of."""
        sums = list(rows)
        self = cls(len(sums), checked=taken is not None)
        self._sums.rows, self._sums.cols = sums, list(cols)
        self._sums.diagonal, self._sums.anti_diagonal = diagonal, anti_diagonal
        self._winner = winner
        self._taken = None if taken is None else set(taken)
        return self

    def _state(self) -> tuple[object, ...]:
        taken = None if self._taken is None else tuple(sorted(self._taken))
        return self.rows, self.cols, self.diagonal, self.anti_diagonal, self._winner, taken

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy by value."""
        return type(self)._restore, self._state()

    def __eq__(self, other: object) -> bool:
        """Whether both are in the same state; a checked and an unchecked one never are."""
        return self._state() == other._state() if isinstance(other, TicTacToe) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it changes with every move

    def __repr__(self) -> str:
        """An expression for the same state: ``TicTacToe(3)`` for an empty board."""
        fresh = TicTacToe(self.n, checked=self._taken is not None)
        if self == fresh:
            return (
                f"TicTacToe({self.n})"
                if fresh._taken is not None
                else (f"TicTacToe({self.n}, checked=False)")
            )
        return f"TicTacToe._restore{self._state()!r}"


def tictactoe(moves: Iterable[tuple[int, int]], n: int = 3) -> Literal["A", "B", "Draw", "Pending"]:
    """The verdict over a whole game on an n×n board in which player A moves first.

    Args:
        moves: the cells (row, col) in the order of play.
        n: the side of the board.

    Returns:
        "A" or "B" for the winner, "Draw" when the board is full, else "Pending".

    Raises:
        IllegalMove: of the first move that is illegal; a note on it says which ply.
        InvalidRules, TypeError: as `TicTacToe`.

    Cost: O(1) a move.

    >>> tictactoe([(0, 0), (2, 0), (1, 1), (2, 1), (2, 2)])
    'A'
    """
    referee, ply = TicTacToe(n), 0
    for ply, cell in enumerate(moves, start=1):
        player = 1 if ply % 2 else 2
        try:
            referee.move(*_row_and_col(cell, referee.n, player), player)
        except (IllegalMove, TypeError) as error:
            error.add_note(f"at ply {ply}")
            raise
    if referee.winner:
        return "A" if referee.winner == 1 else "B"
    return "Draw" if ply == referee.n**2 else "Pending"


def _row_and_col(cell: object, n: int, player: int) -> tuple[int, int]:
    if not isinstance(cell, tuple | list):
        raise TypeError(f"a cell is a tuple of 2 integers, not {shown(cell)}")
    if len(cell) != 2:
        raise OffBoard.of(tuple(cell), (n, n), player)
    row, col = cell
    return row, col
