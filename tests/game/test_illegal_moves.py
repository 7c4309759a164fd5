"""Illegal moves raise exact errors and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from game.playing import DRAW, WIN_OF_1, WIN_OF_2, every_state, game_of, refused, snapshot
from noughts import CellTaken, Game, GameOver, OffBoard, Rules, UnknownPlayer, WrongTurn
from oracle import Cell, Indexed, board, kind

NO_COORDINATES = [1.0, True, False, "1", None, b"1", 1j, (1,), object()]
NO_CELLS = [0, 1.5, None, "00", b"00", {(0, 0)}, {0: 0}, range(2), object()]

pytestmark = pytest.mark.usefixtures("board_of_games")


@every_state
def test_cell_off_the_board_is_rejected_and_never_wraps(state: Callable[[], Game]) -> None:
    game = state()
    shape = game.rules.shape
    zeros = (0,) * len(shape)
    for axis, side in enumerate(shape):
        for at in (-1, -side, side, side + 1, 10**20):
            cell = (*zeros[:axis], at, *zeros[axis + 1 :])
            assert type(refused(game, cell)) is OffBoard
            assert cell not in game.legal_moves
            with pytest.raises(OffBoard):
                game.mark(cell)


@every_state
def test_cell_of_another_dimension_is_off_the_board(state: Callable[[], Game]) -> None:
    game = state()
    zeros = (0,) * len(game.rules.shape)
    for cell in ((), zeros[:-1], (*zeros, 0)):
        assert type(refused(game, cell)) is OffBoard
        with pytest.raises(OffBoard):
            game.mark(cell)


def test_illegal_moves_have_exact_messages() -> None:
    game = game_of((1, 1))
    assert str(refused(game, (3, 0))) == "cell (3, 0) is off the 3×3 board"
    assert str(refused(game, (0,))) == "cell (0,) is off the 3×3 board"
    assert str(refused(game, (1, 1))) == "cell (1, 1) is already taken"
    assert str(refused(game, (0, 0), 1)) == "player 1 cannot move: it is player 2's turn"
    assert str(refused(game, (0, 0), 3)) == "player 3 is unknown: expected 1 or 2"
    assert str(refused(game_of(*WIN_OF_1), (2, 2))) == "the game is over: player 1 has won"
    assert str(refused(game_of(*DRAW), (2, 2))) == "the game is over: it is a draw"
    cubes = Game(Rules((3, 3, 3), players=4))
    assert str(refused(cubes, (0, 0, 3))) == "cell (0, 0, 3) is off the 3×3×3 board"
    assert str(refused(cubes, (0, 0, 0), 5)) == "player 5 is unknown: expected 1 to 4"
    assert str(refused(Game(Rules((5,))), (5,))) == "cell (5,) is off the 1×5 board"


def test_message_shows_every_coordinate() -> None:
    cell = (0, 0, 0, 0, 0, 0, 0, 2)
    error = refused(Game(Rules((2,) * 8)), cell)
    assert str(error) == f"cell {cell} is off the 2×2×2×2×2×2×2×2 board"


def test_huge_coordinate_is_off_the_board() -> None:
    for at in (10**5000, -(10**5000)):
        assert type(refused(Game(), (0, at))) is OffBoard
        assert type(refused(Game(), (0, 0), at)) is UnknownPlayer


def test_illegal_moves_have_codes_and_players() -> None:
    game = game_of((1, 1))
    errors = [
        refused(game, (3, 0)),
        refused(game, (3, 0), 1),
        refused(game, (1, 1)),
        refused(game, (0, 0), 1),
        refused(game, (0, 0), 3),
        refused(game_of(*WIN_OF_1), (2, 2)),
        refused(game_of(*WIN_OF_1), (2, 2), 1),
    ]
    assert [(type(error), error.code, error.player) for error in errors] == [
        (OffBoard, "off_board", 2),
        (OffBoard, "off_board", 1),
        (CellTaken, "cell_taken", 2),
        (WrongTurn, "wrong_turn", 1),
        (UnknownPlayer, "unknown_player", 3),
        (GameOver, "game_over", 2),
        (GameOver, "game_over", 1),
    ]


@every_state
@pytest.mark.parametrize("player", [0, -1, 9])
def test_unknown_player_is_rejected(state: Callable[[], Game], player: int) -> None:
    game = state()
    cell = (0,) * len(game.rules.shape)
    assert type(refused(game, cell, player)) is UnknownPlayer
    for question in (game.live_lines, game.threats):
        with pytest.raises(UnknownPlayer):
            question(player)


def test_player_argument_checks_the_turn() -> None:
    game = Game(Rules((4, 4), players=3))
    for ply, cell in enumerate(board((4, 4))[:6]):
        turn = ply % 3 + 1
        for player in {1, 2, 3} - {turn}:
            assert type(refused(game, cell, player)) is WrongTurn
        assert game.why_illegal(cell, turn) is None
        assert game.is_legal(cell, turn)
        assert game.play(cell, turn) is None
        assert game.mark(cell) == turn


def test_second_mark_on_a_cell_is_rejected() -> None:
    game = game_of((1, 1), (0, 0), (2, 2))
    for cell in game.history:
        assert type(refused(game, cell)) is CellTaken
        assert cell not in game.legal_moves


@pytest.mark.parametrize("cells", [WIN_OF_1, WIN_OF_2, DRAW])
def test_no_move_is_legal_after_the_end(cells: tuple[Cell, ...]) -> None:
    game = game_of(*cells)
    for cell in board((3, 3)):
        assert type(refused(game, cell)) is GameOver


def test_first_documented_reason_is_reported() -> None:
    over, going = game_of(*WIN_OF_1), game_of((1, 1))
    assert type(refused(over, (9, 9), 9)) is UnknownPlayer
    assert type(refused(over, (9, 9), 1)) is OffBoard
    assert type(refused(over, (0, 0), 1)) is GameOver
    assert type(refused(going, (9, 9), 1)) is OffBoard
    assert type(refused(going, (1, 1), 9)) is UnknownPlayer
    assert type(refused(going, (1, 1), 1)) is WrongTurn
    assert type(refused(going, (1, 1), 2)) is CellTaken


def wrongly_typed(game: Game, cell: object, player: object = None) -> None:
    before = snapshot(game)
    for method in (game.play, game.is_legal, game.why_illegal):
        with pytest.raises(TypeError, match=r"must be an integer|a cell is a tuple of"):
            method(cell, player)  # type: ignore[arg-type]
    assert cell not in game.legal_moves or player is not None
    assert snapshot(game) == before


@every_state
@pytest.mark.parametrize("value", NO_COORDINATES, ids=kind)
def test_coordinate_that_is_not_an_integer_is_a_type_error(
    state: Callable[[], Game], value: object
) -> None:
    game = state()
    others = (9,) * (len(game.rules.shape) - 1)
    for cell in ((value, *others), (*others, value)):
        wrongly_typed(game, cell, 9)
        wrongly_typed(game, cell)
        with pytest.raises(TypeError):
            game.mark(cell)  # type: ignore[arg-type]


@every_state
@pytest.mark.parametrize("value", NO_CELLS, ids=kind)
def test_cell_that_is_not_a_tuple_is_a_type_error(state: Callable[[], Game], value: object) -> None:
    game = state()
    wrongly_typed(game, value)
    with pytest.raises(TypeError, match=rf"^a cell is a tuple of {len(game.rules.shape)} integers"):
        game.mark(value)  # type: ignore[arg-type]


@every_state
@pytest.mark.parametrize("value", [v for v in NO_COORDINATES if v is not None], ids=kind)
def test_player_that_is_not_an_integer_is_a_type_error(
    state: Callable[[], Game], value: object
) -> None:
    game = state()
    wrongly_typed(game, (0,) * len(game.rules.shape), value)
    for question in (game.live_lines, game.threats):
        with pytest.raises(TypeError, match=r"^player must be an integer, not "):
            question(value)  # type: ignore[arg-type]


def test_index_makes_any_object_an_integer() -> None:
    one: Any = Indexed(1)
    game = Game()
    game.play((one, 1), one)
    assert game == game_of((1, 1))
    assert repr(game) == repr(game_of((1, 1)))
    assert game.mark((one, one)) == 1
    assert game.live_lines(one) == 8
