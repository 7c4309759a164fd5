"""What the page of a game shows people and programs before its scripts have loaded."""

from html import escape
from itertools import product

from noughts.game.game import Game
from noughts.game.names import rules_text, rules_title
from noughts.picture import theme_of
from noughts.service.http.card import HEIGHT, WIDTH
from noughts.service.play.state import State

MOST_MARKS = 1000  # drawn; longer games begin with the empty board
CELL = 100  # units, as the page has it
ROOMY = 7  # columns; a wider board takes the whole width of a phone


def covered(page: str, state: State, base: str) -> str:
    """A game's page, made of the page of all games: with its board, link preview and state.

    `base` is the server's address, with a slash at the end.
    """
    head = "".join(
        f'    <meta property="og:{name}" content="{escape(content)}">\n'
        for name, content in preview(state, base).items()
    )
    head += f'    <link rel="preload" as="fetch" href="/api/games/{state.id}" crossorigin>\n'
    page = page.replace("  </head>\n", f"{head}  </head>\n", 1)
    return page.replace("<!-- the board -->", board(state.game), 1)


def preview(state: State, base: str) -> dict[str, str]:
    """What a chat shows for a link to a game: fields of the Open Graph protocol."""
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
    """The board as a picture that takes its colours from the page."""
    rows, cols = game.rules.shape
    look = theme_of(game.rules)
    lines = "hole" if look == "discs" else "lines"
    if look == "discs":
        centres = product(range(CELL // 2, rows * CELL, CELL), range(CELL // 2, cols * CELL, CELL))
        ruling = "".join(f"M{x} {y}h0" for y, x in centres)
    else:
        inset = CELL // 2 if look == "stones" else 0
        first, bottom, right = inset or CELL, rows * CELL - inset, cols * CELL - inset
        ruling = "".join(f"M{inset} {y}H{right}" for y in range(first, rows * CELL, CELL))
        ruling += "".join(f"M{x} {inset}V{bottom}" for x in range(first, cols * CELL, CELL))
    marks = {1: "", 2: ""}
    for row, col in game.history if game.ply <= MOST_MARKS else ():
        x, y, player = col * CELL, row * CELL, game.mark((row, col))
        if look != "marks":
            marks[player] += f"M{x + 50} {y + 50}h0"
        elif player == 1:
            marks[player] += f"M{x + 25} {y + 25}l50 50m0-50l-50 50"
        else:
            marks[player] += f"M{x + 20} {y + 50}a30 30 0 1 1 60 0a30 30 0 1 1-60 0"
    kind = "first-board wide-board" if cols > ROOMY else "first-board"
    return (
        f'<svg class="{kind}" data-look="{look}" viewBox="0 0 {cols * CELL} {rows * CELL}">'
        '<rect class="plate" width="100%" height="100%" rx="20"/>'
        f'<path class="{lines}" d="{ruling}"/><path class="p1" d="{marks[1]}"/>'
        f'<path class="p2" d="{marks[2]}"/></svg>'
    )
