"""Boards as SVG."""

from collections.abc import Iterator
from functools import partial
from math import cos, pi, sin

from noughts.arguments import Cell
from noughts.errors import size
from noughts.picture.cells import column_name
from noughts.picture.looks import LOOKS
from noughts.picture.text import (
    Drawable,
    layer_name,
    layers,
    planes_rows_cols,
    standing,
    winning_cells,
)

UNIT = 40  # the side of a cell in SVG user units
MARGIN = 30
RADIUS = 17  # of a stone, a disc, and the hole that it falls into
GAP = 24  # between the planes of a board of more than two dimensions

STYLE = (
    ".noughts{--paper:#fff;--ink:#3b4252;--faint:#8a93a3;--grid:#d5dae2;--last:#eef1f6;"
    "--win:#fdecc8;--line:#d98e04;--p1:#2563c9;--p2:#c8372d;--p3:#23804a;--p4:#8b47b8;"
    "--p5:#a65f00;--p6:#0b7f8c;--p7:#b3286f;--p8:#5b6472}"
    "@media (prefers-color-scheme:dark){.noughts{--paper:#1b1f27;--ink:#d8dee9;--faint:#8791a3;"
    "--grid:#39414f;--last:#272e3a;--win:#4a3b16;--line:#f0b429;--p1:#7fb0ff;--p2:#ff8a80;"
    "--p3:#6fd39a;--p4:#d3a4f5;--p5:#e8b15c;--p6:#63ccd8;--p7:#f58bc0;--p8:#aab3c2}}"
    ".noughts text{font:13px system-ui,sans-serif;fill:var(--faint);text-anchor:middle;"
    "dominant-baseline:central}"
    ".noughts .mark{fill:none;stroke-width:4;stroke-linecap:round;stroke-linejoin:round}"
)
STYLES = {
    "marks": "",
    "stones": (
        ".noughts{--plate:#e2bf85;--grid:#7d5c2b;--last:#f0d9ae;--win:#fbeec4;--line:#c2410c;"
        "--f1:#23272f;--f2:#fbf8f1;--c1:#8ab4ff;--c2:#951a11}"
    ),
    "discs": (
        ".noughts{--plate:#b9c2d0;--grid:#848d9d}"
        "@media (prefers-color-scheme:dark){.noughts{--plate:#4b576d;--grid:#626d80}}"
    ),
}
"""What the style of each look adds."""


def svg(game: Drawable, look: str = "marks") -> str:
    """The board as an SVG document, light or dark as the reader prefers.

    It shows marks on paper, or has another look: ``"stones"`` on wood, or ``"discs"``, which bear
    the marks of their players.

    The last move is tinted, or else the cells of winning lines; a winning line within one plane is
    drawn. Small crosses mark the cells that renju forbids to the player to move.
    Size: the grid, and one shape for each mark.

    Raises:
        ValueError: the board has more than a million cells, or there is no such look.
    """
    if look not in LOOKS:
        raise ValueError(f"a look is one of {', '.join(LOOKS)}, not {look!r}")
    planes, rows, cols = planes_rows_cols(game)
    plane_width = cols * UNIT + GAP
    width = MARGIN + planes * plane_width - GAP + 12
    height = MARGIN + rows * UNIT + 12 + (GAP if planes > 1 else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="noughts" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img">',
        f"<title>{size(game.rules.shape)} board, {standing(game)}</title>",
        f"<style>{STYLE}{STYLES[look]}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="var(--paper)"/>',
    ]
    lefts = [MARGIN + plane * plane_width for plane in range(planes)]
    if look != "marks":
        extent = f'width="{cols * UNIT}" height="{rows * UNIT}"'
        at = f'y="{MARGIN}" {extent} rx="6" fill="var(--plate)"'
        parts += [f'<rect x="{left}" {at}/>' for left in lefts]
    parts += _tints(game)
    for left, layer in zip(lefts, layers(game), strict=True):
        parts.append(_grid(rows, cols, left, look))
        parts += _names(rows, cols, left, layer)
    draw = _mark if look == "marks" else partial(_piece, look)
    parts += [draw(game.mark(cell), *_centre(game, cell)) for cell in game.history]
    parts += [_forbidden(*_centre(game, cell)) for cell in sorted(game.forbidden)]
    parts += _winning_lines(game)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _centre(game: Drawable, cell: Cell) -> tuple[int, int]:
    """Where a cell's centre is in the SVG."""
    _, _, cols = planes_rows_cols(game)
    plane = 0
    for at, side in zip(cell[:-2], game.rules.shape, strict=False):
        plane = plane * side + at
    row, col = (0, *cell)[-2:]
    left = MARGIN + plane * (cols * UNIT + GAP)
    return left + col * UNIT + UNIT // 2, MARGIN + row * UNIT + UNIT // 2


def _tints(game: Drawable) -> Iterator[str]:
    winning = winning_cells(game)
    for cell in sorted(winning) or list(game.history[-1:]):
        x, y = _centre(game, cell)
        tint = "win" if winning else "last"
        yield (
            f'<rect x="{x - UNIT // 2}" y="{y - UNIT // 2}" width="{UNIT}" height="{UNIT}" '
            f'fill="var(--{tint})"/>'
        )


def _grid(rows: int, cols: int, left: int, look: str) -> str:
    """The lines between cells; stones lie on lines through them, and discs in holes."""
    right, bottom, top = left + cols * UNIT, MARGIN + rows * UNIT, MARGIN
    if look == "discs":
        hole = f"h0m{UNIT} 0" * cols
        middle = left + UNIT // 2
        holes = "".join(f"M{middle} {y}{hole}" for y in range(top + UNIT // 2, bottom, UNIT))
        path = f'<path d="{holes}" fill="none" stroke-linecap="round" '
        rim = f'stroke="var(--grid)" stroke-width="{2 * RADIUS + 1}"/>'
        return f'{path}{rim}{path}stroke="var(--paper)" stroke-width="{2 * RADIUS - 1}"/>'
    inset = UNIT // 2 if look == "stones" else 0
    left, right, top, bottom = left + inset, right - inset, top + inset, bottom - inset
    across = "".join(f"M{left} {y}H{right}" for y in range(top, bottom + 1, UNIT))
    down = "".join(f"M{x} {top}V{bottom}" for x in range(left, right + 1, UNIT))
    return f'<path d="{across}{down}" fill="none" stroke="var(--grid)"/>'


def _names(rows: int, cols: int, left: int, layer: Cell) -> Iterator[str]:
    right, bottom = left + cols * UNIT, MARGIN + rows * UNIT
    for col in range(cols):
        x = left + col * UNIT + UNIT // 2
        yield f'<text x="{x}" y="{MARGIN // 2}">{column_name(col)}</text>'
    if not any(layer):
        for row in range(rows):
            y = MARGIN + row * UNIT + UNIT // 2
            yield f'<text x="{MARGIN // 2}" y="{y}">{row + 1}</text>'
    if layer:
        yield f'<text x="{(left + right) // 2}" y="{bottom + 18}">{layer_name(layer)}</text>'


def _mark(player: int, x: int, y: int) -> str:
    """A cross, a ring, and for player p from 3 on a polygon of p sides."""
    stroke = f'class="mark" stroke="var(--p{player})"'
    if player == 1:
        return f'<path {stroke} d="M{x - 10} {y - 10}l20 20m0 -20l-20 20"/>'
    if player == 2:
        return f'<circle {stroke} cx="{x}" cy="{y}" r="11"/>'
    corners = (2 * pi * i / player - pi / 2 for i in range(player))
    points = " ".join(f"{x + 12 * cos(a):.1f},{y + 12 * sin(a):.1f}" for a in corners)
    return f'<polygon {stroke} points="{points}"/>'


def _piece(look: str, player: int, x: int, y: int) -> str:
    """A stone or a disc with the mark of its player."""
    own = look == "stones" and player < 3
    face, cut = (f"--f{player}", f"--c{player}") if own else (f"--p{player}", "--paper")
    disc = f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="var({face})"'
    mark = _mark(player, 0, 0).replace(f"var(--p{player})", f"var({cut})")
    smaller = f'<g transform="translate({x} {y}) scale(.6)">{mark}</g>'
    return f'{disc} stroke="var(--grid)"/>{smaller}'


def _forbidden(x: int, y: int) -> str:
    """A small cross where the player to move would commit a foul."""
    cross = f"M{x - 4} {y - 4}l8 8m0 -8l-8 8"
    return f'<path d="{cross}" fill="none" stroke="var(--faint)" stroke-width="2"/>'


def _winning_lines(game: Drawable) -> Iterator[str]:
    for line in game.outcome.lines if game.outcome else ():
        if line[0][:-2] == line[-1][:-2]:
            (x1, y1), (x2, y2) = _centre(game, line[0]), _centre(game, line[-1])
            yield (
                f'<path d="M{x1} {y1}L{x2} {y2}" stroke="var(--line)" stroke-width="6" '
                'stroke-linecap="round" opacity="0.75"/>'
            )
