"""Tests of `VectorGame`: histories, states, copies and symmetries, against `Game` and copies."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.learner import RULES, cell_of, mask_of, planes_of, winner_of
from noughts import Game, Rules
from noughts.learning import State, VectorGame, num_actions

pytestmark = pytest.mark.compiled("noughts.learning._vector")

SMALL = [name for name, rules in RULES.items() if rules.cells < 100]
AUTORESET = st.sampled_from(["SameStep", "NextStep", "Disabled"])
rules_and_games = {
    "rules": st.sampled_from([RULES[name] for name in SMALL]),
    "autoreset": AUTORESET,
    "threads": st.integers(1, 3),
    "plies": st.integers(0, 40),
    "data": st.data(),
}


def everything(vector: VectorGame) -> list[Any]:
    """Return the values of all attributes and the observations."""
    arrays = (vector.turn, vector.ply, vector.done, vector.winner, vector.legal, vector.observe())
    return [array.tolist() for array in arrays]


def advance(vector: VectorGame, plies: int) -> list[Any]:
    """Play random moves and return everything seen."""
    seen = []
    for _ in range(plies):
        actions = vector.random_actions()
        seen += [actions.tolist(), vector.step(actions).tolist(), *everything(vector)]
    return seen


@settings(max_examples=80)
@given(**rules_and_games)
def test_restored_games_and_copies_continue_alike(
    rules: Rules, autoreset: str, threads: int, plies: int, data: st.DataObject
) -> None:
    vector = VectorGame(rules, 5, 1, autoreset=autoreset, threads=threads)
    advance(vector, plies)
    copied = data.draw(st.sampled_from([copy.copy, copy.deepcopy]))
    state, twin, now = vector.state(), copied(vector), everything(vector)
    played = advance(vector, 12)
    assert everything(twin) == now  # a copy and its original are independent
    vector.restore(state)
    assert everything(vector) == now
    assert advance(vector, 12) == played == advance(twin, 12)
    rows = data.draw(st.lists(st.integers(0, 4), min_size=5, max_size=5))
    branches = twin.copy(rows)
    vector.restore(twin.state(), np.array(rows, np.uint8))
    expected = [[each[row] for row in rows] for each in everything(twin)]
    assert everything(vector) == everything(branches) == expected
    assert advance(vector, 12) == advance(branches, 12)


@settings(max_examples=40)
@given(**rules_and_games, theirs=AUTORESET)
def test_play_from_and_copy_agree_with_game_in_every_autoreset_mode(
    rules: Rules, autoreset: str, threads: int, plies: int, theirs: str, data: st.DataObject
) -> None:
    games = [Game(rules) for _ in range(3)]
    histories: list[list[int]] = [[], [], []]
    for game, history in zip(games, histories, strict=True):
        for _ in range(data.draw(st.integers(0, plies))):
            if game.outcome is None:
                action = data.draw(st.sampled_from(np.flatnonzero(mask_of(game)).tolist()))
                history.append(action)
                game.play(cell_of(game, action))
    vector = VectorGame(rules, 3, autoreset=autoreset, threads=threads)
    vector.play_from(histories)
    current = [Game(rules) if game.outcome and autoreset == "SameStep" else game for game in games]
    check(vector, current, games)
    other = vector.copy(autoreset=theirs)
    if autoreset == "SameStep" != theirs:
        games = current  # the new games are copied
    elif theirs == "SameStep":
        current = [Game(rules) if game.outcome else game for game in games]
    check(other, current, games)
    rows = [[*history, *[-1] * (50 - len(history))] for history in histories]
    for table in (np.array(rows), np.array(rows, np.int32)[:, : max(map(len, histories))]):
        before = everything(vector)
        vector.play_from(table)
        assert everything(vector) == before


def check(vector: VectorGame, games: list[Game], last: list[Game]) -> None:
    """Compare with the current games, and ends and winners with the last games."""
    assert vector.done.tolist() == [game.outcome is not None for game in last]
    assert vector.winner.tolist() == [winner_of(game) for game in last]
    assert vector.ply.tolist() == [game.ply for game in games]
    assert vector.turn.tolist() == [game.turn for game in games]
    assert np.array_equal(vector.legal, [mask_of(game) for game in games])
    assert np.array_equal(vector.observe(), [planes_of(game) for game in games])


@settings(max_examples=40)
@given(rules=st.sampled_from([*RULES.values()]), seed=st.integers(0, 99))
def test_symmetric_actions_give_symmetric_observations(rules: Rules, seed: int) -> None:
    count = 3
    first = VectorGame(rules, count, seed, autoreset="Disabled")
    none = np.full(count, -1)
    planes, legal, played = first.symmetric(first.observe(), first.legal, none)
    turned = first.copy(np.tile(np.arange(count), len(planes)))
    for _ in range(8):
        actions = first.random_actions()
        *_, moved = first.symmetric(first.observe(), first.legal, actions)
        assert not first.step(actions).any()
        assert not turned.step(moved.reshape(-1)).any()
        planes, legal, played = first.symmetric(first.observe(), first.legal, none)
        assert np.array_equal(planes.reshape(-1, *planes.shape[2:]), turned.observe())
        assert np.array_equal(legal.reshape(-1, legal.shape[2]), turned.legal)
        assert np.array_equal(np.tile(first.winner, len(planes)), turned.winner)
    assert np.array_equal(planes[0], first.observe())
    assert (played == -1).all()


WRONG: dict[str, tuple[Any, str]] = {
    "games of floats": (lambda v: v.copy([0.0]), "games must be integers"),
    "games of bools": (lambda v: v.copy([True, False]), "games must be integers"),
    "no games": (lambda v: v.copy(np.zeros(0, int)), "at least one number"),
    "games in two dimensions": (lambda v: v.copy([[0]]), "games must be integers of shape"),
    "a game too many": (lambda v: v.copy([0, 2]), "numbers from 0 to 1, got 2"),
    "a game before the first": (lambda v: v.restore(v.state(), [0, -1]), "from 0 to 1, got -1"),
    "a huge game": (lambda v: v.copy(np.array([2**64 - 1], np.uint64)), "from 0 to 1, got -1"),
    "one game for two": (lambda v: v.restore(v.state(), [0]), "games must have 2 games, got 1"),
    "another count": (lambda v: v.restore(v.copy([0]).state()), "state must have 2 games, got 1"),
    "other rules": (
        lambda v: v.restore(VectorGame(Rules.gomoku(), 2).state()),
        "the state has rules",
    ),
    "no state": (lambda v: v.restore(v), "state must be a State"),
    "a state of a state": (lambda v: State(v.state()), "must be a VectorGame"),
    "unknown autoreset": (lambda v: v.copy(autoreset="same"), "autoreset must be one of SameStep"),
    "one history": (lambda v: v.play_from([[0]]), "there must be 2 histories, one per game, got 1"),
    "a history of floats": (lambda v: v.play_from([[0], [1.0]]), r"histories\[1\] must be integ"),
    "no histories": (lambda v: v.play_from(2), "histories must be lists of actions, not 2"),
    "a number": (lambda v: v.play_from([0, 1]), r"histories\[0\] must be integers"),
    "an illegal move": (
        lambda v: v.play_from([[0], [4, 4]]),
        "game 1, move 1: action 4 is illegal",
    ),
    "off the board": (lambda v: v.play_from([[9], []]), "game 0, move 0: action 9 is illegal"),
    "a huge action": (
        lambda v: v.play_from([np.array([2**64 - 1], np.uint64), []]),
        "game 0, move 0",
    ),
    "after a gap": (lambda v: v.play_from([[], [-1, 4]]), "game 1, move 0: action -1 before"),
    "after the end": (
        lambda v: v.play_from([[0, 3, 1, 4, 2, 5], []]),
        "game 0, move 5: action 5 comes after the end",
    ),
    "wrong observations": (
        lambda v: v.symmetric(v.observe()[:1], v.legal, [0, 1]),
        r"observations must be an array of shape \(2, 2, 3, 3\)",
    ),
    "wrong masks": (
        lambda v: v.symmetric(v.observe(), v.legal[:, 1:], [0, 1]),
        r"masks must be an array of shape \(2, 9\)",
    ),
    "wrong actions": (lambda v: v.symmetric(v.observe(), v.legal, [0, 9]), "actions must be -1 to"),
    "no actions": (lambda v: v.symmetric(v.observe(), v.legal, 0), "actions must be integers"),
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_named_and_change_nothing(call: Any, message: str) -> None:
    vector = VectorGame(Rules(), 2, autoreset="Disabled")
    vector.play_from([[4, 0], [2]])
    now = everything(vector)
    with pytest.raises((TypeError, ValueError), match=message):
        call(vector)
    assert everything(vector) == now


def test_threads_that_restore_the_same_games_get_what_they_asked_for() -> None:
    count = 4096
    vector = VectorGame(Rules.gomoku(), count)
    vector.step(np.arange(count) % 225)
    once = vector.state()
    vector.reset()
    vector.step(np.full(count, 7))
    vector.step(np.full(count, 8))
    twice = vector.state()
    calls = [(once, np.full(count, 3)), (twice, None)]

    def restore(number: int) -> None:
        for _ in range(100):
            vector.restore(*calls[number % 2])

    with ThreadPoolExecutor(4) as pool:
        done = [pool.submit(restore, number) for number in range(4)]
        while not all(each.done() for each in done):
            seen = vector.copy()
            marks = seen.observe(players=np.ones(count, np.int8))[:, 0].reshape(count, -1)
            assert (marks == marks[0]).all()
            assert (marks[0].argmax(), seen.ply.tolist()) in [(3, [1] * count), (7, [2] * count)]
    for each in done:
        each.result()


def test_branches_have_reproducible_streams_of_their_own() -> None:
    vector = VectorGame(Rules.gomoku(), 1, 1)
    one, other = (vector.copy([0] * 50).random_actions() for _ in range(2))
    assert len(set(one.tolist())) > 30
    assert np.array_equal(one, other)
    assert num_actions(vector.rules) == 225
    state = vector.state()
    assert (len(state), repr(state)) == (1, f"<State of 1 games, {vector.rules!r}>")
