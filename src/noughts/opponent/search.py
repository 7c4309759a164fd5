"""A stand-in until the exact search is merged: for at most nine empty cells, and slow."""

from __future__ import annotations

from noughts.game import Game
from noughts.lines import Cell
from noughts.rules import Rules

KNOWN: dict[Rules, dict[bytes, int]] = {}


class Solver:
    """Solves positions of one game."""

    def __init__(self, rules: Rules, *, memory: int = 0) -> None:
        self._known = KNOWN.setdefault(rules, {})

    def values(self, game: Game, *, seconds: float | None = None) -> dict[Cell, int | None]:
        """The value of each move, or None for all where there are too many."""
        if len(game.legal_moves) > 9:
            return dict.fromkeys(game.legal_moves)
        return {**self._values(game.copy())}

    def _values(self, game: Game) -> dict[Cell, int]:
        found: dict[Cell, int] = {}
        for cell in game.legal_moves:
            game.play(cell)
            found[cell] = -self._value(game)
            game.undo()
        return found

    def _value(self, game: Game) -> int:
        if game.outcome:
            return 0 if game.outcome.winner is None else -1
        key = game.key()
        if key not in self._known:
            self._known[key] = max(self._values(game).values())
        return self._known[key]
