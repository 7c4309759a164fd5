"""Boards as people write and see them: names of cells, text and SVG."""

from noughts.picture.cells import cell_name, column_name, read_cell
from noughts.picture.notebook import facts_html
from noughts.picture.sums import sums_svg
from noughts.picture.svg import svg
from noughts.picture.text import MAX_CELLS, standing, symbol, text
from noughts.picture.themes import THEMES, theme_of

__all__ = [
    "MAX_CELLS",
    "THEMES",
    "cell_name",
    "column_name",
    "facts_html",
    "read_cell",
    "standing",
    "sums_svg",
    "svg",
    "symbol",
    "text",
    "theme_of",
]
