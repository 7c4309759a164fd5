"""Counts of games and positions, against known numbers and naive counting."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game, Rules
from noughts.opponent.exact.perft import count_games, count_positions, perft
from oracle import Cell, NaiveGame, board

# 3×3, from the reference


@pytest.mark.parametrize(
    ("depth", "sequences"),
    [(0, 1), (1, 9), (2, 72), (3, 504), (4, 3024), (5, 15120), (6, 54720), (7, 148176),
     (8, 200448), (9, 127872), (10, 0)],
)  # fmt: skip
def test_perft_of_3x3(depth: int, sequences: int) -> None:
    assert perft(Game(), depth) == sequences


def test_perft_of_3x3_adds_up_to_549946() -> None:
    assert sum(perft(Game(), depth) for depth in range(10)) == 549946


def test_count_games_of_3x3() -> None:
    games = count_games(Game())
    assert games.total() == 255168
    by_winner: Counter[int | None] = Counter()
    by_length: Counter[int] = Counter()
    for (status, winner, ply), number in games.items():
        assert status == ("won" if winner else "draw")
        by_winner[winner] += number
        by_length[ply] += number
    assert by_winner == {1: 131184, 2: 77904, None: 46080}
    assert by_length == {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}


@pytest.mark.usefixtures("board_of_games")
def test_count_positions_of_3x3() -> None:
    positions = count_positions(Game())
    assert positions.total() == 5478
    assert positions == {
        ("won", 1): 626, ("won", 2): 316, ("draw", None): 16, ("pending", None): 5478 - 958,
    }  # fmt: skip
    assert count_positions(Game(), symmetric=True).total() == 765


@pytest.mark.usefixtures("board_of_games")
def test_count_games_of_3x3_with_early_draws() -> None:
    early, full = count_games(Game(Rules(early_draw=True))), count_games(Game())
    draws = {ply: number for (status, _, ply), number in early.items() if status == "draw"}
    assert draws == {6: 288, 7: 3744, 8: 36864}
    wins = {end: number for end, number in full.items() if end[0] == "won"}
    assert {end: number for end, number in early.items() if end[0] == "won"} == wins


@pytest.mark.usefixtures("board_of_games")
def test_counts_of_2x2() -> None:
    game = Game(Rules.square(2))
    assert count_games(game) == {("won", 1, 3): 24}
    assert count_positions(game) == {("won", 1): 12, ("pending", None): 17}


def test_counts_of_1x1() -> None:
    game = Game(Rules.square(1))
    assert [perft(game, depth) for depth in range(3)] == [1, 1, 0]
    assert count_games(game) == {("won", 1, 1): 1}
    assert count_positions(game) == {("pending", None): 1, ("won", 1): 1}
    assert count_positions(game, symmetric=True) == count_positions(game)


# Small games, counted move by move


@st.composite
def small_games(draw: st.DrawFn) -> Game:
    """Draw a game on at most 9 cells with at most 6 empty ones."""
    sides = st.lists(st.integers(1, 4), min_size=1, max_size=3)
    shape = tuple(draw(sides.filter(lambda sides: prod(sides) <= 9)))
    rules = Rules(
        shape, draw(st.integers(1, max(shape))), draw(st.integers(2, 3)), draw(st.booleans())
    )
    game = Game(rules)
    for cell in draw(st.permutations(board(shape))):
        if game.outcome or rules.cells - game.ply <= 5:
            break
        game.play(cell)
    return game


def naive(game: Game) -> NaiveGame:
    return NaiveGame(game.rules, game.history)


def naive_perft(game: NaiveGame, depth: int) -> int:
    if not depth:
        return 1
    return sum(naive_perft(game.played(cell), depth - 1) for cell in game.legal_moves)


def naive_games(game: NaiveGame) -> Counter[tuple[str, int | None, int]]:
    if game.ending:
        winner = game.ending[1]
        return Counter([("won" if winner else "draw", winner, game.ply)])
    games: Counter[tuple[str, int | None, int]] = Counter()
    for cell in game.legal_moves:
        games += naive_games(game.played(cell))
    return games


def naive_positions(game: NaiveGame) -> dict[bytes, NaiveGame]:
    positions = {game.key(): game}
    for cell in game.legal_moves:
        positions |= naive_positions(game.played(cell))
    return positions


def status_of(game: NaiveGame) -> tuple[str, int | None]:
    if not game.ending:
        return "pending", None
    return "won" if game.ending[1] else "draw", game.ending[1]


def images(game: NaiveGame) -> set[frozenset[tuple[Cell, int]]]:
    """Return the images of a position under mirroring and exchange of equal sides."""
    shape = game.rules.shape
    return {
        frozenset(
            (tuple(abs(flip - cell[axis]) for axis, flip in zip(order, flips, strict=True)), player)
            for cell, player in game.marks.items()
        )
        for order in permutations(range(len(shape)))
        if tuple(shape[axis] for axis in order) == shape
        for flips in product(*[(0, side - 1) for side in shape])
    }


@settings(max_examples=30)
@given(small_games(), st.integers(0, 4))
def test_perft_agrees_with_naive_counting(game: Game, depth: int) -> None:
    assert perft(game, depth) == naive_perft(naive(game), depth)


@settings(max_examples=30)
@given(small_games())
def test_count_games_agrees_with_naive_counting(game: Game) -> None:
    assert count_games(game) == naive_games(naive(game))


@settings(max_examples=30)
@given(small_games())
def test_count_positions_agrees_with_naive_counting(game: Game) -> None:
    positions = naive_positions(naive(game)).values()
    assert count_positions(game) == Counter(map(status_of, positions))


@pytest.mark.parametrize(
    "rules",
    [Rules.square(2), Rules((2, 3), k=2), Rules((5,), k=3), Rules((2, 2, 2)),
     Rules((2, 2), players=3), Rules((1, 4), k=2), Rules((3, 2), k=3, early_draw=True)],
    ids=str,
)  # fmt: skip
def test_count_positions_counts_symmetric_positions_once(rules: Rules) -> None:
    classes: dict[frozenset[object], tuple[str, int | None]] = {}
    for game in naive_positions(NaiveGame(rules)).values():
        classes.setdefault(frozenset(images(game)), status_of(game))
    assert count_positions(Game(rules), symmetric=True) == Counter(classes.values())


def test_counts_do_not_depend_on_the_table_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("noughts.opponent.exact.perft.TABLE_LIMIT", 10)
    assert perft(Game(), 6) == 54720
    assert count_games(Game(Rules((2, 3), k=2))) == naive_games(NaiveGame(Rules((2, 3), k=2)))


# Start positions


@given(small_games())
@settings(max_examples=20)
def test_counting_leaves_the_game_unchanged(game: Game) -> None:
    before, outcome = game.copy(), game.outcome
    perft(game, 3)
    count_games(game)
    count_positions(game)
    count_positions(game, symmetric=True)
    assert game == before
    assert game.outcome == outcome
    assert [game.live_lines(player) for player in (1, 2)] == [
        before.live_lines(player) for player in (1, 2)
    ]


def test_counts_of_a_finished_game() -> None:
    game = Game.replay(Rules(), [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)])
    assert [perft(game, depth) for depth in range(3)] == [1, 0, 0]
    assert count_games(game) == {("won", 1, 5): 1}
    assert count_positions(game) == {("won", 1): 1}


def test_perft_counts_first_plies_of_large_boards() -> None:
    assert perft(Game(Rules((46340, 46340), k=5)), 1) == 46340**2
    assert perft(Game(Rules((30, 30), k=5)), 2) == 900 * 899


# Errors


def test_perft_rejects_a_negative_depth() -> None:
    with pytest.raises(ValueError, match="depth must be 0 or more, not -1"):
        perft(Game(), -1)


@pytest.mark.parametrize("depth", [1.0, True, "1", None])
def test_perft_rejects_a_depth_that_is_not_an_integer(depth: int) -> None:
    with pytest.raises(TypeError, match="depth must be an integer, not "):
        perft(Game(), depth)


def test_positions_of_connect_four_agree_with_the_literature() -> None:
    """See OEIS A212693."""
    rules = Rules.connect_four()
    positions = {Game(rules).key(): Game(rules)}
    counts = []
    for _ in range(6):
        counts.append(len(positions))
        after = [game.copy() for game in positions.values() for _ in game.legal_moves]
        cells = [cell for game in positions.values() for cell in game.legal_moves]
        for game, cell in zip(after, cells, strict=True):
            game.play(cell)
        positions = {game.key(): game for game in after}
    assert counts == [1, 7, 49, 238, 1120, 4263]
