"""Tests of `VectorGame`: comparison with `Game`, arguments and threads."""

from __future__ import annotations

import os
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import noughts.learning
from learning.learner import RULES, cell_of, mask_of, planes_of, winner_of
from noughts import Game, Rules
from noughts.learning import VectorGame, num_actions, symmetries

pytestmark = pytest.mark.compiled("noughts.learning._vector")

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc or forks")
named = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


def threads_here() -> set[str]:
    """Return the names of this process's threads."""
    return {each.name for each in Path("/proc/self/task").iterdir()}


def check(vector: VectorGame, games: list[Game]) -> None:
    """Compare all attributes and the observations."""
    assert vector.turn.tolist() == [game.turn for game in games]
    assert vector.ply.tolist() == [game.ply for game in games]
    assert vector.done.tolist() == [game.outcome is not None for game in games]
    assert vector.winner.tolist() == [winner_of(game) for game in games]
    assert np.array_equal(vector.legal, [mask_of(game) for game in games])
    assert np.array_equal(vector.observe(), [planes_of(game) for game in games])


def test_completion_shows_only_the_public_names() -> None:
    assert dir(noughts.learning) == sorted(noughts.learning.__all__)


@named
def test_random_games_agree_with_game(rules: Rules) -> None:
    games = [Game(rules) for _ in range(4 if rules.cells > 100 else 20)]
    vector = VectorGame(rules, len(games), 1, autoreset="Disabled")
    check(vector, games)
    while not vector.done.all():
        actions = vector.random_actions()
        assert not vector.step(actions).any()
        for game, action in zip(games, actions.tolist(), strict=True):
            assert (action == -1) == (game.outcome is not None)
            if action >= 0:
                game.play(cell_of(game, action))
        check(vector, games)
    vector.reset(np.arange(len(games)) % 2 == 0)
    check(vector, [game if i % 2 else Game(rules) for i, game in enumerate(games)])


@pytest.mark.parametrize("autoreset", ["SameStep", "NextStep", "Disabled"])
@named
def test_autoreset_modes_agree_with_game(rules: Rules, autoreset: str) -> None:
    games = [Game(rules) for _ in range(2 if rules.cells > 100 else 9)]
    vector = VectorGame(rules, len(games), 2, autoreset=autoreset)
    for _ in range(300 if rules.cells > 100 else 60):
        waited = vector.done.copy() if autoreset != "SameStep" else np.zeros(len(games), np.bool_)
        actions = vector.random_actions()
        assert ((actions == -1) == waited).all()
        vector.step(actions)
        for i, action in enumerate(actions.tolist()):
            if not waited[i]:
                games[i].play(cell_of(games[i], action))
            elif autoreset == "NextStep":
                games[i] = Game(rules)
        assert vector.done.tolist() == [game.outcome is not None for game in games]
        assert vector.winner.tolist() == [winner_of(game) for game in games]
        if autoreset == "SameStep":
            games = [Game(rules) if game.outcome else game for game in games]
        assert np.array_equal(vector.legal, [mask_of(game) for game in games])
        assert vector.ply.tolist() == [game.ply for game in games]


@pytest.mark.parametrize("variant", ["freestyle", "standard", "caro", "misere"])
@pytest.mark.parametrize("k", [24, 40, 75])
def test_long_lines_are_found(k: int, variant: str) -> None:
    rules = Rules((4, 90), k, variant=variant)
    game, vector = Game(rules), VectorGame(rules, 1, autoreset="Disabled")
    first, second = np.random.default_rng(k).permuted(
        [range(2, k + 2), range(180, k + 180)], axis=1
    )
    for action in np.ravel([first, second], "F").tolist():
        vector.step([action])
        game.play(divmod(action, 90))
        assert vector.done[0] == (game.outcome is not None)
        if vector.done[0]:
            break
    assert game.ply == 2 * k - 1
    check(vector, [game])


INTEGERS = st.sampled_from("bBhHiIlLqQ").map(np.dtype)


@settings(max_examples=80)
@given(
    rules=st.sampled_from(
        [RULES[name] for name in ("3×3", "Connect Four", "wide caro", "small renju", "cube")]
    ),
    autoreset=st.sampled_from(["SameStep", "NextStep", "Disabled"]),
    threads=st.integers(1, 3),
    data=st.data(),
)
def test_any_action_agrees_with_game(
    rules: Rules, autoreset: str, threads: int, data: st.DataObject
) -> None:
    games = [Game(rules) for _ in range(3)]
    vector = VectorGame(rules, 3, autoreset=autoreset, threads=threads)
    for _ in range(data.draw(st.integers(1, 30))):
        dtype = data.draw(INTEGERS)
        low = max(-3, np.iinfo(dtype).min)
        likely = st.integers(low, min(rules.cells + 2, np.iinfo(dtype).max))
        elements = likely if data.draw(st.booleans()) else arrays.from_dtype(dtype)
        step = data.draw(st.sampled_from([1, 2, -1]))
        values = data.draw(arrays.arrays(dtype, 3 * abs(step), elements=elements))
        actions = values.astype(dtype.newbyteorder(data.draw(st.sampled_from("<>"))))[::step]
        waited = vector.done.tolist()
        illegal = vector.step(actions).tolist()
        for i, action in enumerate(map(int, actions)):
            if waited[i] and autoreset != "SameStep":
                games[i] = Game(rules) if autoreset == "NextStep" else games[i]
                assert not illegal[i]
                continue
            legal = 0 <= action < num_actions(rules) and bool(mask_of(games[i])[action])
            assert illegal[i] == (not legal)
            if legal:
                games[i].play(cell_of(games[i], action))
        assert vector.done.tolist() == [game.outcome is not None for game in games]
        if autoreset == "SameStep":
            assert vector.winner.tolist() == [winner_of(game) for game in games]
            games = [Game(rules) if game.outcome else game for game in games]
        else:
            check(vector, games)
        assert np.array_equal(vector.observe(), [planes_of(game) for game in games])


BAD_ACTIONS: list[Any] = [
    *([1.0, 2.0], [True, False], ["a", "b"], [None, None], [2**70, 0], np.zeros(2, "O")),
    *([], [0], [0, 1, 2], [[0, 1]], 0, None, np.zeros(2, "M8[s]")),
]


@pytest.mark.parametrize("actions", BAD_ACTIONS, ids=repr)
def test_actions_of_the_wrong_type_or_shape_change_nothing(actions: Any) -> None:
    vector = VectorGame(Rules(), 2)
    with pytest.raises((TypeError, ValueError), match=r"actions must be integers of shape \(2,\)"):
        vector.step(actions)
    check(vector, [Game(), Game()])


@pytest.mark.parametrize("games", [[1, 0], [True], True, [None, True]], ids=repr)
def test_reset_requires_one_bool_per_game(games: Any) -> None:
    vector = VectorGame(Rules(), 2)
    vector.step([0, 1])
    with pytest.raises((TypeError, ValueError), match=r"games must be bool of shape \(2,\)"):
        vector.reset(games)
    assert vector.ply.tolist() == [1, 1]
    vector.reset()
    check(vector, [Game(), Game()])


@pytest.mark.parametrize("kind", [np.dtype("i8").newbyteorder("<"), np.dtype(np.longlong)])
def test_random_actions_writes_to_every_equal_type(kind: np.dtype[Any]) -> None:
    games, out = VectorGame(Rules(), 3, seed=1), np.full(3, -7, kind)
    assert games.random_actions(out) is out
    assert out.min() >= 0
    games.step(out)
    assert games.ply.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("out", "error"),
    [
        ([0, 0], TypeError),
        (np.zeros(2, np.int32), TypeError),
        (np.zeros(3, np.int64), ValueError),
        (np.zeros(4, np.int64)[::2], ValueError),
        (np.broadcast_to(np.int64(0), 2), ValueError),
        (np.zeros(2, ">i8"), TypeError),
        (np.frombuffer(bytearray(17), np.int8)[1:].view(np.int64), ValueError),
    ],
    ids=repr,
)
def test_unusable_out_arrays_raise_errors(out: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="out must be"):
        VectorGame(Rules(), 2).random_actions(out)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"rules": None}, TypeError),
        ({"num_games": 0}, ValueError),
        ({"num_games": 2**40}, ValueError),
        ({"num_games": 2.0}, TypeError),
        ({"seed": -1}, ValueError),
        ({"seed": "a"}, TypeError),
        ({"autoreset": "same"}, ValueError),
        ({"autoreset": []}, ValueError),
        ({"threads": 0}, ValueError),
        ({"threads": 1025}, ValueError),
        ({"threads": None}, TypeError),
        ({"rules": Rules((300, 300), 5)}, ValueError),
        ({"rules": Rules(players=8, early_draw=True)}, ValueError),
        ({"rules": Rules((200, 200), 5), "num_games": 2**31 - 1}, MemoryError),
    ],
    ids=repr,
)
def test_wrong_arguments_raise_errors(arguments: dict[str, Any], error: type[Exception]) -> None:
    usual: dict[str, Any] = {"rules": Rules(), "num_games": 2}
    with pytest.raises(error):
        VectorGame(**usual | arguments)


def test_attributes_are_read_only() -> None:
    vector = VectorGame(Rules(), 2)
    views = (vector.legal, vector.turn, vector.done, vector.winner, vector.ply, vector.step([0, 0]))
    for array in views:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


@pytest.mark.parametrize("name", ["3×3", "Connect Four", "wide caro", "small renju"])
def test_seed_gives_the_same_games_with_any_number_of_threads(name: str) -> None:
    def played(vector: VectorGame) -> list[Any]:
        found = []
        for _ in range(40):
            vector.step(vector.random_actions())
            found += [vector.observe(), vector.winner.copy()]
        return found

    vectors = [VectorGame(RULES[name], 9, 5, threads=threads) for threads in (1, 2, 4, 50)]
    first, *others = map(played, vectors)
    vectors[0].reset()
    vectors[0].seed(5)
    for other in [*others, played(vectors[0])]:
        assert all(map(np.array_equal, first, other))
    assert not all(map(np.array_equal, first, played(VectorGame(RULES[name], 9, 6))))


def test_legal_actions_are_equally_likely() -> None:
    vector = VectorGame(Rules(), 20_000, 3)
    for done in ([], [4], [4, 0], [4, 0, 8, 2, 1]):
        vector.reset()
        for cell in done:
            vector.step(np.full(20_000, cell))
        counts = np.bincount(vector.random_actions(), minlength=9)
        expected = 20_000 / (9 - len(done))
        assert not counts[done].any()
        assert abs(np.delete(counts, done) - expected).max() < 5 * expected**0.5


@pytest.mark.parametrize("threads", [1, 2])
def test_actions_of_some_games_and_views_of_any_player(threads: int) -> None:
    rules, chosen = RULES["three players"], np.array([True, False, True])
    vector = VectorGame(rules, 3, 1, threads=threads)
    vector.step([0, 1, 2])
    actions = vector.random_actions(games=chosen)
    assert (actions >= 0).tolist() == chosen.tolist()
    turned = [
        np.roll(planes, by, axis=0) for planes, by in zip(vector.observe(), (1, 0, 2), strict=True)
    ]
    assert np.array_equal(vector.observe(players=np.array([1, 2, 3], np.int8)), turned)
    for players in ([1, 2, 3], np.array([1, 2], np.int8), np.array([0, 1, 1], np.int8)):
        with pytest.raises((TypeError, ValueError), match="players must be"):
            vector.observe(players=players)
    with pytest.raises(TypeError, match="games must be bool"):
        vector.random_actions(games=[0, 1, 1])


def test_failed_call_leaves_no_thread_running() -> None:
    vector = VectorGame(Rules.gomoku(), 4096, threads=8)
    seen = np.zeros((4096, 2, 15, 15), np.int8)
    wrong = np.ones(4096, np.int8)
    wrong[0] = 3
    for _ in range(50):
        with pytest.raises(ValueError, match="players must be 1 to 2"):
            vector.observe(seen, wrong)
        seen[:] = 7
        vector.step(np.zeros(4096, np.int64))
        assert (seen == 7).all()


def test_threads_can_share_the_object() -> None:
    vector = VectorGame(Rules(), 500, 4, threads=2)

    def play(_: int) -> None:
        for _ in range(50):
            vector.step(vector.random_actions())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, range(4)))
    marks = vector.observe().sum(axis=(1, 2, 3))
    assert (marks == vector.ply).all()
    assert ((~vector.legal).sum(axis=1) == vector.ply).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_random_steps_of_several_threads_make_one_move_each(threads: int) -> None:
    vector = VectorGame("15x15,k=15", 4096, 1, autoreset="Disabled", threads=threads)

    def play(_: int) -> None:
        seen = vector.step_random()
        for _ in range(59):
            vector.step_random(seen)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play, range(2)))
    assert (vector.ply == 120).all()


@linux
def test_threads_end_with_the_games() -> None:
    before = threads_here()
    for _ in range(20):
        vector = VectorGame(Rules(), 64, threads=5)
        vector.step(vector.random_actions())
        assert len(threads_here() - before) >= 4
        del vector
        late = monotonic() + 60
        while threads_here() - before:  # they end soon after the games are deleted
            assert monotonic() < late
            os.sched_yield()


@linux
def test_forked_process_continues_without_the_threads() -> None:
    vector, twin = (VectorGame(Rules.gomoku(), 64, 7, threads=threads) for threads in (3, 1))

    def play() -> bool:
        for games in (vector, twin):
            games.step(games.random_actions())
        return np.array_equal(vector.observe(), twin.observe())

    assert play()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about threads, from Python 3.12 on
        child = os.fork()
    if not child:
        os._exit(sum(play() for _ in range(99)))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 99
    assert play()


@named
def test_symmetric_games_have_the_same_winner(rules: Rules) -> None:
    cells, actions = symmetries(rules)
    assert cells[0].tolist() == list(range(rules.cells))
    some = np.unique(np.linspace(0, len(cells) - 1, 6).astype(int))
    count = len(some)
    vector = VectorGame(rules, count, 7, autoreset="Disabled")
    undo = np.argsort(actions[some], axis=1)  # each action of the first game in the other games
    while not vector.done.any():
        action = vector.random_actions()[0]
        assert not vector.step(undo[:, action]).any()
        first = vector.observe()[0].reshape(rules.players, -1)
        for i, planes in enumerate(vector.observe()):
            assert np.array_equal(planes.reshape(rules.players, -1), first[:, cells[some[i]]])
            assert np.array_equal(vector.legal[i], vector.legal[0][actions[some[i]]])
    assert vector.done.all()
    assert len(set(vector.winner.tolist())) == 1


def test_length_and_repr_describe_the_games() -> None:
    vector = VectorGame(Rules(), 3)
    assert (len(vector), vector.num_games, vector.num_actions, vector.rules) == (3, 3, 9, Rules())
    assert repr(vector) == f"<VectorGame of 3 games, {Rules()!r}>"
