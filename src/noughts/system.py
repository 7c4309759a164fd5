"""What only POSIX systems have: locks, limits and held signals; and what is said without them.

Everything else of noughts runs where Python does. docs/quickstarts.md lists the exceptions.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from noughts.errors import NoughtsError


class NeedsPosix(NoughtsError, NotImplementedError):
    """This needs Linux, macOS or another POSIX system."""


def need_posix(what: str) -> None:
    """Raise NeedsPosix, which names what was asked for, where processes have no groups."""
    if not hasattr(os, "killpg"):
        raise NeedsPosix(f"{what} needs Linux, macOS or another POSIX system")


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed, or this process ends; without `fcntl`, do nothing.

    Raises:
        BlockingIOError: another process has the lock.
    """
    with suppress(ModuleNotFoundError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def allow_many_files() -> None:
    """Allow this process, and those it starts, as many open files as the system permits."""
    with suppress(ModuleNotFoundError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):  # some systems name a limit that they do not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_files() -> int:
    """How many files this process may have open; about a million where nobody says."""
    try:
        import resource
    except ModuleNotFoundError:
        return 1 << 20
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def most_memory() -> int:
    """The most bytes of memory that this process has used; 0 where nobody counts them."""
    try:
        import resource
    except ModuleNotFoundError:
        return 0
    unit = 1024 if sys.platform == "linux" else 1  # as getrusage has it
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def hold_interrupts_back() -> None:
    """Leave Ctrl-C to other threads; processes that this thread starts do not hear it either."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def let_interrupts_in() -> None:
    """Hear Ctrl-C, even if whoever started this process held it back."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Hold Ctrl-C back while modules are loaded: some of them lose exceptions then."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
