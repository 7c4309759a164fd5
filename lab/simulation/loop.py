"""Virtual time: an event loop that never waits, and calls in threads that take simulated time.

asyncio's own loop needs four times as long for a step, and half of a simulated move is steps.
"""

from __future__ import annotations

import asyncio
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from functools import partial
from heapq import heappop, heappush
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Owner(Protocol):
    """A simulated process, whose tasks and timers end with it and wait while it is paused."""

    alive: bool
    held: list[Handle] | None  # timers that are due while it is paused; None if it runs
    tasks: list[asyncio.Task[Any]]

    def call(self, future: asyncio.Future[Any], executor: Any, call: partial[Any]) -> None:
        """Make this call as a thread of the process would, and set the future's result."""


OWNER: ContextVar[Owner | None] = ContextVar("owner", default=None)
KEPT_TASKS = 1000  # of a process before those that are done are dropped


class Handle:
    """A callback that is to run, now or at a time."""

    __slots__ = ("_at", "args", "callback", "context", "owner")

    def __init__(
        self,
        callback: Callable[..., object] | None,
        args: tuple[Any, ...],
        context: Context,
        at: float = 0.0,
        owner: Owner | None = None,
    ) -> None:
        self.callback = callback  # None once it is cancelled
        self.args = args
        self.context = context
        self._at = at
        self.owner = owner

    def cancel(self) -> None:
        """Do not run it."""
        self.callback = None
        self.args = ()

    def cancelled(self) -> bool:
        """Return whether it was cancelled."""
        return self.callback is None

    def when(self) -> float:
        """Return its time."""
        return self._at


class VirtualLoop(asyncio.AbstractEventLoop):
    """An event loop whose clock jumps to the next timer as soon as nothing is ready."""

    def __init__(self) -> None:
        self._now = 0.0
        self._ready: deque[Handle] = deque()
        self._timers: list[tuple[float, int, Handle]] = []
        self._number = 0  # of the latest timer; those of the same time run in their order
        self.outside = copy_context()

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end, and return its result."""
        ready, timers = self._ready, self._timers
        events._set_running_loop(self)
        try:
            task, running = self.create_task(main), [True]
            task.add_done_callback(lambda _: running.clear())
            while running:
                if ready:
                    handle = ready.popleft()
                elif timers:
                    at, _, handle = heappop(timers)
                    if handle.callback is None:
                        continue
                    if at > self._now:  # a timer may be set for a time that has passed
                        self._now = at
                    if owner := handle.owner:
                        if owner.held is not None:
                            owner.held.append(handle)
                            continue
                        if not owner.alive:
                            continue
                else:
                    raise RuntimeError("the simulation waits for something that never happens")
                if handle.callback is not None:
                    handle.context.run(handle.callback, *handle.args)
            return task.result()
        finally:
            events._set_running_loop(None)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now

    def get_debug(self) -> bool:
        """Return False."""
        return False

    def is_running(self) -> bool:
        """Return True: nothing asks it otherwise."""
        return True

    def is_closed(self) -> bool:
        """Return False."""
        return False

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        """Run a callback before any time passes."""
        handle = Handle(callback, args, context or copy_context())
        self._ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> Handle:
        """Run a callback after a delay in seconds."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> Handle:
        """Run a callback at a time, for the process that asks for it."""
        handle = Handle(callback, args, context or copy_context(), when, OWNER.get())
        self._number += 1
        heappush(self._timers, (when, self._number, handle))
        return handle

    def bring(
        self, at: float, owner: Owner | None, callback: Callable[..., object], *args: Any
    ) -> Handle:
        """Run a callback at a time: something reaches a process, or a client or database."""
        handle = Handle(callback, args, self.outside, at, owner)
        self._number += 1
        heappush(self._timers, (at, self._number, handle))
        return handle

    def resume(self, owner: Owner) -> None:
        """Run the timers that were due while a process was paused."""
        self._ready.extend(owner.held or ())
        owner.held = None

    def create_future(self) -> asyncio.Future[Any]:
        """Return a new future."""
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override]
        self, coro: Coroutine[Any, Any, T], *, name: str | None = None, context: Any = None
    ) -> asyncio.Task[T]:
        """Run a coroutine as a task of the process that asks for it."""
        return self.start(coro, OWNER.get(), context)

    def start(
        self, coro: Coroutine[Any, Any, T], owner: Owner | None, context: Context | None
    ) -> asyncio.Task[T]:
        """Run a coroutine as a task of a process."""
        task = asyncio.Task(coro, loop=self, context=context)
        if owner:
            owner.tasks.append(task)
            if len(owner.tasks) > KEPT_TASKS:
                owner.tasks = [each for each in owner.tasks if not each.done()]
        return task

    def run_in_executor(  # type: ignore[override]  # without threads
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Call a function as a thread of the current process would."""
        future, owner = self.create_future(), OWNER.get()
        assert owner is not None
        owner.call(future, executor, partial(func, *args))
        return future

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Ignore the errors of tasks that nothing awaits, as production logs them."""
