class TicTacToe:
    def __init__(self, n: int) -> None:
        self.n, self.board = n, [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        n, board = self.n, self.board
        board[row][col] = player
        across = down = falling = rising = True
        for i in range(n):
            across &= board[row][i] == player
            down &= board[i][col] == player
            falling &= board[i][i] == player
            rising &= board[i][n - 1 - i] == player
        won = across or down or falling or rising
        return player if won else 0
