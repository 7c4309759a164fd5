"""The cells that a game of renju forbids, and to which player."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.test_fouls import GAMES, cells_of, fouls
from noughts import Foul, Game, Outcome, Rules, Termination
from noughts.game.geometry import Cell

both_boards = pytest.mark.usefixtures("board_of_games")
NEAR = list(product((-2, -1, 0, 1, 2), repeat=2))


def forbidden_in(game: Game) -> dict[Cell, str]:
    """Return the cells that a game forbids to the player to move, with the kinds of foul."""
    refused = {cell: game.why_illegal(cell) for cell in product(*map(range, game.rules.shape))}
    return {cell: why.kind for cell, why in refused.items() if isinstance(why, Foul)}


@both_boards
@pytest.mark.parametrize("moves", [moves for moves, forbidden, _ in GAMES if forbidden])
def test_real_games_agree_with_the_definition(moves: str) -> None:
    game = Game.replay(Rules.gomoku("renju"), cells_of(moves))
    marks = {cell: game.mark(cell) for cell in game.history}
    assert forbidden_in(game) == fouls(marks, (15, 15))


@pytest.mark.compiled("noughts.game._board")
@pytest.mark.parametrize("shape", [(9, 9), (6, 14)])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_crowded_games_agree_with_the_definition(shape: tuple[int, int], seed: int) -> None:
    """Play a game in which Black crowds together and White plays anywhere."""
    random, game = Random(seed), Game(Rules(shape, 5, variant="renju"))
    while not game.outcome:
        marks = {cell: game.mark(cell) for cell in game.history}
        expected = fouls(marks, shape) if game.turn == 1 else {}
        assert forbidden_in(game) == expected
        legal = list(game.legal_moves)
        assert not set(legal) & set(expected)
        black = {(row + r, col + c) for row, col in game.history[::2] for r, c in NEAR}
        near = [cell for cell in legal if cell in black]
        game.play(random.choice(near if near and game.turn == 1 else legal))


@both_boards
def test_foul_changes_nothing_and_names_its_kind() -> None:
    rules = Rules((9, 9), 5, variant="renju")
    game = Game.replay(rules, [(4, 2), (0, 0), (4, 3), (0, 2), (2, 4), (0, 4), (3, 4), (0, 6)])
    with pytest.raises(Foul, match=r"^cell \(4, 4\) is a foul: it makes a double-three$") as caught:
        game.play((4, 4))
    assert (caught.value.kind, caught.value.player) == ("double_three", 1)
    assert game.ply == 8
    assert (4, 4) not in game.legal_moves
    assert len(game.legal_moves) == 81 - 8 - len(forbidden_in(game))
    game.play((8, 8))
    assert game.is_legal((4, 4))  # for White


@both_boards
def test_game_is_a_draw_if_every_move_is_a_foul() -> None:
    """Play OOXXX.XXOOO on one row, where the empty cell would make an overline."""
    rules = Rules((1, 11), 5, variant="renju")
    game = Game.replay(rules, [(0, at) for at in (2, 0, 3, 1, 4, 8, 6, 9, 7)])
    assert game.outcome is None
    assert game.play((0, 10)) == Outcome(Termination.FULL_BOARD)
    assert list(game.legal_moves) == []
    game.undo()
    assert list(game.legal_moves) == [(0, 5), (0, 10)]
