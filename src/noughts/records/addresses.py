"""Where files are: a path, or an address such as ``s3://bucket/games.parquet`` or ``https://…``.

fsspec knows the stores, and takes settings and credentials as it and their libraries always do,
from files and the environment. PyArrow's file systems, compared, have no ``https://`` and no ETags.
Needs ``noughts[stores]``.
"""

import os
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from glob import glob, has_magic
from io import SEEK_CUR, SEEK_END, BufferedReader, FileIO, RawIOBase
from pathlib import Path
from typing import IO, Any

from noughts.errors import InvalidRecord, NoughtsError
from noughts.extras import require_extra

READ = 1 << 22  # bytes that one request asks for
AHEAD = 4  # requests at a time for one file
CHANGES = ("ETag", "etag", "LastModified", "last_modified", "updated", "mtime")

Address = Path | str
"""A local path, or the address of an object."""


def address_of(text: str) -> Address:
    """What a user has named."""
    return text if "://" in text else Path(text)


def below(directory: Address, name: str) -> Address:
    """The file of this name in a directory."""
    return directory / name if isinstance(directory, Path) else f"{directory.rstrip('/')}/{name}"


def reading(address: Address) -> RawIOBase:
    """The bytes of a file; of an object, several parts are fetched at a time.

    Raises:
        OSError: it is not there, or cannot be read.
    """
    return FileIO(address) if isinstance(address, Path) else _Object(address)


def place(file: BufferedReader) -> tuple[int, int | None]:
    """How many bytes have been read, and of how many if known.

    Only the thread that reads may ask: while one reads, `tell` in another can make it read from
    elsewhere in the file.
    """
    if not file.seekable():
        return 0, None
    try:
        return file.tell(), os.fstat(file.fileno()).st_size
    except OSError:  # it is in memory or in a store
        return file.tell(), getattr(file.raw, "size", None)


def stamp(address: Address) -> dict[str, int | str]:
    """The file's size, and what else changes when it is changed; raises OSError."""
    if isinstance(address, Path):
        stat = address.stat()
        return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    store, path = _store(address)
    with _plain_errors(address):
        store.invalidate_cache()  # others write there, too
        info = store.info(path)
    if not isinstance(info["size"], int):
        raise InvalidRecord("the server does not say how long the file is")
    marks = [str(info[name]) for name in CHANGES if info.get(name)]
    return {"size": info["size"], "changed": marks[0] if marks else ""}


def matching(pattern: str) -> list[tuple[Address, str]]:
    """The files that match a pattern, and their paths from its first wildcard on."""
    given = address_of(pattern)
    store, path = (None, given.absolute()) if isinstance(given, Path) else _store(given)
    wild = has_magic(str(path)) and not (store is None and path.is_file())
    parts = Path(path).parts
    base = len(parts) - 1
    if wild:
        base = next(i for i, part in enumerate(parts) if has_magic(part))
    if store is None:
        # Path.glob would find hidden files, too.
        found = glob(str(path), recursive=True) if wild else [str(path)]  # noqa: PTH207
        files: list[Address] = [file for file in map(Path, found) if file.is_file()]
        return [(file, str(Path(*Path(file).parts[base:]))) for file in files]
    with _plain_errors(pattern):
        store.invalidate_cache()
        if not wild:
            return [(pattern, parts[-1])] if store.exists(path) else []
        found = store.glob(path, detail=True).items()
        names = sorted(name for name, info in found if info["type"] == "file")
    return [(store.unstrip_protocol(name), "/".join(Path(name).parts[base:])) for name in names]


@contextmanager
def written(address: str) -> Iterator[IO[bytes]]:
    """An object to write; it is there when it is complete, or never. Raises OSError."""
    store, path = _store(address)
    with _plain_errors(address):
        file = store.open(path, "wb")
        try:
            yield file
        except BaseException:
            file.closed = True  # or it would be completed when it is forgotten
            getattr(file, "discard", lambda: None)()
            raise
        file.close()


def _store(address: str) -> tuple[Any, Any]:
    """The file system of an address, and the path there."""
    with require_extra("object storage", "fsspec", "stores"):
        from fsspec.core import url_to_fs
    try:
        found: tuple[Any, Any] = url_to_fs(address)
    except (ImportError, ValueError) as error:  # says what to install, or that it knows none
        raise NoughtsError(f"{address}: {error}") from None
    return found


@contextmanager
def _plain_errors(address: str) -> Iterator[None]:
    """Make an OSError of what libraries of stores raise."""
    try:
        yield
    except (OSError, NoughtsError) as error:
        if isinstance(error, OSError) and not error.strerror:
            raise type(error)(error.errno or 0, str(error) or type(error).__name__) from error
        raise
    except Exception as error:
        if not type(error).__module__.startswith(("botocore", "aiobotocore", "aiohttp", "fsspec")):
            raise
        raise OSError(0, str(error), address) from error


class _Object(RawIOBase):
    """An object: it is read in parts, and the next ones are fetched meanwhile."""

    def __init__(self, address: str) -> None:
        from concurrent.futures import ThreadPoolExecutor  # slow to import, and seldom needed

        self._address, (self._store, self._path) = address, _store(address)
        self.size = int(stamp(address)["size"])
        self._at = 0
        self._parts: OrderedDict[int, Any] = OrderedDict()  # futures of bytes
        self._pool = ThreadPoolExecutor(AHEAD)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, to: int, whence: int = os.SEEK_SET) -> int:
        self._at = to + {SEEK_CUR: self._at, SEEK_END: self.size}.get(whence, 0)
        return self._at

    def readinto(self, buffer: Any) -> int:
        if self._at >= self.size:
            return 0
        number, begin = divmod(self._at, READ)
        for part in range(number, min(number + AHEAD, -(-self.size // READ))):
            if part not in self._parts:
                self._parts[part] = self._pool.submit(self._fetch, part)
            self._parts.move_to_end(part)
        while len(self._parts) > 2 * AHEAD:
            self._parts.popitem(last=False)
        with _plain_errors(self._address):
            piece = self._parts[number].result()[begin : begin + len(buffer)]
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def _fetch(self, part: int) -> bytes:
        begin, end = part * READ, min(self.size, (part + 1) * READ)
        data: bytes = self._store.cat_file(self._path, start=begin, end=end)
        if len(data) != end - begin:
            raise OSError(0, f"the store has sent {len(data):,} of {end - begin:,} bytes")
        return data

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        super().close()
