"""Optional libraries, and the error when one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def require_extra(sentence: str) -> Iterator[None]:
    """Import optional libraries in the body of a ``with`` statement.

    Args:
        sentence: what the libraries are needed for and how to install them.

    Raises:
        ModuleNotFoundError: a library is missing; the message is `sentence`.

    >>> with require_extra("flying needs Wings: pip install wings"):
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
