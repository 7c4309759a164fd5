"""Extras: libraries that need not be installed, and the error where one is missing."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needing(sentence: str) -> Iterator[None]:
    """Import libraries that need not be installed.

    Args:
        sentence: what they are needed for, and how to install them.

    Raises:
        ModuleNotFoundError: one is missing; the message is the sentence.

    >>> with needing("flying needs Wings: pip install wings"):
    ...     import wings
    Traceback (most recent call last):
    ModuleNotFoundError: flying needs Wings: pip install wings
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("noughts"):  # a compiled module's own error
            raise
        raise ModuleNotFoundError(sentence, name=error.name) from error


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Hold Ctrl-C back while modules are loaded: some of them lose exceptions then."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
