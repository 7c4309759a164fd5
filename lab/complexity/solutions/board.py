class TicTacToe:
    def __init__(self, n: int) -> None:
        self.n, self.board = n, [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        n, board = self.n, self.board
        board[row][col] = player
        won, falling, rising = False, 0, 0
        for i in range(n):
            across = down = 0
            for j in range(n):
                across += board[i][j] == player
                down += board[j][i] == player
            falling += board[i][i] == player
            rising += board[i][n - 1 - i] == player
            won |= n in (across, down)
        won |= n in (falling, rising)
        return player if won else 0
