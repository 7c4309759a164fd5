"""What the mistakes are made in: two right classes, taken apart so that one part can be wrong."""

from typing import Any


class Sums:
    """Signed sums: +1 for player 1, -1 for player 2; a line is complete at n or -n."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows: list[int] = [0] * n
        self.cols: list[int] = [0] * n
        self.diagonal: int = 0
        self.anti_diagonal: int = 0

    def on_diagonal(self, row: int, col: int) -> bool:
        """Whether the cell is on the diagonal."""
        return row == col

    def on_anti_diagonal(self, row: int, col: int) -> bool:
        """Whether the cell is on the anti-diagonal."""
        return row + col == self.n - 1

    def sign(self, player: int) -> int:
        """What a mark adds."""
        return 1 if player == 1 else -1

    def complete(self, total: int, player: int) -> bool:
        """Whether this is the sum of a complete line."""
        return abs(total) == self.n

    def answer(self, won: bool, player: int) -> Any:
        """The answer to a move."""
        return player if won else 0

    def move(self, row: int, col: int, player: int) -> Any:
        """Add the mark, and say who has won."""
        sign = self.sign(player)
        self.rows[row] += sign
        self.cols[col] += sign
        totals = [self.rows[row], self.cols[col]]
        if self.on_diagonal(row, col):
            self.diagonal += sign
            totals.append(self.diagonal)
        if self.on_anti_diagonal(row, col):
            self.anti_diagonal += sign
            totals.append(self.anti_diagonal)
        return self.answer(any(self.complete(total, player) for total in totals), player)


class Board:
    """The whole board, looked at after each move."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.board: list[list[int]] = self.empty(n)

    def empty(self, n: int) -> list[list[int]]:
        """The board at first."""
        return [[0] * n for _ in range(n)]

    def lines(self, row: int, col: int) -> list[list[int]]:
        """The marks of each line that a move may complete."""
        n, board = self.n, self.board
        lines = [board[row], [board[at][col] for at in range(n)]]
        if row == col:
            lines.append([board[at][at] for at in range(n)])
        if row + col == n - 1:
            lines.append([board[at][n - 1 - at] for at in range(n)])
        return lines

    def complete(self, line: list[int], player: int) -> bool:
        """Whether a line is complete."""
        return all(mark == player for mark in line)

    def move(self, row: int, col: int, player: int) -> Any:
        """Set the mark, and say who has won."""
        self.board[row][col] = player
        won = any(self.complete(line, player) for line in self.lines(row, col))
        return player if won else 0
