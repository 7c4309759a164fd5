"""The page of a game before its scripts have loaded, and its preview image in chats."""

from functools import lru_cache
from html import escape
from io import BytesIO
from itertools import product
from typing import NamedTuple
from urllib.parse import urlsplit

from PIL import Image, ImageDraw, ImageFont

from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.names import rules_text, rules_title
from noughts.game.rules import Rules
from noughts.picture import standing, symbol, theme_of
from noughts.service.play.state import State

WIDTH, HEIGHT = 1200, 630
SCALE = 2  # drawn this many times larger and scaled down, for smooth edges
BOARD = 530  # points of the longer side of a board
MARGIN = 50
KEPT_IMAGES = 64  # of 40 to 90 KB each
GROUND, INK, SOFT, FAINT = "#f4f5f7", "#1f2530", "#566072", "#d5dae2"
BLUE, RED = "#2563c9", "#c8372d"


class Colours(NamedTuple):
    """The colours of a theme; a player's colours are at the player's number."""

    last: str  # of the cell of the last move
    line: str  # of the winning line
    marks: tuple[str, ...]
    grid: str
    plate: str = ""  # of the whole board
    faces: tuple[str, ...] = ()  # of the stones or discs under the marks


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
    """Describe the result of a game, or whose turn it is; the board does not show every end."""
    if state.status == "aborted":
        return "The game was cancelled"
    if state.termination:
        return state.termination.words.format(who=symbol(state.winner or 0))
    return standing(state.game) if state.game.ply else "A new game"


def preview_image(game: Game, result: str, theme: str) -> bytes:
    """Draw a game of two players on a flat board, with its rules and result, as a PNG."""
    return _drawn_image(game.rules, game.history, result, theme)


@lru_cache(KEPT_IMAGES)  # drawing takes a tenth of a second
def _drawn_image(rules: Rules, history: tuple[Cell, ...], result: str, theme: str) -> bytes:
    game = Game.replay(rules, history)
    picture = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), GROUND)
    draw = ImageDraw.Draw(picture)
    _draw_board(draw, game, theme)
    left = (MARGIN + BOARD + 60) * SCALE
    title, about = rules_title(rules), rules_text(rules)
    words = [
        ("noughts", 34, SOFT, 60),
        (title, 62, INK, 230),
        ("" if about == title else about, 30, SOFT, 320),
        (result, 40, INK, 420),
    ]
    for word, size, colour, top in words:
        text = word.replace("×", "x")  # Pillow's own font lacks ×
        font = ImageFont.load_default(size * SCALE)
        space = (WIDTH - MARGIN) * SCALE - left
        while font.getlength(text) > space:
            size -= 2
            font = ImageFont.load_default(size * SCALE)
        draw.text((left, top * SCALE), text, fill=colour, font=font)
    png = BytesIO()
    picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(png, "PNG")
    return png.getvalue()


def _draw_board(draw: ImageDraw.ImageDraw, game: Game, theme: str) -> None:
    rows, cols = game.rules.shape
    cell = BOARD * SCALE / max(rows, cols)
    left = (MARGIN + BOARD / 2) * SCALE - cols * cell / 2
    top = HEIGHT * SCALE / 2 - rows * cell / 2
    pen = max(4, round(cell * 0.09))
    colours = COLOURS[theme]

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
    for hole in product(range(rows), range(cols)) if theme == "discs" else ():
        draw.ellipse(around(hole[0] + 0.5, hole[1] + 0.5, 0.42), GROUND, colours.grid)
    grid, inset = max(1, round(cell * 0.025)), 0.5 if theme == "stones" else 0
    ruling = colours.grid if cell > pen * 8 or inset else FAINT
    for row in range(1 - bool(inset), rows if theme != "discs" else 0):
        draw.line([at(row + inset, inset), at(row + inset, cols - inset)], fill=ruling, width=grid)
    for col in range(1 - bool(inset), cols if theme != "discs" else 0):
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


MOST_MARKS = 1000  # drawn; longer games start with the empty board
CELL = 100  # units, as in the page
ROOMY = 7  # columns; a wider board fills the width of a phone


def prerendered(page: str, state: State, base: str) -> str:
    """Fill the page of all games with the board, link preview and state of one game.

    `base` is the URL of the server, with a slash at the end.
    """
    path = urlsplit(base).path
    head = "".join(
        f'    <meta property="og:{name}" content="{escape(content)}">\n'
        for name, content in preview(state, base).items()
    )
    head += f'    <link rel="preload" as="fetch" href="{path}api/games/{state.id}" crossorigin>\n'
    page = page.replace("  </head>\n", f"{head}  </head>\n", 1)
    return page.replace("<!-- the board -->", board(state.game), 1)


def preview(state: State, base: str) -> dict[str, str]:
    """Return the fields of the Open Graph protocol, which chats show for a link to a game."""
    title = rules_title(state.game.rules)
    invites = " Open the link and play." if state.status == "waiting" else ""
    names = [state.players[seat].name for seat in (1, 2)]
    if state.status == "waiting":
        host = next(filter(None, names), None)
        title = f"{host} invites you to {title}" if host else f"You are invited to {title}"
    elif any(names):
        title = f"{' – '.join(name or 'someone' for name in names)}: {title}"
    return {
        "site_name": "noughts",
        "type": "website",
        "title": title,
        "description": f"{rules_text(state.game.rules)}.{invites}",
        "url": f"{base}g/{state.id}",
        "image": f"{base}api/games/{state.id}/record.png?seq={state.seq}",
        "image:width": str(WIDTH),
        "image:height": str(HEIGHT),
        "image:alt": f"The board of {rules_text(state.game.rules)}",
    }


def board(game: Game) -> str:
    """Draw the board as SVG that takes its colours from the page."""
    rows, cols = game.rules.shape
    theme = theme_of(game.rules)
    lines = "hole" if theme == "discs" else "lines"
    if theme == "discs":
        centres = product(range(CELL // 2, rows * CELL, CELL), range(CELL // 2, cols * CELL, CELL))
        ruling = "".join(f"M{x} {y}h0" for y, x in centres)
    else:
        inset = CELL // 2 if theme == "stones" else 0
        first, bottom, right = inset or CELL, rows * CELL - inset, cols * CELL - inset
        ruling = "".join(f"M{inset} {y}H{right}" for y in range(first, rows * CELL, CELL))
        ruling += "".join(f"M{x} {inset}V{bottom}" for x in range(first, cols * CELL, CELL))
    marks = {1: "", 2: ""}
    for row, col in game.history if game.ply <= MOST_MARKS else ():
        x, y, player = col * CELL, row * CELL, game.mark((row, col))
        if theme != "marks":
            marks[player] += f"M{x + 50} {y + 50}h0"
        elif player == 1:
            marks[player] += f"M{x + 25} {y + 25}l50 50m0-50l-50 50"
        else:
            marks[player] += f"M{x + 20} {y + 50}a30 30 0 1 1 60 0a30 30 0 1 1-60 0"
    kind = "first-board wide-board" if cols > ROOMY else "first-board"
    return (
        f'<svg class="{kind}" data-theme="{theme}" viewBox="0 0 {cols * CELL} {rows * CELL}">'
        '<rect class="plate" width="100%" height="100%" rx="20"/>'
        f'<path class="{lines}" d="{ruling}"/><path class="p1" d="{marks[1]}"/>'
        f'<path class="p2" d="{marks[2]}"/></svg>'
    )
