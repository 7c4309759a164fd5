"""Lines of text files, numbered, of limited length, and decoded."""

from collections.abc import Iterator
from typing import IO

from noughts.errors import InvalidRecord

MAX_LINE = 4 << 20
"""Limit of the length of a line, in bytes; enough for a full game on a 600×600 board."""

_RETURN = "a carriage return without a line feed: save the file with the line ends of this system"

NumberedLine = tuple[int, str | InvalidRecord]


def numbered_lines(
    file: IO[bytes],
    source: str,
    first_line: int = 1,
    *,
    blank: bool = False,
    returns: bool = False,
) -> Iterator[NumberedLine]:
    """Yield the lines, with their numbers, one at a time; a line that cannot be read as an error.

    Args:
        file: a file opened for reading bytes.
        source: the file's name, for errors.
        first_line: the number of the first line.
        blank: whether to yield blank lines, too, and to keep the spaces around the others.
        returns: whether a line may contain carriage returns, which end a line on old systems.
    """
    number = first_line - 1
    while raw := file.readline(MAX_LINE + 1):
        number += 1
        if len(raw) > MAX_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = file.readline(MAX_LINE)
            problem = f"the line is longer than {MAX_LINE >> 20} MiB"
            yield number, InvalidRecord(problem, source, number)
            continue
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            byte, column = raw[error.start], error.start + 1
            problem = f"the line is not UTF-8: byte 0x{byte:02x} at column {column}"
            yield number, InvalidRecord(f"{problem}; save the file as UTF-8", source, number)
        else:
            if not returns and "\r" in line.strip():
                yield number, InvalidRecord(_RETURN, source, number)
                continue
            if blank:
                yield number, line.rstrip("\r\n")
            elif line := line.strip():
                yield number, line
