"""Two right classes whose parts the known mistakes override."""

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
        """Return whether the cell is on the diagonal."""
        return row == col

    def on_anti_diagonal(self, row: int, col: int) -> bool:
        """Return whether the cell is on the anti-diagonal."""
        return row + col == self.n - 1

    def sign(self, player: int) -> int:
        """Return the value of a player's mark."""
        return 1 if player == 1 else -1

    def complete(self, total: int, player: int) -> bool:
        """Return whether a complete line has this sum."""
        return abs(total) == self.n

    def answer(self, won: bool, player: int) -> Any:
        """Return the answer to a move."""
        return player if won else 0

    def move(self, row: int, col: int, player: int) -> Any:
        """Add the mark and return the winner or 0."""
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
    """The whole board, checked after each move."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.board: list[list[int]] = self.empty(n)

    def empty(self, n: int) -> list[list[int]]:
        """Return an empty board."""
        return [[0] * n for _ in range(n)]

    def lines(self, row: int, col: int) -> list[list[int]]:
        """Return the marks of each line that the move may complete."""
        n, board = self.n, self.board
        lines = [board[row], [board[at][col] for at in range(n)]]
        if row == col:
            lines.append([board[at][at] for at in range(n)])
        if row + col == n - 1:
            lines.append([board[at][n - 1 - at] for at in range(n)])
        return lines

    def complete(self, line: list[int], player: int) -> bool:
        """Return whether a line is complete."""
        return all(mark == player for mark in line)

    def move(self, row: int, col: int, player: int) -> Any:
        """Place the mark and return the winner or 0."""
        self.board[row][col] = player
        won = any(self.complete(line, player) for line in self.lines(row, col))
        return player if won else 0
