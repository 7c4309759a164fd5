"""Mistakes in what is answered."""

from typing import Any

from noughts.checker.catalogue.right import Sums as _Sums


class TrueForThePlayer(_Sums):
    """Answers True when a move wins, and 0 otherwise.

    In Python True equals 1, so a first test passes; but the answer is the winner's number.
    """

    def answer(self, won: bool, player: int) -> Any:
        return True if won else 0


class TrueAndFalse(_Sums):
    """Answers True or False, not the number of the winner or 0.

    It is easy to read this as "did this move win?", but the question is who won.
    """

    def answer(self, won: bool, player: int) -> Any:
        return won


class OneForEitherPlayer(_Sums):
    """Answers 1 whoever wins.

    A 1 for yes and a 0 for no; but asked is who has won.
    """

    def answer(self, won: bool, player: int) -> Any:
        return int(won)


class NoneForZero(_Sums):
    """Answers None, not 0, when nobody has won.

    The last line, return 0, is forgotten: a function that ends without return gives None.
    """

    def answer(self, won: bool, player: int) -> Any:
        return player if won else None


class FalseForZero(_Sums):
    """Answers False, not 0, when nobody has won.

    In Python False equals 0, but it is not the same, and other languages refuse it.
    """

    def answer(self, won: bool, player: int) -> Any:
        return player if won else False


class MinusOneForPlayerTwo(_Sums):
    """Answers -1 when player 2 wins.

    With +1 and -1 as marks the sign of the sum is answered, not the player's number.
    """

    def answer(self, won: bool, player: int) -> Any:
        return self.sign(player) if won else 0


class MinusOneForNobody(_Sums):
    """Answers -1, not 0, when nobody has won.

    Many functions answer -1 for nothing found; here it is 0.
    """

    def answer(self, won: bool, player: int) -> Any:
        return player if won else -1


class Strings(_Sums):
    """Answers with strings: "1", "2" and "0".

    Marks are kept as strings, and the mark is answered; a string is no number.
    """

    def answer(self, won: bool, player: int) -> Any:
        return str(player) if won else "0"


class Printed(_Sums):
    """Prints the winner, and answers nothing.

    What is printed is seen by a reader; the caller gets what is returned, and that is None.
    """

    def answer(self, won: bool, player: int) -> Any:
        return None


class NeverAWinner(_Sums):
    """Always answers 0.

    Another method finds the win, but its result is not returned; or more than n marks are
    required; or the board is checked before the mark is placed.
    """

    def answer(self, won: bool, player: int) -> Any:
        return 0


class TheOtherPlayer(_Sums):
    """Answers the player who did not win.

    The turn passes to the other player before the winner is told.
    """

    def answer(self, won: bool, player: int) -> Any:
        return 3 - player if won else 0


class ThreeForADraw(_Sums):
    """Answers 3 when the board is full and nobody has won.

    Other games of the kind tell a draw; here it is 0, as for every move that does not win.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.left = n * n

    def answer(self, won: bool, player: int) -> Any:
        self.left -= 1
        return player if won else 0 if self.left else 3  # wrong


class MinusOneForADraw(_Sums):
    """Answers -1 when the board is full and nobody has won.

    Other games of the kind tell a draw; here it is 0, as for every move that does not win.
    """

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.left = n * n

    def answer(self, won: bool, player: int) -> Any:
        self.left -= 1
        return player if won else 0 if self.left else -1  # wrong
