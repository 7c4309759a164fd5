"""A game as a picture of 1200 × 630 points, which chats show with a link and people pass on."""

from functools import lru_cache
from io import BytesIO
from itertools import product
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.names import rules_text, rules_title
from noughts.game.rules import Rules
from noughts.picture import standing, symbol
from noughts.service.play.state import State

WIDTH, HEIGHT = 1200, 630
FINE = 2  # drawn this many times larger and scaled down, which smooths it
BOARD = 530  # points that the longer side of a board takes
MARGIN = 50
KEPT = 64  # pictures, of 40 to 90 KB each
GROUND, INK, SOFT, FAINT = "#f4f5f7", "#1f2530", "#566072", "#d5dae2"
BLUE, RED = "#2563c9", "#c8372d"


class Colours(NamedTuple):
    """The colours of a look; what players have is at their numbers."""

    last: str  # the cell of the last move
    line: str  # that has won
    marks: tuple[str, ...]
    grid: str
    plate: str = ""  # of the whole board
    faces: tuple[str, ...] = ()  # what the marks are on


COLOURS = {
    "marks": Colours("#dfe5ef", "#d98e04", ("", BLUE, RED), "#848d9d"),
    "stones": Colours(
        last="#f0d9ae",
        line="#c2410c",
        marks=("", "#8ab4ff", "#951a11"),
        grid="#7d5c2b",
        plate="#e2bf85",
        faces=("", "#23272f", "#fbf8f1"),
    ),
    "discs": Colours(
        last="#dfe5ef",
        line="#d98e04",
        marks=("", GROUND, GROUND),
        grid="#848d9d",
        plate="#b9c2d0",
        faces=("", BLUE, RED),
    ),
}


def result_text(state: State) -> str:
    """The result of a game, or whose turn it is: the board does not show every end."""
    if state.status == "aborted":
        return "The game was withdrawn"
    if state.termination:
        return state.termination.words.format(who=symbol(state.winner or 0))
    return standing(state.game) if state.game.ply else "A new game"


def card(game: Game, result: str, look: str) -> bytes:
    """A game of two players on a flat board as a PNG: what is played, the board, and the result."""
    return _drawn(game.rules, game.history, result, look)


@lru_cache(KEPT)  # as drawing takes a tenth of a second
def _drawn(rules: Rules, history: tuple[Cell, ...], result: str, look: str) -> bytes:
    game = Game.replay(rules, history)
    picture = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), GROUND)
    draw = ImageDraw.Draw(picture)
    _draw_board(draw, game, look)
    left = (MARGIN + BOARD + 60) * FINE
    title, about = rules_title(rules), rules_text(rules)
    words = [
        ("noughts", 34, SOFT, 60),
        (title, 62, INK, 230),
        ("" if about == title else about, 30, SOFT, 320),
        (result, 40, INK, 420),
    ]
    for word, size, colour, top in words:
        text = word.replace("×", "x")  # Pillow's own font has no ×
        font = ImageFont.load_default(size * FINE)
        room = (WIDTH - MARGIN) * FINE - left
        while font.getlength(text) > room:
            size -= 2
            font = ImageFont.load_default(size * FINE)
        draw.text((left, top * FINE), text, fill=colour, font=font)
    png = BytesIO()
    picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(png, "PNG")
    return png.getvalue()


def _draw_board(draw: ImageDraw.ImageDraw, game: Game, look: str) -> None:
    rows, cols = game.rules.shape
    cell = BOARD * FINE / max(rows, cols)
    left = (MARGIN + BOARD / 2) * FINE - cols * cell / 2
    top = HEIGHT * FINE / 2 - rows * cell / 2
    pen = max(4, round(cell * 0.09))
    colours = COLOURS[look]

    def at(row: float, col: float) -> tuple[float, float]:
        return left + col * cell, top + row * cell

    def around(row: float, col: float, radius: float) -> list[tuple[float, float]]:
        return [at(row - radius, col - radius), at(row + radius, col + radius)]

    def stroke(
        start: tuple[float, float], end: tuple[float, float], colour: str, pen: int = pen
    ) -> None:
        draw.line([start, end], fill=colour, width=pen)
        for x, y in (start, end):
            draw.ellipse([x - pen / 2, y - pen / 2, x + pen / 2 - 1, y + pen / 2 - 1], fill=colour)

    def mark(player: int, row: float, col: float, radius: float, colour: str, pen: int) -> None:
        if player == 1:
            for up in (-radius, radius):
                stroke(at(row + up, col - radius), at(row - up, col + radius), colour, pen)
        else:
            draw.ellipse(around(row, col, radius * 1.2), outline=colour, width=pen)

    if colours.plate:
        draw.rounded_rectangle([at(0, 0), at(rows, cols)], cell * 0.2, fill=colours.plate)
    for row, col in game.history[-1:]:
        draw.rectangle([at(row, col), at(row + 1, col + 1)], fill=colours.last)
    for hole in product(range(rows), range(cols)) if look == "discs" else ():
        draw.ellipse(around(hole[0] + 0.5, hole[1] + 0.5, 0.42), GROUND, colours.grid)
    grid, inset = max(1, round(cell * 0.025)), 0.5 if look == "stones" else 0
    ruling = colours.grid if cell > pen * 8 or inset else FAINT
    for row in range(1 - bool(inset), rows if look != "discs" else 0):
        draw.line([at(row + inset, inset), at(row + inset, cols - inset)], fill=ruling, width=grid)
    for col in range(1 - bool(inset), cols if look != "discs" else 0):
        draw.line([at(inset, col + inset), at(rows - inset, col + inset)], fill=ruling, width=grid)
    for row, col in game.history:
        player, centre = game.mark((row, col)), (row + 0.5, col + 0.5)
        if colours.faces:
            draw.ellipse(around(*centre, 0.42), colours.faces[player], colours.grid)
            mark(player, *centre, 0.16, colours.marks[player], max(2, round(pen * 0.6)))
        else:
            mark(player, *centre, 0.25, colours.marks[player], pen)
    for line in game.outcome.lines if game.outcome else ():
        (row, col), (to_row, to_col) = line[0], line[-1]
        stroke(at(row + 0.5, col + 0.5), at(to_row + 0.5, to_col + 0.5), colours.line)
