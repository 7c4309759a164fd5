"""Draw docs/images/variant-*.svg: a game of each variant, for docs/game.md.

.venv/bin/python docs/images/variants.py
"""

from __future__ import annotations

from pathlib import Path

from noughts import Game, Rules
from noughts.picture import svg

FALLING = [(5, 3), (4, 3), (5, 4), (4, 4), (5, 5), (4, 5), (5, 6)]
SIX = [(0, 0), (1, 0), (0, 1), (1, 2), (0, 2), (1, 4), (0, 4), (1, 6), (0, 5), (1, 8), (0, 3)]
BLOCKED = [(0, 1), (0, 0), (0, 2), (0, 6), (0, 3), (1, 8), (0, 4), (1, 0), (0, 5)]
LINE = [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]
THREES = [(4, 4), (0, 0), (4, 5), (0, 2), (5, 3), (0, 4), (6, 3), (0, 6)]

GAMES = {
    "gravity": Game.replay(Rules.connect_four(), FALLING),
    "freestyle": Game.replay(Rules((2, 9), 5), SIX),
    "standard": Game.replay(Rules((2, 9), 5, variant="standard"), SIX),
    "caro": Game.replay(Rules((2, 9), 5, variant="caro"), BLOCKED),
    "misere": Game.replay(Rules(variant="misere"), LINE),
    "renju": Game.replay(Rules((9, 9), 5, variant="renju"), THREES),
}

if __name__ == "__main__":
    for name, game in GAMES.items():
        Path(__file__).with_name(f"variant-{name}.svg").write_text(svg(game), encoding="utf-8")
