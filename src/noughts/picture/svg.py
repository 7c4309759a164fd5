"""Boards as SVG."""

from collections.abc import Iterator
from functools import partial
from math import cos, pi, sin

from noughts.arguments import Cell
from noughts.errors import size
from noughts.picture.cells import column_name
from noughts.picture.text import (
    Drawable,
    layer_name,
    layers,
    planes_rows_cols,
    standing,
    winning_cells,
)
from noughts.picture.themes import THEMES

UNIT = 40  # the side of a cell in SVG user units
MARGIN = 30
RADIUS = 17  # of a stone, a disc, and the hole behind a disc
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
"""What each theme adds to `STYLE`."""


def svg(game: Drawable, theme: str = "marks") -> str:
    """Draw the board as an SVG document, light or dark as the viewer prefers.

    The cells of winning lines are tinted, otherwise the last move. Each winning line within one
    plane is drawn. Small crosses mark the cells that renju forbids to the player to move.

    Args:
        game: the game to draw.
        theme: one of `THEMES`: ``"marks"`` on paper, ``"stones"`` on wood, or ``"discs"``. Stones
            and discs bear the marks of their players.

    Raises:
        ValueError: the board has more than a million cells, or the theme is unknown.
    """
    if theme not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(THEMES)}, not {theme!r}")
    planes, rows, cols = planes_rows_cols(game)
    plane_width = cols * UNIT + GAP
    width = MARGIN + planes * plane_width - GAP + 12
    height = MARGIN + rows * UNIT + 12 + (GAP if planes > 1 else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="noughts" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img">',
        f"<title>{size(game.rules.shape)} board, {standing(game)}</title>",
        f"<style>{STYLE}{STYLES[theme]}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="var(--paper)"/>',
    ]
    lefts = [MARGIN + plane * plane_width for plane in range(planes)]
    if theme != "marks":
        extent = f'width="{cols * UNIT}" height="{rows * UNIT}"'
        at = f'y="{MARGIN}" {extent} rx="6" fill="var(--plate)"'
        parts += [f'<rect x="{left}" {at}/>' for left in lefts]
    parts += _tints(game)
    for left, layer in zip(lefts, layers(game), strict=True):
        parts.append(grid(rows, cols, left, theme))
        parts += _names(rows, cols, left, layer)
    draw = _mark if theme == "marks" else partial(_piece, theme)
    parts += [draw(game.mark(cell), *_centre(game, cell)) for cell in game.history]
    parts += [_forbidden(*_centre(game, cell)) for cell in sorted(game.forbidden)]
    parts += _winning_lines(game)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _centre(game: Drawable, cell: Cell) -> tuple[int, int]:
    """Return the coordinates of a cell's centre in the SVG."""
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


def grid(rows: int, cols: int, left: int, theme: str) -> str:
    """Draw the grid: lines between cells, lines through them for stones, or holes for discs."""
    right, bottom, top = left + cols * UNIT, MARGIN + rows * UNIT, MARGIN
    if theme == "discs":
        hole = f"h0m{UNIT} 0" * cols
        middle = left + UNIT // 2
        holes = "".join(f"M{middle} {y}{hole}" for y in range(top + UNIT // 2, bottom, UNIT))
        path = f'<path d="{holes}" fill="none" stroke-linecap="round" '
        rim = f'stroke="var(--grid)" stroke-width="{2 * RADIUS + 1}"/>'
        return f'{path}{rim}{path}stroke="var(--paper)" stroke-width="{2 * RADIUS - 1}"/>'
    inset = UNIT // 2 if theme == "stones" else 0
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
    """Draw a cross, a ring, or for player p from 3 on a polygon of p sides."""
    stroke = f'class="mark" stroke="var(--p{player})"'
    if player == 1:
        return f'<path {stroke} d="M{x - 10} {y - 10}l20 20m0 -20l-20 20"/>'
    if player == 2:
        return f'<circle {stroke} cx="{x}" cy="{y}" r="11"/>'
    corners = (2 * pi * i / player - pi / 2 for i in range(player))
    points = " ".join(f"{x + 12 * cos(a):.1f},{y + 12 * sin(a):.1f}" for a in corners)
    return f'<polygon {stroke} points="{points}"/>'


def _piece(theme: str, player: int, x: int, y: int) -> str:
    """Draw a stone or a disc with its player's mark."""
    own = theme == "stones" and player < 3
    face, cut = (f"--f{player}", f"--c{player}") if own else (f"--p{player}", "--paper")
    disc = f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="var({face})"'
    mark = _mark(player, 0, 0).replace(f"var(--p{player})", f"var({cut})")
    smaller = f'<g transform="translate({x} {y}) scale(.6)">{mark}</g>'
    return f'{disc} stroke="var(--grid)"/>{smaller}'


def _forbidden(x: int, y: int) -> str:
    """Draw a small cross where the player to move would commit a foul."""
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
