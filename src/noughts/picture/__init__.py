"""How people write and see boards: the names of cells, text and SVG."""

from noughts.picture.cells import cell_name, column_name, read_cell
from noughts.picture.facts import facts_html
from noughts.picture.looks import LOOKS, look_of
from noughts.picture.sums import sums_svg
from noughts.picture.svg import svg
from noughts.picture.text import MAX_CELLS, standing, symbol, text

__all__ = [
    "LOOKS",
    "MAX_CELLS",
    "cell_name",
    "column_name",
    "facts_html",
    "look_of",
    "read_cell",
    "standing",
    "sums_svg",
    "svg",
    "symbol",
    "text",
]
