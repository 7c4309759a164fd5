"""Draw docs/images/potential.svg: how much of the potential each empty cell would take away.

.venv/bin/python docs/images/potential.py > docs/images/potential.svg
"""

from __future__ import annotations

import sys

from noughts import Game, Rules
from noughts.opponent.exact.position import Position
from noughts.picture.svg import MARGIN, UNIT, svg


def potential_svg(game: Game) -> str:
    """Draw the board with the weight of each empty cell in 2^k-ths; heavier cells are darker."""
    position = Position(game)
    weights = position.weights(position.next_to(game.turn))
    heaviest = max(weights[cell] for cell in position.empty)
    shapes = []
    for cell in position.empty:
        row, col = divmod(cell, game.rules.shape[1])
        x, y = MARGIN + col * UNIT, MARGIN + row * UNIT
        shade = f'fill="var(--line)" opacity="{0.75 * weights[cell] / heaviest:.2f}"'
        shapes.append(
            f'<rect x="{x + 1}" y="{y + 1}" width="{UNIT - 2}" height="{UNIT - 2}" {shade}/>'
            f'<text x="{x + UNIT // 2}" y="{y + UNIT // 2}" style="fill:var(--ink)">'
            f"{weights[cell]}</text>"
        )
    return svg(game).replace("</svg>", "\n".join([*shapes, "</svg>"]))


if __name__ == "__main__":
    sys.stdout.write(potential_svg(Game.replay(Rules.square(4), [(1, 1)])))
