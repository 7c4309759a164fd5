"""Checks of arguments: integers, cells, players, and the board side and moves of `TicTacToe`."""

from contextlib import suppress
from operator import index
from typing import SupportsIndex

from noughts.errors import InvalidRules, OffBoard, UnknownPlayer, short_repr

Cell = tuple[int, ...]

MAX_THREADS = 1024


def integer(value: object, name: str) -> int:
    """Return `value` as an int; anything with ``__index__`` is accepted except a bool.

    Raises:
        TypeError: `value` is not an integer; the message gives `name` and the value.
    """
    if type(value) is int:
        return value
    if not isinstance(value, bool) and isinstance(value, SupportsIndex):
        with suppress(TypeError):  # NumPy's arrays and bools have an __index__ that raises
            return index(value)
    raise TypeError(f"{name} must be an integer, not {short_repr(value)} ({type(value).__name__})")


def thread_count(value: object) -> int:
    """Return `value` as a number of threads, 1 to `MAX_THREADS`.

    Raises:
        TypeError: `value` is not an integer.
        ValueError: it is out of range.
    """
    threads = integer(value, "threads")
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be 1 to {MAX_THREADS:,}, got {short_repr(threads)}")
    return threads


def plain_cell(cell: object, dimensions: int) -> Cell:
    """Return the cell as a tuple of ints, checking neither its length nor its place.

    Raises:
        TypeError: `cell` is not a tuple or list of integers.
    """
    if not isinstance(cell, tuple | list):
        raise TypeError(f"a cell is a tuple of {dimensions} integers, not {short_repr(cell)}")
    return tuple([integer(at, "a cell's coordinate") for at in cell])


def known_player(player: object, players: int) -> int:
    """Return the player as an int.

    Raises:
        UnknownPlayer: it is not one of 1…players.
        TypeError: it is not an integer.
    """
    player = integer(player, "player")
    if not 1 <= player <= players:
        raise UnknownPlayer.of(player, players)
    return player


SUM_LIMIT = 2**31 - 1
"""The largest absolute sum of a line; the compiled class stores a sum in four bytes."""


def board_side(n: object, checked: object) -> int:
    """Return the side of the board of `TicTacToe(n, checked=checked)`, raising its errors."""
    n = integer(n, "n")
    if n < 1:
        raise InvalidRules(f"n must be at least 1, got {short_repr(n)}")
    if not isinstance(checked, bool):
        raise TypeError(f"checked must be True or False, not {short_repr(checked)}")
    if n > SUM_LIMIT:
        raise no_room("2n + 2 sums", n)
    return n


def move_arguments(row: object, col: object, player: object, n: int) -> tuple[int, int, int]:
    """Return the arguments of `TicTacToe.move` on an n×n board as ints, raising its errors."""
    row, col, player = integer(row, "row"), integer(col, "col"), integer(player, "player")
    if player not in (1, 2):
        raise UnknownPlayer.of(player, 2, (row, col))
    if not (0 <= row < n and 0 <= col < n):
        raise OffBoard.of((row, col), (n, n), player)
    return row, col, player


def no_room(things: str, n: int) -> MemoryError:
    """Describe a board of side `n` whose sums or cells do not fit in memory."""
    return MemoryError(f"the {things} of n = {short_repr(n)} do not fit in memory")


def sum_overflow(cell: tuple[int, int]) -> OverflowError:
    """Describe a move on `cell` that would take a sum past `SUM_LIMIT`."""
    return OverflowError(f"a line through cell {cell} cannot sum to more than {SUM_LIMIT}")
