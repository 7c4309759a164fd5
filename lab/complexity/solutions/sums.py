class TicTacToe:
    def __init__(self, n: int) -> None:
        self.n, self.rows, self.cols, self.falling, self.rising = n, [0] * n, [0] * n, 0, 0

    def move(self, row: int, col: int, player: int) -> int:
        mark = 3 - 2 * player
        self.rows[row] += mark
        self.cols[col] += mark
        self.falling += mark if row == col else 0
        self.rising += mark if row + col == self.n - 1 else 0
        won = mark * self.n in (self.rows[row], self.cols[col], self.falling, self.rising)
        return player if won else 0
