"""Mistakes in the cells of lines."""

from noughts.checker.catalogue.right import Board as _Board
from noughts.checker.catalogue.right import Sums as _Sums


class AntiDiagonalOffByOne(_Sums):
    """Uses row + col == n for the anti-diagonal (should be n - 1), or never checks it.

    Rows and columns are numbered from 0, so on the anti-diagonal they add up to n - 1.
    """

    def on_anti_diagonal(self, row: int, col: int) -> bool:
        return row + col == self.n


class AntiDiagonalPastTheEdge(_Board):
    """Reads board[i][n - i] for the anti-diagonal, past the edge (should be n - 1 - i).

    For i = 0, this is column n, but the last column is n - 1.
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
    """Skips the first cell of the anti-diagonal, the one in the last column.

    range(1, n) starts at the second cell: the first one is row 0, column n - 1.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, board = self.n, self.board
        anti_diagonal = [board[at][n - 1 - at] for at in range(1, n)]
        return [*super().lines(row, col)[: 2 + (row == col)], anti_diagonal]


class AntiDiagonalBesideItself(_Board):
    """Reads board[i][n - i] for i from 1 to n - 1, the cells next to the anti-diagonal.

    range(1, n) stays on the board, but row and column should add up to n - 1, starting at row 0.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, board = self.n, self.board
        beside = [board[at][n - at] for at in range(1, n)]
        return [*super().lines(row, col)[: 2 + (row == col)], beside]


class NoDiagonal(_Sums):
    """Never checks the diagonal from the top left.

    Its cells have row == col, which the test for the other diagonal does not cover.
    """

    def on_diagonal(self, row: int, col: int) -> bool:
        return False


class NoDiagonals(_Sums):
    """Never checks the diagonals.

    Rows and columns are counted by index, but a diagonal has no index.
    """

    def on_diagonal(self, row: int, col: int) -> bool:
        return False

    def on_anti_diagonal(self, row: int, col: int) -> bool:
        return False


class NoRows(_Board):
    """Never checks rows.

    The code for columns was copied for rows and never changed, so both check columns.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        return super().lines(row, col)[1:]


class NoColumns(_Board):
    """Never checks columns.

    The code for rows was copied for columns and never changed, so both check rows.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        row_line, _, *diagonals = super().lines(row, col)  # wrong
        return [row_line, *diagonals]


class ElifAtTheCentre(_Sums):
    """Counts the centre towards only one diagonal, because of an elif, though it is on both.

    Most cells are on at most one diagonal, but on boards of odd size the centre is on both.
    """

    def move(self, row: int, col: int, player: int) -> int:
        sign = 1 if player == 1 else -1
        self.rows[row] += sign
        self.cols[col] += sign
        if row == col:
            self.diagonal += sign
        elif row + col == self.n - 1:  # wrong
            self.anti_diagonal += sign
        totals = self.rows[row], self.cols[col], self.diagonal, self.anti_diagonal
        return player if sign * self.n in totals else 0


class ElifOnTheAntiDiagonalFirst(_Sums):
    """Counts the centre towards only the anti-diagonal, because of an elif, though it is on both.

    Most cells are on at most one diagonal, but on boards of odd size the centre is on both.
    """

    def move(self, row: int, col: int, player: int) -> int:
        sign = 1 if player == 1 else -1
        self.rows[row] += sign
        self.cols[col] += sign
        if row + col == self.n - 1:
            self.anti_diagonal += sign
        elif row == col:  # wrong
            self.diagonal += sign
        totals = self.rows[row], self.cols[col], self.diagonal, self.anti_diagonal
        return player if sign * self.n in totals else 0


class DiagonalOfAnyCell(_Sums):
    """Counts every mark towards a diagonal, so that any n marks of a player win.

    Rows and columns need no test, but a diagonal does: row == col. Another cause: all rows share
    one counter, created by [[0, 0]] * n or Array(n).fill([0, 0]).
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

    There is one variable for the diagonals, but there are two diagonals.
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
    """Counts row i and column i in the same place.

    One list of n numbers is used for all lines, indexed by row and by column alike.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.cols = self.rows  # wrong


class MarksTransposed(_Board):
    """Places the mark at board[col][row], but looks for lines through board[row][col].

    Either order works if you use it everywhere; here the two are mixed.
    """

    def move(self, row: int, col: int, player: int) -> int:
        self.board[col][row] = player  # wrong
        won = any(self.complete(line, player) for line in self.lines(row, col))
        return player if won else 0


class ColumnReadByRow(_Sums):
    """Adds the mark to cols[col], but compares cols[row].

    The code for rows was copied, and the index was changed in only one of its two places.
    """

    def move(self, row: int, col: int, player: int) -> int:
        super().move(row, col, player)
        totals = [self.rows[row], self.cols[row], self.diagonal, self.anti_diagonal]  # wrong
        return player if self.sign(player) * self.n in totals else 0


class BrokenDiagonals(_Board):
    """Follows the cell's diagonals past the edge, where negative indices wrap around.

    In Python, board[row - i][col - i] with a negative index counts from the end, without an error.
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
    """Looks for n marks in a row in a flat list, where each row runs on into the next.

    In a list of n * n cells, nothing separates the last cell of a row from the first of the next.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, flat = self.n, [mark for line in self.board for mark in line]
        at = row * n + col
        runs = [flat[i : i + n] for i in range(max(0, at - n + 1), min(at, n * n - n) + 1)]  # wrong
        return [*runs, *super().lines(row, col)[1:]]


class OneCellTooFew(_Board):
    """Checks only the first n - 1 cells of a line.

    range(n - 1) ends at n - 2: a range already excludes its end.
    """

    def complete(self, line: list[int], player: int) -> bool:
        return all(mark == player for mark in line[:-1])


class FirstCellLeftOut(_Board):
    """Skips the first cell of a line.

    range(1, n) starts at the second cell: the first one has index 0.
    """

    def complete(self, line: list[int], player: int) -> bool:
        return all(mark == player for mark in line[1:])


class AndForOr(_Sums):
    """Requires the row and the column to be complete at the same time.

    The line tests are joined with "and", but one complete line is enough.
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
    """Leaves the loop over rows and columns in its first iteration.

    An else with return 0 inside the loop returns before the other rows and columns are checked.
    """

    def lines(self, row: int, col: int) -> list[list[int]]:
        n, board = self.n, self.board
        return [board[0], [board[at][0] for at in range(n)], *super().lines(row, col)[2:]]  # wrong


class EmptyLineWins(_Board):
    """Treats an empty line as complete, and therefore returns 0 too early.

    Cells are compared with each other, not with the player's mark; empty cells are equal too.
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
