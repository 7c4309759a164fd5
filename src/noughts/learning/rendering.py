"""Rendering for environments: games as text, as an image or in a window."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts.errors import short_repr
from noughts.extras import require_extra
from noughts.game.game import Game
from noughts.game.geometry import geometry_of
from noughts.game.rules import Rules
from noughts.learning.encoding import marks
from noughts.picture.svg import STYLE
from noughts.picture.text import planes_rows_cols, text, winning_cells

MODES = ["ansi", "rgb_array", "human"]
FPS = 4
MAX_TILE, MIN_TILE, SIDE = 48, 8, 720  # pixels: of a cell, and of the board if its cells allow it


def _colour(name: str) -> list[int]:
    """Return the colour with this name in the light theme of the SVG board."""
    found = re.search(rf"--{name}:#([0-9a-f]+)", STYLE)
    assert found
    digits = found[1] if len(found[1]) == 6 else "".join(2 * digit for digit in found[1])
    return list(bytes.fromhex(digits))


PAPER, GRID, LAST, WIN = map(_colour, ("paper", "grid", "last", "win"))
INK = np.array([PAPER, *(_colour(f"p{player}") for player in range(1, 9))], np.uint8)


def pixels(game: Game) -> NDArray[np.uint8]:
    """Return the board as an image: uint8, height × width × 3, with layers side by side.

    Raises:
        ValueError: the board has more than a million cells.
    """
    layers, rows, cols = planes_rows_cols(game)
    side = min(MAX_TILE, max(MIN_TILE, SIDE // max(rows, layers * cols)))
    players = marks(game)
    paper = np.full((len(players), 3), PAPER, np.uint8)
    winning = winning_cells(game)
    for cell in winning or game.history[-1:]:
        paper[geometry_of(game.rules).number(cell)] = WIN if winning else LAST
    drawn = np.array([_tile(player, side) for player in range(game.rules.players + 1)])[players]
    image = np.where(drawn[..., None], INK[players][:, None, None], paper[:, None, None])
    image[:, -1], image[:, :, -1] = GRID, GRID
    image = image.reshape(layers, rows, cols, side, side, 3).transpose(1, 3, 0, 2, 4, 5)
    return np.ascontiguousarray(image.reshape(rows * side, layers * cols * side, 3))


def _tile(player: int, side: int) -> Any:
    """Return the pixels of a player's mark: a cross, a ring or, from player 3 on, a polygon."""
    x, y = np.meshgrid(*2 * [(np.arange(side) + 0.5) / side * 2 - 1])
    if player == 0:
        return np.zeros((side, side), np.bool_)
    if player == 1:
        return (abs(abs(x) - abs(y)) < 0.2) & (np.maximum(abs(x), abs(y)) < 0.6)
    if player == 2:
        return abs(np.hypot(x, y) - 0.55) < 0.12
    turn = np.pi / player
    away = np.hypot(x, y) * np.cos((np.arctan2(x, -y)) % (2 * turn) - turn)
    return abs(away - 0.6 * np.cos(turn)) < 0.1


class RenderedGame:
    """The game of an environment and its rendering."""

    def __init__(self, rules: Rules, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise ValueError(
                f"render_mode must be one of {', '.join(MODES)}, got {short_repr(mode)}"
            )
        self._game = Game(rules)
        self.render_mode = mode
        self._window: Any = None
        if mode == "human":
            with require_extra('render_mode "human"', "pygame"):
                import pygame
            self._pygame = pygame
            self._clock = pygame.time.Clock()

    def render(self) -> Any:
        """Return the board as text or an image, or show it in a window and return None."""
        if self.render_mode == "ansi":
            return text(self._game)
        if self.render_mode == "rgb_array":
            return pixels(self._game)
        if self.render_mode == "human":
            self._show(pixels(self._game))
        return None

    def _show(self, image: NDArray[np.uint8]) -> None:
        pygame = self._pygame
        if self._window is None:
            pygame.display.init()
            pygame.display.set_caption("noughts")
            self._window = pygame.display.set_mode((image.shape[1], image.shape[0]))
        pygame.event.pump()
        pygame.surfarray.blit_array(self._window, image.transpose(1, 0, 2))
        pygame.display.flip()
        self._clock.tick(FPS)

    def close(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._pygame.display.quit()
            self._window = None
