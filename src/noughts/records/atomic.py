"""How every command writes its results: a file appears whole or not at all."""

import os
import re
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from stat import S_IMODE
from typing import IO, NoReturn

from noughts.errors import NoughtsError
from noughts.records.addresses import Address, written

HEAD = 4096  # bytes; a zero among them means that a file is not text


class NotReplaced(NoughtsError, ValueError):
    """The results would destroy a file that should be kept."""


@contextmanager
def atomic_write(path: Address, inputs: Iterable[str] = ()) -> Iterator[IO[bytes]]:
    """A file to write; it gets its name when it is complete and on the disk, or never.

    Until then its name ends in ``.part``; SIGTERM and SIGHUP remove it. It replaces an older file
    and keeps that file's permissions. A pipe, a device or a name such as ``/dev/stdout`` is written
    directly. An object of a store appears when it is complete.

    Args:
        path: where the file goes.
        inputs: the files that are being read; ``-`` is standard input.

    Raises:
        NotReplaced: the path is one of the inputs, or a file that is neither text nor Parquet, such
            as a database.
        OSError: the file cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with atomic_write(Path(folder) / "new") as file:
    ...         size = file.write(b"whole")
    ...         before = (Path(folder) / "new").exists()
    ...     print(before, [path.name for path in Path(folder).iterdir()])
    False ['new']
    """
    if not isinstance(path, Path):
        if path in inputs:
            raise NotReplaced(f"{path} would be overwritten while it is read")
        with ended_by_signals(), written(path) as file:
            yield file
        return
    descriptor = _descriptor(path)
    if descriptor is not None or (path.exists() and not path.is_file()):
        with (
            _named(path),
            path.open("wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb") as file,
        ):
            yield file
        return
    place = Path(os.path.realpath(path))  # a link stays a link
    if place.exists():
        _refuse_to_lose(path, inputs)
    part = place.with_name(f"{place.name}.{os.urandom(4).hex()}.part")
    with ended_by_signals():
        try:
            with _named(path, part), part.open("xb") as file:
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


@contextmanager
def _named(path: Path, part: Path | None = None) -> Iterator[None]:
    """In an error that names no file, or the ``.part`` file, name the one that was asked for."""
    try:
        yield
    except OSError as error:
        if error.filename in (None, part and str(part)):
            error.filename = str(path)
        raise


def remove_parts(path: Path) -> None:
    """Remove the ``.part`` files of this file that killed processes have left."""
    for part in path.parent.glob(f"{escape(path.name)}.*.part"):
        part.unlink(missing_ok=True)


def _descriptor(path: Path) -> int | None:
    """The number of the open file that a path such as ``/dev/stdout`` or ``/dev/fd/63`` names."""
    for _ in range(8):  # links to links
        name = f"{os.path.realpath(path.parent)}/{path.name}"
        if found := re.fullmatch(rf"/proc/{os.getpid()}/(?:task/\d+/)?fd/(\d+)", name):
            return int(found[1])
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None


def _refuse_to_lose(path: Path, inputs: Iterable[str]) -> None:
    """Raise NotReplaced if the file is one of the inputs, or neither text nor Parquet."""
    for source in inputs:
        same = False
        with suppress(OSError, ValueError, AttributeError):  # no such file, or no descriptor
            found = os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()
            same = os.path.samestat(found, path.stat())
        if same:
            raise NotReplaced(f"{path} would be overwritten while it is read")
    with path.open("rb") as file:
        head = file.read(HEAD)
    if b"\0" in head and not head.startswith(b"PAR1"):
        raise NotReplaced(f"{path} is neither text nor Parquet, and is not replaced")


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the process as Ctrl-C does: by an exception."""
    taken: list[signal.Signals] = []

    def end(number: int, _: object) -> NoReturn:
        for each in taken:
            signal.signal(each, signal.SIG_IGN)
        sys.exit(128 + number)  # as the shell reports it

    if threading.current_thread() is threading.main_thread():
        ending = {each for each in signal.Signals if each.name in ("SIGTERM", "SIGHUP")}
        taken += [each for each in ending if signal.getsignal(each) is signal.SIG_DFL]
    for each in taken:
        signal.signal(each, end)
    try:
        yield
    finally:
        for each in taken:
            signal.signal(each, signal.SIG_DFL)
