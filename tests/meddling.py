"""Callbacks that run in the middle of other code."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def whenever_memory_is_collected(meddle: Callable[[], object]) -> Iterator[None]:
    """Call `meddle` whenever the garbage collector can run, as when a tuple is created."""

    def callback(*_: object) -> None:
        meddle()

    threshold = gc.get_threshold()
    gc.callbacks.append(callback)
    try:
        gc.set_threshold(1)
        yield
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(callback)
