"""`winning_lines` agrees with the outcomes of games."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bulk.batching import ALL_RULES, random_record
from bulk.judging import bytes_of_games
from noughts import Game, Rules
from noughts.bulk.arrays import judge, judge_with_ends, lines_of, winning_lines
from noughts.bulk.games import games_of
from noughts.game.geometry import Geometry

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


@pytest.mark.parametrize("rules", [*ALL_RULES, Rules((3, 4), 2), Rules((8, 8), 3)], ids=str)
def test_winning_lines_agree_with_outcomes(rules: Rules) -> None:
    games = []
    for seed in range(60):
        game = Game(rules)
        for cell in random_record(Random(seed), rules, None).moves:
            if game.is_legal(cell):
                game.play(cell)
        games.append(game)
    lines = Geometry(rules)
    wanted = [
        (i, [lines.number(cell) for cell in line])
        for i, game in enumerate(games)
        for line in (game.outcome.lines if game.outcome else ())
    ]
    cells = [[lines.number(cell) for cell in game.history] for game in games]
    for moves in (pa.array(cells, pa.list_(pa.int16())), pa.chunked_array([cells[:9], cells[9:]],
                  pa.list_(pa.int64()))):  # fmt: skip
        found, offsets = winning_lines(moves, rules, judge(moves, rules))
        assert [
            (i, line)
            for i, (begin, end) in enumerate(pairwise(offsets.tolist()))
            for line in found[begin:end].tolist()
        ] == wanted


@pytest.mark.parametrize("wide", [np.int8, np.int64])
def test_lines_known_from_judging_are_those_of_the_moves(wide: type[Any]) -> None:
    # Of bytes, only the last games of each part are not judged many at a time.
    moves = bytes_of_games(1 << 16).astype(wide)
    ragged = moves.ravel(), np.arange(0, moves.size + 1, 9)
    apart = np.pad(moves, ((0, 0), (0, 1)))[:, :9]
    for games in (moves, ragged, apart, moves[:, ::-1], moves[:1025], moves[:3]):
        arrays = games_of(games)
        verdicts, ends = judge_with_ends(arrays, Rules())
        found = lines_of(arrays, Rules(), verdicts, ends)
        assert all(map(np.array_equal, found, winning_lines(games, Rules(), verdicts)))


def test_winning_lines_rejects_other_games() -> None:
    moves = pa.array([[0, 3, 1, 4, 2], [0]])
    for others in (moves[:1], pa.concat_arrays([moves, moves])):
        with pytest.raises(ValueError, match="expected verdicts on"):
            winning_lines(others, Rules(), judge(moves))
    for others in (pa.array([[0, 3, 1, 4]]), pa.array([[0, 3, 1, 4, 8]])):
        with pytest.raises(ValueError, match="the verdicts do not belong to these games"):
            winning_lines(others, Rules(), judge(moves[:1]))
    with pytest.raises(ValueError, match="expected verdicts on 4 games, got 2"):
        winning_lines(pa.concat_arrays([moves, moves]), Rules(), judge(moves))


@pytest.mark.parametrize("empty", [[0], [1], [2], [0, 1], [0, 0, 1, 2]])
def test_winning_lines_accepts_empty_chunks(empty: list[int]) -> None:
    chunks = [[[0, 3, 1, 4, 2], [4]], [[8, 0, 7, 1, 6]]]
    for place in reversed(empty):
        chunks.insert(place, [])
    moves = pa.chunked_array(chunks, pa.list_(pa.int64()))
    lines, offsets = winning_lines(moves, Rules(), judge(moves))
    assert (lines.tolist(), offsets.tolist()) == ([[0, 1, 2], [6, 7, 8]], [0, 1, 1, 2])


def test_cell_on_many_lines_lists_only_complete_ones() -> None:
    rules = Rules((2,) * 6, 2)  # each pair of cells is a line
    moves = np.array([[0, 63, 1]])
    lines, offsets = winning_lines(moves, rules, judge(moves, rules))
    assert (lines.tolist(), offsets.tolist()) == ([[0, 1]], [0, 1])
