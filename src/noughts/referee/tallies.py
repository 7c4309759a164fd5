"""Per-player tallies: count each player's marks on every line."""


class PlayerTallies:
    """A referee for which a line is complete when one player's tally of it reaches n.

    Cost: O(1) per move; 2n + 2 numbers per player. It is the right choice if moves are undone, if
    there are more than two players, or to find out who can *still* win: a line is live for a player
    while all other players' tallies of it are 0.
    Like the classic problem, it trusts its caller that cells are on the board and empty.

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
