"""How people write and see boards: the names of cells and rules, text and SVG."""

from noughts.picture.cells import cell_name, column_name, read_cell
from noughts.picture.rules import GOMOCUP_RULES, read_rules, rules_name, rules_text, rules_title
from noughts.picture.svg import svg
from noughts.picture.text import MAX_CELLS, forbidden_cells, standing, symbol, text

__all__ = [
    "GOMOCUP_RULES",
    "MAX_CELLS",
    "cell_name",
    "column_name",
    "forbidden_cells",
    "read_cell",
    "read_rules",
    "rules_name",
    "rules_text",
    "rules_title",
    "standing",
    "svg",
    "symbol",
    "text",
]
