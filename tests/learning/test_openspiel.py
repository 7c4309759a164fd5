"""Tests of the OpenSpiel game: OpenSpiel's own test, and comparison with `Game`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from learning.learner import FEW_RULES, RULES, cell_of, mask_of, planes_of
from noughts import Game, InvalidRules, Rules
from noughts.picture import text

pyspiel: Any = pytest.importorskip("pyspiel")
openspiel: Any = pytest.importorskip("noughts.learning.openspiel")


def load(rules: Rules) -> Any:
    return pyspiel.load_game("python_noughts", openspiel.parameters_of(rules))


@pytest.mark.parametrize("rules", FEW_RULES.values(), ids=FEW_RULES)
def test_openspiel_test_passes(rules: Rules) -> None:
    pyspiel.random_sim_test(load(rules), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_games_agree_with_game(rules: Rules) -> None:
    found = load(rules)
    assert openspiel.rules_of(found.get_parameters()) == rules
    assert found.num_players() == rules.players
    state, game = found.new_initial_state(), Game(rules)
    random = np.random.default_rng(1)
    while game.outcome is None:
        assert state.current_player() == game.turn - 1
        assert state.legal_actions() == np.flatnonzero(mask_of(game)).tolist()
        assert not state.is_terminal()
        assert str(state) == text(game)
        for seat in (1, rules.players):
            seen = np.reshape(state.observation_tensor(seat - 1), (rules.players, *rules.shape))
            assert np.array_equal(seen, np.roll(planes_of(game), game.turn - seat, axis=0))
        action = int(random.choice(np.flatnonzero(mask_of(game))))
        game.play(cell_of(game, action))
        state.apply_action(action)
    assert state.is_terminal()
    assert state.legal_actions() == []
    returns = state.returns()
    assert abs(sum(returns)) < 1e-9
    assert (max(returns) == 1) == (game.outcome.winner is not None)
    assert game.outcome.winner is None or returns[game.outcome.winner - 1] == 1


def test_openspiel_algorithms_solve_the_game() -> None:
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("python_noughts(shape=2x3,k=2)")
    assert minimax.alpha_beta_search(game)[0] == 1


def test_rules_parameter_is_text() -> None:
    found = pyspiel.load_game("python_noughts(rules=connect-four)")
    assert openspiel.rules_of(found.get_parameters()) == Rules.connect_four()
    found = pyspiel.load_game("python_noughts", {"rules": "4x5,k=3,gravity"})
    assert pyspiel.load_game(str(found)).num_distinct_actions() == 5


@pytest.mark.parametrize("shape", ["", "3", "3x", "3xx3", "-3x3", "²x3", "3x3 ", "9" * 5000])
def test_shape_parameter_is_checked(shape: str) -> None:
    if shape == "3":
        assert openspiel.rules_of({"shape": shape}) == Rules((3,))
        return
    with pytest.raises(InvalidRules, match="shape"):
        openspiel.rules_of({"shape": shape})
