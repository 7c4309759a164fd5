"""Tests of the games on a GPU: against `Game`, and call by call against those on the processor.

Without a GPU the same kernels run on the processor (see `host`), and "cuda" is skipped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.host import needs_compiler
from learning.learner import RULES, cell_of, mask_of, planes_of, winner_of
from noughts import Game, Rules
from noughts.errors import InvalidRules
from noughts.extras import MissingExtra
from noughts.learning import VectorGame
from noughts.learning.devices import Cuda, is_read_only
from noughts.learning.kernels import ELEMENTS, takes

pytestmark = [pytest.mark.compiled("noughts.learning._vector"), needs_compiler]


def why_no_gpu() -> str | None:
    """Return why there is no GPU, or None if there is one."""
    try:
        Cuda()
    except MissingExtra as error:
        return str(error)
    return None


NO_GPU = why_no_gpu()
TAKEN = {name: rules for name, rules in RULES.items() if takes(rules)} | {
    "largest": Rules((32, 32), 5),
    "row": Rules((1, 32), 4),
    "long lines": Rules((3, 32), 24, variant="caro"),
    "gravity, caro": Rules((6, 7), 3, gravity=True, variant="caro"),
    "gravity, standard": Rules((9, 4), 3, gravity=True, variant="standard"),
    "gravity, misere": Rules((4, 5), 3, gravity=True, variant="misere"),
}
GPUS = ["cuda"] if NO_GPU is None else []
on_every_device = pytest.mark.parametrize("device", ["host", "blocks", *GPUS])
named = pytest.mark.parametrize("rules", TAKEN.values(), ids=TAKEN)


def host(array: Any) -> Any:
    """Return an array of any device in main memory."""
    return array.get() if hasattr(array, "get") else np.asarray(array)


def everything(games: VectorGame) -> list[Any]:
    """Return the values of all attributes and the observations."""
    arrays = (games.turn, games.ply, games.done, games.winner, games.legal, games.observe())
    return [host(array).tolist() for array in arrays]


def play(rules: Rules, device: str, count: int, steps: int, checks: int) -> None:
    """Play random games against `Game`; check masks and observations every `checks` steps."""
    vector = VectorGame(rules, count, 1, device=device)
    games = [Game(rules) for _ in range(count)]
    for step in range(steps):
        actions = vector.random_actions()
        assert not host(vector.step(actions)).any()
        for game, action in zip(games, host(actions).tolist(), strict=True):
            game.play(cell_of(game, action))
        assert host(vector.done).tolist() == [game.outcome is not None for game in games]
        assert host(vector.winner).tolist() == [winner_of(game) for game in games]
        games = [Game(rules) if game.outcome else game for game in games]
        if step % checks == 0:
            assert host(vector.turn).tolist() == [game.turn for game in games]
            assert host(vector.ply).tolist() == [game.ply for game in games]
            assert np.array_equal(host(vector.legal), [mask_of(game) for game in games])
            assert np.array_equal(host(vector.observe()), [planes_of(game) for game in games])


@on_every_device
@named
def test_random_games_agree_with_game(rules: Rules, device: str) -> None:
    play(rules, device, 5, 150, 7)


@pytest.mark.tier2("long")
@pytest.mark.parametrize("device", ["host", *GPUS])
@named
def test_a_million_random_steps_agree_with_game(rules: Rules, device: str) -> None:
    play(rules, device, 1000, 1000, 200)


COUNT = 7  # games, which do not fill their last block of threads


def some(random: np.random.Generator) -> Any:
    """Return one bool per game, or None."""
    return None if random.random() < 0.3 else random.random(COUNT) < 0.5


def rows(random: np.random.Generator) -> Any:
    """Return numbers of games, of which few do not exist, or None."""
    return (
        None
        if random.random() < 0.3
        else random.integers(0, COUNT + (random.random() < 0.1), COUNT)
    )


def histories(games: VectorGame, random: np.random.Generator) -> list[Any]:
    """Return short histories, of which few are illegal."""
    return [random.permutation(games.num_actions)[: random.integers(6)] for _ in range(COUNT)]


def saved(games: VectorGame, random: np.random.Generator) -> None:
    """Return to a state after another move."""
    state, chosen = games.state(), rows(random)
    games.step(games.random_actions())
    games.restore(state, chosen)


def copied(games: VectorGame, random: np.random.Generator) -> VectorGame:
    """Return a copy, which takes the place of the games."""
    autoreset = random.choice(["SameStep", "NextStep", "Disabled"])
    return games.copy(rows(random), autoreset=autoreset)


CALLS: dict[str, Callable[[VectorGame, np.random.Generator], Any]] = {
    "step": lambda games, random: games.step(random.integers(-1, games.num_actions + 1, COUNT)),
    "random_actions": lambda games, random: games.random_actions(games=some(random)),
    "random step": lambda games, _: games.step(games.random_actions()),
    "step_random": lambda games, _: games.step_random(),
    "observe": lambda games, random: games.observe(
        players=random.integers(1, 3, COUNT).astype(np.int8)
    ),
    "reset": lambda games, random: games.reset(some(random)),
    "seed": lambda games, random: games.seed(int(random.integers(9))),
    "state and restore": saved,
    "copy": copied,
    "play_from": lambda games, random: games.play_from(histories(games, random)),
}
LIKELY = [*CALLS, *["random step", "step_random"] * 4]


def called(games: VectorGame, call: str, seed: int) -> tuple[VectorGame, Any]:
    """Return the games after a call, or their copy, and what the call returned or raised."""
    try:
        found = CALLS[call](games, np.random.default_rng(seed))
    except (TypeError, ValueError) as error:
        return games, repr(error)
    if isinstance(found, VectorGame):
        return found, None
    return games, found if found is None else host(found).tolist()


@on_every_device
@settings(max_examples=60, deadline=None, derandomize=True)  # lab/device/check has no profile
@given(
    rules=st.sampled_from([rules for rules in TAKEN.values() if rules.cells < 100]),
    autoreset=st.sampled_from(["SameStep", "NextStep", "Disabled"]),
    calls=st.lists(st.tuples(st.sampled_from(LIKELY), st.integers(0, 2**32)), max_size=30),
)
def test_any_calls_agree_with_the_processor(
    device: str, rules: Rules, autoreset: str, calls: list[tuple[str, int]]
) -> None:
    games = VectorGame(rules, COUNT, 1, autoreset=autoreset, device=device)
    twins = VectorGame(rules, COUNT, 1, autoreset=autoreset)
    for call in calls:
        games, seen = called(games, *call)
        twins, expected = called(twins, *call)
        assert seen == expected
        assert everything(games) == everything(twins)


@on_every_device
def test_every_call_agrees_once(device: str) -> None:
    rules = Rules.connect_four()
    games, twins = (VectorGame(rules, COUNT, 1, device=d) for d in (device, "cpu"))
    for call in CALLS:
        games, seen = called(games, call, 1)
        twins, expected = called(twins, call, 1)
        assert seen == expected
    for dtype in (np.int8, np.float16, np.float32):
        out = games.step_random(games._device.empty(games._shape, dtype))
        assert np.array_equal(host(out), twins.step_random())
    assert everything(games) == everything(twins)


@on_every_device
def test_histories_may_be_on_the_device(device: str) -> None:
    games, twins = (VectorGame(Rules(), 2, device=d) for d in (device, "cpu"))
    histories = np.array([[4, 0, 8], [0, 4, -1]])
    games.play_from(games._device.moved(histories, np.int64))
    twins.play_from(histories)
    assert everything(games) == everything(twins)


@on_every_device
def test_actions_that_are_not_aligned_are_copied(device: str) -> None:
    games = VectorGame(Rules(), 2, device=device)
    actions = games._device.zeros(17, np.uint8)[1:].view(np.int64)
    assert not host(games.step(actions)).any()
    assert host(games.ply).tolist() == [1, 1]
    with pytest.raises(ValueError, match="out must be C-contiguous, aligned and writeable"):
        games.random_actions(actions)


@on_every_device
@named
def test_views_of_every_type_are_alike(rules: Rules, device: str) -> None:
    games = VectorGame(rules, 7, 1, device=device)
    for _ in range(9):
        games.step(games.random_actions())
    seen = host(games.observe())
    for dtype in (np.int8, np.float16, np.float32):
        out = games.observe(games._device.empty(seen.shape, dtype))
        assert host(out).dtype == dtype
        assert np.array_equal(host(out), seen)


def test_marks_are_ones_of_every_type() -> None:
    for name, (bits, one) in ELEMENTS.items():
        if name == "bfloat16":  # the upper half of a float
            name, bits, one = "float32", "32", one << 16
        assert np.array(one, f"uint{bits}").view(name) == 1


@pytest.mark.parametrize("rules", [r for r in RULES.values() if not takes(r)], ids=str)
def test_other_rules_raise_an_error_that_names_the_processor(rules: Rules) -> None:
    with pytest.raises(InvalidRules, match=r"device='host' is for two players .* device='cpu'"):
        VectorGame(rules, 2, device="host")
    with pytest.raises(InvalidRules, match="up to 32×32"):
        VectorGame("33x3,k=3", 2, device="host")


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:x", "cuda:-1", "cpu:0", "", None, 0])
def test_unknown_devices_raise_an_error(device: Any) -> None:
    with pytest.raises(ValueError, match=r"must be 'cpu', 'cuda' or, for example, 'cuda:1', got"):
        VectorGame(Rules(), 2, device=device)


@pytest.mark.skipif(NO_GPU is not None, reason=str(NO_GPU))
def test_calls_on_cuda_can_be_captured_and_write_to_bfloat16() -> None:
    import cupy

    games, twins = (VectorGame(Rules.gomoku(), 1000, 1, device="cuda") for _ in range(2))
    out = cupy.zeros(games._shape, "bfloat16")
    games.step_random(out)  # compiles it
    twins.step_random()
    with cupy.cuda.Stream() as stream:
        stream.begin_capture()
        games.step_random(out)
        graph = stream.end_capture()
        for each in (games, twins):
            each.seed(2)  # the graph uses the new states
        for _ in range(9):
            graph.launch(stream)
            seen = twins.step_random()
    stream.synchronize()
    assert (out.astype("float32") == seen).all()
    assert everything(games) == everything(twins)


def test_read_only_memory_of_a_gpu_is_recognised() -> None:
    class Memory:
        def __init__(self, read_only: bool) -> None:
            self.__cuda_array_interface__ = {"data": (0, read_only)}

    assert is_read_only(Memory(True))
    assert not is_read_only(Memory(False))


def test_broken_cupy_raises_the_error_of_a_missing_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cupy.py").write_text("raise ImportError('libnvrtc.so.12: cannot open')")
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtra, match=r"^device='cuda' requires CuPy, which is broken: libn"):
        Cuda()


@pytest.mark.skipif(NO_GPU is None, reason="there is a GPU")
def test_missing_gpu_raises_one_error_that_says_what_to_install() -> None:
    with pytest.raises(MissingExtra, match=r"^device='cuda' requires (CuPy[:,]|an NVIDIA GPU)"):
        VectorGame(Rules(), 2, device="cuda")


@on_every_device
@pytest.mark.parametrize(
    ("dtype", "shape"), [("int16", (2, 2, 3, 3)), ("int8", (3, 2, 3, 3)), ("int8", (2, 18))]
)
def test_unusable_out_arrays_change_nothing(device: str, dtype: str, shape: Any) -> None:
    games = VectorGame(Rules(), 2, device=device)
    out = games._device.empty(shape, dtype)
    for call in (games.observe, games.step_random):
        with pytest.raises(
            (TypeError, ValueError), match="out must be int8 or float16 or bfloat16"
        ):
            call(out)
    with pytest.raises(TypeError, match="out must be an array or a tensor"):
        games.step_random([1])
    assert host(games.ply).tolist() == [0, 0]


@on_every_device
def test_states_stay_on_their_device(device: str) -> None:
    games, twins = VectorGame(Rules(), 2, device=device), VectorGame(Rules(), 2)
    with pytest.raises(ValueError, match=rf"the state is on cpu, these games on {games.device}"):
        games.restore(twins.state())
    with pytest.raises(ValueError, match="these games on cpu"):
        twins.restore(games.state())


@on_every_device
def test_symmetric_positions_are_those_of_the_processor(device: str) -> None:
    games, twins = (VectorGame(Rules(), 3, 1, device=d) for d in (device, "cpu"))
    for each in (games, twins):
        each.step(each.random_actions())
    found, expected = (
        each.symmetric(each.observe(), each.legal, each.random_actions()) for each in (games, twins)
    )
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(host(one), host(other))
