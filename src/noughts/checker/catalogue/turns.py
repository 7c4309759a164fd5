"""Mistakes in the owner of a mark or the turn."""

from typing import Any

from noughts.checker.catalogue.right import Sums as _Sums


class PlayersAsText(_Sums):
    """Compares players with text such as "X", though players are the numbers 1 and 2.

    A number never equals a string, so all marks count as one player's.
    """

    def sign(self, player: Any) -> int:
        return 1 if player == "X" else -1


class PlayersLookedUpAsText(_Sums):
    """Looks up players by text such as "X" in a dictionary, though they are the numbers 1 and 2.

    The keys of a dictionary must equal what is looked up, and a number never equals a string.
    """

    def sign(self, player: Any) -> int:
        return {"X": 1, "O": -1}[player]


class MarksOfBothCounted(_Sums):
    """Counts the marks of both players together, so that a line they share wins.

    Sums need +1 for one player and -1 for the other; here every mark adds 1.
    """

    def sign(self, player: int) -> int:
        return 1


class OnlyPlayerOneWins(_Sums):
    """Compares the sum only with n, so that player 2, who counts down to -n, never wins.

    It should be abs(sum) == n, or one test per player.
    """

    def complete(self, total: int, player: int) -> bool:
        return total == self.n


class OnlyPlayerOneWinsOnDiagonals(_Sums):
    """Compares the diagonals only with n, though player 2 counts down to -n and cannot win on them.

    The sums of rows and columns are tested with abs(sum) == n; those of diagonals should be, too.
    """

    def move(self, row: int, col: int, player: int) -> int:
        super().move(row, col, player)
        straight = self.n in (abs(self.rows[row]), abs(self.cols[col]))
        return player if straight or self.n in (self.diagonal, self.anti_diagonal) else 0  # wrong


class PlayerNumbersAdded(_Sums):
    """Adds up the players' numbers, 1 and 2, and treats a sum of n * player as a line.

    1 + 2 = 3: on 3×3, two marks of different players look like a line of player 1.
    """

    def sign(self, player: int) -> int:
        return player  # wrong

    def complete(self, total: int, player: int) -> bool:
        return total == player * self.n


class PlayerAsIndex(_Sums):
    """Uses the player's number as an index into a list of two, which has no entry for player 2.

    Players are numbered from 1, lists from 0: the index should be player - 1.
    """

    def move(self, row: int, col: int, player: int) -> int:
        [0, 0][player] += 1  # wrong
        return super().move(row, col, player)  # type: ignore[no-any-return]


class IgnoresThePlayer(_Sums):
    """Alternates players by itself, starting with player 1, whichever player is passed.

    Players do alternate, so it works as long as player 1 begins; but the player is an argument.
    """

    turn = 0

    def move(self, row: int, col: int, player: int) -> int:
        self.turn = 3 - self.turn if self.turn else 1  # wrong
        return super().move(row, col, self.turn)  # type: ignore[no-any-return]


class SumsOfPlayersShared(_Sums):
    """Uses one list of rows and columns for both players, created by [[0] * n] * 2.

    The outer * copies the reference, not the list: both entries are the same list.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.tallies = [[0] * (2 * n)] * 2  # wrong
        self.diagonals = [[0, 0], [0, 0]]

    def move(self, row: int, col: int, player: int) -> int:
        n, tally, diagonals = self.n, self.tallies[player - 1], self.diagonals[player - 1]
        tally[row] += 1
        tally[n + col] += 1
        diagonals[0] += row == col
        diagonals[1] += row + col == n - 1
        return player if n in (tally[row], tally[n + col], *diagonals) else 0


class MarksOfBothOnTheDiagonals(_Sums):
    """Counts the marks of both players together on the diagonals.

    Rows and columns have a sum for each player, but each diagonal has only one number.
    """

    def move(self, row: int, col: int, player: int) -> int:
        sign = 1 if player == 1 else -1
        self.rows[row] += sign
        self.cols[col] += sign
        self.diagonal += row == col  # wrong
        self.anti_diagonal += row + col == self.n - 1  # wrong
        totals = abs(self.rows[row]), abs(self.cols[col]), self.diagonal, self.anti_diagonal
        return player if self.n in totals else 0
