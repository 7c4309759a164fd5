"""The contract of `TicTacToe` and `tictactoe`: errors, verdicts and state."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

import pytest

from noughts import (
    CellTaken,
    GameOver,
    IllegalMove,
    InvalidRules,
    NoughtsError,
    OffBoard,
    TicTacToe,
    UnknownPlayer,
    tictactoe,
)
from oracle import Indexed, kind

NO_INTEGERS = [1.0, True, False, "1", None, b"1", 1j, Fraction(1), (1,), [1], object(), 1.5]
A_LOT = 10**5000  # more digits than Python converts to text by default


both_kinds = pytest.mark.parametrize("checked", [True, False])


@pytest.fixture(autouse=True)
def _each_class(referee_class: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run everything below with the pure class, then with the compiled one."""
    monkeypatch.setitem(globals(), "TicTacToe", referee_class)


def after(moves: Sequence[tuple[int, int, int]], n: int = 3, checked: bool = True) -> TicTacToe:
    game = TicTacToe(n, checked=checked)
    for move in moves:
        game.move(*move)
    return game


def midgame(checked: bool = True) -> TicTacToe:
    return after([(0, 0, 1), (1, 1, 2), (2, 0, 1)], checked=checked)


def won(checked: bool = True) -> TicTacToe:
    return after([(0, 0, 1), (1, 0, 2), (0, 1, 1), (1, 1, 2), (0, 2, 1)], checked=checked)


def drawn() -> TicTacToe:
    marks = [[1, 2, 1], [1, 2, 2], [2, 1, 1]]
    return after([(row, col, marks[row][col]) for row in range(3) for col in range(3)])


STATES: list[Callable[[], TicTacToe]] = [
    lambda: TicTacToe(1),
    lambda: TicTacToe(3),
    lambda: TicTacToe(3, checked=False),
    midgame,
    lambda: midgame(checked=False),
    won,
    lambda: won(checked=False),
    drawn,
    lambda: after([(4, 4, 2), (0, 4, 1)], n=5),
]
every_state = pytest.mark.parametrize("state", STATES)


def snapshot(game: TicTacToe) -> tuple[object, ...]:
    sums = game.rows, game.cols, game.diagonal, game.anti_diagonal
    return game.n, *sums, game.winner, repr(game), pickle.dumps(game)


def refused(game: TicTacToe, row: int, col: int, player: int) -> IllegalMove:
    """Check that an illegal move changes nothing, and return its error."""
    before, twin = snapshot(game), copy.copy(game)
    with pytest.raises(IllegalMove) as caught:
        game.move(row, col, player)
    assert snapshot(game) == before
    assert game == twin
    error = caught.value
    assert isinstance(error, NoughtsError)
    assert isinstance(error, ValueError)
    assert isinstance(error, IndexError) == isinstance(error, OffBoard)
    assert (error.cell, error.player) == ((row, col), player)
    return error


# Illegal moves


@both_kinds
@pytest.mark.parametrize(
    "cell",
    [*product((-1, 3), (-1, 0, 3)), *product((0,), (-1, 3)), (-3, 2), (2, -3), (10**20, 0)],
    ids=str,
)
@pytest.mark.parametrize("state", [midgame, won])
def test_cell_off_the_board_is_rejected_and_never_wraps(
    state: Callable[[bool], TicTacToe], cell: tuple[int, int], checked: bool
) -> None:
    error = refused(state(checked), *cell, 1)
    assert type(error) is OffBoard
    assert error.code == "off_board"
    assert "is off the 3×3 board" in str(error)


def test_cell_off_the_board_has_an_exact_message() -> None:
    assert str(refused(TicTacToe(3), 3, 0, 1)) == "cell (3, 0) is off the 3×3 board"
    assert str(refused(TicTacToe(15), 0, -1, 1)) == "cell (0, -1) is off the 15×15 board"


@both_kinds
@pytest.mark.parametrize("player", [0, -1, 3, 4, 10**20])
def test_unknown_player_is_rejected(player: int, checked: bool) -> None:
    error = refused(midgame(checked), 2, 2, player)
    assert type(error) is UnknownPlayer
    assert error.code == "unknown_player"
    assert str(error) == f"player {player} is unknown: expected 1 or 2"


@pytest.mark.parametrize("number", [A_LOT, -A_LOT], ids=["huge", "minus huge"])
def test_huge_numbers_raise_the_same_errors(number: int) -> None:
    assert type(refused(TicTacToe(3), number, 0, 1)) is OffBoard
    assert type(refused(TicTacToe(3), 0, 0, number)) is UnknownPlayer


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize("cell", [(0, 0), (1, 1)])
def test_second_mark_on_a_cell_is_rejected(cell: tuple[int, int], player: int) -> None:
    error = refused(midgame(), *cell, player)
    assert type(error) is CellTaken
    assert error.code == "cell_taken"
    assert str(error) == f"cell {cell} is already taken"


@pytest.mark.parametrize("player", [1, 2])
@pytest.mark.parametrize("cell", [(2, 2), (0, 0), (1, 1)])
def test_no_move_is_legal_after_a_win(cell: tuple[int, int], player: int) -> None:
    error = refused(won(), *cell, player)
    assert type(error) is GameOver
    assert error.code == "game_over"
    assert str(error) == "the game is over: player 1 has won"


@pytest.mark.parametrize("player", [1, 2])
def test_no_move_is_legal_on_a_full_board(player: int) -> None:
    error = refused(drawn(), 1, 2, player)
    assert type(error) is GameOver
    assert str(error) == "the game is over: it is a draw"


def test_rejected_move_does_not_affect_the_game() -> None:
    game = midgame()
    for row, col, player in [(0, 0, 2), (1, 1, 1), (-1, 0, 2), (2, 2, 0)]:
        refused(game, row, col, player)
    assert game.move(1, 0, 1) == 1


@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        (won, (9, 9, 9), UnknownPlayer),
        (won, (9, 9, 1), OffBoard),
        (won, (0, 0, 1), GameOver),
        (drawn, (0, 0, 0), UnknownPlayer),
        (drawn, (0, -1, 1), OffBoard),
        (drawn, (0, 0, 1), GameOver),
        (midgame, (0, 0, 3), UnknownPlayer),
        (midgame, (3, 3, 3), UnknownPlayer),
    ],
)
def test_first_documented_reason_is_reported(
    state: Callable[[], TicTacToe], move: tuple[int, int, int], reason: type[IllegalMove]
) -> None:
    assert type(refused(state(), *move)) is reason


def test_error_can_be_pickled() -> None:
    error = refused(midgame(), 0, 0, 2)
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is CellTaken
    assert (str(twin), twin.cell, twin.player) == (str(error), (0, 0), 2)


# Wrong types


@both_kinds
@pytest.mark.parametrize("place", [0, 1, 2], ids=["row", "col", "player"])
@pytest.mark.parametrize("value", NO_INTEGERS, ids=kind)
def test_argument_that_is_not_an_integer_is_a_type_error(
    value: object, place: int, checked: bool
) -> None:
    arguments: list[object] = [2, 2, 1]
    arguments[place] = value
    game = midgame(checked)
    before = snapshot(game)
    name = ("row", "col", "player")[place]
    with pytest.raises(TypeError, match=rf"^{name} must be an integer, not .* \(\w+\)$") as caught:
        game.move(*arguments)  # type: ignore[arg-type]
    assert type(value).__name__ in str(caught.value)
    assert snapshot(game) == before


@pytest.mark.parametrize("place", [0, 1, 2], ids=["row", "col", "player"])
def test_wrong_type_is_reported_before_an_illegal_move(place: int) -> None:
    arguments: list[object] = [9, 9, 9]
    arguments[place] = 0.0
    with pytest.raises(TypeError):
        won().move(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", NO_INTEGERS, ids=kind)
def test_n_must_be_an_integer(value: object) -> None:
    with pytest.raises(TypeError, match=r"^n must be an integer, not "):
        TicTacToe(value)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^n must be an integer, not "):
        tictactoe([], value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [0, 1, "yes", None, 1.0])
def test_checked_must_be_a_keyword_bool(value: object) -> None:
    with pytest.raises(TypeError, match=rf"^checked must be True or False, not {value!r}$"):
        TicTacToe(3, checked=value)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="positional argument"):
        TicTacToe(3, False)  # type: ignore[call-arg]


def test_index_makes_any_object_an_integer() -> None:
    game = TicTacToe(Indexed(3))  # type: ignore[arg-type]
    for i in range(3):
        assert game.move(Indexed(i), Indexed(2 - i), Indexed(2)) == (0, 0, 2)[i]  # type: ignore[arg-type]
    plain = after([(0, 2, 2), (1, 1, 2), (2, 0, 2)])
    assert game == plain
    assert snapshot(game) == snapshot(plain)
    assert type(game.winner) is type(game.n) is int


# The board's size


@pytest.mark.parametrize("n", [0, -1, -(10**20)])
def test_board_has_at_least_one_cell(n: int) -> None:
    with pytest.raises(InvalidRules, match=rf"^n must be at least 1, got {n}$"):
        TicTacToe(n)
    with pytest.raises(InvalidRules):
        tictactoe([], n)
    assert issubclass(InvalidRules, ValueError)


@both_kinds
@pytest.mark.parametrize("n", [10**17, 10**30])  # too many bytes for any address space
def test_board_too_big_for_memory_raises(n: int, checked: bool) -> None:
    with pytest.raises(MemoryError, match=rf"^the 2n \+ 2 sums of n = {n} do not fit in memory"):
        TicTacToe(n, checked=checked)


def test_huge_size_is_a_memory_error() -> None:
    with pytest.raises(MemoryError):
        TicTacToe(A_LOT)
    with pytest.raises(InvalidRules):
        TicTacToe(-A_LOT)


def test_big_board_needs_memory_only_for_its_sums() -> None:
    game = TicTacToe(10**6)
    assert game.move(0, 10**6 - 1, 1) == 0
    assert game.move(10**6 - 1, 10**6 - 1, 2) == 0
    assert (game.diagonal, game.anti_diagonal, game.cols[-1]) == (-1, 1, 0)


# checked=False


def test_unchecked_ignores_a_taken_cell() -> None:
    game = after([(0, 0, 1)], checked=False)
    assert game.move(0, 0, 1) == 0
    assert game.rows == (2, 0, 0)
    assert game.move(0, 0, 2) == 0
    assert (game.rows, game.diagonal) == ((1, 0, 0), 1)


def test_unchecked_ignores_the_end_and_keeps_the_first_winner() -> None:
    game = won(checked=False)
    assert [game.move(1, 2, 2), game.winner] == [2, 1]
    assert [game.move(2, 2, 1), game.winner] == [0, 1]


@pytest.mark.parametrize("player", [1, 2])
def test_unchecked_line_of_the_opponent_does_not_win(player: int) -> None:
    for line in ([(0, 1)] * 5, [(1, 0)] * 5, [(0, 0)] * 5, [(0, 2)] * 5):
        game = after([(*cell, 3 - player) for cell in line[:-1]], checked=False)
        assert game.move(*line[-1], player) == 0


@both_kinds
def test_winner_is_0_until_a_line_is_complete(checked: bool) -> None:
    game = TicTacToe(2, checked=checked)
    assert game.winner == 0
    assert (game.move(1, 0, 2), game.winner) == (0, 0)
    assert (game.move(0, 1, 2), game.winner) == (2, 2)


# Visible state


@every_state
def test_sums_are_read_only(state: Callable[[], TicTacToe]) -> None:
    game = state()
    before = snapshot(game)
    for sums in (game.rows, game.cols):
        assert isinstance(sums, Sequence)
        with pytest.raises(TypeError):
            sums[0] = 9  # type: ignore[index]
    for name in ("n", "rows", "cols", "diagonal", "anti_diagonal", "winner"):
        with pytest.raises(AttributeError):
            setattr(game, name, getattr(game, name))
    with pytest.raises(AttributeError):
        game.typo = 1  # type: ignore[attr-defined]
    assert snapshot(game) == before


def test_sums_follow_the_moves() -> None:
    game = midgame()
    assert game.n == 3
    assert (game.rows, game.cols) == ((1, -1, 1), (2, -1, 0))
    assert (game.diagonal, game.anti_diagonal, game.winner) == (0, 0, 0)


def test_repr_of_an_empty_board_is_its_constructor() -> None:
    assert repr(TicTacToe(3)) == "TicTacToe(3)"
    assert repr(TicTacToe(4, checked=False)) == "TicTacToe(4, checked=False)"


def by_repr(game: TicTacToe) -> TicTacToe:
    twin = eval(repr(game), {"TicTacToe": TicTacToe})
    assert isinstance(twin, TicTacToe)
    return twin


def by_pickle(game: TicTacToe) -> TicTacToe:
    twin = pickle.loads(pickle.dumps(game))
    assert isinstance(twin, TicTacToe)
    return twin


@every_state
@pytest.mark.parametrize("duplicate", [by_repr, by_pickle, copy.copy, copy.deepcopy])
def test_duplicate_is_equal_and_independent(
    duplicate: Callable[[TicTacToe], TicTacToe], state: Callable[[], TicTacToe]
) -> None:
    game = state()
    before = snapshot(game)
    twin = duplicate(game)
    assert twin is not game
    assert twin == game
    assert snapshot(twin) == before

    def answers(game: TicTacToe) -> Iterator[int | str]:
        for player in (1, 2):
            for row in range(game.n):
                try:
                    yield game.move(row, row, player)
                except IllegalMove as error:
                    yield error.code

    theirs = list(answers(twin))
    assert snapshot(game) == before
    assert list(answers(game)) == theirs
    assert snapshot(twin) == snapshot(game)


def test_games_are_equal_exactly_in_equal_states() -> None:
    games = [state() for state in STATES]
    for i, one in enumerate(games):
        for j, other in enumerate(games):
            assert (one == other) == (i == j)
    assert midgame() == after([(2, 0, 1), (1, 1, 2), (0, 0, 1)])
    assert midgame() != after([(2, 0, 1), (1, 1, 2), (0, 0, 2)])
    assert after([(0, 0, 1), (1, 1, 1)]) != after([(0, 1, 1), (1, 0, 1)])
    assert TicTacToe(3) != TicTacToe(4)
    assert TicTacToe(3) != "TicTacToe(3)"


def test_order_of_moves_does_not_matter() -> None:
    moves = [(row, (3 * row + 5 * i) % 16, 1 + i % 2) for row in range(16) for i in range(3)]
    there, back = after(moves, n=16), after(moves[::-1], n=16)
    assert there == back
    assert snapshot(there) == snapshot(back)


def test_equal_sums_of_different_cells_are_different_states() -> None:
    one = after([(0, 0, 1), (1, 1, 1), (0, 1, 2), (1, 0, 2)], n=4)
    other = after([(2, 2, 1), (3, 3, 1), (2, 3, 2), (3, 2, 2)], n=4)
    assert (one.rows, one.cols) == (other.rows, other.cols) == ((0,) * 4, (0,) * 4)
    assert (one.diagonal, one.anti_diagonal) == (other.diagonal, other.anti_diagonal)
    assert one != other


def test_game_is_not_hashable() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(TicTacToe(3))


# Whole games


@pytest.mark.parametrize(
    ("moves", "verdict"),
    [
        ([], "Pending"),
        ([(0, 0), (2, 0), (1, 1), (2, 1)], "Pending"),
        ([(0, 0), (2, 0), (1, 1), (2, 1), (2, 2)], "A"),
        ([(0, 0), (1, 1), (0, 1), (0, 2), (1, 0), (2, 0)], "B"),
        ([(0, 0), (1, 1), (2, 0), (1, 0), (1, 2), (2, 1), (0, 1), (0, 2), (2, 2)], "Draw"),
        ([(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1), (2, 2)], "A"),
    ],
)
def test_tictactoe_judges_a_whole_game(moves: list[tuple[int, int]], verdict: str) -> None:
    assert tictactoe(moves) == verdict
    assert tictactoe(iter(moves)) == verdict
    assert tictactoe([list(cell) for cell in moves]) == verdict  # type: ignore[misc]


def test_tictactoe_judges_boards_of_other_sizes() -> None:
    assert tictactoe([], 1) == "Pending"
    assert tictactoe([(0, 0)], 1) == "A"
    assert tictactoe([(0, 0), (0, 1), (1, 1)], n=2) == "A"
    full = [(row, col) for row in (0, 1, 3, 2) for col in (range(4) if row < 2 else (1, 0, 3, 2))]
    assert tictactoe(full, n=4) == "Draw"
    assert {tictactoe(full[:ply], n=4) for ply in range(16)} == {"Pending"}


@pytest.mark.parametrize(
    ("moves", "reason", "ply"),
    [
        ([(0, 0), (0, 0)], CellTaken, 2),
        ([(3, 0)], OffBoard, 1),
        ([(0, 0), (1, 1), (0, -1)], OffBoard, 3),
        ([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)], GameOver, 6),
        ([(0, 0), (1.0, 0)], TypeError, 2),
        ([("0", "0")], TypeError, 1),
    ],
)
def test_tictactoe_raises_the_first_illegal_move_with_its_ply(
    moves: list[tuple[int, int]], reason: type[Exception], ply: int
) -> None:
    with pytest.raises(reason) as caught:
        tictactoe(moves)
    assert caught.value.__notes__ == [f"at ply {ply}"]


def test_tictactoe_error_names_cell_and_player() -> None:
    with pytest.raises(CellTaken, match=re.escape("cell (0, 0) is already taken")) as caught:
        tictactoe([(0, 0), (0, 0)])
    assert (caught.value.cell, caught.value.player) == ((0, 0), 2)


@pytest.mark.parametrize("cell", [(0,), (0, 0, 0), ()])
def test_tictactoe_rejects_a_cell_of_another_dimension(cell: object) -> None:
    with pytest.raises(OffBoard) as caught:
        tictactoe([(1, 1), cell])  # type: ignore[list-item]
    assert caught.value.__notes__ == ["at ply 2"]


@pytest.mark.parametrize("cell", [5, None, "ab", 1.5])
def test_tictactoe_raises_type_error_without_a_cell(cell: object) -> None:
    with pytest.raises(TypeError):
        tictactoe([(1, 1), cell])  # type: ignore[list-item]
