"""Tests of the Gymnasium environments: Gymnasium's own checks, and comparison with `Game`."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from commands import SECONDS
from learning.learner import FEW_RULES, RULES, cell_of, mask_of, planes_of
from noughts import Game, IllegalMove, OffBoard, Rules
from noughts.learning.gymnasium import KInARow, KInARowVector
from noughts.opponent import LEVELS

pytestmark = pytest.mark.compiled("noughts.learning._vector")
NAME = "noughts/KInARow-v0"
LONG = {name: rules for name, rules in RULES.items() if rules.k > 1}  # every player gets to move
named = pytest.mark.parametrize("rules", LONG.values(), ids=LONG)
SAME_STEP, NEXT_STEP, DISABLED = "SameStep", "NextStep", "Disabled"


def first_legal(_: Any, masks: Any) -> Any:
    """Play the first legal action, as a predictable opponent."""
    return masks.argmax(axis=1)


def seen_by(game: Game, seat: int) -> Any:
    """Return the planes from a seat, with any player to move."""
    return np.roll(planes_of(game), game.turn - seat, axis=0)


def seats_in(begun: Any) -> list[int]:
    """Return the learner's seat in each new game, by the marks of the players before it."""
    return [1 + int(seen.sum()) for seen in begun["observation"]]


def answered(game: Game, seat: int) -> Game:
    """Play the predictable opponents' moves until the seat is to move."""
    while game.outcome is None and game.turn != seat:
        game.play(cell_of(game, int(mask_of(game).argmax())))
    return game


def reward_of(game: Game, seat: int) -> float:
    winner = game.outcome.winner if game.outcome else None
    return 0.0 if winner is None else 1.0 if winner == seat else -1.0


@pytest.mark.parametrize("rules", FEW_RULES.values(), ids=FEW_RULES)
@pytest.mark.parametrize("masked", [False, True])
def test_gymnasium_checks_pass(rules: Rules, masked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = gymnasium.make(
        f"noughts.learning:{NAME}", rules=rules, illegal="ignore", mask_in_observation=masked
    )
    check_env(env.unwrapped)
    env.close()


@named
def test_single_games_agree_with_game(rules: Rules) -> None:
    env: Any = KInARow(rules, first_legal, mask_in_observation=True)
    env.reset(seed=5)
    for _ in range(rules.players + 1):
        observation, info = env.reset()
        seat = 1 + int(observation["observation"].sum())  # those before the learner have moved
        game, terminated, reward = answered(Game(rules), seat), False, 0.0
        while True:
            mask = mask_of(game)
            for found in (info["action_mask"], observation["action_mask"], env.action_masks()):
                assert np.array_equal(found, mask)
            assert np.array_equal(observation["observation"], seen_by(game, seat))
            assert (terminated, reward) == (game.outcome is not None, reward_of(game, seat))
            if terminated:
                break
            action = env.action_space.sample(info["action_mask"])
            game.play(cell_of(game, int(action)))
            answered(game, seat)
            observation, reward, terminated, _, info = env.step(action)
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)


@pytest.mark.parametrize("mode", [SAME_STEP, NEXT_STEP, DISABLED])
@named
def test_vector_games_agree_with_game(rules: Rules, mode: str) -> None:
    count = 2 if rules.cells > 100 else 6
    env: Any = KInARowVector(
        count, rules, first_legal, autoreset_mode=mode, mask_in_observation=True, threads=2
    )
    observation, info = env.reset(seed=6)
    seats = seats_in(observation)
    games = [answered(Game(rules), seat) for seat in seats]
    random = np.random.default_rng(7)
    for _ in range(12):
        waits = [game.outcome is not None for game in games]
        for i, game in enumerate(games):
            assert np.array_equal(observation["observation"][i], seen_by(game, seats[i]))
            assert np.array_equal(observation["action_mask"][i], mask_of(game))
        assert np.array_equal(info["action_mask"], env.action_masks())
        actions = [
            random.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in info["action_mask"]
        ]
        observation, rewards, terminated, truncated, info = env.step(np.array(actions))
        for i, action in enumerate(actions):
            if not waits[i]:
                games[i].play(cell_of(games[i], int(action)))
                answered(games[i], seats[i])
                assert terminated[i] == (games[i].outcome is not None)
                assert rewards[i] == reward_of(games[i], seats[i])
            else:
                assert not terminated[i]
                assert rewards[i] == 0
            at_once = games[i].outcome is not None and mode == SAME_STEP
            if at_once:
                assert np.array_equal(
                    info["final_obs"][i]["observation"], seen_by(games[i], seats[i])
                )
                assert not info["final_info"]["action_mask"][i].any()
            if at_once or (waits[i] and mode == NEXT_STEP):
                seats[i] = seats_in(observation)[i]
                games[i] = answered(Game(rules), seats[i])
        assert not truncated.any()
        if mode == DISABLED and terminated.any():
            ended = np.array([game.outcome is not None for game in games])
            observation, info = env.reset(options={"reset_mask": ended})
            for i in np.flatnonzero(ended).tolist():
                seats[i] = seats_in(observation)[i]
                games[i] = answered(Game(rules), seats[i])


def test_make_vec_uses_the_native_environment() -> None:
    env: Any = gymnasium.make_vec(NAME, num_envs=3, rules=Rules.connect_four())
    assert isinstance(env.unwrapped, KInARowVector)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.action_space.contains(env.action_space.sample())
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    twin: Any = gymnasium.make_vec(NAME, num_envs=3, rules=Rules.connect_four())
    assert np.array_equal(twin.reset(seed=1)[0], observation)
    over = np.zeros(3, np.bool_)
    for _ in range(50):
        actions = env.unwrapped.random_actions()
        assert np.array_equal(twin.unwrapped.random_actions(), actions)
        assert (env.unwrapped.action_masks()[np.arange(3), actions] | over).all()
        ours = env.step(actions)
        over = ours[2]
        for found, expected in zip(twin.step(actions), ours, strict=True):
            if isinstance(found, np.ndarray):
                assert np.array_equal(found, expected)


@pytest.mark.parametrize("opponent", [*LEVELS][1:])
def test_levels_play_as_opponents(opponent: str) -> None:
    rewards = []
    for _ in range(2):
        env = KInARow(opponent=opponent, seat=2)
        _, info = env.reset(seed=3)
        reward, over = 0.0, False
        env.action_space.seed(4)
        while not over:
            action = env.action_space.sample(info["action_mask"])
            _, reward, over, _, info = env.step(action)
        rewards.append(reward)
    assert rewards[0] == rewards[1]
    with pytest.raises(ValueError, match="sync"):
        KInARowVector(2, opponent=opponent)
    many = gymnasium.make_vec(NAME, 2, "sync", opponent=opponent)
    many.reset()
    many.step(np.array([0, 8]))


@pytest.mark.parametrize("action", [0, 9, -1])
def test_illegal_actions_have_the_chosen_effect(action: int) -> None:
    def after(illegal: str) -> tuple[Any, Any]:
        env: Any = KInARow(opponent=first_legal, seat=2, illegal=illegal)
        many: Any = KInARowVector(2, opponent=first_legal, seat=2, illegal=illegal)
        env.reset()
        many.reset()
        return env, many

    for illegal, reward in (("lose", -1.0), ("ignore", 0.0)):
        env, many = after(illegal)
        _, found, terminated, _, info = env.step(action)
        assert (found, terminated) == (reward, illegal == "lose")
        assert info["action_mask"].sum() == (0 if terminated else 8)
        _, rewards, ended, _, info = many.step(np.array([action, 4]))
        assert (rewards.tolist(), ended.tolist()) == ([reward, 0.0], [terminated, False])
        assert info["action_mask"].sum(axis=1).tolist() == [0 if terminated else 8, 6]
        _, rewards, ended, _, info = many.step(np.array([4, 2]))
        assert (rewards.tolist(), ended.any()) == ([0.0, 0.0], False)
        assert info["action_mask"].sum(axis=1).tolist() == [8 if terminated else 6, 4]
    env, many = after("error")
    with pytest.raises(IllegalMove):
        env.step(action)
    with pytest.raises(IllegalMove, match=f"action {action} is illegal in game 1"):
        many.step(np.array([4, action]))
    assert env.action_masks().sum() == 8
    assert many.action_masks().sum() == 16


def test_illegal_actions_of_a_policy_raise_errors() -> None:
    def off_board(seen: Any, _: Any) -> Any:
        return np.zeros(len(seen), int) + 9

    with pytest.raises(OffBoard, match="no action 9 on the 3×3 board: expected 0 to 8"):
        KInARow(opponent=off_board, seat=2).reset()
    with pytest.raises(IllegalMove, match="policy"):
        KInARowVector(2, opponent=off_board, seat=2).reset()


@pytest.mark.parametrize("kind", [KInARow, KInARowVector])
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"rules": 3}, TypeError),
        ({"opponent": "god"}, ValueError),
        ({"opponent": None}, ValueError),
        ({"seat": 3}, ValueError),
        ({"seat": 0}, ValueError),
        ({"seat": "first"}, TypeError),
        ({"illegal": True}, ValueError),
        ({"render_mode": "svg"}, ValueError),
    ],
    ids=repr,
)
def test_wrong_arguments_raise_errors(
    kind: Any, arguments: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        kind(**arguments)


@pytest.mark.parametrize("action", [1.5, None, "1", True])
def test_actions_must_be_integers(action: Any) -> None:
    env = KInARow()
    env.reset()
    with pytest.raises(TypeError, match="action"):
        env.step(action)


@pytest.mark.parametrize("actions", [[0.0, 1.0], [0], 0, [[0, 1]]])
def test_vector_actions_must_be_one_integer_per_game(actions: Any) -> None:
    env = KInARowVector(2)
    env.reset()
    with pytest.raises((TypeError, ValueError), match="actions must be integers"):
        env.step(actions)


def test_first_step_reports_a_game_that_ended_before_the_learner_moved() -> None:
    env, many = KInARow(Rules((2, 2), 1), seat=2), KInARowVector(2, Rules((2, 2), 1), seat=2)
    _, info = env.reset()
    assert not info["action_mask"].any()
    assert env.step(0)[1:4] == (-1.0, True, False)
    many.reset()
    assert [array.tolist() for array in many.step([0, 0])[1:3]] == [[-1.0, -1.0], [True, True]]


@named
def test_every_board_is_rendered(rules: Rules) -> None:
    env: Any = KInARow(rules, render_mode="rgb_array", seat=1)
    env.reset(seed=1)
    empty = env.render()
    assert (empty.ndim, empty.shape[2], empty.dtype) == (3, 3, np.uint8)
    env.step(int(env.action_masks().argmax()))
    image = env.render()
    assert image.shape == empty.shape
    assert len(np.unique(image @ [1 << 16, 1 << 8, 1])) >= 4
    assert "X" in KInARow.render(_text_environment(rules))


def _text_environment(rules: Rules) -> Any:
    env = KInARow(rules, render_mode="ansi", seat=1)
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    return env


def test_vectorgame_works_without_gymnasium() -> None:
    script = """
import sys, importlib.abc
class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in ("gymnasium", "pettingzoo", "pyspiel"):
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Gone())
from noughts.learning import VectorGame
from noughts import Rules
print(VectorGame(Rules(), 2))
for module in ("gymnasium", "pettingzoo", "openspiel"):
    try:
        __import__(f"noughts.learning.{module}")
    except ModuleNotFoundError as error:
        print(error)
"""
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=SECONDS
    )
    assert run.returncode == 0, run.stderr
    first, *errors = run.stdout.splitlines()
    assert first.startswith("<VectorGame of 2 games")
    assert len(errors) == 3
    assert all(" requires " in error for error in errors)
