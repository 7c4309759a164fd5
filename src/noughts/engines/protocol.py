"""The parts of the Gomocup protocol that both sides share: cells, rules, limits and lines.

The protocol, by M. Petříček and P. Laštovička, is at https://plastovicka.github.io/protocl2en.htm.
A manager starts an engine, which the protocol calls a brain, and writes commands to its standard
input; the engine answers on its standard output. Both write lines.
"""

import re

from noughts.game.geometry import Cell

K = 5  # marks in a row that win, in every game
CONTINUOUS = 2  # added to a rule's number if play continues after a win
UNLIMITED = 2**31 - 1  # the value of ``INFO time_left`` that means no limit
MAX_LINE = 4096  # bytes of a line that are read; the rest is dropped


def written(cell: Cell) -> str:
    """Format a cell for the protocol: the column, x, and then the row, y.

    >>> written((2, 1))
    '1,2'
    """
    row, col = cell
    return f"{col},{row}"


def numbers_of(text: str) -> tuple[int, ...] | None:
    """Parse integers such as ``7,8``, with optional spaces; return None for any other text.

    >>> numbers_of(" 7 , 8"), numbers_of("7;8")
    ((7, 8), None)
    """
    number = r"\s*[+-]?[0-9]{1,9}\s*"
    if not re.fullmatch(rf"{number}(,{number})*", text, re.ASCII):
        return None
    return tuple(map(int, text.split(",")))


def cell_of(text: str) -> Cell | None:
    """Parse a cell written as ``x,y``, possibly off the board; return None for any other text.

    >>> cell_of("1,2")
    (2, 1)
    """
    numbers = numbers_of(text)
    return numbers[::-1] if numbers is not None and len(numbers) == 2 else None


class Lines:
    """A splitter of a stream into non-empty lines, which end with LF, CR or both.

    `MAX_LINE` bytes of each line are kept.
    """

    def __init__(self) -> None:
        self._rest = b""

    def of(self, chunk: bytes) -> list[str]:
        """Return the lines that this chunk completes."""
        *lines, rest = (self._rest + chunk).replace(b"\r", b"\n").split(b"\n")
        self._rest = rest[:MAX_LINE]
        shown = (line[:MAX_LINE].decode("utf-8", "replace").strip() for line in lines)
        return [line for line in shown if line]
