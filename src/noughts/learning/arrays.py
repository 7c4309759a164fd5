"""What arrays must be, to be read or written by `_vector`."""

from collections.abc import Sequence
from typing import Any

from noughts.errors import short_repr
from noughts.extras import require_extra

with require_extra("learning", "NumPy", "learn"):
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

NO_ACTION = 2**31  # no board has so many, and no conversion makes it negative


def as_actions(actions: ArrayLike, count: int, name: str = "actions") -> NDArray[np.int64]:
    """The actions of so many games, as `_vector` takes them; raises as `VectorGame.step`.

    Integers that are too large for int64 become negative, which no action is.
    """
    found = np.asarray(actions)
    if found.dtype.kind not in "iu" or found.shape != (count,):
        raise mismatch(name, found, "integers", (count,))
    return np.require(found, np.int64, ["C", "A"])


def as_histories(histories: Sequence[ArrayLike] | NDArray[Any], count: int) -> NDArray[np.int64]:
    """The actions of so many games, a row for each, filled up with -1; raises as `play_from`."""
    if not isinstance(histories, Sequence | np.ndarray):
        raise TypeError(f"histories must be lists of actions, not {short_repr(histories)}")
    if len(histories) != count:
        raise ValueError(f"histories must be one for each of {count} games, not {len(histories)}")
    rows = [np.asarray(history) for history in histories]
    table = np.full((count, max(row.size for row in rows)), -1)
    for game, row in enumerate(rows):
        if row.ndim != 1 or (row.dtype.kind not in "iu" and row.size):
            raise mismatch(f"histories[{game}]", row, "integers", (row.size,))
        table[game, : row.size] = np.where(row > NO_ACTION, NO_ACTION, row.astype(np.int64))
    over = (table[:, :-1] == -1) & (table[:, 1:] != -1)
    if over.any():
        game, ply = np.argwhere(over)[0].tolist()
        raise ValueError(f"game {game}, move {ply}: no action -1 but after the last")
    return table


def as_output(
    out: NDArray[Any] | None, dtype: np.dtype[Any], shape: tuple[int, ...]
) -> NDArray[Any]:
    """The array to write to: a new one, or `out` if it is right."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array, not {short_repr(out)}")
    if out.dtype != dtype or out.shape != shape:
        raise mismatch("out", out, dtype.name, shape)
    if not out.flags.carray:
        raise ValueError("out must be C-contiguous, aligned and writeable")
    return out


def read_only(array: NDArray[Any], dtype: Any = None) -> NDArray[Any]:
    """A view that nobody can make writeable, perhaps as another type of the same size."""
    view = np.asarray(array.data.toreadonly())
    return view if dtype is None else view.view(dtype)


def mismatch(name: str, found: NDArray[Any], what: str, shape: tuple[int, ...]) -> Exception:
    """The error for an array of the wrong type or shape."""
    message = f"{name} must be {what} of shape {shape}, not {found.dtype} of shape {found.shape}"
    return ValueError(message) if found.shape != shape else TypeError(message)
