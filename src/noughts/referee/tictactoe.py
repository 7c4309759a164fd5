"""The classic problem, checked: `TicTacToe` in pure Python.

Its accelerator, `_tictactoe.pyx`, behaves the same and takes its place where it was built.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from noughts.arguments import SUM_LIMIT, board_side, move_arguments, no_room, sum_overflow
from noughts.errors import CellTaken, GameOver
from noughts.referee.signed import SignedSums


class TicTacToe:
    """The referee of an n×n board: each move is judged at once, by the signed sums of its lines.

    The caller says who plays: turns are not enforced, and either player may begin.
    `checked=True` refuses a move on a taken cell or after the end. `checked=False` trusts the
    caller there, as the classic problem does, and needs memory for the sums alone. Both refuse a
    cell off the board, an unknown player and a wrong type.

    Cost: O(1) a move. Memory: O(n), and when checked also one entry for each move made.

    Args:
        n: the side of the board, at least 1; no upper limit but memory.
        checked: whether taken cells and the end of the game are noticed.

    Raises:
        InvalidRules: n is less than 1.
        MemoryError: the board does not fit in memory; from n = 2**31 on none does.
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
            UnknownPlayer, OffBoard: always. GameOver, CellTaken: when checked.
            OverflowError: when unchecked, a sum would pass ±(2**31 - 1).
            TypeError: an argument is not an integer. Whatever is raised, nothing has changed.
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

    def _has_reached(self, limit: int, row: int, col: int) -> bool:
        """Whether a line through the cell has this sum."""
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
        """The referee in a given state; what `repr`, copies and pickles are made of."""
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
        """Whether both are in the same state; a checked and an unchecked one never are."""
        return self._state() == other._state() if isinstance(other, TicTacToe) else NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # it changes with every move

    def __repr__(self) -> str:
        checked = self._taken is not None
        if self == TicTacToe(self.n, checked=checked):
            return f"TicTacToe({self.n}{'' if checked else ', checked=False'})"
        return f"TicTacToe._restore{self._state()!r}"

    def _repr_svg_(self) -> str | None:
        """The sums around their board as SVG, for notebooks; None if it is too large for that."""
        from noughts.picture import sums_svg  # slow to import, and few referees are shown

        return sums_svg(*self._state())
