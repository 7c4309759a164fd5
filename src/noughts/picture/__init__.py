"""Boards as text and as SVG, and cells as people write them.

On screen a cell is named as in a spreadsheet: its column's letters, then its row counted from 1.
On boards of more than two dimensions the other coordinates come first, counted from 1 too:
``2/B3`` is cell (1, 2, 1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import cos, pi, sin

from noughts.errors import size
from noughts.game import Game
from noughts.geometry import Cell
from noughts.outcome import Termination

UNIT = 40  # the side of a cell in SVG user units
MARGIN = 30
MAX_CELLS = 1_000_000
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


def cell_name(cell: Cell) -> str:
    """The name of a cell on screen.

    >>> [cell_name(cell) for cell in [(0, 0), (2, 1), (9, 26), (1, 2, 1), (4,)]]
    ['A1', 'B3', 'AA10', '2/B3', 'E1']
    """
    *layers, row, col = cell if len(cell) > 1 else (0, *cell)
    return "".join(f"{layer + 1}/" for layer in layers) + f"{column_name(col)}{row + 1}"


def column_name(col: int) -> str:
    """The letters of a column counted from 0: A to Z, AA, AB and so on."""
    letters = ""
    while col >= 0:
        col, letter = divmod(col, 26)
        letters = chr(ord("A") + letter) + letters
        col -= 1
    return letters


def read_cell(text: str, dimensions: int = 2) -> Cell:
    """The cell that a person wrote, as ``b3`` or as coordinates counted from 0, ``2,1``.

    It may lie off the board: that is for the game to judge.

    Raises:
        ValueError: the text names no cell.

    >>> read_cell("b3"), read_cell("2,1"), read_cell("2/b3", 3)
    ((2, 1), (2, 1), (1, 2, 1))
    """
    text = text.strip()
    name = re.fullmatch(r"((?:[0-9]{1,9}/)*)([a-zA-Z]{1,6})([0-9]{1,9})", text)
    if name:
        col = 0
        for letter in name[2].upper():
            col = col * 26 + ord(letter) - ord("A") + 1
        layers = [int(layer) - 1 for layer in name[1].split("/")[:-1]]
        cell = (*layers, int(name[3]) - 1, col - 1)
        if dimensions == 1 and cell[0] == 0:
            cell = cell[1:]
    elif re.fullmatch(r"\(?\s*-?[0-9]{1,9}(\s*,\s*-?[0-9]{1,9})*\s*,?\s*\)?", text):
        cell = tuple(int(at) for at in re.findall(r"-?[0-9]+", text))
    else:
        cell = ()
    if len(cell) != dimensions:
        examples = {1: ("b1", "1"), 2: ("b3", "2,1")}.get(
            dimensions, ("1/" * (dimensions - 2) + "b3", "0," * (dimensions - 2) + "2,1")
        )
        raise ValueError(f"{text!r} names no cell: write {examples[0]} or {examples[1]}")
    return cell


def symbol(player: int) -> str:
    """A player's mark in text: X, O, and from the third player on the number."""
    return ("·", "X", "O")[player] if player < 3 else str(player)


def standing(game: Game) -> str:
    """How a game stands, in a few words.

    >>> standing(Game())
    'X to move'
    """
    outcome = game.outcome
    if outcome is None:
        return f"{symbol(game.turn)} to move"
    if outcome.winner is not None:
        return f"{symbol(outcome.winner)} wins"
    if outcome.termination is Termination.FULL_BOARD:
        return "draw: the board is full"
    return "draw: nobody can win any more"


def text(game: Game) -> str:
    """The board as text, ending without a newline; the cells of a winning line in brackets.

    Planes of a board of more than two dimensions follow each other, headed by their coordinates.

    Raises:
        ValueError: the board has more than a million cells.

    >>> print(text(Game.replay(Game().rules, [(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)])))
        A  B  C
     1 [X] O  O
     2  · [X] ·
     3  ·  · [X]
    """
    _, rows, cols = _planes_rows_cols(game)
    winning = _winning_cells(game)
    width = max(3, len(column_name(cols - 1)) + 1)
    margin = len(str(rows)) + 1
    header = " " * (margin + 1) + "".join(f"{column_name(col):^{width}}" for col in range(cols))
    parts = []
    for plane, layer in enumerate(_layers(game)):
        if layer:
            parts.append(("\n" if plane else "") + _layer_name(layer))
        parts.append(header.rstrip())
        for row in range(rows):
            cells = [(*layer, row, col)[-len(game.rules.shape) :] for col in range(cols)]
            marks = "".join(
                f"{f'[{mark}]' if cell in winning else f' {mark} ':^{width}}"
                for cell, mark in ((cell, symbol(game.mark(cell))) for cell in cells)
            )
            parts.append(f"{row + 1:>{margin}} {marks}".rstrip())
    return "\n".join(parts)


def svg(game: Game) -> str:
    """The board as an SVG document, light or dark as the reader prefers.

    The last move is tinted, and so are the cells of winning lines; a winning line that lies in
    one plane is drawn. Size: the grid and one shape a mark, whatever the board.

    Raises:
        ValueError: the board has more than a million cells.
    """
    planes, rows, cols = _planes_rows_cols(game)
    plane_width = cols * UNIT + GAP
    width = MARGIN + planes * plane_width - GAP + 12
    height = MARGIN + rows * UNIT + 12 + (GAP if planes > 1 else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="noughts" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img">',
        f"<title>{size(game.rules.shape)} board, {standing(game)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="var(--paper)"/>',
        *_tints(game),
    ]
    for plane, layer in enumerate(_layers(game)):
        parts += _grid(rows, cols, MARGIN + plane * plane_width, layer)
    history = game.history
    parts += [_mark(game.mark(cell), *_centre(game, cell)) for cell in history]
    parts += _winning_lines(game)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _planes_rows_cols(game: Game) -> tuple[int, int, int]:
    """The board as flat planes: how many, and their sides."""
    rules = game.rules
    if rules.cells > MAX_CELLS:
        raise ValueError(f"a {size(rules.shape)} board is too large to draw")
    rows, cols = rules.shape[-2:] if len(rules.shape) > 1 else (1, rules.shape[0])
    return rules.cells // (rows * cols), rows, cols


def _layers(game: Game) -> Iterator[Cell]:
    """The coordinates of each plane: all of a cell's but the last two."""
    return product(*map(range, game.rules.shape[:-2]))


def _layer_name(layer: Cell) -> str:
    """What the names of the plane's cells begin with."""
    return "plane " + "/".join(str(at + 1) for at in layer)


def _winning_cells(game: Game) -> frozenset[Cell]:
    lines = game.outcome.lines if game.outcome else ()
    return frozenset(cell for line in lines for cell in line)


def _centre(game: Game, cell: Cell) -> tuple[int, int]:
    """Where a cell's centre is in the SVG."""
    _, _, cols = _planes_rows_cols(game)
    *layers, row, col = cell if len(cell) > 1 else (0, *cell)
    plane = 0
    for at, side in zip(layers, game.rules.shape, strict=False):
        plane = plane * side + at
    left = MARGIN + plane * (cols * UNIT + GAP)
    return left + col * UNIT + UNIT // 2, MARGIN + row * UNIT + UNIT // 2


def _tints(game: Game) -> Iterator[str]:
    winning = _winning_cells(game)
    for cell in sorted(winning) or list(game.history[-1:]):
        x, y = _centre(game, cell)
        tint = "win" if winning else "last"
        yield (
            f'<rect x="{x - UNIT // 2}" y="{y - UNIT // 2}" width="{UNIT}" height="{UNIT}" '
            f'fill="var(--{tint})"/>'
        )


def _grid(rows: int, cols: int, left: int, layer: Cell) -> Iterator[str]:
    right, bottom = left + cols * UNIT, MARGIN + rows * UNIT
    across = "".join(f"M{left} {MARGIN + row * UNIT}H{right}" for row in range(rows + 1))
    down = "".join(f"M{left + col * UNIT} {MARGIN}V{bottom}" for col in range(cols + 1))
    yield f'<path d="{across}{down}" fill="none" stroke="var(--grid)"/>'
    for col in range(cols):
        x = left + col * UNIT + UNIT // 2
        yield f'<text x="{x}" y="{MARGIN // 2}">{column_name(col)}</text>'
    if not any(layer):
        for row in range(rows):
            y = MARGIN + row * UNIT + UNIT // 2
            yield f'<text x="{MARGIN // 2}" y="{y}">{row + 1}</text>'
    if layer:
        yield f'<text x="{(left + right) // 2}" y="{bottom + 18}">{_layer_name(layer)}</text>'


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


def _winning_lines(game: Game) -> Iterator[str]:
    for line in game.outcome.lines if game.outcome else ():
        if line[0][:-2] == line[-1][:-2]:
            (x1, y1), (x2, y2) = _centre(game, line[0]), _centre(game, line[-1])
            yield (
                f'<path d="M{x1} {y1}L{x2} {y2}" stroke="var(--line)" stroke-width="6" '
                'stroke-linecap="round" opacity="0.75"/>'
            )
