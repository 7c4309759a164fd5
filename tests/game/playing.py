"""Games that tests start with, and the check of an illegal move."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from noughts import Game, IllegalMove, OffBoard, Rules
from oracle import Cell, observed

WIN_OF_1 = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
WIN_OF_2 = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 2), (1, 2))
DRAW = ((0, 0), (1, 1), (2, 0), (1, 0), (1, 2), (2, 1), (0, 1), (0, 2), (2, 2))


def game_of(*cells: Cell, rules: Rules = Rules()) -> Game:  # noqa: B008  # Rules are immutable
    return Game.replay(rules, cells)


STATES: list[Callable[[], Game]] = [
    Game,
    lambda: game_of((1, 1), (0, 0)),
    lambda: game_of(*WIN_OF_1),
    lambda: game_of(*DRAW),
    lambda: game_of((0, 0), rules=Rules.square(1)),
    lambda: game_of((0, 0, 0), (1, 1, 1), rules=Rules((2, 3, 2), k=2, players=3)),
    lambda: game_of(*DRAW[:8], rules=Rules(early_draw=True)),
    lambda: Game(Rules(players=8, early_draw=True)),
]
every_state = pytest.mark.parametrize("state", STATES)


def snapshot(game: Game) -> tuple[object, ...]:
    return repr(game), pickle.dumps(game), game.outcome, observed(game)


def refused(game: Game, cell: Cell, player: int | None = None) -> IllegalMove:
    """Check that `why_illegal` and `play` give the same error without changes, and return it."""
    before, twin = snapshot(game), game.copy()
    announced = game.why_illegal(cell, player)
    assert not game.is_legal(cell, player)
    with pytest.raises(IllegalMove) as caught:
        game.play(cell, player)
    assert snapshot(game) == before
    assert game == twin
    error = caught.value
    assert type(announced) is type(error)
    assert (str(announced), announced.cell, announced.player) == (
        str(error),
        error.cell,
        error.player,
    )
    assert error.cell == cell
    assert isinstance(error, ValueError)
    assert isinstance(error, IndexError) == isinstance(error, OffBoard)
    return error
