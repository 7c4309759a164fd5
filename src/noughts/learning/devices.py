"""Where the games of a `VectorGame` are: in main memory, or on a GPU.

A device creates arrays, takes those of the caller, and makes the games of `VectorGame`.
"""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any

from noughts.compiled import required
from noughts.errors import short_repr
from noughts.extras import MissingExtra, require_extra
from noughts.game.rules import Rules
from noughts.learning.kernels import ELEMENTS, Kernels
from noughts.learning.sharing import read_only, writable

with require_extra("learning", "NumPy", "learn"):
    import numpy as np

THREADS = 128  # of a block on a GPU
UNUSABLE = "out must be C-contiguous, aligned and writeable"


class Processor:
    """The processor and main memory, with arrays of NumPy.

    Attributes:
        name: the device as text.
        xp: the library of the arrays.
        current: a context in which that library works on arrays of the device.
        views: the types of observations.
        zeros, empty: functions of a shape and a type that return a new array.
        array: a function that returns the values of a caller as an array, wherever it is.
        read_only: `noughts.learning.sharing.read_only`.
    """

    name = "cpu"
    xp: Any = np
    current: Any = nullcontext()
    views: tuple[str, ...] = ("int8",)
    zeros: Any = staticmethod(np.zeros)  # without functions around them: searches copy games often
    empty: Any = staticmethod(np.empty)
    array: Any = staticmethod(np.asarray)
    read_only: Any = staticmethod(read_only)

    def moved(self, array: Any, dtype: Any) -> Any:
        """Return an array of `array` as a contiguous array of this type on the device."""
        found = np.ascontiguousarray(array, dtype)
        return found if found.flags.aligned else found.copy()

    def fetched(self, values: Any) -> Any:
        """Return the values of a caller or of an array of the device, in main memory."""
        return values

    def output(self, out: Any) -> Any:
        """Return the memory of a caller's array or tensor, without copying.

        Raises:
            TypeError: it is not one on this device.
        """
        found = writable(out)
        # The view has no byte order, which arrays of equal types may have.
        return found.view(found.dtype.newbyteorder("=")) if found.dtype.isnative else found

    def is_usable(self, array: Any) -> bool:
        """Return whether calls can write to this array."""
        return bool(array.flags.carray)

    def games(self, rules: Rules, autoreset: int, threads: int, **arrays: Any) -> Any:
        """Return new games, with the arrays that `_vector.Vector` describes."""
        compiled = required("noughts.learning._vector", "VectorGame")
        return compiled.Vector(rules, autoreset, threads, **arrays)


PROCESSOR = Processor()


class Cuda:
    """A GPU, with arrays of CuPy, on whose current stream all calls run; see `Processor`.

    Args:
        number: which one; None stands for the current one.

    Raises:
        MissingExtra: CuPy or a GPU is missing.
        ValueError: there is no GPU with this number.
    """

    views: tuple[str, ...] = (*ELEMENTS,)

    def __init__(self, number: int | None = None) -> None:
        try:
            with require_extra("device='cuda'", "CuPy", "cuda"):
                import cupy
        except MissingExtra:
            raise
        except ImportError as error:
            raise MissingExtra(f"device='cuda' requires CuPy, which is broken: {error}") from error
        try:
            count = cupy.cuda.runtime.getDeviceCount()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise MissingExtra(
                f"device='cuda' requires an NVIDIA GPU and its driver: {error}"
            ) from None
        if number is not None and number >= count:
            existing = "cuda:0" if count == 1 else f"cuda:0 to cuda:{count - 1}"
            raise ValueError(f"device must be {existing}, got 'cuda:{number}'")
        self.xp: Any = cupy
        self.current = cupy.cuda.Device(number)
        self.name = f"cuda:{self.current.id}"

    def zeros(self, shape: Any, dtype: Any) -> Any:
        """Return a new array of zeros."""
        with self.current:
            return self.xp.zeros(shape, dtype)

    def empty(self, shape: Any, dtype: Any) -> Any:
        """Return a new array."""
        with self.current:
            return self.xp.empty(shape, dtype)

    def array(self, values: Any) -> Any:
        """Return the values of a caller as an array, wherever it is."""
        shared = self._shared(values)
        if shared is None:
            return np.asarray(values)
        if _is_aligned(shared):
            return shared
        with shared.device:  # as bytes: kernels cannot read such elements
            return shared.view(np.uint8).copy().view(shared.dtype)

    def _shared(self, values: Any) -> Any:
        """Return an array or tensor of any library on any GPU as one of CuPy, or None.

        By DLPack, the current stream waits for that of the other library.

        Raises:
            TypeError: its library does not share it, such as PyTorch one that needs its gradient.
        """
        if isinstance(values, self.xp.ndarray):
            return values
        try:
            if hasattr(values, "__dlpack__") and values.__dlpack_device__()[0] == _DLPACK_CUDA:
                return self.xp.from_dlpack(values)
            if hasattr(values, "__cuda_array_interface__"):
                return self.xp.asarray(values)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise TypeError(f"{short_repr(values)} cannot be shared: {error}") from None
        return None

    def moved(self, array: Any, dtype: Any) -> Any:
        """Return an array of `array` as a contiguous array of this type on the device."""
        if isinstance(array, np.ndarray):
            array = np.asarray(array, dtype)  # in the processor's order of bytes
        with self.current:
            return self.xp.asarray(array, dtype, order="C")

    def fetched(self, values: Any) -> Any:
        """Return the values of a caller or of an array of the device, in main memory."""
        shared = self._shared(values)
        return values if shared is None else shared.get()

    def read_only(self, array: Any, dtype: Any = None) -> Any:
        """Return a view as another type of the same size; CuPy cannot protect it."""
        return array if dtype is None else array.view(dtype)

    def output(self, out: Any) -> Any:
        """Return the memory of a caller's array or tensor, without copying.

        Raises:
            TypeError: it is not one on this device.
            ValueError: it is read-only.
        """
        found = self._shared(out)
        if found is None:
            raise TypeError(
                f"out must be an array or a tensor on {self.name}, not {short_repr(out)}"
            )
        if found.device != self.current:
            raise TypeError(f"out must be on {self.name}, not on cuda:{found.device.id}")
        if is_read_only(out):
            raise ValueError(UNUSABLE)
        return found

    def is_usable(self, array: Any) -> bool:
        """Return whether calls can write to this array."""
        contiguous = bool(array.flags.c_contiguous)
        return contiguous and _is_aligned(array) and array.device == self.current

    def address(self, array: Any) -> int:
        """Return where an array begins."""
        return int(array.data.ptr)

    def compiled(self, source: str) -> Callable[[str, int, Any], None]:
        """Compile kernels; return a function that runs one by its name, for a number of games."""
        kernel = cache(self.xp.RawModule(code=source).get_function)

        def run(name: str, count: int, call: Any) -> None:
            with self.current:
                kernel(name)((-(-count // THREADS),), (THREADS,), (call,))

        return run

    def games(self, rules: Rules, autoreset: int, threads: int, **arrays: Any) -> Any:
        """Return new games, with the arrays that `_vector.Vector` describes."""
        if threads != 1:
            raise ValueError(f"threads must be 1 with device={self.name!r}, got {threads}")
        return Kernels(self, rules, autoreset, **arrays)


DEVICES: dict[str, Callable[..., Any]] = {"cpu": Processor, "cuda": Cuda}
"""The devices by name."""

_DLPACK_CUDA = 2  # kDLCUDA


def _is_aligned(array: Any) -> bool:
    """Return whether kernels can read the elements of an array of CuPy."""
    return bool(array.data.ptr % array.itemsize == 0)


def is_read_only(out: Any) -> bool:
    """Return whether a GPU's array must not be written to, which CuPy does not check.

    DLPack does not tell it of JAX's arrays; other libraries have no read-only ones on a GPU, except
    by the CUDA array interface.
    """
    if isinstance(out, getattr(sys.modules.get("jax"), "Array", ())):
        return True
    if hasattr(out, "__dlpack__"):
        return False
    return bool(out.__cuda_array_interface__["data"][1])


def device_of(device: Any) -> Any:
    """Return the device with this name, such as "cpu", "cuda" or "cuda:1".

    Raises:
        ValueError: there is none.
    """
    name, colon, number = str(device).partition(":")
    if name not in DEVICES or (colon and not (name == "cuda" and number.isdecimal())):
        raise ValueError(
            f"device must be 'cpu', 'cuda' or, for example, 'cuda:1', got {short_repr(device)}"
        )
    return DEVICES[name](*([int(number)] if colon else []))
