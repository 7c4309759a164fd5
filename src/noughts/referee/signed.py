"""Signed sums: one number per line, +1 for each mark of player 1 and -1 for each of player 2."""


class SignedSums:
    """A referee for which a line is complete when its sum reaches +n or -n.

    Cost: O(1) per move; 2n + 2 numbers in total. It is the cheapest way to find the winner, and the
    right choice if that is the only question and there are two players. It cannot distinguish an
    empty line from a balanced one, so it does not show which lines are still live.
    Like the classic problem, it trusts its caller that cells are on the board and empty.

    >>> referee = SignedSums(2)
    >>> referee.move(0, 0, 1), referee.move(0, 1, 2), referee.move(1, 1, 1)
    (0, 0, 1)
    >>> referee.rows, referee.cols, referee.diagonal, referee.anti_diagonal
    ([0, 1], [1, 0], 2, -1)
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows: list[int] = [0] * n
        self.cols: list[int] = [0] * n
        self.diagonal: int = 0
        self.anti_diagonal: int = 0

    def move(self, row: int, col: int, player: int) -> int:
        """Add the mark; return `player` if that wins, else 0."""
        sign = 1 if player == 1 else -1
        complete = sign * self.n
        self.rows[row] += sign
        self.cols[col] += sign
        won = self.rows[row] == complete or self.cols[col] == complete
        if row == col:
            self.diagonal += sign
            won = won or self.diagonal == complete
        if row + col == self.n - 1:
            self.anti_diagonal += sign
            won = won or self.anti_diagonal == complete
        return player if won else 0
