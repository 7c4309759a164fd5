"""Themes of boards, for pictures and the page."""

from typing import Any, NamedTuple


class Theme(NamedTuple):
    """A way to draw a board."""

    title: str


THEMES = {
    "marks": Theme("X and O"),
    "stones": Theme("Stones on wood"),
    "discs": Theme("Discs"),
}
"""The themes by name."""


def theme_of(rules: Any) -> str:
    """Return the name of a game's usual theme: stones for gomoku, discs with gravity.

    >>> from noughts import Rules
    >>> theme_of(Rules.gomoku()), theme_of(Rules.connect_four()), theme_of(Rules())
    ('stones', 'discs', 'marks')
    """
    if rules.cells > 400:
        return "marks"  # the cells are too small for anything else
    if rules.gravity:
        return "discs"
    return "stones" if rules.k == 5 and min(rules.shape) > 5 else "marks"
