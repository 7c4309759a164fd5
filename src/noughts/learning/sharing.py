"""Sharing arrays with other libraries: NumPy, PyTorch and JAX.

An array of a `VectorGame` is never shared, since some libraries ignore that it is read-only. An
array or tensor of the caller is written in place, without copying.
"""

from typing import Any

from noughts.errors import short_repr
from noughts.extras import require_extra

with require_extra("learning", "NumPy", "learn"):
    import numpy as np
    from numpy.typing import NDArray

_NOT_SHARED = (
    "this array is read-only and changes with the games, so it cannot be shared: share its .copy()"
)


class LiveArray(np.ndarray[Any, Any]):
    """A read-only array that changes with the games, or a view of one.

    Results of arithmetic and copies by `copy` are plain arrays. NumPy refuses to write to it, and
    DLPack to share it; nothing can keep `torch.from_numpy` from sharing it, with a warning only.
    """

    def __dlpack__(self, *, copy: bool | None = None, **options: Any) -> Any:
        """Export a copy, if one is asked for, or an array that is writeable.

        Raises:
            BufferError: the array is read-only, and no copy is asked for.
        """
        # NumPy would set DLPack's flag for read-only arrays, which PyTorch ignores.
        if copy or self.flags.writeable:
            return super().__dlpack__(copy=copy, **options)
        raise BufferError(_NOT_SHARED)

    def __array_wrap__(
        self, array: NDArray[Any], context: Any = None, return_scalar: bool = False
    ) -> Any:
        """Return the result of arithmetic as a plain array."""
        return array[()] if return_scalar else array.view(np.ndarray)

    def copy(self, order: Any = "C") -> NDArray[Any]:  # type: ignore[override]  # plain
        """Return a plain, writeable copy."""
        return np.array(self, order=order)


def read_only(array: NDArray[Any], dtype: Any = None) -> LiveArray:
    """Return a view that cannot be made writeable, optionally as another type of the same size."""
    view = np.asarray(array.data.toreadonly()).view(LiveArray)
    return view if dtype is None else view.view(dtype)


def writable(out: Any) -> NDArray[Any]:
    """Return the memory of an array or tensor as an array to write to, without copying.

    Raises:
        TypeError: it is neither an array nor a tensor in main memory.
    """
    if isinstance(out, np.ndarray):
        return out
    try:
        return np.from_dlpack(out, copy=False)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
        why = f" ({error})" if hasattr(out, "__dlpack__") else ""
        raise TypeError(
            f"out must be an array or a tensor in main memory, not {short_repr(out)}{why}"
        ) from None
