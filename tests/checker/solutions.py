"""Games, answers and a right solution, shared by tests."""

from noughts.checker.games import judged
from noughts.checker.solution import Game


def game(*moves: tuple[int, int, int], n: int = 3) -> Game:
    return judged(n, moves)


WON = game((0, 0, 1), (1, 1, 2), (0, 1, 1), (2, 2, 2), (0, 2, 1))
ANSWERS = WON.right
TOGETHER = [game((0, 0, 1), (1, 1, 2)), game((0, 0, 2), n=1)]
WHOLE = [Game(3, WON.moves, ("'A'",)), Game(3, (), ("'Pending'",))]
RIGHT = """\
class TicTacToe:
    def __init__(self, n: int):
        self.n, self.rows, self.cols, self.diagonals = n, [0] * n, [0] * n, [0, 0]

    def move(self, row: int, col: int, player: int) -> int:
        value = 1 if player == 1 else -1
        self.rows[row] += value
        self.cols[col] += value
        self.diagonals[0] += value * (row == col)
        self.diagonals[1] += value * (row + col == self.n - 1)
        lines = (self.rows[row], self.cols[col], *self.diagonals)
        return player if self.n * value in lines else 0
"""
