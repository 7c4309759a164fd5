"""Mistakes that share state between objects or lists."""

from typing import Any, ClassVar

from noughts.checker.catalogue.right import Board as _Board
from noughts.checker.catalogue.right import Sums as _Sums


class RowsAreOneList(_Board):
    """Treats every move as a win: rows are one list, [[0] * n] * n, or any() is used for all().

    The outer * copies the reference, not the list, so a mark in one row appears in every row.
    Array(n).fill([]) does the same in JavaScript.
    """

    def empty(self, n: int) -> list[list[int]]:
        return [[0] * n] * n


class ClassAttributes:
    """Keeps its sums in class attributes, which all objects share.

    The class body runs once; what belongs to one object must be set in __init__.
    """

    rows: ClassVar[dict[int, int]] = {}  # wrong
    cols: ClassVar[dict[int, int]] = {}  # wrong
    diagonals: ClassVar[list[int]] = [0, 0]  # wrong

    def __init__(self, n: int) -> None:
        self.n = n

    def move(self, row: int, col: int, player: int) -> int:
        sign = 1 if player == 1 else -1
        self.rows[row] = self.rows.get(row, 0) + sign
        self.cols[col] = self.cols.get(col, 0) + sign
        totals = [self.rows[row], self.cols[col]]
        if row == col:
            self.diagonals[0] += sign
            totals.append(self.diagonals[0])
        if row + col == self.n - 1:
            self.diagonals[1] += sign
            totals.append(self.diagonals[1])
        return player if any(abs(total) == self.n for total in totals) else 0


class ClassBoard:
    """Keeps its marks in a class attribute, which all objects share.

    The class body runs once; what belongs to one object must be set in __init__.
    """

    marks: ClassVar[dict[tuple[int, int], int]] = {}  # wrong

    def __init__(self, n: int) -> None:
        self.n = n

    def move(self, row: int, col: int, player: int) -> int:
        n = self.n
        self.marks[row, col] = player
        lines = [[(row, at) for at in range(n)], [(at, col) for at in range(n)]]
        if row == col:
            lines.append([(at, at) for at in range(n)])
        if row + col == n - 1:
            lines.append([(at, n - 1 - at) for at in range(n)])
        won = any(all(self.marks.get(cell) == player for cell in line) for line in lines)
        return player if won else 0


class DefaultArgument(_Sums):
    """Keeps the diagonals in a default argument, which all objects share.

    A default value is created once, with the function, and changes to it persist.
    """

    def __init__(self, n: int, diagonals: list[int] = [0, 0]) -> None:  # noqa: B006 (wrong)
        super().__init__(n)
        self.diagonals = diagonals

    def move(self, row: int, col: int, player: int) -> int:
        sign = 1 if player == 1 else -1
        self.rows[row] += sign
        self.cols[col] += sign
        self.diagonals[0] += sign * (row == col)
        self.diagonals[1] += sign * (row + col == self.n - 1)
        totals = [self.rows[row], self.cols[col], *self.diagonals]
        return player if any(total == sign * self.n for total in totals) else 0


class OneBoardInAGlobal:
    """Keeps the board in a global, so that a new object replaces the board of the previous one.

    Two games may run at the same time, so each object needs its own board.
    """

    def __init__(self, n: int) -> None:
        global _board  # wrong
        self.n = n
        _board = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        n = self.n
        _board[row][col] = player
        lines = [_board[row], [_board[at][col] for at in range(n)]]
        if row == col:
            lines.append([_board[at][at] for at in range(n)])
        if row + col == n - 1:
            lines.append([_board[at][n - 1 - at] for at in range(n)])
        return player if any(all(mark == player for mark in line) for line in lines) else 0


_board: Any = []


class WinnerOfAnEarlierGame(_Sums):
    """Returns the winner of an earlier game again.

    The winner is kept in a class attribute and never reset, so every later object sees it.
    """

    winner: ClassVar[int] = 0  # wrong

    def answer(self, won: bool, player: int) -> int:
        if won and not self.winner:
            WinnerOfAnEarlierGame.winner = player
        return self.winner
