"""Tests of the PettingZoo environment: PettingZoo's own checks, and comparison with `Game`."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest

from learning.learner import FEW_RULES, RULES, cell_of, mask_of, planes_of
from noughts import CellTaken, Game, OffBoard, Rules
from noughts.learning.pettingzoo import env, raw_env

with warnings.catch_warnings():  # PettingZoo's tests import deprecated parts of PettingZoo
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test


@pytest.mark.parametrize("rules", FEW_RULES.values(), ids=FEW_RULES)
# Observations are dicts, and all zeros at first, in PettingZoo's own board games too; its test
# exempts those by name.
@pytest.mark.filterwarnings("ignore:Observation (is not|space|numpy array is all zeros)")
def test_pettingzoo_checks_pass(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    api_test(env(rules=rules), num_cycles=300)
    seed_test(lambda: env(rules=rules), num_cycles=50)
    render_test(lambda render_mode: env(rules=rules, render_mode=render_mode))


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("make", [env, raw_env])
def test_games_agree_with_game(rules: Rules, make: Any) -> None:
    found = make(rules)
    random = np.random.default_rng(1)
    for _ in range(2):
        found.reset()
        game = Game(rules)
        while game.outcome is None:
            assert found.agent_selection == f"player_{game.turn}"
            observation, reward, terminated, truncated, _ = found.last()
            assert (reward, terminated, truncated) == (0, False, False)
            assert np.array_equal(observation["observation"], planes_of(game))
            assert np.array_equal(observation["action_mask"], mask_of(game))
            action = int(random.choice(np.flatnonzero(mask_of(game))))
            game.play(cell_of(game, action))
            found.step(action)
        winner = game.outcome.winner
        for agent in found.agent_iter():
            observation, reward, terminated, _, _ = found.last()
            seat = int(agent.removeprefix("player_"))
            expected = np.roll(planes_of(game), game.turn - seat, axis=0)
            assert np.array_equal(observation["observation"], expected)
            assert not observation["action_mask"].any()
            assert terminated
            assert reward == (0 if winner is None else 1 if winner == seat else -1)
            found.step(None)


def test_illegal_action_ends_a_wrapped_game_and_raises_in_a_raw_one() -> None:
    wrapped, raw = env(), raw_env()
    for each in (wrapped, raw):
        each.reset()
        each.step(4)
    wrapped.step(4)
    assert wrapped.rewards == {"player_1": 0, "player_2": -1}
    assert all(wrapped.terminations.values())
    with pytest.raises(CellTaken):
        raw.step(4)
    with pytest.raises(OffBoard, match="no action 9"):
        raw.step(9)
    with pytest.raises(TypeError):
        raw.step("centre")
    raw.step(0)
    assert raw.agent_selection == "player_1"


def test_environment_can_be_pickled() -> None:
    twin = pickle.loads(pickle.dumps(raw_env(Rules.connect_four(), "ansi")))
    twin.reset()
    twin.step(3)
    assert "X" in twin.render()


def test_environment_is_registered() -> None:
    found = pettingzoo.make("aec", "noughts/KInARow-v0", rules=Rules.gomoku())
    found.reset()
    assert found.observe("player_1")["action_mask"].sum() == 225
