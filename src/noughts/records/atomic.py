"""Atomic writing: a command's output file appears complete or not at all."""

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
from noughts.records.storage import Location, write_object

HEAD = 4096  # bytes; a file with a zero among them is not text


class NotReplaced(NoughtsError, ValueError):
    """The output would destroy a file that should be kept."""


@contextmanager
def atomic_write(path: Location, inputs: Iterable[str] = ()) -> Iterator[IO[bytes]]:
    """Write a file that gets its name only once it is complete and flushed to disk.

    Until then its name ends in ``.part``; SIGTERM and SIGHUP remove it. The new file replaces an
    older one and keeps its permissions. Pipes, devices and names such as ``/dev/stdout`` are
    written directly. An object in a store appears when it is complete.

    Args:
        path: the file to write.
        inputs: the files being read, which must not be replaced; ``-`` is standard input.

    Raises:
        NotReplaced: `path` is one of the inputs, or a file that is neither text nor Parquet, such
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
        with exit_on_signals(), write_object(path) as file:
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
    target = Path(os.path.realpath(path))  # a link stays a link
    if target.exists():
        _check_replaceable(path, inputs)
    part = target.with_name(f"{target.name}.{os.urandom(4).hex()}.part")
    with exit_on_signals():
        try:
            with _named(path, part), part.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                part.chmod(S_IMODE(target.stat().st_mode))
            part.replace(target)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise


@contextmanager
def _named(path: Path, part: Path | None = None) -> Iterator[None]:
    """Make errors name the output file, rather than no file or its ``.part`` file."""
    try:
        yield
    except OSError as error:
        if error.filename in (None, part and str(part)):
            error.filename = str(path)
        raise


def remove_parts(path: Path) -> None:
    """Remove the ``.part`` files of this file that killed processes left behind."""
    for part in path.parent.glob(f"{escape(path.name)}.*.part"):
        part.unlink(missing_ok=True)


def _descriptor(path: Path) -> int | None:
    """Return the file descriptor that a path such as ``/dev/stdout`` or ``/dev/fd/63`` names."""
    for _ in range(8):  # follow links to links
        name = f"{os.path.realpath(path.parent)}/{path.name}"
        if found := re.fullmatch(rf"/proc/{os.getpid()}/(?:task/\d+/)?fd/(\d+)", name):
            return int(found[1])
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return None


def _check_replaceable(path: Path, inputs: Iterable[str]) -> None:
    """Raise NotReplaced if the file is one of the inputs, or neither text nor Parquet."""
    for source in inputs:
        same = False
        with suppress(OSError, ValueError, AttributeError):  # missing, or without a descriptor
            found = os.fstat(sys.stdin.fileno()) if source == "-" else Path(source).stat()
            same = os.path.samestat(found, path.stat())
        if same:
            raise NotReplaced(f"{path} would be overwritten while it is read")
    with path.open("rb") as file:
        head = file.read(HEAD)
    if b"\0" in head and not head.startswith(b"PAR1"):
        raise NotReplaced(f"{path} is neither text nor Parquet, so it is not replaced")


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Make SIGTERM and SIGHUP raise an exception, as Ctrl-C does."""
    taken: list[signal.Signals] = []

    def end(number: int, _: object) -> NoReturn:
        for each in taken:
            signal.signal(each, signal.SIG_IGN)
        sys.exit(128 + number)  # the status that shells report

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
