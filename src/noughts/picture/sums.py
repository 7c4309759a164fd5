"""The board of a referee that keeps sums: what it holds is no marks, but a sum for each line."""

from collections.abc import Iterator, Sequence

from noughts.arguments import Cell
from noughts.picture.cells import column_name
from noughts.picture.svg import MARGIN, STYLE, UNIT

MAX_SIDE = 25


def sums_svg(
    rows: Sequence[int],
    cols: Sequence[int],
    diagonal: int,
    anti_diagonal: int,
    winner: int,
    taken: Sequence[Cell] | None,
) -> str | None:
    """The signed sums around their board as SVG, light or dark as the reader prefers.

    A dot is on each cell that is taken, if that is known: whose mark it is, sums do not say. A
    complete line has its sum in the winner's colour. None if the board is too large to be drawn.
    """
    n = len(rows)
    if n > MAX_SIDE:
        return None
    width, height = MARGIN + (n + 1) * UNIT + 12, MARGIN + (n + 1) * UNIT + 12
    right = bottom = MARGIN + n * UNIT
    across = "".join(f"M{MARGIN} {y}H{right}" for y in range(MARGIN, bottom + 1, UNIT))
    down = "".join(f"M{x} {MARGIN}V{bottom}" for x in range(MARGIN, right + 1, UNIT))
    won = f"player {winner} has won" if winner else "nobody has won"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="noughts" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'style="max-width:100%;height:auto" role="img">',
            f"<title>The sums of a {n}×{n} board, {won}</title>",
            f"<style>{STYLE}.noughts .sum{{font-weight:600}}</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="var(--paper)"/>',
            f'<path d="{across}{down}" fill="none" stroke="var(--grid)"/>',
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
    """A sum with its sign; one that completes its line in the colour of its player."""
    complete = abs(total) >= n
    colour = f"--p{1 if total > 0 else 2}" if complete else "--ink"
    signed = f"{total:+}".replace("-", "−") if total else "0"
    weight = ' class="sum"' if complete else ""
    return f'<text x="{x}" y="{y}"{weight} style="fill:var({colour})">{signed}</text>'
