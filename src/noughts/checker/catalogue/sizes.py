"""Mistakes in the length of lines, the size of the board and the keys of cells."""

from noughts.checker.catalogue.right import Board as _Board
from noughts.checker.catalogue.right import Sums as _Sums


class ThreeForN(_Sums):
    """Treats three marks on a line as a win on every board (should be n).

    The examples use the familiar 3×3 board, but the 3 in the code should be n.
    """

    def complete(self, total: int, player: int) -> bool:
        return abs(total) == 3


class ThreeInARow(_Board):
    """Treats three adjacent marks as a win on every board (should be a whole line).

    The examples use the familiar 3×3 board, but the 3 in the code should be n.
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
    """Creates a 3×3 board whatever n is.

    The examples use the familiar 3×3 board, and the constructor ignores its argument.
    """

    def __init__(self, n: int) -> None:
        super().__init__(3)


class OneShort(_Sums):
    """Treats n - 1 marks as a complete line.

    Indices end at n - 1, but a line has n cells.
    """

    def complete(self, total: int, player: int) -> bool:
        return abs(total) >= self.n - 1


class SkipsEarlyMoves(_Sums):
    """Does not check for a winner before move 2n, though the first player can win on move 2n - 1.

    Skipping the check while no line can be complete saves time, but the count is off by one.
    """

    moves = 0

    def answer(self, won: bool, player: int) -> int:
        self.moves += 1
        return player if won and self.moves >= 2 * self.n else 0  # wrong


class DigitsAsKey(_Board):
    """Stores cells under keys like "110", which on large boards stand for both (1, 10) and (11, 0).

    f"{row}{col}" joins the digits without a separator.
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
    """Stores cells under row * 10 + col, which repeats on boards of 11×11 or more.

    A row has n cells, so the number of a cell is row * n + col; 10 is enough only for small boards.
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
