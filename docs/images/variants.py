"""Draw docs/images/variant-*.svg: a game of each variant, for docs/game.md.

.venv/bin/python docs/images/variants.py
"""

from __future__ import annotations

from pathlib import Path

from noughts import Game
from noughts.game.rules import OPTIONS, VARIANTS
from noughts.picture import svg

GAMES = {"gravity": Game.from_text(OPTIONS["gravity"].example)} | {
    name: Game.from_text(variant.example) for name, variant in VARIANTS.items()
}

if __name__ == "__main__":
    for name, game in GAMES.items():
        Path(__file__).with_name(f"variant-{name}.svg").write_text(svg(game), encoding="utf-8")
