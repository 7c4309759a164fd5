class TicTacToe:
    def __init__(self, n: int):
        self.n = n
        self.rows = [0] * n
        self.cols = [0] * n
        self.diagonal = 0
        self.anti_diagonal = 0

    def move(self, row: int, col: int, player: int) -> int:
        mark = 1 if player == 1 else -1
        self.rows[row] += mark
        self.cols[col] += mark
        if row == col:
            self.diagonal += mark
        if row + col == self.n - 1:
            self.anti_diagonal += mark
        lines = (self.rows[row], self.cols[col], self.diagonal, self.anti_diagonal)
        return player if self.n in map(abs, lines) else 0
