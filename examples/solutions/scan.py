class TicTacToe:
    def __init__(self, n: int):
        self.n = n
        self.board = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        self.board[row][col] = player
        cells = range(self.n)
        lines = [
            [self.board[row][i] for i in cells],
            [self.board[i][col] for i in cells],
            [self.board[i][i] for i in cells],
            [self.board[i][self.n - 1 - i] for i in cells],
        ]
        return player if any(all(mark == player for mark in line) for line in lines) else 0
