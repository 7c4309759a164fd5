"""Verdicts on arrays agree with `Game`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bulk.judging import (
    arrays_of,
    bytes_of_games,
    fallen,
    listed,
    ragged,
    random_games,
    replayed,
    table,
)
from noughts import Rules
from noughts.bulk import CODES, STATUSES, judge
from noughts.bulk.arrays import judge_with_ends
from noughts.bulk.games import games_of
from oracle import every_game

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


@cache
def every_game_of_3x3() -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.int64]]:
    """Return all games as rows, their winners and their lengths."""
    games = [([3 * row + col for row, col in moves], winner) for moves, winner in every_game(3)]
    assert len(games) == 255168
    winners, lengths = ([won_by for _, won_by in games], [len(moves) for moves, _ in games])
    return table([moves for moves, _ in games], np.int8), np.array(winners), np.array(lengths)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("threads", [1, 2])
def test_judge_agrees_on_every_prefix_of_every_3x3_game(threads: int) -> None:
    full, winner, length = every_game_of_3x3()
    plies = np.arange(9)
    for cut in range(10):
        verdicts = judge(np.where(plies < cut, full, np.int8(-1)), threads=threads)
        over = length <= cut
        assert (verdicts.status == np.where(over, np.where(winner, 1, 2), 0)).all()
        assert (verdicts.winner == np.where(over, winner, 0)).all()
        assert (verdicts.ply == np.minimum(length, cut)).all()
        assert not verdicts.code.any()


@pytest.mark.usefixtures("unmeasured")
def test_judge_rejects_moves_after_the_end_on_3x3() -> None:
    full, _, length = every_game_of_3x3()
    games, ends = full[::50], length[::50]
    for extra in (-2, -1, 0, 8, 9, 127):
        longer = np.pad(games, ((0, 0), (0, 3)), constant_values=-1)
        longer[np.arange(len(games)), ends] = extra
        longer[np.arange(len(games)), ends + 1] = 0
        verdicts = judge(longer)
        assert (verdicts.status == STATUSES.index("illegal")).all()
        assert (verdicts.ply == ends).all()
        code = "game_over" if 0 <= extra < 9 else "off_board"
        assert (verdicts.code == CODES.index(code)).all()


shapes = st.one_of(
    st.integers(1, 9).map(lambda n: (n, n)),
    st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple),
)


@st.composite
def rules_and_games(draw: st.DrawFn) -> tuple[Rules, list[list[int]]]:
    shape = draw(shapes)
    k = draw(st.one_of(st.just(max(shape)), st.integers(1, max(shape))))
    variant = draw(st.sampled_from(["freestyle", "standard", "caro", "misere"]))
    players = 2 if variant == "misere" else draw(st.integers(2, 8))
    early_draw, gravity = draw(st.booleans()), draw(st.booleans())
    rules = Rules(shape, k, players, early_draw, gravity=gravity, variant=variant)
    seed = draw(st.integers(0, 2**32))
    return rules, random_games(rules, draw(st.integers(0, 12)), seed)


@given(rules_and_games(), st.integers(1, 3))
def test_judge_agrees_with_game_for_any_rules(
    drawn: tuple[Rules, list[list[int]]], threads: int
) -> None:
    rules, games = drawn
    expected = [replayed(game, rules) for game in games]
    assert listed(judge(table(games), rules, threads=threads)) == expected
    assert listed(judge(table(games, np.int16), rules, threads=threads)) == expected
    assert listed(judge(ragged(games), rules, threads=threads)) == expected


@given(st.lists(st.lists(st.integers(-3, 11), max_size=11)), st.sampled_from([3, 4]))
def test_judge_agrees_with_game_for_any_moves(games: list[list[int]], n: int) -> None:
    rules = Rules.square(n)
    expected = [replayed(game, rules) for game in games]
    assert listed(judge(ragged(games, np.int8), rules)) == expected
    stripped = [table([game]).tolist()[0] for game in games]
    for game in stripped:
        while game and game[-1] == -1:
            game.pop()
    expected = [replayed(game, rules) for game in stripped]
    assert listed(judge(table(games, np.int8, width=11), rules)) == expected


@pytest.mark.parametrize(
    "rules",
    [
        Rules((4, 4, 4)),
        Rules((15, 15), 5, players=3),
        Rules((15, 15), 5, early_draw=True),
        Rules((6, 7), 4, players=2, early_draw=True),
        Rules((3, 3), early_draw=True),
        Rules((20, 20)),
        Rules((1, 1)),
        Rules((2, 1), 2, early_draw=True),  # a draw before the first move
        Rules.connect_four(),
        Rules((20, 20), 5, gravity=True),
        Rules((20, 20), 4, players=4, variant="caro"),
        Rules((20, 20), 3, variant="standard"),
        Rules((6, 40), 3, players=3, gravity=True, variant="standard"),
        Rules.gomoku("misere"),
        Rules.gomoku("renju"),
        Rules((5, 7), 5, variant="renju", early_draw=True),
    ],
    ids=str,
)
def test_each_method_agrees_with_game(rules: Rules) -> None:
    games = random_games(rules, 40)
    expected = [replayed(game, rules) for game in games]
    assert listed(judge(table(games), rules)) == expected
    assert listed(judge(ragged(games), rules, threads=2)) == expected


@pytest.mark.parametrize(
    "rules",
    [
        Rules((2000, 2000), 5),
        Rules((2000, 2000)),
        Rules((46340, 46340), 7),
        Rules((46340, 46340)),
        Rules((1290,) * 3, 3),
        Rules((2000, 2000), 3, variant="standard"),
        Rules((2000, 2000), 3, variant="caro"),
        Rules((2000, 2000), 3, variant="misere"),
        Rules((2000, 2000), 3, gravity=True),
        Rules((500, 500), early_draw=True),
    ],
    ids=str,
)
def test_short_games_on_vast_boards_agree_with_game(rules: Rules) -> None:
    random = Random(2)
    n = rules.shape[-1]
    top = rules.cells
    far = [[random.randrange(top) for _ in range(60)] for _ in range(20)]
    corner = [random.sample([row * n + col for row in range(8) for col in range(8)], 60)] * 20
    if rules.gravity:
        corner = [fallen([cell % n for cell in game], n, top - n) for game in corner]
    games = far + corner + [[0, 1, 2, 2], [top - 1, 0, top - 1], [2**62], [-5]]
    expected = [replayed(game, rules) for game in games]
    assert listed(judge(table(games), rules)) == expected
    assert listed(judge(ragged(games), rules)) == expected


@pytest.mark.parametrize("line", ["row", "column", "diagonal", "anti-diagonal", "none"])
@pytest.mark.parametrize("more", [0, 3000, 40000])
def test_full_line_wins_on_a_large_board(line: str, more: int) -> None:
    n = 200
    cell: dict[str, Callable[[int], int]] = {
        "row": lambda i: 7 * n + i,
        "column": lambda i: i * n + 7,
        "diagonal": lambda i: i * n + i,
        "anti-diagonal": lambda i: i * n + n - 1 - i,
        "none": lambda i: i * n + (i * 37 + i // 100) % n,
    }
    first = [cell[line](i) for i in range(n)]
    others = Random(3).sample(sorted(set(range(n * n)) - set(first)), n - 1)
    game = [move for pair in zip(first, [*others, -1], strict=True) for move in pair][:-1]
    rest = sorted(set(range(n * n)) - set(game))[:more]
    games = [game + rest, game[:-1], [*game, game[0]]]
    verdicts = listed(judge(table(games, np.int32), Rules.square(n)))
    assert verdicts == listed(judge(ragged(games, np.uint16), Rules.square(n)))
    assert verdicts[1] == ("pending", 0, 398, None)
    if line != "none":
        assert verdicts[0] == (("illegal", 0, 399, "game_over") if more else ("won", 1, 399, None))
        assert verdicts[2] == ("illegal", 0, 399, "game_over")
    else:
        assert verdicts[2] == ("illegal", 0, 399, "cell_taken")


def test_first_of_two_complete_lines_wins() -> None:
    rules = Rules.square(12)
    rows = [[12 * row + col for col in range(12)] for row in (2, 5)]
    random = Random(4)
    for _ in range(50):
        first, second = (random.sample(row, 12) for row in rows)
        rest = random.sample(sorted(set(range(144)) - set(first) - set(second)), 120)
        where = sorted(random.sample(range(70), 12)), sorted(random.sample(range(70), 12))
        plies = [-1] * 140
        for ply, cell in zip(where[0], first, strict=True):
            plies[2 * ply] = cell
        for ply, cell in zip(where[1], second, strict=True):
            plies[2 * ply + 1] = cell
        game = [rest.pop() if cell < 0 else cell for cell in plies]
        assert listed(judge(table([game]), rules)) == [replayed(game, rules)]


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("wide", [np.int16, np.uint16])
def test_judge_agrees_on_bytes_and_on_wider_integers(wide: type[Any]) -> None:
    # Only bytes are judged many games at a time, on processors that can: 64 that are adjacent,
    # 32 elsewhere, or 16 of a few.
    moves = bytes_of_games(1 << 20)
    lengths = np.random.default_rng(6).choice([*range(10), 9, 9, 12, 300], len(moves))
    offsets = np.minimum(np.cumsum(np.append(0, lengths)), moves.size)
    narrow = moves if wide is np.int16 else moves.view(np.uint8)
    apart, values = np.pad(narrow, ((0, 0), (0, 1)))[:, :9], narrow.ravel()

    def verdicts(games: Any) -> list[NDArray[Any]]:
        found, ends = judge_with_ends(games_of(games), Rules())
        return [*arrays_of(found), ends.winner]

    rows = verdicts(narrow.astype(wide))
    slices = verdicts((values.astype(wide), offsets))
    assert all(map(np.array_equal, verdicts(narrow), rows))
    assert all(map(np.array_equal, verdicts(apart), rows))
    assert all(map(np.array_equal, verdicts(narrow[::-1]), [each[::-1] for each in rows]))
    assert all(map(np.array_equal, verdicts((values, offsets)), slices))
    for first in range(0, len(moves) // 8, 31):
        few = slice(first, first + 31)
        assert all(map(np.array_equal, verdicts(apart[few]), [each[few] for each in rows]))
        found = verdicts((values, offsets[first : first + 32]))
        assert all(map(np.array_equal, found, [each[few] for each in slices]))
