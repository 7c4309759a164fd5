/** The commented solution in Python, shown after a check. */

export const SOLUTION = `class TicTacToe:
    def __init__(self, n: int):
        self.n = n
        self.rows = [0] * n  # one sum per line: 2n + 2 numbers,
        self.cols = [0] * n  # not n * n cells
        self.diagonal = 0
        self.anti_diagonal = 0

    def move(self, row: int, col: int, player: int) -> int:
        mark = 1 if player == 1 else -1  # the players pull in opposite directions
        self.rows[row] += mark  # a move changes only the lines through its cell
        self.cols[col] += mark
        if row == col:
            self.diagonal += mark
        if row + col == self.n - 1:  # numbered from 0
            self.anti_diagonal += mark
        lines = (self.rows[row], self.cols[col], self.diagonal, self.anti_diagonal)
        return player if self.n in map(abs, lines) else 0  # n equal marks: +n or -n
`;
