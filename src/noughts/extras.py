"""Extras: optional libraries, and the error raised when one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager


class MissingExtra(ModuleNotFoundError):
    """An optional library is not installed; the message says how to install it."""


@contextmanager
def require_extra(purpose: str, library: str, extra: str | None = None) -> Iterator[None]:
    """Import optional libraries.

    Args:
        purpose: the subject of the error's sentence, such as "object storage".
        library: the names of the libraries.
        extra: the extra that contains them, if any.

    Raises:
        MissingExtra: a library is missing.

    >>> with require_extra("flying", "wings"):  # doctest: +ELLIPSIS
    ...     import wings
    Traceback (most recent call last):
    noughts.extras.MissingExtra: flying requires wings: ...
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("noughts"):  # a compiled module's own error
            raise
        raise MissingExtra(missing(purpose, library, extra), name=error.name) from error


def missing(purpose: str, library: str, extra: str | None = None) -> str:
    """Return how to install a missing library; in a clone's .venv, script/setup installs most."""
    import sys
    from pathlib import Path

    clone = Path(__file__).parents[2]
    package = library if extra is None else f'"noughts[{extra}]"'
    advice = f"pip install {package}"
    if (clone / "script" / "setup").is_file():
        if Path(sys.prefix) == clone / ".venv" and extra != "cuda":  # useless without a GPU
            advice = f"run script/setup in {clone}"
        elif extra is not None:
            advice = f'pip install -e "{clone}[{extra}]"'
    return f"{purpose} requires {library}: {advice}"
