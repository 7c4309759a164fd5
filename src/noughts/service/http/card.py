"""A game as a picture of 1200 × 630 points, which chats show with a link and people pass on."""

from functools import lru_cache
from io import BytesIO

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
GROUND, INK, SOFT, GRID, FAINT = "#f4f5f7", "#1f2530", "#566072", "#848d9d", "#d5dae2"
LINE, LAST = "#d98e04", "#dfe5ef"
MARKS = {1: "#2563c9", 2: "#c8372d"}


def result_text(state: State) -> str:
    """The result of a game, or whose turn it is: the board does not show every end."""
    if state.status == "aborted":
        return "The game was withdrawn"
    if state.termination:
        return state.termination.words.format(who=symbol(state.winner or 0))
    return standing(state.game) if state.game.ply else "A new game"


def card(game: Game, result: str) -> bytes:
    """A game of two players on a flat board as a PNG: what is played, the board, and the result."""
    return _drawn(game.rules, game.history, result)


@lru_cache(KEPT)  # as drawing takes a tenth of a second
def _drawn(rules: Rules, history: tuple[Cell, ...], result: str) -> bytes:
    game = Game.replay(rules, history)
    picture = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), GROUND)
    draw = ImageDraw.Draw(picture)
    _draw_board(draw, game)
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


def _draw_board(draw: ImageDraw.ImageDraw, game: Game) -> None:
    rows, cols = game.rules.shape
    cell = BOARD * FINE / max(rows, cols)
    left = (MARGIN + BOARD / 2) * FINE - cols * cell / 2
    top = HEIGHT * FINE / 2 - rows * cell / 2
    pen = max(4, round(cell * 0.09))

    def at(row: float, col: float) -> tuple[float, float]:
        return left + col * cell, top + row * cell

    def stroke(start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
        draw.line([start, end], fill=colour, width=pen)
        for x, y in (start, end):
            draw.ellipse([x - pen / 2, y - pen / 2, x + pen / 2 - 1, y + pen / 2 - 1], fill=colour)

    for row, col in game.history[-1:]:
        draw.rectangle([at(row, col), at(row + 1, col + 1)], fill=LAST)
    grid, ruling = max(1, round(cell * 0.025)), GRID if cell > pen * 8 else FAINT
    for row in range(1, rows):
        draw.line([at(row, 0), at(row, cols)], fill=ruling, width=grid)
    for col in range(1, cols):
        draw.line([at(0, col), at(rows, col)], fill=ruling, width=grid)
    for row, col in game.history:
        player = game.mark((row, col))
        if player == 1:
            stroke(at(row + 0.25, col + 0.25), at(row + 0.75, col + 0.75), MARKS[1])
            stroke(at(row + 0.25, col + 0.75), at(row + 0.75, col + 0.25), MARKS[1])
        else:
            box = [at(row + 0.2, col + 0.2), at(row + 0.8, col + 0.8)]
            draw.ellipse(box, outline=MARKS[2], width=pen)
    for line in game.outcome.lines if game.outcome else ():
        (row, col), (to_row, to_col) = line[0], line[-1]
        stroke(at(row + 0.5, col + 0.5), at(to_row + 0.5, to_col + 0.5), LINE)
