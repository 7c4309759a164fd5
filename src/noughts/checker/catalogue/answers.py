"""Mistakes in the answer."""

from typing import Any

from noughts.checker.catalogue.right import Sums as _Sums


class TrueForThePlayer(_Sums):
    """Returns True for a winning move, and 0 otherwise.

    In Python True == 1, so a first test passes; but the answer should be the winner's number.
    """

    def answer(self, won: bool, player: int) -> Any:
        return True if won else 0


class TrueAndFalse(_Sums):
    """Returns True or False instead of the winner's number or 0.

    It's easy to read it as "did this move win?", but the task asks who won.
    """

    def answer(self, won: bool, player: int) -> Any:
        return won


class OneForEitherPlayer(_Sums):
    """Returns 1 for either winner.

    A 1 for yes and a 0 for no seem natural, but the question is who won.
    """

    def answer(self, won: bool, player: int) -> Any:
        return int(won)


class NoneForZero(_Sums):
    """Returns None instead of 0 if neither player has won.

    The last line, return 0, is missing: a function that ends without a return gives None.
    """

    def answer(self, won: bool, player: int) -> Any:
        return player if won else None


class FalseForZero(_Sums):
    """Returns False instead of 0 if neither player has won.

    In Python False == 0, but it is still a bool, and other languages reject it.
    """

    def answer(self, won: bool, player: int) -> Any:
        return player if won else False


class MinusOneForPlayerTwo(_Sums):
    """Returns -1 if player 2 wins.

    With +1 and -1 as marks, the sign of the sum is returned instead of the player's number.
    """

    def answer(self, won: bool, player: int) -> Any:
        return self.sign(player) if won else 0


class MinusOneForNobody(_Sums):
    """Returns -1 instead of 0 if neither player has won.

    Many functions return -1 for "not found"; here the answer is 0.
    """

    def answer(self, won: bool, player: int) -> Any:
        return player if won else -1


class Strings(_Sums):
    """Returns strings: "1", "2" and "0".

    Marks are stored as strings and a mark is returned, but a string is not a number.
    """

    def answer(self, won: bool, player: int) -> Any:
        return str(player) if won else "0"


class Printed(_Sums):
    """Prints the winner and returns nothing.

    You see the output, but the caller gets the return value, which is None.
    """

    def answer(self, won: bool, player: int) -> Any:
        return None


class MarksForNumbers(_Sums):
    """Returns "X" or "O" for the winner.

    The board shows marks, but players are numbers, 1 and 2, and the winner should be a number too.
    """

    def answer(self, won: bool, player: int) -> Any:
        return " XO"[player] if won else 0


class NeverAWinner(_Sums):
    """Always returns 0.

    Another method finds the win, but its result isn't returned; or the code requires more than n
    marks, or checks the board before it places the mark.
    """

    def answer(self, won: bool, player: int) -> Any:
        return 0


class TheOtherPlayer(_Sums):
    """Returns the player who did not win.

    The turn passes to the other player before the winner is returned.
    """

    def answer(self, won: bool, player: int) -> Any:
        return 3 - player if won else 0


class WinnerByTheRow(_Sums):
    """Names the winner by the sign of the row's sum, whichever line is complete.

    A column or diagonal may be complete while most marks in the row are the opponent's.
    """

    def move(self, row: int, col: int, player: int) -> int:
        won = super().move(row, col, player)
        return (1 if self.rows[row] > 0 else 2) if won else 0  # wrong


class NextPlayer(_Sums):
    """Alternates the players itself and returns the player whose turn is next.

    The turn passes before the winner is returned. The player is an argument anyway.
    """

    turn = 1

    def answer(self, won: bool, player: int) -> Any:
        self.turn = 3 - self.turn  # wrong
        return self.turn if won else 0  # wrong


class FullBeforeWin(_Sums):
    """Returns 0 when the board is full, without looking for a win.

    The last free cell can complete a line, so the test for a win must come first.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.left = n * n

    def answer(self, won: bool, player: int) -> Any:
        self.left -= 1
        return player if won and self.left else 0  # wrong


class ThreeForADraw(_Sums):
    """Returns 3 if the board is full and neither player has won.

    Similar exercises report draws; here the answer is 0, as for every move that does not win.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.left = n * n

    def answer(self, won: bool, player: int) -> Any:
        self.left -= 1
        return player if won else 0 if self.left else 3  # wrong


class MinusOneForADraw(_Sums):
    """Returns -1 if the board is full and neither player has won.

    Similar exercises report draws; here the answer is 0, as for every move that does not win.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.left = n * n

    def answer(self, won: bool, player: int) -> Any:
        self.left -= 1
        return player if won else 0 if self.left else -1  # wrong
