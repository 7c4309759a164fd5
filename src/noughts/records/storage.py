"""Access to files: local paths, and URLs such as ``s3://bucket/games.parquet`` or ``https://…``.

fsspec opens the stores. It and their libraries take settings and credentials from their own files
and environment variables. PyArrow's file systems would support neither ``https://`` nor ETags.
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

READ = 1 << 22  # bytes per request
AHEAD = 4  # concurrent requests per file
CHANGES = ("ETag", "etag", "LastModified", "last_modified", "updated", "mtime")

Location = Path | str
"""A local path, or the URL of an object."""


def parse_location(text: str) -> Location:
    """Return a URL unchanged, and anything else as a path."""
    return text if "://" in text else Path(text)


def join(directory: Location, name: str) -> Location:
    """Return the location of a file in a directory."""
    return directory / name if isinstance(directory, Path) else f"{directory.rstrip('/')}/{name}"


def open_raw(location: Location) -> RawIOBase:
    """Open a file for reading; several parts of an object are fetched at a time.

    Raises:
        OSError: the file is missing or cannot be read.
    """
    return FileIO(location) if isinstance(location, Path) else _Object(location)


def progress_of(file: BufferedReader) -> tuple[int, int | None]:
    """Return the number of bytes read so far, and the size of the file if known.

    Call this only on the thread that reads: during a read, `tell` on another thread can move the
    position from which the reader continues.
    """
    if not file.seekable():
        return 0, None
    try:
        return file.tell(), os.fstat(file.fileno()).st_size
    except OSError:  # in memory or in a store
        return file.tell(), getattr(file.raw, "size", None)


def fingerprint(location: Location) -> dict[str, int | str]:
    """Return the file's size and its time of modification or ETag; raise OSError if missing."""
    if isinstance(location, Path):
        stat = location.stat()
        return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
    store, path = _store(location)
    with _os_errors(location):
        store.invalidate_cache()  # other clients write to the store, too
        info = store.info(path)
    if not isinstance(info["size"], int):
        raise InvalidRecord("the server does not report the file's length")
    marks = [str(info[name]) for name in CHANGES if info.get(name)]
    return {"size": info["size"], "changed": marks[0] if marks else ""}


def find_files(pattern: str) -> list[tuple[Location, str]]:
    """Return the files that match a pattern, each with its path from the first wildcard on."""
    given = parse_location(pattern)
    store, path = (None, given.absolute()) if isinstance(given, Path) else _store(given)
    wild = has_magic(str(path)) and not (store is None and path.is_file())
    parts = Path(path).parts
    base = next((i for i, part in enumerate(parts) if wild and has_magic(part)), len(parts) - 1)
    if store is None:
        # Path.glob would find hidden files, too.
        found = glob(str(path), recursive=True) if wild else [str(path)]  # noqa: PTH207
        files: list[Location] = [file for file in map(Path, found) if file.is_file()]
        return [(file, str(Path(*Path(file).parts[base:]))) for file in files]
    with _os_errors(pattern):
        store.invalidate_cache()
        if not wild:
            return [(pattern, parts[-1])] if store.exists(path) else []
        found = store.glob(path, detail=True).items()
        names = sorted(name for name, info in found if info["type"] == "file")
    return [(store.unstrip_protocol(name), "/".join(Path(name).parts[base:])) for name in names]


@contextmanager
def write_object(url: str) -> Iterator[IO[bytes]]:
    """Write an object, which appears in the store only when complete; raise OSError on failure."""
    store, path = _store(url)
    with _os_errors(url):
        file = store.open(path, "wb")
        try:
            yield file
        except BaseException:
            file.closed = True  # otherwise the upload would be completed by the finaliser
            getattr(file, "discard", lambda: None)()
            raise
        file.close()


def _store(url: str) -> tuple[Any, Any]:
    """Return the file system of a URL, and the path in it."""
    with require_extra("object storage", "fsspec", "stores"):
        from fsspec.core import url_to_fs
    try:
        found: tuple[Any, Any] = url_to_fs(url)
    except (ImportError, ValueError) as error:  # an unknown protocol, or its library is missing
        raise NoughtsError(f"{url}: {error}") from None
    return found


@contextmanager
def _os_errors(url: str) -> Iterator[None]:
    """Convert the errors of stores' libraries to OSError."""
    try:
        yield
    except (OSError, NoughtsError) as error:
        if isinstance(error, OSError) and not error.strerror:
            raise type(error)(error.errno or 0, str(error) or type(error).__name__) from error
        raise
    except Exception as error:
        if not type(error).__module__.startswith(("botocore", "aiobotocore", "aiohttp", "fsspec")):
            raise
        raise OSError(0, str(error), url) from error


class _Object(RawIOBase):
    """An object, read in parts; the next parts are fetched in the background."""

    def __init__(self, url: str) -> None:
        from concurrent.futures import ThreadPoolExecutor  # slow to import, and rarely needed

        self._url, (self._store, self._path) = url, _store(url)
        self.size = int(fingerprint(url)["size"])
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
        with _os_errors(self._url):
            data = self._parts[number].result()[begin : begin + len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _fetch(self, part: int) -> bytes:
        begin, end = part * READ, min(self.size, (part + 1) * READ)
        data: bytes = self._store.cat_file(self._path, start=begin, end=end)
        if len(data) != end - begin:
            raise OSError(0, f"the store sent {len(data):,} of {end - begin:,} bytes")
        return data

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        super().close()
