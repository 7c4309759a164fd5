"""The checked `TicTacToe` of the classic problem in pure Python.

Its accelerator, `_tictactoe.pyx`, behaves the same and replaces it where it was built.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from noughts.arguments import SUM_LIMIT, board_side, move_arguments, no_room, sum_overflow
from noughts.errors import CellTaken, GameOver
from noughts.referee.signed import SignedSums


class TicTacToe:
    """The referee of an n×n board, which judges each move at once by the sums of its lines.

    The caller gives the player: turns are not enforced, and either player can move first.
    `checked=True` rejects a move on a taken cell or after the end. `checked=False` trusts the
    caller in this, like the classic problem, and needs memory only for the sums. Both reject a
    cell off the board, an unknown player and a value of the wrong type.

    Cost: O(1) per move. Memory: O(n), and if checked, one entry per move.

    Args:
        n: the side of the board, at least 1; the only upper limit is memory.
        checked: whether moves on taken cells or after the end are rejected.

    Raises:
        InvalidRules: n is less than 1.
        MemoryError: the board does not fit in memory, as with any n from 2**31 on.
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
        n = board_side(n, checked)
        try:
            self._sums = SignedSums(n)
        except MemoryError:
            raise no_room("2n + 2 sums", n) from None
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
            UnknownPlayer, OffBoard: there is no such player or cell.
            GameOver, CellTaken: the game is over or the cell taken, if checked.
            OverflowError: a sum would exceed ±(2**31 - 1), if unchecked.
            TypeError: an argument is not an integer. After any error, the game is unchanged.
        """
        row, col, player = move_arguments(row, col, player, self.n)
        cell = row, col
        if self._taken is not None:
            if self._winner or len(self._taken) == self.n**2:
                raise GameOver.of(self._winner or None, cell, player)
            if cell in self._taken:
                raise CellTaken.of(cell, player)
            self._taken.add(cell)
        elif self._has_reached(SUM_LIMIT if player == 1 else -SUM_LIMIT, row, col):
            raise sum_overflow(cell)
        won = self._sums.move(row, col, player)
        self._winner = self._winner or won
        return won

    @property
    def n(self) -> int:
        """The side of the board."""
        return self._sums.n

    @property
    def rows(self) -> tuple[int, ...]:
        """A snapshot of the signed sum of each row, from the top. Cost: O(n)."""
        return tuple(self._sums.rows)

    @property
    def cols(self) -> tuple[int, ...]:
        """A snapshot of the signed sum of each column, from the left. Cost: O(n)."""
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
        """The player who won first, or 0."""
        return self._winner

    def _has_reached(self, limit: int, row: int, col: int) -> bool:
        """Return whether a line through the cell has this sum."""
        sums = self._sums
        return (
            limit in (sums.rows[row], sums.cols[col])
            or (row == col and sums.diagonal == limit)
            or (row + col == self.n - 1 and sums.anti_diagonal == limit)
        )

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
        """Return a referee in the given state; used by `repr`, copies and pickles."""
        sums = list(rows)
        self = cls(len(sums), checked=taken is not None)
        self._sums.rows, self._sums.cols = sums, list(cols)
        self._sums.diagonal, self._sums.anti_diagonal = diagonal, anti_diagonal
        self._winner = winner
        self._taken = None if taken is None else set(taken)
        return self

    def _state(self) -> tuple[Any, ...]:
        taken = None if self._taken is None else tuple(sorted(self._taken))
        return self.rows, self.cols, self.diagonal, self.anti_diagonal, self._winner, taken

    def __reduce__(self) -> tuple[object, ...]:
        return type(self)._restore, self._state()

    def __eq__(self, other: object) -> bool:
        """Return whether both are in the same state; a checked and an unchecked one never are."""
        return self._state() == other._state() if isinstance(other, TicTacToe) else NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # it changes with every move

    def __repr__(self) -> str:
        checked = self._taken is not None
        if self == TicTacToe(self.n, checked=checked):
            return f"TicTacToe({self.n}{'' if checked else ', checked=False'})"
        return f"TicTacToe._restore{self._state()!r}"

    def _repr_svg_(self) -> str | None:
        """Return the sums around their board as SVG for notebooks, or None if it is too large."""
        from noughts.picture import sums_svg  # slow to import, and rarely needed

        return sums_svg(*self._state())
