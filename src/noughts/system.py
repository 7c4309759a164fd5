"""Locks, limits and blocked signals, which only POSIX systems provide, and their substitutes.

The rest of noughts runs wherever Python does; docs/quickstarts.md lists the exceptions.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from noughts.errors import NoughtsError


class NeedsPosix(NoughtsError, NotImplementedError):
    """A feature that needs Linux, macOS or another POSIX system."""


def need_posix(what: str) -> None:
    """Raise NeedsPosix, naming `what`, on systems without process groups."""
    if not hasattr(os, "killpg"):
        raise NeedsPosix(f"{what} needs Linux, macOS or another POSIX system")


def lock(descriptor: int) -> None:
    """Lock an open file until it is closed or this process exits; without `fcntl`, do nothing.

    Raises:
        BlockingIOError: another process has the lock.
    """
    with suppress(ModuleNotFoundError):
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def allow_many_files() -> None:
    """Raise the limit on open files, for this process and its children, as far as permitted."""
    with suppress(ModuleNotFoundError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):  # some systems report a limit that they do not grant
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def most_files() -> int:
    """Return the limit on open files of this process; about a million if it is unknown."""
    try:
        import resource
    except ModuleNotFoundError:
        return 1 << 20
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def most_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if it is unknown."""
    try:
        import resource
    except ModuleNotFoundError:
        return 0
    unit = 1024 if sys.platform == "linux" else 1  # of ru_maxrss
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def hold_interrupts_back() -> None:
    """Block Ctrl-C in this thread and in the processes that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def let_interrupts_in() -> None:
    """Unblock Ctrl-C, even if the parent process blocked it."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def exit_with_parent() -> None:
    """Make this process of `multiprocessing` exit when its parent does, even if that is killed."""
    from multiprocessing import parent_process  # slow to import
    from threading import Thread

    def wait() -> None:
        parent_process().join()  # type: ignore[union-attr]  # such a process has a parent
        os._exit(1)

    Thread(target=wait, daemon=True).start()


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Block Ctrl-C while modules are imported, since some of them swallow exceptions."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
