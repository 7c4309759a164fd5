"""The board of a referee that keeps one signed sum per line instead of marks."""

from collections.abc import Sequence

from noughts.arguments import Cell
from noughts.picture.svg import MARGIN, UNIT, document, grid, names

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
    side, beyond = MARGIN + (n + 1) * UNIT + 12, _middle(n)
    won = f"player {winner} has won" if winner else "no winner yet"
    dots = (
        f'<circle cx="{_middle(col)}" cy="{_middle(row)}" r="5" fill="var(--faint)"/>'
        for row, col in taken or ()
    )
    return document(
        side,
        side,
        f"The sums of a {n}×{n} board, {won}",
        ".noughts .sum{font-weight:600}",
        [
            grid(n, n, MARGIN),
            *dots,
            *names(n, n, MARGIN),
            *(_sum(total, n, beyond, _middle(row)) for row, total in enumerate(rows)),
            *(_sum(total, n, _middle(col), beyond) for col, total in enumerate(cols)),
            _sum(diagonal, n, beyond, beyond),
            _sum(anti_diagonal, n, MARGIN // 2, beyond),
        ],
    )


def _middle(at: int) -> int:
    return MARGIN + at * UNIT + UNIT // 2


def _sum(total: int, n: int, x: int, y: int) -> str:
    """Draw a sum with its sign, in its player's colour if it completes the line."""
    complete = abs(total) >= n
    colour = f"--p{1 if total > 0 else 2}" if complete else "--ink"
    signed = f"{total:+}".replace("-", "−") if total else "0"
    weight = ' class="sum"' if complete else ""
    return f'<text x="{x}" y="{y}"{weight} style="fill:var({colour})">{signed}</text>'
