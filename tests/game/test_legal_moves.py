"""The legal moves of a game, a view that follows it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from game.playing import DRAW, WIN_OF_1, every_state, game_of
from noughts import Game, Rules
from noughts.game.game import LegalMoves
from oracle import Cell, board

pytestmark = pytest.mark.usefixtures("board_of_games")


def test_legal_moves_are_the_empty_cells_row_by_row() -> None:
    game = game_of((1, 1), (0, 1), rules=Rules((2, 3), k=3))
    assert list(game.legal_moves) == [(0, 0), (0, 2), (1, 0), (1, 2)]
    assert len(game.legal_moves) == 4
    assert game.legal_moves
    assert (0, 0) in game.legal_moves
    assert (0, 1) not in game.legal_moves


@pytest.mark.parametrize("cells", [WIN_OF_1, DRAW])
def test_legal_moves_are_empty_after_the_end(cells: tuple[Cell, ...]) -> None:
    moves = game_of(*cells).legal_moves
    assert not moves
    assert len(moves) == 0
    assert list(moves) == []
    assert (2, 2) not in moves


@pytest.mark.parametrize("value", [(-1, 0), (0, 3), (0,), (0, 0, 0), (0, 0.0), "00", None, 0, []])
def test_legal_moves_contain_only_cells(value: object) -> None:
    assert value not in Game().legal_moves


def test_legal_moves_follow_the_game() -> None:
    game = Game()
    moves = game.legal_moves
    game.play((0, 0))
    assert len(moves) == 8
    assert (0, 0) not in moves
    game.undo()
    assert len(moves) == 9
    assert (0, 0) in moves
    for cell in WIN_OF_1:
        game.play(cell)
    assert not moves


def test_legal_moves_can_be_iterated_during_play_and_undo() -> None:
    game = Game()
    tried = []
    for cell in game.legal_moves:
        game.play(cell)
        tried.append(cell)
        for reply in game.legal_moves:
            game.play(reply)
            game.undo()
        game.undo()
    assert tried == board((3, 3))


def test_legal_moves_skip_cells_taken_during_iteration() -> None:
    game = Game()
    walk = iter(game.legal_moves)
    assert next(walk) == (0, 0)
    game.play((0, 1))
    assert next(walk) == (0, 2)


def test_legal_moves_combine_like_sets_into_sets() -> None:
    game = game_of((1, 1))
    moves, corners = game.legal_moves, {(0, 0), (0, 2), (2, 0), (2, 2)}
    sides = {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert moves & {(0, 0), (1, 1)} == {(0, 0)}
    assert moves - corners == sides
    assert moves | {(1, 1)} == set(board((3, 3)))
    assert moves ^ corners == sides
    assert corners <= moves
    assert moves > corners
    assert set(moves) == corners | sides
    assert moves == Game.replay(Rules(), [(1, 1)]).legal_moves
    assert moves != Game().legal_moves
    assert moves.isdisjoint({(1, 1)})
    kept = moves - corners
    assert type(kept) is frozenset
    game.play((0, 1))
    assert kept == sides


@every_state
def test_legal_moves_repr_evaluates_to_the_same_view(state: Callable[[], Game]) -> None:
    moves = state().legal_moves
    twin = eval(repr(moves), {"Game": Game, "Rules": Rules})
    assert type(twin) is LegalMoves
    assert list(twin) == list(moves)
    assert twin == moves


def test_legal_moves_of_a_huge_board_are_counted_without_a_walk() -> None:
    game = Game(Rules((46340, 46340), k=5))
    assert len(game.legal_moves) == 46340**2
    assert (46339, 0) in game.legal_moves
    assert next(iter(game.legal_moves)) == (0, 0)
