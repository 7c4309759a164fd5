"""`Game`, one documented behaviour at a time; test_game_machine.py tests them in combination."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from allocations import allocated
from game.playing import DRAW, WIN_OF_1, WIN_OF_2, every_state, game_of, snapshot
from noughts import (
    CellTaken,
    Game,
    GameOver,
    InvalidRules,
    OffBoard,
    Outcome,
    Rules,
    Termination,
    TicTacToe,
)
from oracle import Cell, board

pytestmark = pytest.mark.usefixtures("board_of_games")


# A game from the first move to the last


def test_new_game_is_classic_and_empty() -> None:
    game = Game()
    assert game.rules == Rules()
    assert (game.turn, game.ply, game.history, game.outcome) == (1, 0, (), None)
    assert {game.mark(cell) for cell in board((3, 3))} == {0}
    assert (game.live_lines(1), game.live_lines(2)) == (8, 8)
    assert game.winnable
    assert Game() == Game(Rules()) == Game(rules=Rules())


def test_players_take_turns_and_history_keeps_the_order() -> None:
    game = Game(Rules((4, 4), k=4, players=3))
    for ply, cell in enumerate(cells := [(3, 3), (0, 0), (1, 2), (2, 1)]):
        assert (game.ply, game.turn) == (ply, ply % 3 + 1)
        assert game.play(cell) is None
        assert game.mark(cell) == ply % 3 + 1
    assert game.history == tuple(cells)
    assert game.turn == 2


def test_line_ends_the_game() -> None:
    game = game_of(*WIN_OF_1[:-1])
    assert game.outcome is None
    outcome = game.play((0, 2))
    assert outcome == Outcome(Termination.LINE, 1, (((0, 0), (0, 1), (0, 2)),))
    assert game.outcome == outcome
    assert game_of(*WIN_OF_2).outcome == Outcome(Termination.LINE, 2, (((1, 0), (1, 1), (1, 2)),))


def test_full_board_without_a_line_is_a_draw() -> None:
    game = game_of(*DRAW[:-1])
    assert game.outcome is None
    assert game.play(DRAW[-1]) == Outcome(Termination.FULL_BOARD, None, ())


def test_line_with_the_last_cell_wins() -> None:
    moves = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1), (2, 2)]
    outcome = game_of(*moves).outcome
    assert outcome == Outcome(Termination.LINE, 1, (((0, 0), (1, 1), (2, 2)),))


def test_turn_after_the_end_is_the_next_player() -> None:
    assert game_of(*WIN_OF_1).turn == 2
    assert game_of(*WIN_OF_2).turn == 1
    assert game_of(*DRAW).turn == 2


def test_outcome_lines_are_rows_columns_diagonals_anti_diagonals() -> None:
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


def test_first_move_wins_anywhere_with_k_1() -> None:
    for cell in board((2, 3)):
        game = Game(Rules((2, 3), k=1))
        assert game.threats(1) == game.threats(2) == set(board((2, 3)))
        assert game.play(cell) == Outcome(Termination.LINE, 1, ((cell,),))
        assert game.live_lines(1) == 6
        assert game.live_lines(2) == 5


def test_game_rejects_rules_of_the_wrong_type() -> None:
    for rules in (3, None, (3, 3), b"3x3"):
        with pytest.raises(TypeError, match=r"^rules must be Rules or text such as 'renju', not "):
            Game(rules)  # type: ignore[arg-type]


# Undo, copies, replays


def test_undo_on_an_empty_board_raises() -> None:
    game = Game()
    with pytest.raises(IndexError, match=r"^no move to undo: none has been made$"):
        game.undo()
    assert snapshot(game) == snapshot(Game())


@pytest.mark.parametrize("early_draw", [False, True])
@pytest.mark.parametrize("cells", [WIN_OF_1, WIN_OF_2, DRAW[:7]])
def test_undo_restores_every_state(cells: tuple[Cell, ...], early_draw: bool) -> None:
    rules = Rules(early_draw=early_draw)
    game, states = Game(rules), []
    for cell in cells:
        states.append(snapshot(game))
        game.play(cell)
    for cell in reversed(cells):
        assert game.undo() == cell
        assert snapshot(game) == states.pop()
    assert game == Game(rules)


def test_undo_reopens_a_finished_game() -> None:
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
def test_duplicate_is_equal_and_independent(
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


def test_repr_evaluates_to_the_game() -> None:
    rules = "Rules(shape=(3, 3), k=3, players=2, early_draw=False)"
    assert repr(Game()) == f"Game({rules})"
    assert repr(game_of((1, 1), (0, 0))) == f"Game.replay({rules}, [(1, 1), (0, 0)])"


def test_games_are_equal_if_rules_and_history_are() -> None:
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
def test_replay_error_names_the_ply(cells: list[Cell], reason: type[Exception], ply: int) -> None:
    with pytest.raises(reason) as caught:
        Game.replay(Rules(), cells)
    assert caught.value.__notes__ == [f"at ply {ply}"]


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


def test_terminations_have_the_names_of_records() -> None:
    assert [(member.name, member.value) for member in Termination] == [
        ("LINE", "line"),
        ("FULL_BOARD", "full_board"),
        ("NO_WIN_LEFT", "no_win_left"),
        ("RESIGNATION", "resignation"),
        ("TIMEOUT", "timeout"),
        ("AGREEMENT", "agreement"),
    ]


# Memory


def test_game_on_a_big_board_has_no_table() -> None:
    assert allocated(lambda: Game(Rules.square(1001))) < 100_000
    assert allocated(lambda: Game(Rules((46340, 46340), k=5))) < 100_000


def test_memory_grows_with_moves_not_with_the_board() -> None:
    def game(side: int) -> Game:
        return game_of(*((i, 2 * i) for i in range(200)), rules=Rules((side, side), k=5))

    small, big = allocated(lambda: game(1002)), allocated(lambda: game(46340))
    assert small < 1_500_000
    assert big < small * 1.5


def test_drop_lets_marks_fall_on_each_other() -> None:
    game = Game("connect-four")
    for _ in range(6):
        assert game.drop(3) is None
    assert game.history == tuple((row, 3) for row in range(5, -1, -1))
    with pytest.raises(CellTaken, match=r"cell \(0, 3\) is already taken"):
        game.drop(3)
    with pytest.raises(OffBoard):
        game.drop(7)
    with pytest.raises(OffBoard):
        game.drop((1, 2))
    with pytest.raises(TypeError, match="column must be an integer"):
        game.drop("d")  # type: ignore[arg-type]
    assert game.ply == 6
    cube = Game("3x3x3,gravity")
    cube.drop((1, 2))
    cube.drop((1, 2))
    assert cube.history == ((2, 1, 2), (1, 1, 2))
    with pytest.raises(InvalidRules, match="marks do not fall"):
        Game().drop(0)
