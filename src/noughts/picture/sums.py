"""The board of a referee that keeps one signed sum per line instead of marks."""

from collections.abc import Iterator, Sequence

from noughts.arguments import Cell
from noughts.picture.cells import column_name
from noughts.picture.svg import MARGIN, STYLE, UNIT, grid

MAX_SIDE = 25


def sums_svg(
    rows: Sequence[int],
    cols: Sequence[int],
    diagonal: int,
    anti_diagonal: int,
    winner: int,
    taken: Sequence[Cell] | None,
) -> str | None:
    """Draw the signed sums around their board as SVG, light or dark as the viewer prefers.

    The sum of a complete line has the winner's colour.

    Args:
        rows, cols: one sum per row and column.
        diagonal, anti_diagonal: the sums of the diagonals.
        winner: the player who has won, or 0.
        taken: the cells that have a mark, each drawn as a dot since sums do not record the player;
            None if the referee does not keep them.

    Returns:
        The document, or None if the board has more than `MAX_SIDE` rows.
    """
    n = len(rows)
    if n > MAX_SIDE:
        return None
    width = height = MARGIN + (n + 1) * UNIT + 12
    right = bottom = MARGIN + n * UNIT
    won = f"player {winner} has won" if winner else "no winner yet"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="noughts" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'style="max-width:100%;height:auto" role="img">',
            f"<title>The sums of a {n}×{n} board, {won}</title>",
            f"<style>{STYLE}.noughts .sum{{font-weight:600}}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="var(--paper)"/>',
            grid(n, n, MARGIN, "marks"),
            *(
                f'<circle cx="{_middle(col)}" cy="{_middle(row)}" r="5" fill="var(--faint)"/>'
                for row, col in taken or ()
            ),
            *_names(n),
            *(_sum(total, n, right + UNIT // 2, _middle(row)) for row, total in enumerate(rows)),
            *(_sum(total, n, _middle(col), bottom + UNIT // 2) for col, total in enumerate(cols)),
            _sum(diagonal, n, right + UNIT // 2, bottom + UNIT // 2),
            _sum(anti_diagonal, n, MARGIN // 2, bottom + UNIT // 2),
            "</svg>\n",
        ]
    )


def _middle(at: int) -> int:
    return MARGIN + at * UNIT + UNIT // 2


def _names(n: int) -> Iterator[str]:
    for at in range(n):
        yield f'<text x="{_middle(at)}" y="{MARGIN // 2}">{column_name(at)}</text>'
        yield f'<text x="{MARGIN // 2}" y="{_middle(at)}">{at + 1}</text>'


def _sum(total: int, n: int, x: int, y: int) -> str:
    """Draw a sum with its sign, in its player's colour if it completes the line."""
    complete = abs(total) >= n
    colour = f"--p{1 if total > 0 else 2}" if complete else "--ink"
    signed = f"{total:+}".replace("-", "−") if total else "0"
    weight = ' class="sum"' if complete else ""
    return f'<text x="{x}" y="{y}"{weight} style="fill:var({colour})">{signed}</text>'
