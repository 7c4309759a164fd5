"""Atomic writes: a file appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from stat import S_IMODE
from typing import IO


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A file to write; it gets its name when it is complete and on the disk, or never.

    Until then it stands beside its place under a name that ends in ``.part``. It replaces a file
    that was there before and keeps its permissions. A pipe, a device or anything else that is no
    regular file is written directly.

    Raises:
        OSError: the file cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with atomic_write(Path(folder) / "new") as file:
    ...         size = file.write(b"whole")
    ...         before = (Path(folder) / "new").exists()
    ...     print(before, [path.name for path in Path(folder).iterdir()])
    False ['new']
    """
    place = Path(os.path.realpath(path))  # a link stays a link
    if place.exists() and not place.is_file():
        with path.open("wb") as file:
            yield file
        return
    part = place.with_name(f"{place.name}.{os.urandom(4).hex()}.part")
    try:
        file = part.open("xb")
    except OSError as error:
        error.filename = str(path)  # the name that was asked for
        raise
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            part.chmod(S_IMODE(place.stat().st_mode))
        part.replace(place)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def remove_parts(path: Path) -> None:
    """Remove the ``.part`` files that killed processes have left beside this file."""
    for part in path.parent.glob(f"{escape(path.name)}.*.part"):
        part.unlink(missing_ok=True)
