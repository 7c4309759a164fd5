"""What arguments must be: integers, cells, players; and for `TicTacToe`, a side and a move."""

from contextlib import suppress
from operator import index
from typing import SupportsIndex

from noughts.errors import InvalidRules, OffBoard, UnknownPlayer, short_repr

Cell = tuple[int, ...]

MAX_THREADS = 1024


def integer(value: object, name: str) -> int:
    """The integer that `value` stands for: an int, or anything with ``__index__``, but no bool.

    Raises:
        TypeError: it is not one; the message names the argument and shows the value.
    """
    if type(value) is int:
        return value
    if not isinstance(value, bool) and isinstance(value, SupportsIndex):
        with suppress(TypeError):  # NumPy's arrays and bools have __index__ and refuse it
            return index(value)
    raise TypeError(f"{name} must be an integer, not {short_repr(value)} ({type(value).__name__})")


def thread_count(value: object) -> int:
    """How many threads to work with, 1 to `MAX_THREADS`.

    Raises:
        TypeError: it is no integer. ValueError: it is less or more.
    """
    threads = integer(value, "threads")
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be 1 to {MAX_THREADS:,}, not {short_repr(threads)}")
    return threads


def plain_cell(cell: object, dimensions: int) -> Cell:
    """The cell as a tuple of ints; neither its length nor its place is checked.

    Raises:
        TypeError: it is not a tuple or list of integers.
    """
    if not isinstance(cell, tuple | list):
        raise TypeError(f"a cell is a tuple of {dimensions} integers, not {short_repr(cell)}")
    return tuple([integer(at, "a cell's coordinate") for at in cell])


def known_player(player: object, players: int) -> int:
    """The player as an int.

    Raises:
        UnknownPlayer: it is not one of 1…players. TypeError: it is not an integer.
    """
    player = integer(player, "player")
    if not 1 <= player <= players:
        raise UnknownPlayer.of(player, players)
    return player


SUM_LIMIT = 2**31 - 1
"""The largest sum of a line, up or down: the compiled class keeps a sum in four bytes."""


def board_side(n: object, checked: object) -> int:
    """The side of the board of `TicTacToe(n, checked=checked)`; raises the same errors."""
    n = integer(n, "n")
    if n < 1:
        raise InvalidRules(f"n must be at least 1, not {short_repr(n)}")
    if not isinstance(checked, bool):
        raise TypeError(f"checked must be True or False, not {short_repr(checked)}")
    if n > SUM_LIMIT:
        raise no_room("2n + 2 sums", n)
    return n


def move_arguments(row: object, col: object, player: object, n: int) -> tuple[int, int, int]:
    """The arguments of `TicTacToe.move` on an n×n board, as ints; raises the same errors."""
    row, col, player = integer(row, "row"), integer(col, "col"), integer(player, "player")
    if player not in (1, 2):
        raise UnknownPlayer.of(player, 2, (row, col))
    if not (0 <= row < n and 0 <= col < n):
        raise OffBoard.of((row, col), (n, n), player)
    return row, col, player


def no_room(things: str, n: int) -> MemoryError:
    """The error for a board of side `n` whose sums or cells do not fit."""
    return MemoryError(f"the {things} of n = {short_repr(n)} do not fit in memory")


def sum_overflow(cell: tuple[int, int]) -> OverflowError:
    """The error for a move on `cell` that would take a sum past `SUM_LIMIT`."""
    return OverflowError(f"a line through cell {cell} cannot sum to more than {SUM_LIMIT}")
