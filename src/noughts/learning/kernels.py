"""Games on a GPU, for `VectorGame`: the calls of `_vector.Vector`, as kernels of kernels.cu.

The kernels are compiled for the rules of the games. The rules of a step are those of games.h, which
`_vector` includes, too.
"""

from collections.abc import Container
from pathlib import Path
from typing import Any

from noughts.compiled import required
from noughts.errors import InvalidRules
from noughts.extras import require_extra
from noughts.game.rules import VARIANTS, Rules

with require_extra("learning", "NumPy", "learn"):
    import numpy as np

MAX_SIDE = 32  # a row is a word
ELEMENTS = {
    "int8": ("8", 1),
    "float16": ("16", 0x3C00),
    "bfloat16": ("16", 0x3F80),
    "float32": ("32", 0x3F800000),
}
"""The types of observations: the bits of an element, and the element that stands for a mark."""

# The structs of kernels.cu. All members have 8 bytes.
_GAMES = (
    *("actions", "cells", "floor", "players", "gravity", "autoreset"),
    *("legal", "turn", "winner", "done", "illegal", "ply", "random", "heights", "order", "left"),
)
_BATCH = np.dtype([(name, np.uint64) for name in (*_GAMES, "marks")])
_CALL = np.dtype(
    [
        ("count", np.uint64),
        ("batch", _BATCH),
        ("array", np.uint64),
        ("choice", np.uint64),
        ("source", _BATCH),
        *((name, np.uint64) for name in ("streams", "apart", "one")),
    ]
)


def takes(rules: Rules) -> bool:
    """Return whether the kernels can play by these rules."""
    variant = VARIANTS[rules.variant]
    return (
        rules.players == 2
        and len(rules.shape) == 2
        and max(rules.shape) <= MAX_SIDE
        and not rules.early_draw
        and not variant.fouls
        and variant.counts is None
    )


def source(rules: Rules) -> str:
    """Return the kernels' source for these rules."""
    decides = required("noughts.learning._vector", "VectorGame").decisions(rules)
    constants = {
        "ROWS": rules.shape[0],
        "COLS": rules.shape[1],
        "K": rules.k,
        "GRAVITY": int(rules.gravity),
        "LOSES": int(VARIANTS[rules.variant].loses),
        "DECIDES": f"{sum(ends << i for i, ends in enumerate(decides)):#x}ULL",
    }
    defined = "".join(f"#define {name} {value}\n" for name, value in constants.items())
    parts = [Path(__file__).with_name(name).read_text() for name in ("games.h", "kernels.cu")]
    return defined + "".join(parts)


class Kernels:
    """The games of a `VectorGame` on a GPU, with the methods of `_vector.Vector`.

    Args:
        device: the device of all arrays (see `noughts.learning.devices`).
        rules: the rules of all games.
        autoreset: a number of games.h.
        arrays: as of `_vector.Vector`.

    Raises:
        InvalidRules: the kernels cannot play by these rules.
    """

    def __init__(self, device: Any, rules: Rules, autoreset: int, **arrays: Any) -> None:
        if not takes(rules):
            raise InvalidRules(
                f"device={device.name!r} is for two players on boards of two dimensions up to "
                f"{MAX_SIDE}×{MAX_SIDE}, without fouls and early draws, not {rules}: use "
                "device='cpu'"
            )
        self._device, self._shape = device, (len(arrays["turn"]), rules.players, *rules.shape)
        count, actions = arrays["legal"].shape
        self._arrays = arrays | {
            "heights": device.zeros((count, actions if rules.gravity else 0), np.uint32),
            "order": device.zeros((count, actions), np.uint16),
            "left": device.zeros(count, np.uint32),
            "marks": device.zeros((count, 2, rules.shape[0]), np.uint32),
        }
        self._kernels = device.compiled(source(rules))
        self._call = np.zeros(1, _CALL)
        self._call["count"] = count
        self._call["batch"]["autoreset"] = autoreset
        for name, array in self._arrays.items():
            self._call["batch"][name] = device.address(array)
        self.reset(None)

    def seed(self, states: Any) -> None:
        """Set the state of each game's random numbers, in place: CUDA graphs hold addresses."""
        with self._device.current:
            self._arrays["random"][...] = states

    def reset(self, chosen: Any) -> None:
        """Restart the chosen games, one byte per game, or all."""
        self._run("reset", None, chosen)

    def step(self, actions: Any) -> bool:
        """Make a move in every game; return False, without one, unless `actions` fit."""
        return self._run_if("step", actions)

    def draw(self, actions: Any, chosen: Any) -> bool:
        """Write random legal actions; return False, without drawing, unless `actions` fit."""
        return self._run_if("random_actions", actions, chosen)

    def observe(self, planes: Any, seats: Any) -> bool:
        """Write one player's view of each game; return False, without writing, unless it fits."""
        return self._view("observe", planes, seats)

    def step_random(self, planes: Any) -> bool:
        """Make a random move in every game and `observe`, in one kernel."""
        return self._view("step_random", planes)

    def take(self, source: "Kernels", rows: Any, streams: bool, apart: int) -> None:
        """Make every game a copy of a game of `source`, as `_vector.Vector.take` does."""
        if source is self:
            raise ValueError("games cannot be copied to themselves")
        self._run("take", rows, source=source._call["batch"], streams=streams, apart=apart)

    def _run_if(self, name: str, actions: Any, chosen: Any = None) -> bool:
        """Run a kernel with one action per game, if they fit."""
        fits = self._fits(actions, ("int64",), self._shape[:1])
        if fits:
            self._run(name, actions, chosen)
        return fits

    def _view(self, name: str, planes: Any, seats: Any = None) -> bool:
        """Run a kernel that writes observations, if they fit."""
        fits = self._fits(planes, ELEMENTS, self._shape)
        if fits:
            bits, one = ELEMENTS[planes.dtype.name]
            self._run(f"{name}{bits}", planes, seats, one=one)
        return fits

    def _fits(self, array: Any, types: Container[str], shape: tuple[int, ...]) -> bool:
        """Return whether an array is the device's, of one of these types and this shape."""
        return (
            isinstance(array, self._device.xp.ndarray)
            and array.dtype.name in types
            and array.shape == shape
            and self._device.is_usable(array)
        )

    def _run(self, name: str, array: Any, choice: Any = None, **others: Any) -> None:
        """Run a kernel with the caller's array and choice."""
        call = self._call.copy()  # other threads may call, too
        for key, value in others.items():
            call[key] = value
        for key, each in (("array", array), ("choice", choice)):
            if each is not None:
                call[key] = self._device.address(each)
        self._kernels(name, self._shape[0], call)
