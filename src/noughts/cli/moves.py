"""Moves as people type them: cells and, where marks fall, columns."""

from noughts.arguments import Cell
from noughts.game.game import Game, fallen
from noughts.picture import read_cell


def read_move(game: Game, text: str) -> Cell:
    """Read a move: a cell, see `read_cell`, or the column in which a mark falls.

    A column's name is a cell's name without the first coordinate: ``b`` on a flat board, ``b3`` in
    three dimensions. On a flat board it can be a number, too, counted from 1: ``2``.

    Returns:
        the cell, which may be off the board; if the column is full, its highest cell.

    Raises:
        ValueError: the text names neither a cell nor a column.

    >>> read_move(Game("connect-four"), "4"), read_move(Game("connect-four"), "d6")
    ((5, 3), (5, 3))
    """
    return _fallen(game, text) or read_cell(text, len(game.rules.shape))


def _fallen(game: Game, text: str) -> Cell | None:
    """Return the cell where a mark falls in this column; None if the text names no column."""
    _, *sides = game.rules.shape
    if not game.rules.gravity or not sides:
        return None
    try:
        column = _column(text.strip(), len(sides))
    except ValueError:
        return None
    return fallen(game, column)


def _column(text: str, dimensions: int) -> Cell:
    """Return the coordinates of a column. Raises ValueError if the text does not name one."""
    if dimensions > 1:
        return read_cell(text, dimensions)
    if text.isascii() and text.isdigit() and len(text) < 10:
        return (int(text) - 1,)
    return read_cell(f"{text}1" if text.isalpha() else "", 2)[1:]
