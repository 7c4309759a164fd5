"""How people write and see boards: the names of cells, text and SVG."""

from noughts.picture.cells import cell_name, column_name, read_cell
from noughts.picture.planes import MAX_CELLS
from noughts.picture.svg import svg
from noughts.picture.text import standing, symbol, text

__all__ = [
    "MAX_CELLS",
    "cell_name",
    "column_name",
    "read_cell",
    "standing",
    "svg",
    "symbol",
    "text",
]
