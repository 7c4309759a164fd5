"""How boards may look; pictures and the page read this."""

from typing import Any, NamedTuple

MANY = 400  # cells; where there are more, they are too small for anything but marks


class Look(NamedTuple):
    """A look."""

    title: str


LOOKS = {
    "marks": Look("X and O"),
    "stones": Look("Stones on wood"),
    "discs": Look("Discs"),
}
"""The looks by their names."""


def look_of(rules: Any) -> str:
    """The look that a game is known by: stones for go-moku, discs where marks fall.

    >>> from noughts import Rules
    >>> look_of(Rules.gomoku()), look_of(Rules.connect_four()), look_of(Rules())
    ('stones', 'discs', 'marks')
    """
    if rules.cells > MANY:
        return "marks"
    if rules.gravity:
        return "discs"
    return "stones" if rules.k == 5 and min(rules.shape) > 5 else "marks"
