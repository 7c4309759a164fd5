"""Mistakes in how long a line is and how large the board, and in the keys of its cells."""

from noughts.checker.catalogue.right import Board as _Board
from noughts.checker.catalogue.right import Sums as _Sums


class ThreeForN(_Sums):
    """Takes three marks on a line for a win on every board (n are right).

    Tic-tac-toe is known on 3×3, and the examples are too; the 3 in the code should be n.
    """

    def complete(self, total: int, player: int) -> bool:
        return abs(total) == 3


class ThreeInARow(_Board):
    """Takes three marks next to each other for a win on every board (a whole line is right).

    Tic-tac-toe is known on 3×3, and the examples are too; the 3 in the code should be n.
    """

    def move(self, row: int, col: int, player: int) -> int:
        n, board = self.n, self.board
        board[row][col] = player
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 0
            for at in range(-2, 3):
                i, j = row + at * down, col + at * right
                run = run + 1 if 0 <= i < n and 0 <= j < n and board[i][j] == player else 0
                if run == 3:  # wrong
                    return player
        return 0


class BoardOfThree(_Board):
    """Makes a board of 3×3 whatever n is.

    The problem is known on 3×3; the size is given to the constructor, and is not used.
    """

    def __init__(self, n: int) -> None:
        super().__init__(3)


class OneShort(_Sums):
    """Takes n - 1 marks for a complete line.

    Indexes end at n - 1, and so the count is thought to; but n marks fill a line.
    """

    def complete(self, total: int, player: int) -> bool:
        return abs(total) >= self.n - 1


class SkipsEarlyMoves(_Sums):
    """Looks for no winner before move 2n, though the player who begins may win with move 2n - 1.

    It saves time not to look while nobody can have a line; the count is one off.
    """

    moves = 0

    def answer(self, won: bool, player: int) -> int:
        self.moves += 1
        return player if won and self.moves >= 2 * self.n else 0  # wrong


class DigitsAsKey(_Board):
    """Keeps cells under keys like "110", which from 12×12 on stand for both (1, 10) and (11, 0).

    f"{row}{col}" puts the digits together with nothing between them.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.cells: dict[str, int] = {}

    def move(self, row: int, col: int, player: int) -> int:
        n, cells = self.n, self.cells
        cells[f"{row}{col}"] = player  # wrong
        lines = [[f"{row}{at}" for at in range(n)], [f"{at}{col}" for at in range(n)]]
        if row == col:
            lines.append([f"{at}{at}" for at in range(n)])
        if row + col == n - 1:
            lines.append([f"{at}{n - 1 - at}" for at in range(n)])
        return player if any(all(cells.get(key) == player for key in line) for line in lines) else 0


class TenTimesTheRow(_Board):
    """Keeps cells under row * 10 + col, which from 11×11 on stands for two cells.

    A row has n cells, so row * n + col numbers them; 10 is enough on small boards only.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.cells: dict[int, int] = {}

    def move(self, row: int, col: int, player: int) -> int:
        n, cells = self.n, self.cells
        cells[row * 10 + col] = player  # wrong
        lines = [[row * 10 + at for at in range(n)], [at * 10 + col for at in range(n)]]
        if row == col:
            lines.append([at * 10 + at for at in range(n)])
        if row + col == n - 1:
            lines.append([at * 10 + n - 1 - at for at in range(n)])
        return player if any(all(cells.get(key) == player for key in line) for line in lines) else 0
