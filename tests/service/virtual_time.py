"""An event loop whose clock jumps to the next timer, so that no test depends on real time."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that never waits: if nothing is ready, its time is that of the next timer."""

    def __init__(self) -> None:
        super().__init__(_Selector(self))
        self.now: float = 0.0

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self.now


class _Selector(selectors.SelectSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self._loop.now += timeout
        return ready


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine, as `asyncio.run`, in virtual time; it must not wait for threads."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)
