"""Arrays of `VectorGame` shared with other libraries: never its own memory, always the caller's.

JAX and PyTorch are tested where they are installed, since they are large:
script/tools/over jax torch -- pytest tests/learning/test_sharing.py
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from noughts import Rules
from noughts.learning import VectorGame

pytestmark = pytest.mark.compiled("noughts.learning._vector")

VERSIONS: list[dict[str, Any]] = [
    {},
    *({"max_version": version} for version in (None, (0, 8), (1, 0), (1, 1), (2, 0))),
    {"copy": None},
    {"copy": False, "max_version": (1, 0)},
    {"dl_device": (1, 0), "max_version": (1, 0)},
]


def library(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed")


def numpy() -> Any:
    return np


def jax() -> Any:
    return library("jax.numpy")


def torch() -> Any:
    return library("torch")


LIBRARIES = [numpy, jax, torch]


def arrays(games: VectorGame) -> dict[str, Any]:
    """Return every array that shows the memory of these games, and views of some."""
    whole = {name: getattr(games, name) for name in ("legal", "turn", "done", "winner", "ply")}
    whole["illegal"] = games.step(games.random_actions())
    views = {
        "rows": games.legal[1:],
        "transposed": games.legal.T,
        "bytes": games.legal.view(np.uint8),
        "reshaped": games.legal.reshape(-1),
    }
    return whole | views


@pytest.mark.parametrize("version", VERSIONS, ids=repr)
def test_memory_of_the_games_is_not_shared(version: dict[str, Any]) -> None:
    for name, array in arrays(VectorGame(Rules(), 3)).items():
        with pytest.raises(BufferError, match=r"share its \.copy\(\)"):
            array.__dlpack__(**version)
        assert array.__dlpack_device__() == (1, 0), name


@pytest.mark.parametrize("import_library", LIBRARIES)
def test_libraries_get_copies_only(import_library: Callable[[], Any]) -> None:
    from_dlpack = import_library().from_dlpack
    games = VectorGame(Rules(), 3)
    for name, array in arrays(games).items():
        with pytest.raises(BufferError, match=r"share its \.copy\(\)"):
            from_dlpack(array)
        before = array.tolist()
        assert np.asarray(from_dlpack(array.copy())).tolist() == before, name
        if import_library is jax:  # asks for no copy, but makes its own; its arrays are constant
            continue
        for shared in (from_dlpack(array, copy=True), from_dlpack(array.copy())):
            shared[:] = 1
            assert np.all(np.asarray(shared) == 1)
            assert array.tolist() == before, name


def test_results_are_plain_arrays() -> None:
    legal = VectorGame(Rules(), 2).legal
    results = [~legal, legal & True, legal.sum(axis=1), legal.copy(), np.where(legal, 1, 0)]
    for array in results:
        assert type(array) is np.ndarray
        assert np.shares_memory(np.from_dlpack(array), array)
    assert legal.all()
    for twin in (copy.copy(legal), copy.deepcopy(legal), pickle.loads(pickle.dumps(legal))):
        twin[:] = False
        assert not np.from_dlpack(twin).any()
    assert legal.all()
    assert not np.shares_memory(np.from_dlpack(legal[[0, 1]]), legal)


@pytest.mark.parametrize("import_library", LIBRARIES)
def test_new_observations_are_shared(import_library: Callable[[], Any]) -> None:
    module, games = import_library(), VectorGame(Rules(), 2)
    for array in (games.observe(), games.random_actions()):
        shared = module.from_dlpack(array)
        assert np.asarray(shared).tolist() == array.tolist()
        if import_library is not jax:
            assert np.shares_memory(np.asarray(shared), array)


class Tensor:
    """A tensor that is known by DLPack alone."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)


@pytest.mark.parametrize(
    "make", [lambda array: array, Tensor, lambda array: torch().asarray(array)]
)
def test_tensors_of_the_caller_are_written_in_place(make: Callable[[Any], Any]) -> None:
    games = VectorGame(Rules.connect_four(), 5, seed=1)
    planes, actions = np.full((5, 2, 6, 7), 9, np.int8), np.full(5, 9, np.int64)
    tensor = make(planes)
    for _ in range(6):
        games.step(games.random_actions())
    assert games.observe(tensor) is tensor
    assert planes.tolist() == games.observe().tolist()
    games.observe(tensor, players=np.full(5, 2, np.int8))
    assert planes.tolist() == games.observe(players=np.full(5, 2, np.int8)).tolist()
    drawn = make(actions)
    assert games.random_actions(drawn) is drawn
    assert games.legal[range(5), actions].all()
    games.step(actions)


def locked(array: Any) -> Any:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Tensor(np.zeros(3, np.int8)), ValueError, "out must be int8 of shape"),
        (lambda: Tensor(np.zeros((2, 2, 3, 3), bool)), TypeError, "out must be int8 of shape"),
        (lambda: Tensor(np.zeros((2, 2, 3, 6), np.int8)[..., ::2]), ValueError, "contiguous"),
        (lambda: Tensor(locked(np.zeros((2, 2, 3, 3), np.int8))), ValueError, "writeable"),
        (lambda: Tensor(np.zeros(3, "U1")), TypeError, "an array or a tensor in main mem"),
        (lambda: Tensor(VectorGame(Rules(), 2).legal), TypeError, "cannot be shared"),
        (lambda: jax().zeros((2, 2, 3, 3), "int8"), ValueError, "writeable"),
        (lambda: torch().zeros((2, 2, 3, 3)), TypeError, "not float32"),
        (lambda: torch().zeros((2, 2, 3, 3), device="meta"), TypeError, "a tensor in main memory"),
        (object, TypeError, "an array or a tensor in main memory, not <object"),
    ],
)
def test_other_tensors_are_refused(
    make: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        VectorGame(Rules(), 2).observe(make())


def test_step_takes_tensors() -> None:
    for make in (jax, torch):
        try:
            module = make()
        except pytest.skip.Exception:
            continue
        games = VectorGame(Rules(), 2)
        assert not games.step(module.asarray([4, 8])).any()
        assert games.ply.tolist() == [1, 1]
