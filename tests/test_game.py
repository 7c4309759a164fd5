"""`Game`, one documented behaviour at a time. The machine in test_game_machine.py drives it all."""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from noughts import (
    CellTaken,
    Game,
    GameOver,
    IllegalMove,
    OffBoard,
    Outcome,
    Rules,
    Termination,
    TicTacToe,
    UnknownPlayer,
    WrongTurn,
)
from noughts.game import LegalMoves
from oracle import Cell, Indexed, NaiveGame, board, kind, observed

WIN_OF_1 = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2))
WIN_OF_2 = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 2), (1, 2))
DRAW = ((0, 0), (1, 1), (2, 0), (1, 0), (1, 2), (2, 1), (0, 1), (0, 2), (2, 2))
NO_COORDINATES = [1.0, True, False, "1", None, b"1", 1j, (1,), object()]
NO_CELLS = [0, 1.5, None, "00", b"00", {(0, 0)}, {0: 0}, range(2), object()]


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
pytestmark = pytest.mark.usefixtures("board_of_games")


def snapshot(game: Game) -> tuple[object, ...]:
    return repr(game), pickle.dumps(game), game.outcome, observed(game)


def refused(game: Game, cell: Cell, player: int | None = None) -> IllegalMove:
    """The error of a refused move, announced by `why_illegal`; nothing has changed."""
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


# A game from the first move to the last


def test_a_new_game_is_the_classic_one_and_empty() -> None:
    game = Game()
    assert game.rules == Rules()
    assert (game.turn, game.ply, game.history, game.outcome) == (1, 0, (), None)
    assert {game.mark(cell) for cell in board((3, 3))} == {0}
    assert (game.live_lines(1), game.live_lines(2)) == (8, 8)
    assert game.winnable
    assert Game() == Game(Rules()) == Game(rules=Rules())


def test_players_take_turns_and_moves_are_remembered_in_order() -> None:
    game = Game(Rules((4, 4), k=4, players=3))
    for ply, cell in enumerate(cells := [(3, 3), (0, 0), (1, 2), (2, 1)]):
        assert (game.ply, game.turn) == (ply, ply % 3 + 1)
        assert game.play(cell) is None
        assert game.mark(cell) == ply % 3 + 1
    assert game.history == tuple(cells)
    assert game.turn == 2


def test_a_line_ends_the_game() -> None:
    game = game_of(*WIN_OF_1[:-1])
    assert game.outcome is None
    outcome = game.play((0, 2))
    assert outcome == Outcome(Termination.LINE, 1, (((0, 0), (0, 1), (0, 2)),))
    assert game.outcome == outcome
    assert game_of(*WIN_OF_2).outcome == Outcome(Termination.LINE, 2, (((1, 0), (1, 1), (1, 2)),))


def test_a_full_board_without_a_line_is_a_draw() -> None:
    game = game_of(*DRAW[:-1])
    assert game.outcome is None
    assert game.play(DRAW[-1]) == Outcome(Termination.FULL_BOARD, None, ())


def test_a_line_with_the_last_cell_is_a_win() -> None:
    moves = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1), (2, 2)]
    outcome = game_of(*moves).outcome
    assert outcome == Outcome(Termination.LINE, 1, (((0, 0), (1, 1), (2, 2)),))


def test_after_the_end_the_turn_would_be_the_next_player_s() -> None:
    assert game_of(*WIN_OF_1).turn == 2
    assert game_of(*WIN_OF_2).turn == 1
    assert game_of(*DRAW).turn == 2


def test_the_lines_of_an_outcome_are_rows_columns_diagonals_anti_diagonals() -> None:
    wins = [cell for cell in board((7, 7)) if cell != (3, 3)]
    star = [(r, c) for r, c in wins if 3 in (r, c) or r == c or r + c == 6]
    others = [cell for cell in wins if cell not in star]
    game = Game(Rules.square(7))
    for mine, theirs in zip(star, others, strict=True):
        game.play(mine)
        game.play(theirs)
    outcome = game.play((3, 3))
    assert outcome is not None
    assert outcome.lines == (
        tuple((3, i) for i in range(7)),
        tuple((i, 3) for i in range(7)),
        tuple((i, i) for i in range(7)),
        tuple((i, 6 - i) for i in range(7)),
    )


@pytest.mark.parametrize(
    ("side", "mine", "last", "starts"),
    [(12, [0, 1, 5, 2, 4], 3, [0, 1]), (18, [0, 1, 2, 3, 5, 6, 7, 8], 4, [0, 1, 2, 3, 4])],
)
def test_more_than_k_in_a_row_are_several_lines_from_the_left(
    side: int, mine: list[int], last: int, starts: list[int]
) -> None:
    game = Game(Rules((2, side), k=5))
    for own, other in zip(mine, range(0, 2 * len(mine), 2), strict=True):
        game.play((0, own))
        game.play((1, other))
    outcome = game.play((0, last))
    assert outcome is not None
    assert outcome.lines == tuple(tuple((0, start + i) for i in range(5)) for start in starts)


def test_with_k_1_the_first_move_wins_anywhere() -> None:
    for cell in board((2, 3)):
        game = Game(Rules((2, 3), k=1))
        assert game.threats(1) == game.threats(2) == set(board((2, 3)))
        assert game.play(cell) == Outcome(Termination.LINE, 1, ((cell,),))
        assert game.live_lines(1) == 6
        assert game.live_lines(2) == 5


def test_the_rules_are_needed_as_rules() -> None:
    for rules in (3, None, (3, 3), "3×3"):
        with pytest.raises(TypeError, match=r"^rules must be Rules, not "):
            Game(rules)  # type: ignore[arg-type]


# Refused moves


@every_state
def test_a_cell_off_the_board_is_refused_and_never_wraps(state: Callable[[], Game]) -> None:
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
def test_a_cell_of_another_dimension_is_off_the_board(state: Callable[[], Game]) -> None:
    game = state()
    zeros = (0,) * len(game.rules.shape)
    for cell in ((), zeros[:-1], (*zeros, 0)):
        assert type(refused(game, cell)) is OffBoard
        with pytest.raises(OffBoard):
            game.mark(cell)


def test_the_messages_of_refused_moves() -> None:
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


def test_a_message_shows_every_coordinate_of_a_cell() -> None:
    cell = (0, 0, 0, 0, 0, 0, 0, 2)
    error = refused(Game(Rules((2,) * 8)), cell)
    assert str(error) == f"cell {cell} is off the 2×2×2×2×2×2×2×2 board"


def test_a_coordinate_too_long_to_print_is_off_the_board_like_others() -> None:
    for at in (10**5000, -(10**5000)):
        assert type(refused(Game(), (0, at))) is OffBoard
        assert type(refused(Game(), (0, 0), at)) is UnknownPlayer


def test_codes_and_players_of_refused_moves() -> None:
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
def test_an_unknown_player_is_refused(state: Callable[[], Game], player: int) -> None:
    game = state()
    cell = (0,) * len(game.rules.shape)
    assert type(refused(game, cell, player)) is UnknownPlayer
    for question in (game.live_lines, game.threats):
        with pytest.raises(UnknownPlayer):
            question(player)


def test_a_player_who_says_so_plays_in_turn() -> None:
    game = Game(Rules((4, 4), players=3))
    for ply, cell in enumerate(board((4, 4))[:6]):
        turn = ply % 3 + 1
        for player in {1, 2, 3} - {turn}:
            assert type(refused(game, cell, player)) is WrongTurn
        assert game.why_illegal(cell, turn) is None
        assert game.is_legal(cell, turn)
        assert game.play(cell, turn) is None
        assert game.mark(cell) == turn


def test_a_second_mark_on_a_cell_is_refused() -> None:
    game = game_of((1, 1), (0, 0), (2, 2))
    for cell in game.history:
        assert type(refused(game, cell)) is CellTaken
        assert cell not in game.legal_moves


@pytest.mark.parametrize("cells", [WIN_OF_1, WIN_OF_2, DRAW])
def test_no_move_is_legal_after_the_end(cells: tuple[Cell, ...]) -> None:
    game = game_of(*cells)
    for cell in board((3, 3)):
        assert type(refused(game, cell)) is GameOver


def test_of_several_reasons_the_first_of_the_documented_order_is_given() -> None:
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
def test_a_coordinate_that_is_no_integer_is_a_type_error(
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
def test_what_is_no_tuple_is_a_type_error(state: Callable[[], Game], value: object) -> None:
    game = state()
    wrongly_typed(game, value)
    with pytest.raises(TypeError, match=rf"^a cell is a tuple of {len(game.rules.shape)} integers"):
        game.mark(value)  # type: ignore[arg-type]


@every_state
@pytest.mark.parametrize("value", [v for v in NO_COORDINATES if v is not None], ids=kind)
def test_a_player_that_is_no_integer_is_a_type_error(
    state: Callable[[], Game], value: object
) -> None:
    game = state()
    wrongly_typed(game, (0,) * len(game.rules.shape), value)
    for question in (game.live_lines, game.threats):
        with pytest.raises(TypeError, match=r"^player must be an integer, not "):
            question(value)  # type: ignore[arg-type]


def test_whatever_has_an_index_is_an_integer() -> None:
    one: Any = Indexed(1)
    game = Game()
    game.play((one, 1), one)
    assert game == game_of((1, 1))
    assert repr(game) == repr(game_of((1, 1)))
    assert game.mark((one, one)) == 1
    assert game.live_lines(one) == 8


# Undo, copies, replays


def test_there_is_no_move_to_undo_on_an_empty_board() -> None:
    game = Game()
    with pytest.raises(IndexError, match=r"^no move to undo: none has been made$"):
        game.undo()
    assert snapshot(game) == snapshot(Game())


@pytest.mark.parametrize("early_draw", [False, True])
@pytest.mark.parametrize("cells", [WIN_OF_1, WIN_OF_2, DRAW[:7]])
def test_undo_goes_back_through_every_state(cells: tuple[Cell, ...], early_draw: bool) -> None:
    rules = Rules(early_draw=early_draw)
    game, states = Game(rules), []
    for cell in cells:
        states.append(snapshot(game))
        game.play(cell)
    for cell in reversed(cells):
        assert game.undo() == cell
        assert snapshot(game) == states.pop()
    assert game == Game(rules)


def test_undo_reopens_a_game_that_is_over() -> None:
    game = game_of(*WIN_OF_1)
    assert game.undo() == (0, 2)
    assert game.outcome is None
    assert game.play((2, 2)) is None
    assert game.play((1, 2)) == Outcome(Termination.LINE, 2, (((1, 0), (1, 1), (1, 2)),))


def by_repr(game: Game) -> Game:
    twin = eval(repr(game), {"Game": Game, "Rules": Rules})
    assert isinstance(twin, Game)
    return twin


def by_pickle(game: Game) -> Game:
    twin = pickle.loads(pickle.dumps(game))
    assert isinstance(twin, Game)
    return twin


def by_replay(game: Game) -> Game:
    return Game.replay(game.rules, iter(game.history))


@every_state
@pytest.mark.parametrize(
    "duplicate", [by_repr, by_pickle, by_replay, Game.copy, copy.copy, copy.deepcopy]
)
def test_a_duplicate_is_equal_and_independent(
    duplicate: Callable[[Game], Game], state: Callable[[], Game]
) -> None:
    game = state()
    before = snapshot(game)
    twin = duplicate(game)
    assert twin is not game
    assert twin == game
    assert snapshot(twin) == before

    while twin.ply:
        twin.undo()
    assert snapshot(game) == before
    for cell in game.history:
        twin.play(cell)
    for cell in twin.legal_moves:
        if twin.play(cell):
            break
    played = snapshot(twin)
    assert snapshot(game) == before
    while game.ply:
        game.undo()
    assert snapshot(twin) == played


def test_the_repr_is_how_the_game_is_made_again() -> None:
    rules = "Rules(shape=(3, 3), k=3, players=2, early_draw=False)"
    assert repr(Game()) == f"Game({rules})"
    assert repr(game_of((1, 1), (0, 0))) == f"Game.replay({rules}, [(1, 1), (0, 0)])"


def test_games_are_equal_with_equal_rules_and_equal_history() -> None:
    one = game_of((0, 0), (1, 1), (2, 2))
    assert one == game_of((0, 0), (1, 1), (2, 2))
    assert one != game_of((2, 2), (1, 1), (0, 0))
    assert one != game_of((0, 0), (1, 1))
    assert Game() != Game(Rules(early_draw=True))
    assert Game() != TicTacToe(3)
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@pytest.mark.parametrize(
    ("cells", "reason", "ply"),
    [
        ([(0, 0), (0, 0)], CellTaken, 2),
        ([(0, 3)], OffBoard, 1),
        ([*WIN_OF_1, (2, 2)], GameOver, 6),
        ([(0, 0), (1, "1")], TypeError, 2),
        ([(0, 0), (1, 1), 5], TypeError, 3),
    ],
)
def test_a_refused_replay_says_at_which_ply(
    cells: list[Cell], reason: type[Exception], ply: int
) -> None:
    with pytest.raises(reason) as caught:
        Game.replay(Rules(), cells)
    assert caught.value.__notes__ == [f"at ply {ply}"]


# Legal moves


def test_legal_moves_are_the_empty_cells_row_by_row() -> None:
    game = game_of((1, 1), (0, 1), rules=Rules((2, 3), k=3))
    assert list(game.legal_moves) == [(0, 0), (0, 2), (1, 0), (1, 2)]
    assert len(game.legal_moves) == 4
    assert game.legal_moves
    assert (0, 0) in game.legal_moves
    assert (0, 1) not in game.legal_moves


@pytest.mark.parametrize("cells", [WIN_OF_1, DRAW])
def test_there_are_no_legal_moves_after_the_end(cells: tuple[Cell, ...]) -> None:
    moves = game_of(*cells).legal_moves
    assert not moves
    assert len(moves) == 0
    assert list(moves) == []
    assert (2, 2) not in moves


@pytest.mark.parametrize("value", [(-1, 0), (0, 3), (0,), (0, 0, 0), (0, 0.0), "00", None, 0, []])
def test_what_is_no_cell_of_the_board_is_not_among_the_legal_moves(value: object) -> None:
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


def test_legal_moves_can_be_walked_while_playing_and_taking_back() -> None:
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


def test_legal_moves_walked_while_playing_on_leave_out_what_was_taken() -> None:
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
def test_the_repr_of_legal_moves_gives_the_same_view(state: Callable[[], Game]) -> None:
    moves = state().legal_moves
    twin = eval(repr(moves), {"Game": Game, "Rules": Rules})
    assert type(twin) is LegalMoves
    assert list(twin) == list(moves)
    assert twin == moves


def test_legal_moves_of_a_vast_board_are_counted_without_a_walk() -> None:
    game = Game(Rules((46340, 46340), k=5))
    assert len(game.legal_moves) == 46340**2
    assert (46339, 0) in game.legal_moves
    assert next(iter(game.legal_moves)) == (0, 0)


# What is still possible


def test_live_lines_are_those_without_foreign_marks() -> None:
    game = game_of((1, 1))
    assert (game.live_lines(1), game.live_lines(2)) == (8, 4)
    game.play((0, 0))
    assert (game.live_lines(1), game.live_lines(2)) == (5, 4)
    game.undo()
    assert (game.live_lines(1), game.live_lines(2)) == (8, 4)


def test_a_line_with_marks_of_three_players_is_live_for_none_until_they_are_taken_back() -> None:
    game = Game(Rules((1, 4), k=4, players=3))
    for cell in ((0, 0), (0, 1), (0, 2)):
        game.play(cell)
    assert [game.live_lines(player) for player in (1, 2, 3)] == [0, 0, 0]
    game.undo()
    game.undo()
    assert [game.live_lines(player) for player in (1, 2, 3)] == [1, 0, 0]


def test_threats_are_the_cells_that_complete_a_line_and_two_are_a_fork() -> None:
    game = game_of((0, 0), (0, 1), (2, 2), (1, 1), (2, 0))
    assert game.threats(1) == {(1, 0), (2, 1)}
    assert game.threats(2) == {(2, 1)}
    assert isinstance(game.threats(1), frozenset)


def test_threats_fill_gaps_too() -> None:
    game = game_of((0, 0), (1, 0), (0, 1), (1, 1), (0, 4), rules=Rules((2, 6), k=4))
    assert game.threats(1) == set()
    game = game_of((0, 0), (1, 0), (0, 1), (1, 1), (0, 3), rules=Rules((2, 6), k=4))
    assert game.threats(1) == {(0, 2)}


# the rules of a game, and whether it has positions in which nobody can win any more
SMALL_GAMES = [
    (Rules(), True),
    (Rules(k=2), False),
    (Rules(players=3), True),
    (Rules((2, 2), players=3), False),
    (Rules((2, 3), k=3), True),
    (Rules((2, 4), k=3), True),
    (Rules((2, 3), k=2, players=4), True),
    (Rules((7,), k=3), True),
    (Rules((7,), k=3, players=3), True),
    (Rules((7,), k=2, players=4), True),
    (Rules((2, 2, 2)), False),
    (Rules((1, 1), players=5), False),
]


def positions(rules: Rules) -> dict[bytes, tuple[Cell, ...]]:
    """Each position of a game by its key, with the moves that first led there."""
    found: dict[bytes, tuple[Cell, ...]] = {Game(rules).key(): ()}
    game = Game(rules)

    def go_on() -> None:
        for cell in game.legal_moves:
            game.play(cell)
            if game.key() not in found:
                found[game.key()] = game.history
                go_on()
            game.undo()

    go_on()
    return found


def test_equal_positions_have_equal_keys_however_they_came_about() -> None:
    one, other = game_of((0, 0), (1, 1), (2, 2)), game_of((2, 2), (1, 1), (0, 0))
    assert one.key() == other.key() == bytes([1, 0, 0, 0, 2, 0, 0, 0, 1])
    assert game_of((1, 0), rules=Rules((2, 3), k=2)).key() == bytes([0, 0, 0, 1, 0, 0])


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(("rules", "may_die"), SMALL_GAMES, ids=str)
def test_winnable_says_what_full_search_says_of_every_position(rules: Rules, may_die: bool) -> None:
    known: dict[bytes, bool] = {}

    def line_in_reach(game: NaiveGame) -> bool:
        """Whether any way to go on completes a line."""
        key = game.key()
        if key not in known:
            done = any(map(game.complete_lines, game.players))
            known[key] = done or any(line_in_reach(game.played(cell)) for cell in game.empty)
        return known[key]

    answers = set()
    for key, history in positions(rules).items():
        answers.add(winnable := Game.replay(rules, history).winnable)
        assert winnable == line_in_reach(NaiveGame(rules, history)), key
    assert answers == ({True, False} if may_die else {True})


# Early draws


def test_without_early_draw_the_game_goes_on_though_nobody_can_win() -> None:
    game = game_of(*DRAW[:8])
    assert not game.winnable
    assert game.outcome is None
    assert game.legal_moves
    early = game_of(*DRAW[:8], rules=Rules(early_draw=True))
    assert early.outcome == Outcome(Termination.NO_WIN_LEFT, None, ())
    assert not early.legal_moves
    assert str(refused(early, DRAW[8])) == "the game is over: it is a draw"


def test_undo_reopens_an_early_draw() -> None:
    game = game_of(*DRAW[:8], rules=Rules(early_draw=True))
    assert game.undo() == DRAW[7]
    assert game.outcome is None
    assert DRAW[7] in game.legal_moves
    assert game.play(DRAW[7]) == Outcome(Termination.NO_WIN_LEFT)


def test_a_game_that_nobody_can_win_may_be_over_before_it_begins() -> None:
    rules = Rules(players=5, early_draw=True)  # nobody has three moves
    game = Game(rules)
    assert game.outcome == Outcome(Termination.NO_WIN_LEFT)
    assert list(game.legal_moves) == []
    assert type(refused(game, (0, 0))) is GameOver
    with pytest.raises(IndexError):
        game.undo()
    assert Game(Rules(players=5)).outcome is None
    assert not Game(Rules(players=5)).winnable
    assert Game(Rules(players=4, early_draw=True)).outcome is None  # player 1 has three


def test_with_every_line_spoilt_nobody_can_win_however_many_moves_are_left() -> None:
    moves = [(2, 2), (2, 3), (3, 1), (1, 1), (0, 3), (0, 2), (0, 1), (3, 0), (1, 0)]
    game = game_of(*moves, rules=Rules.square(4))
    assert len(game.legal_moves) == 7  # four of them for player 2
    assert game.live_lines(1) == game.live_lines(2) == 0
    assert not game.winnable
    early = game_of(*moves, rules=Rules((4, 4), early_draw=True))
    assert early.outcome == Outcome(Termination.NO_WIN_LEFT)


def test_a_complete_line_counts_as_winnable() -> None:
    assert game_of(*WIN_OF_1).winnable
    moves = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1), (2, 2)]
    assert game_of(*moves).winnable


# Outcomes


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(Termination.LINE, 2, (((0, 0), (0, 1)), ((0, 0), (1, 0)))),
        Outcome(Termination.FULL_BOARD),
        Outcome(Termination.NO_WIN_LEFT),
        Outcome(Termination.RESIGNATION, 1),
    ],
)
def test_outcomes_are_values(outcome: Outcome) -> None:
    names = {"Outcome": Outcome, "Termination": Termination}
    for twin in (
        eval(repr(outcome), names),
        copy.copy(outcome),
        copy.deepcopy(outcome),
        pickle.loads(pickle.dumps(outcome)),
    ):
        assert twin == outcome
        assert hash(twin) == hash(outcome)
    with pytest.raises(AttributeError):
        outcome.winner = 1  # type: ignore[misc]


def test_terminations_have_the_names_of_the_records() -> None:
    assert [(member.name, member.value) for member in Termination] == [
        ("LINE", "line"),
        ("FULL_BOARD", "full_board"),
        ("NO_WIN_LEFT", "no_win_left"),
        ("RESIGNATION", "resignation"),
    ]


# Memory


def allocated(make: Callable[[], object]) -> int:
    """The bytes that what this makes still holds, caches of the geometry included."""
    tracemalloc.start()
    try:
        kept = make()
        size, _ = tracemalloc.get_traced_memory()
        del kept
    finally:
        tracemalloc.stop()
    return size


def test_a_game_on_a_big_board_has_no_table() -> None:
    assert allocated(lambda: Game(Rules.square(1001))) < 100_000
    assert allocated(lambda: Game(Rules((46340, 46340), k=5))) < 100_000


def test_memory_grows_with_the_moves_and_not_with_the_board() -> None:
    def game(side: int) -> Game:
        return game_of(*((i, 2 * i) for i in range(200)), rules=Rules((side, side), k=5))

    small, big = allocated(lambda: game(1002)), allocated(lambda: game(46340))
    assert small < 1_500_000
    assert big < small * 1.5
