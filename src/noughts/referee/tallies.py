"""Per-player tallies: count each player's marks on every line."""


class PlayerTallies:
    """Who won? A line is complete when one player's tally of it reaches n.

    Cost: O(1) a move; 2n + 2 numbers a player. The right choice when moves are taken back, when
    more than two people play, or to know who can *still* win: a line is live for a player while
    the tallies of all others are 0 there.
    Like the classic problem it trusts its caller: cells are on the board and empty.

    >>> referee = PlayerTallies(2)
    >>> referee.move(0, 0, 1), referee.move(0, 1, 2), referee.move(1, 1, 1)
    (0, 0, 1)
    >>> referee.rows
    [[1, 1], [1, 0]]
    """

    def __init__(self, n: int, players: int = 2) -> None:
        self.n = n
        self.rows: list[list[int]] = [[0] * n for _ in range(players)]
        self.cols: list[list[int]] = [[0] * n for _ in range(players)]
        self.diagonal: list[int] = [0] * players
        self.anti_diagonal: list[int] = [0] * players

    def move(self, row: int, col: int, player: int) -> int:
        """Count the mark; return `player` if that wins, else 0."""
        n, mine = self.n, player - 1
        self.rows[mine][row] += 1
        self.cols[mine][col] += 1
        won = self.rows[mine][row] == n or self.cols[mine][col] == n
        if row == col:
            self.diagonal[mine] += 1
            won = won or self.diagonal[mine] == n
        if row + col == n - 1:
            self.anti_diagonal[mine] += 1
            won = won or self.anti_diagonal[mine] == n
        return player if won else 0
