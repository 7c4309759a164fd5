"""The board scan: store the board, and check the lines through each move's cell."""


class BoardScan:
    """A referee that checks every cell of the up to four lines through each move.

    Cost: O(n) per move, O(n²) memory. It is the right choice to explain the rules, to test the
    other referees, and if a small board is stored anyway.
    Like the classic problem, it trusts its caller that cells are on the board and empty.

    >>> referee = BoardScan(2)
    >>> referee.move(0, 0, 1), referee.move(0, 1, 2), referee.move(1, 1, 1)
    (0, 0, 1)
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.board: list[list[int]] = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        """Mark the cell; return `player` if that wins, else 0."""
        self.board[row][col] = player
        won = any(all(mark == player for mark in line) for line in self.lines(row, col))
        return player if won else 0

    def lines(self, row: int, col: int) -> list[list[int]]:
        """Return the marks on each line through the cell: row, column, diagonal, anti-diagonal."""
        board, n = self.board, self.n
        lines = [[board[row][i] for i in range(n)], [board[i][col] for i in range(n)]]
        if row == col:
            lines.append([board[i][i] for i in range(n)])
        if row + col == n - 1:
            lines.append([board[i][n - 1 - i] for i in range(n)])
        return lines
