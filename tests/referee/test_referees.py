"""All referees agree with each other and with the rules, on small and big boards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, cycle, permutations
from random import Random
from typing import Protocol

import pytest

from noughts import Game, Rules, TicTacToe
from noughts.referee import BoardScan, PlayerTallies, SignedSums
from oracle import Cell, board, every_game, winning_lines

Flat = tuple[int, int]


class Referee(Protocol):
    def move(self, row: int, col: int, player: int) -> int: ...


class GameAsReferee:
    """`Game` with the interface of the classic problem; it enforces turns."""

    def __init__(self, n: int) -> None:
        self.game = Game(Rules.square(n))

    def move(self, row: int, col: int, player: int) -> int:
        outcome = self.game.play((row, col), player)
        return outcome.winner or 0 if outcome else 0


def unchecked(n: int) -> TicTacToe:
    return TicTacToe(n, checked=False)


TRUSTING: list[Callable[[int], Referee]] = [BoardScan, PlayerTallies, SignedSums, unchecked]
ANY_ORDER = [*TRUSTING, TicTacToe]  # without turns: one player can move several times
ALL = [*ANY_ORDER, GameAsReferee]

in_any_order = pytest.mark.parametrize("referee", ANY_ORDER)
in_turn = pytest.mark.parametrize("referee", ALL)


def verdicts(referee: Referee, moves: Sequence[Flat], begins: int = 1) -> list[int]:
    players = cycle((begins, 3 - begins))
    return [referee.move(*cell, player) for cell, player in zip(moves, players, strict=False)]


def expected_verdicts(n: int, moves: Sequence[Flat], begins: int = 1) -> list[int]:
    """Return the verdicts up to the first win by rescanning every line after every move."""
    lines = winning_lines((n, n), n)
    found: list[int] = []
    marks: tuple[set[Cell], set[Cell]] = set(), set()
    for ply, cell in enumerate(moves):
        player = (begins, 3 - begins)[ply % 2]
        mine = marks[ply % 2]
        mine.add(cell)
        found.append(player if any(line <= mine for line in lines) else 0)
        if found[-1]:
            break
    return found


def check_all(n: int, moves: Sequence[Flat], begins: int = 1) -> list[int]:
    """Check that all referees agree with the rescan up to the first win."""
    expected = expected_verdicts(n, moves, begins)
    moves = moves[: len(expected)]
    scan, tallies, signed = BoardScan(n), PlayerTallies(n), SignedSums(n)
    checked, trusting = TicTacToe(n), unchecked(n)
    for referee in (scan, tallies, signed, checked, trusting):
        assert verdicts(referee, moves, begins) == expected
    if begins == 1:
        assert verdicts(GameAsReferee(n), moves) == expected

    marks = {1: set(moves[begins - 1 :: 2]), 2: set(moves[2 - begins :: 2])}
    assert scan.board == [
        [1 if (row, col) in marks[1] else 2 if (row, col) in marks[2] else 0 for col in range(n)]
        for row in range(n)
    ]
    for player, mine in marks.items():
        index = player - 1
        assert tallies.rows[index] == [sum(row == at for row, _ in mine) for at in range(n)]
        assert tallies.cols[index] == [sum(col == at for _, col in mine) for at in range(n)]
        assert tallies.diagonal[index] == sum(row == col for row, col in mine)
        assert tallies.anti_diagonal[index] == sum(row + col == n - 1 for row, col in mine)
    for sums in (signed, checked, trusting):
        assert list(sums.rows) == [a - b for a, b in zip(*tallies.rows, strict=True)]
        assert list(sums.cols) == [a - b for a, b in zip(*tallies.cols, strict=True)]
        assert sums.diagonal == tallies.diagonal[0] - tallies.diagonal[1]
        assert sums.anti_diagonal == tallies.anti_diagonal[0] - tallies.anti_diagonal[1]
    assert checked.winner == trusting.winner == expected[-1]
    return expected


# Every game of the small boards


def walk_every_game(n: int) -> tuple[Counter[int], Counter[int], Counter[int]]:
    """Check that all referees agree move by move on every game of n×n.

    A new referee of each kind replays each game; one `Game` walks the tree of all games with `play`
    and `undo`.

    Returns:
        The games by winner and by length, and the moves on the tree by ply.
    """
    winners: Counter[int] = Counter()
    lengths: Counter[int] = Counter()
    nodes: Counter[int] = Counter()
    players = [2 - ply % 2 for ply in range(1, n * n + 1)]
    game = Game(Rules.square(n))
    for moves, winner in every_game(n):
        verdict = [0] * (len(moves) - 1) + [winner]
        judged = list(zip(moves, players, strict=False))
        for new in (BoardScan, PlayerTallies, SignedSums, TicTacToe):
            move = new(n).move
            assert [move(row, col, player) for (row, col), player in judged] == verdict

        history = game.history
        while history != tuple(moves[: len(history)]):
            assert game.undo() == history[-1]
            history = history[:-1]
        for cell in moves[len(history) : -1]:
            assert game.play(cell) is None
            nodes[game.ply] += 1
        outcome = game.play(moves[-1])
        nodes[game.ply] += 1
        assert outcome is not None
        assert (outcome.winner or 0) == winner

        winners[winner] += 1
        lengths[len(moves)] += 1
    return winners, lengths, nodes


@pytest.mark.usefixtures("unmeasured")
def test_referees_agree_on_every_game_of_3x3() -> None:
    winners, lengths, nodes = walk_every_game(3)
    assert winners == {1: 131184, 2: 77904, 0: 46080}
    assert winners.total() == 255168
    assert lengths == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    assert [nodes[ply] for ply in range(1, 10)] == [
        *[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    ]
    assert nodes.total() + 1 == 549946


def test_first_player_wins_every_game_of_2x2_and_1x1() -> None:
    assert walk_every_game(2) == ({1: 24}, {3: 24}, {1: 4, 2: 12, 3: 24})
    assert walk_every_game(1) == ({1: 1}, {1: 1}, {1: 1})


# Big boards

SIZES = [*range(4, 13), 50, 100]
at_every_size = pytest.mark.parametrize("n", SIZES)


def cells_of(n: int) -> list[Flat]:
    return [(row, col) for row in range(n) for col in range(n)]


def some_lines(n: int) -> list[list[Flat]]:
    """Return every line, but only some rows and columns of a big board."""
    at = range(n) if n <= 12 else (0, 1, n // 2 - 1, n // 2, n - 2, n - 1)
    return [
        *([(i, j) for j in range(n)] for i in at),
        *([(j, i) for j in range(n)] for i in at),
        [(i, i) for i in range(n)],
        [(i, n - 1 - i) for i in range(n)],
    ]


def shuffled(cells: Sequence[Flat], random: Random) -> list[Flat]:
    return random.sample(cells, len(cells))


def alternating(first: Sequence[Flat], second: Sequence[Flat]) -> list[Flat]:
    """Return the moves of two players in turn; `first` has the same number or one more."""
    assert len(first) - len(second) in (0, 1)
    moves = list(chain.from_iterable(zip(first, second, strict=False)))
    return moves + list(first[len(second) :])


@pytest.mark.usefixtures("unmeasured")
@at_every_size
def test_referees_agree_on_random_full_games(n: int) -> None:
    random = Random(n)
    for begins in (1, 2):
        for _ in range(20 if n <= 12 else 1):
            check_all(n, shuffled(cells_of(n), random), begins)


def won_by_the_last_move(
    n: int, wins: Sequence[Flat], random: Random, *, leads: bool = True
) -> list[Flat]:
    """Return a game in which one player makes these moves and the other plays elsewhere."""
    elsewhere = sorted(set(cells_of(n)) - set(wins))
    while True:
        others = random.sample(elsewhere, len(wins) - leads)
        moves = alternating(wins, others) if leads else alternating(others, wins)
        if len(expected_verdicts(n, moves)) == len(moves):
            return moves


@pytest.mark.usefixtures("unmeasured")
@at_every_size
@pytest.mark.parametrize("begins", [1, 2])
@pytest.mark.parametrize("winner", [1, 2])
def test_player_wins_with_the_last_cell_of_a_line(n: int, begins: int, winner: int) -> None:
    random = Random(n)
    for line in some_lines(n):
        wins = shuffled(line, random)
        moves = won_by_the_last_move(n, wins, random, leads=begins == winner)
        assert check_all(n, moves, begins) == [0] * (len(moves) - 1) + [winner]


def won_with_the_last_cell(n: int, line: list[Flat], random: Random) -> list[Flat]:
    """Return a full game in which only the last move, on this line, completes a line."""
    half = (n * n + 1) // 2  # the moves of the player who makes the last one
    while True:
        wins = shuffled(line, random)
        elsewhere = shuffled(sorted(set(cells_of(n)) - set(line)), random)
        own = shuffled(elsewhere[: half - n] + wins[:-1], random) + wins[-1:]
        others = elsewhere[half - n :]
        moves = alternating(own, others) if n % 2 else alternating(others, own)
        if len(expected_verdicts(n, moves)) == n * n:
            return moves


@pytest.mark.parametrize("n", [*range(3, 13), 50])
def test_win_with_the_last_cell_is_not_a_draw(n: int) -> None:
    random = Random(n)
    for line in some_lines(n) if n <= 12 else some_lines(n)[-2:]:
        moves = won_with_the_last_cell(n, line, random)
        winner = 1 if n % 2 else 2
        assert check_all(n, moves) == [0] * (n * n - 1) + [winner]


@pytest.mark.parametrize("n", [*range(3, 13), 50, 100])
def test_one_move_can_complete_two_lines(n: int) -> None:
    random = Random(n)
    row, col, diagonal, anti = (
        [(n - 1, i) for i in range(n)],
        [(i, 0) for i in range(n)],
        [(i, i) for i in range(n)],
        [(i, n - 1 - i) for i in range(n)],
    )
    pairs = [(row, col), (row, diagonal), (col, diagonal), (row, anti), (col, anti)]
    pairs += [(diagonal, anti)] if n % 2 else []
    for one, other in pairs:
        (crossing,) = set(one) & set(other)
        wins = [cell for cell in shuffled(sorted({*one, *other}), random) if cell != crossing]
        moves = won_by_the_last_move(n, [*wins, crossing], random)
        check_all(n, moves)
        outcome = Game.replay(Rules.square(n), moves).outcome
        assert outcome is not None
        assert outcome.winner == 1
        assert set(map(frozenset, outcome.lines)) == {frozenset(one), frozenset(other)}


def test_one_move_can_complete_four_lines() -> None:
    n, centre = 7, (3, 3)
    star = [(i, j) for i, j in cells_of(n) if i == j or i + j == 6 or i == 3 or j == 3]
    wins = [cell for cell in star if cell != centre]
    elsewhere = sorted(set(cells_of(n)) - set(star))
    moves = alternating([*wins, centre], elsewhere)
    assert check_all(n, moves) == [0] * 48 + [1]
    outcome = Game.replay(Rules.square(n), moves).outcome
    assert outcome is not None
    assert [line[0] for line in outcome.lines] == [(3, 0), (0, 3), (0, 0), (0, 6)]


# The pitfalls


@in_any_order
@pytest.mark.parametrize("n", range(2, 9))
@pytest.mark.parametrize("player", [1, 2])
def test_anti_diagonal_is_where_row_plus_col_is_n_minus_1(
    referee: Callable[[int], Referee], n: int, player: int
) -> None:
    judge = referee(n)
    found = [judge.move(i, n - 1 - i, player) for i in range(n)]
    assert found == [0] * (n - 1) + [player]


@pytest.mark.parametrize("n", range(1, 9))
def test_diagonal_sum_changes_only_by_its_cells(n: int) -> None:
    for row, col in cells_of(n):
        game, signed, tallies = TicTacToe(n), SignedSums(n), PlayerTallies(n)
        for judge in (game, signed, tallies):
            judge.move(row, col, 2)
        assert game.diagonal == signed.diagonal == -(row == col)
        assert game.anti_diagonal == signed.anti_diagonal == -(row + col == n - 1)
        assert tallies.diagonal == [0, row == col]
        assert tallies.anti_diagonal == [0, row + col == n - 1]


def test_centre_lies_on_both_diagonals() -> None:
    game = TicTacToe(3)
    assert game.move(1, 1, 1) == 0
    assert (game.diagonal, game.anti_diagonal) == (1, 1)
    assert (game.rows, game.cols) == ((0, 1, 0), (0, 1, 0))


@in_any_order
@pytest.mark.parametrize("n", [3, 5, 7])
@pytest.mark.parametrize("anti", [False, True])
def test_centre_completes_either_diagonal(
    referee: Callable[[int], Referee], n: int, anti: bool
) -> None:
    judge, centre = referee(n), n // 2
    for i in range(n):
        if i != centre:
            assert judge.move(i, n - 1 - i if anti else i, 2) == 0
    assert judge.move(centre, centre, 2) == 2


@in_turn
def test_first_move_wins_on_1x1(referee: Callable[[int], Referee]) -> None:
    assert referee(1).move(0, 0, 1) == 1


def test_cell_of_1x1_is_row_column_and_both_diagonals() -> None:
    game = TicTacToe(1)
    assert game.move(0, 0, 2) == 2
    assert (game.rows, game.cols, game.diagonal, game.anti_diagonal) == ((-1,), (-1,), -1, -1)


@in_turn
def test_any_two_cells_of_2x2_are_a_line(referee: Callable[[int], Referee]) -> None:
    for first, second, third in permutations(cells_of(2), 3):
        assert verdicts(referee(2), [first, second, third]) == [0, 0, 1]


@in_turn
@pytest.mark.parametrize("line", some_lines(3))
def test_full_line_of_mixed_marks_does_not_win(
    referee: Callable[[int], Referee], line: list[Flat]
) -> None:
    assert verdicts(referee(3), line) == [0, 0, 0]


def test_mixed_marks_sum_towards_0() -> None:
    game = TicTacToe(4)
    for col, player in enumerate((1, 2, 2, 1)):
        assert game.move(2, col, player) == 0
    assert game.rows == (0, 0, 0, 0)
    assert game.cols == (1, -1, -1, 1)
    assert (game.diagonal, game.anti_diagonal) == (-1, -1)


@in_turn
def test_line_lacking_one_cell_does_not_win(referee: Callable[[int], Referee]) -> None:
    assert verdicts(referee(3), [(0, 0), (2, 0), (0, 1), (2, 1)]) == [0, 0, 0, 0]


@in_turn
def test_two_lines_at_once_are_one_win(referee: Callable[[int], Referee]) -> None:
    moves = [(0, 1), (1, 1), (0, 2), (1, 2), (1, 0), (2, 1), (2, 0), (2, 2), (0, 0)]
    assert verdicts(referee(3), moves) == [0, 0, 0, 0, 0, 0, 0, 0, 1]


@in_turn
def test_last_cell_of_3x3_can_win(referee: Callable[[int], Referee]) -> None:
    moves = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1), (2, 2)]
    assert verdicts(referee(3), moves) == [0, 0, 0, 0, 0, 0, 0, 0, 1]


@in_any_order
def test_either_player_can_move_first(referee: Callable[[int], Referee]) -> None:
    assert verdicts(referee(3), [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)], begins=2) == [
        *[0, 0, 0, 0],
        2,
    ]


@in_any_order
def test_turns_are_not_enforced(referee: Callable[[int], Referee]) -> None:
    judge = referee(3)
    assert [judge.move(i, 2, 2) for i in range(3)] == [0, 0, 2]


def test_referees_answer_the_classic_call_list() -> None:
    calls = [[3], [0, 0, 1], [0, 2, 2], [2, 2, 1], [1, 1, 2], [2, 0, 1], [1, 0, 2], [2, 1, 1]]
    for new in ANY_ORDER:
        referee = new(calls[0][0])
        answers = [None, *(referee.move(*call) for call in calls[1:])]
        assert answers == [None, 0, 0, 0, 0, 0, 0, 1]


def test_tallies_support_any_number_of_players() -> None:
    tallies = PlayerTallies(3, players=3)
    moves = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (2, 2), (1, 2)]
    found = [tallies.move(*cell, ply % 3 + 1) for ply, cell in enumerate(moves)]
    assert found == [0, 0, 0, 0, 0, 0, 0, 2]
    assert tallies.rows == [[2, 0, 1], [0, 3, 0], [0, 0, 2]]


def test_board_scan_shows_the_lines_through_a_cell() -> None:
    scan = BoardScan(3)
    for ply, (row, col) in enumerate(board((3, 3))[:5]):
        scan.move(row, col, ply % 2 + 1)
    assert scan.lines(1, 1) == [[2, 1, 0], [2, 1, 0], [1, 1, 0], [1, 1, 0]]
    assert scan.lines(0, 1) == [[1, 2, 1], [2, 1, 0]]
    assert scan.lines(2, 2) == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
