"""Parts of examples/alphazero.py: its search finds wins, and its proof counts every loss."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noughts import Game, Rules
from noughts.learning import VectorGame

pytestmark = pytest.mark.compiled("noughts.learning._vector")


@pytest.fixture
def alphazero(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples")
    return importlib.import_module("alphazero")


def losses(game: Game, seat: int) -> int:
    """Count the losses of a player who always takes the first empty cell."""
    if game.outcome is not None:
        return int(game.outcome.winner == 3 - seat)
    moves = list(game.legal_moves)
    found = 0
    for cell in moves[:1] if game.turn == seat else moves:
        game.play(cell)
        found += losses(game, seat)
        game.undo()
    return found


def test_losses_counts_every_way_to_lose(alphazero: Any) -> None:
    for seat in (1, 2):
        found = alphazero.losses(Rules(), lambda games: games.legal.argmax(axis=1), seat)
        assert found == losses(Game(), seat) > 0


def test_search_finds_wins_and_defences_untrained(alphazero: Any) -> None:
    games = VectorGame(Rules(), 3, autoreset="Disabled")
    games.play_from([[0, 3, 1, 4], [0, 8, 1], [0, 3, 1, 4, 2]])  # a win, a defence, a finished game
    state = games.observe().tolist()
    visits = alphazero.search(games, alphazero.Network(Rules(), np.random.default_rng(1)))
    assert visits[:2].argmax(axis=1).tolist() == [2, 2]
    assert visits.sum(axis=1).tolist() == [alphazero.TRIES, alphazero.TRIES, 0]
    assert games.observe().tolist() == state


def test_network_learns_an_example(alphazero: Any) -> None:
    random = np.random.default_rng(1)
    network, games = alphazero.Network(Rules(), random), VectorGame(Rules(), 1)
    example = games.observe(), games.legal, np.eye(9)[[4]], np.array([0.5])
    far = network.learn(*example)
    for _ in range(100):
        near = network.learn(*example)
    assert near < 0.1 * far
    policy, value = network.judge(*example[:2])
    assert policy[0].argmax() == 4
    assert abs(value[0] - 0.5) < 0.1


def test_points_plays_both_seats(alphazero: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphazero, "TRIALS", 20)
    seen = []

    def first_column(games: VectorGame) -> Any:
        seen.append(games.turn[~games.done])
        return games.legal.argmax(axis=1)

    rules = Rules.connect_four()
    share = alphazero.points(rules, first_column)
    assert 0 <= share < 0.5
    assert share == alphazero.points(rules, first_column)
    assert set(np.concatenate(seen).tolist()) == {1, 2}
