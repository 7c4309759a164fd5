"""What both sides of the Gomocup protocol share: how cells, rules and limits are written.

The protocol, by M. Petříček and P. Laštovička, is at https://plastovicka.github.io/protocl2en.htm.
A manager starts an engine, which the protocol calls a brain, and writes commands to its standard
input; the engine answers on its standard output. Both write lines.
"""

import re

from noughts.game.geometry import Cell

K = 5
"""How many in a row win, always."""

CONTINUOUS = 2
"""Added to a rule's number if play goes on after a win."""

UNLIMITED = 2**31 - 1
"""The milliseconds of ``INFO time_left`` that mean no limit."""

MAX_LINE = 4096
"""How many bytes of a line are read; the rest is dropped."""


def written(cell: Cell) -> str:
    """A cell as the protocol writes it: the column, x, and then the row, y.

    >>> written((2, 1))
    '1,2'
    """
    row, col = cell
    return f"{col},{row}"


def numbers_of(text: str) -> tuple[int, ...] | None:
    """The integers in a text such as ``7,8``, spaces allowed; None for any other text.

    >>> numbers_of(" 7 , 8"), numbers_of("7;8")
    ((7, 8), None)
    """
    number = r"\s*[+-]?[0-9]{1,9}\s*"
    if not re.fullmatch(rf"{number}(,{number})*", text, re.ASCII):
        return None
    return tuple(map(int, text.split(",")))


def cell_of(text: str) -> Cell | None:
    """The cell written as ``x,y``, which may be off the board; None for any other text.

    >>> cell_of("1,2")
    (2, 1)
    """
    numbers = numbers_of(text)
    return numbers[::-1] if numbers is not None and len(numbers) == 2 else None


class Lines:
    """The lines of a stream that comes in pieces; they end with LF, CR or both, and are not empty.

    Of each line `MAX_LINE` bytes are kept.
    """

    def __init__(self) -> None:
        self._rest = b""

    def of(self, piece: bytes) -> list[str]:
        """The lines that this piece completes."""
        *lines, rest = (self._rest + piece).replace(b"\r", b"\n").split(b"\n")
        self._rest = rest[:MAX_LINE]
        shown = (line[:MAX_LINE].decode("utf-8", "replace").strip() for line in lines)
        return [line for line in shown if line]
