"""Mistakes in which cells make a line."""

from noughts.checker.catalogue.right import Board as _Board
from noughts.checker.catalogue.right import Sums as _Sums


class AntiDiagonalOffByOne(_Sums):
    """Uses row + col == n for the anti-diagonal (should be n - 1), or never checks it.

    Rows and columns are counted from 0, so the last one is n - 1, and so is their sum there.
    """

    def on_anti_diagonal(self, row: int, col: int) -> bool:
        return row + col == self.n


class AntiDiagonalPastTheEdge(_Board):
    """Reads board[i][n - i] along the anti-diagonal, past the edge (n - 1 - i is right).

    The first of these cells, with i = 0, is in column n, and the last column is n - 1.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, board = self.n, self.board
        lines = [
            board[row],
            [board[at][col] for at in range(n)],
            [board[at][at] for at in range(n)],
        ]
        return [*lines, [board[at][n - at] for at in range(n)]]  # wrong


class AntiDiagonalFromTheSecondCell(_Board):
    """Leaves out the first cell of the anti-diagonal, the one in the last column.

    range(1, n) counts as people do, and the first cell is 0: row 0, column n - 1.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, board = self.n, self.board
        anti_diagonal = [board[at][n - 1 - at] for at in range(1, n)]
        return [*super().lines(row, col)[: 2 + (row == col)], anti_diagonal]


class AntiDiagonalBesideItself(_Board):
    """Reads board[i][n - i] for i from 1 to n - 1, the cells beside the anti-diagonal.

    range(1, n) keeps n - i on the board; but the sum of row and column is n - 1, from row 0 on.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, board = self.n, self.board
        beside = [board[at][n - at] for at in range(1, n)]
        return [*super().lines(row, col)[: 2 + (row == col)], beside]


class NoDiagonal(_Sums):
    """Does not look at the diagonal from the top left.

    Its cells have row == col; the test for the other diagonal does not meet them.
    """

    def on_diagonal(self, row: int, col: int) -> bool:
        return False


class NoDiagonals(_Sums):
    """Does not look at the diagonals.

    Rows and columns are counted by their index, and the diagonals have none.
    """

    def on_diagonal(self, row: int, col: int) -> bool:
        return False

    def on_anti_diagonal(self, row: int, col: int) -> bool:
        return False


class NoRows(_Board):
    """Does not look at rows.

    Where rows and columns are written alike, one is copied and both then read columns.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        return super().lines(row, col)[1:]


class NoColumns(_Board):
    """Does not look at columns.

    Where rows and columns are written alike, one is copied and both then read rows.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        row_line, _, *diagonals = super().lines(row, col)  # wrong
        return [row_line, *diagonals]


class ElifAtTheCentre(_Sums):
    """Counts a cell for one diagonal only, by elif, though the centre is on both.

    A cell is on neither, on one, or at the centre of a board of odd size on both diagonals.
    """

    def on_anti_diagonal(self, row: int, col: int) -> bool:
        return row + col == self.n - 1 and row != col


class ElifOnTheAntiDiagonalFirst(_Sums):
    """Counts a cell for the anti-diagonal, and only by elif for the diagonal, at the centre too.

    A cell is on neither, on one, or at the centre of a board of odd size on both diagonals.
    """

    def on_diagonal(self, row: int, col: int) -> bool:
        return row == col and row + col != self.n - 1


class DiagonalOfAnyCell(_Sums):
    """Counts every cell for a diagonal, so that any n marks of a player win.

    What adds to the diagonal stands beside row and column, which need no test; row == col is one.
    Or the counts of all rows are one object, by [[0, 0]] * n or by Array(n).fill([0, 0]).
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.diagonals = [0, 0]

    def move(self, row: int, col: int, player: int) -> int:
        won: int = super().move(row, col, player)
        self.diagonals[player - 1] += 1  # wrong
        return player if self.diagonals[player - 1] == self.n else won


class DiagonalsInOneSum(_Sums):
    """Counts both diagonals in one sum.

    One variable is named for the diagonals, and there are two of them.
    """

    def move(self, row: int, col: int, player: int) -> int:
        sign = 1 if player == 1 else -1
        self.rows[row] += sign
        self.cols[col] += sign
        if row == col:
            self.diagonal += sign
        if row + col == self.n - 1:
            self.diagonal += sign  # wrong
        complete = sign * self.n
        return player if complete in (self.rows[row], self.cols[col], self.diagonal) else 0


class RowsAndColumnsInOneList(_Sums):
    """Counts row i and column i in one place.

    One list of n numbers is made for the lines, indexed by row and by column alike.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.cols = self.rows  # wrong


class BrokenDiagonals(_Board):
    """Follows the diagonals through the cell off the board, where negative indexes wrap round.

    board[row - i][col - i] is no error in Python when an index is below zero: it counts from the
    end.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, board = self.n, self.board
        return [
            board[row],
            [board[at][col] for at in range(n)],
            [board[row - at][col - at] for at in range(n)],  # wrong
            [board[row - at][(col + at) % n] for at in range(n)],  # wrong
        ]


class FlatBoardWraps(_Board):
    """Looks for n marks in a row on a flat board, where the end of a row is next to the next row.

    In a list of n * n cells nothing is between the last cell of a row and the first of the next.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, flat = self.n, [mark for line in self.board for mark in line]
        at = row * n + col
        runs = [flat[i : i + n] for i in range(max(0, at - n + 1), min(at, n * n - n) + 1)]  # wrong
        return [*runs, *super().lines(row, col)[1:]]


class OneCellTooFew(_Board):
    """Looks at the first n - 1 cells of a line only.

    range(n - 1) ends at n - 2: the end of a range is left out already.
    """

    def complete(self, line: list[int], player: int) -> bool:
        return all(mark == player for mark in line[:-1])


class FirstCellLeftOut(_Board):
    """Looks at the cells of a line from the second on.

    range(1, n) counts as people do, and the first cell is 0.
    """

    def complete(self, line: list[int], player: int) -> bool:
        return all(mark == player for mark in line[1:])


class AndForOr(_Sums):
    """Wants the row and the column complete at once.

    The tests of several lines are joined by and, where one complete line is enough.
    """

    def move(self, row: int, col: int, player: int) -> int:
        sign = 1 if player == 1 else -1
        self.rows[row] += sign
        self.cols[col] += sign
        complete = sign * self.n
        won = self.rows[row] == complete and self.cols[col] == complete  # wrong
        if row == col:
            self.diagonal += sign
            won = won or self.diagonal == complete
        if row + col == self.n - 1:
            self.anti_diagonal += sign
            won = won or self.anti_diagonal == complete
        return player if won else 0


class FirstRowOnly(_Board):
    """Leaves the loop over rows and columns at its first turn.

    An else with return 0 inside the loop answers before the other rows and columns are seen.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, board = self.n, self.board
        return [board[0], [board[at][0] for at in range(n)], *super().lines(row, col)[2:]]  # wrong


class EmptyLineWins(_Board):
    """Takes a line whose cells are all empty for complete, and so answers 0 too early.

    Cells are compared with each other and not with the player's mark: empty cells are equal too.
    """

    def move(self, row: int, col: int, player: int) -> int:
        n, board = self.n, self.board
        board[row][col] = player
        lines = [*board, *([line[at] for line in board] for at in range(n))]
        lines.append([board[at][at] for at in range(n)])
        lines.append([board[at][n - 1 - at] for at in range(n)])
        for line in lines:
            if len(set(line)) == 1:  # wrong
                return line[0]
        return 0
