"""Virtual time: an event loop that never waits, and calls in threads that take simulated time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import Any, Protocol


class Owner(Protocol):
    """A simulated process, which its tasks belong to and whose calls of the database it delays."""

    def call(self, future: asyncio.Future[Any], executor: Any, call: partial[Any]) -> None:
        """Make this call as a thread of the process would, and set the future's result."""

    def started(self, task: asyncio.Task[Any]) -> None:
        """Take note of a task of the process."""


OWNER: ContextVar[Owner | None] = ContextVar("owner", default=None)


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop whose clock jumps to the next timer as soon as nothing is ready."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0
        self._clock_resolution = 1e-9  # that of the platform would change the order of timers
        self._selector = self  # asyncio asks it for what has happened
        self.set_task_factory(_task)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def select(self, timeout: float | None) -> list[Any]:
        """Let the time pass that asyncio would wait."""
        if timeout is None:
            raise RuntimeError("the simulation waits for something that never happens")
        self._now += timeout
        return []

    def _process_events(self, event_list: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def run_in_executor(  # type: ignore[override]  # without threads
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Call a function as a thread of the current process would."""
        future, owner = self.create_future(), OWNER.get()
        if owner is None:
            future.set_result(func(*args))
        else:
            owner.call(future, executor, partial(func, *args))
        return future


def _task(loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
    task, context = asyncio.Task(coro, loop=loop, **options), options.get("context")
    if owner := (context.get(OWNER) if context else OWNER.get()):
        owner.started(task)
    return task
