"""Compressed files: gzip, Zstandard and ZIP archives, recognized by their content.

Zstandard needs PyArrow, from ``noughts[batch]``.
"""

import zlib
from collections.abc import Iterator
from gzip import GzipFile
from io import BufferedReader, RawIOBase
from lzma import LZMAError
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from noughts.errors import InvalidRecord
from noughts.extras import require_extra

GZIP, ZSTANDARD, ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
ALL = (GZIP, ZSTANDARD, ZIP)
OFFICE = {"[Content_Types].xml", "mimetype"}  # each in one of the formats of office programs
SUFFIXES = (".gz", ".zst", ".zip")
NESTED = 3  # levels of compressed files in compressed files
BUFFER = 1 << 19  # bytes, as many as a chunk of lines


def decompressed(
    file: IO[bytes], head: bytes, source: str
) -> Iterator[tuple[IO[bytes], str]] | None:
    """Return the files in a compressed file, with their names; None if it is not compressed.

    Such a file can hold compressed files, up to `NESTED` levels.

    A ZIP archive holds any number of files, in the order of its directory; folders and hidden files
    are skipped. If it comes from a pipe, it is first copied to a temporary file.

    Args:
        file: an open file.
        head: its first bytes, at least four unless it is shorter.
        source: its name.

    Raises:
        InvalidRecord: it is compressed more often.
        ModuleNotFoundError: it is Zstandard, and PyArrow is not installed.
    """
    if _depth(file) >= NESTED and head.startswith(ALL):
        raise InvalidRecord(f"the file is compressed more than {NESTED} times", source)
    if head.startswith(GZIP):
        return iter([(_buffered(GzipFile(fileobj=file), source, file), _inner(source))])
    if head.startswith(ZSTANDARD):
        with require_extra("Zstandard", "PyArrow", "batch"):
            import pyarrow as pa
        stream = pa.CompressedInputStream(pa.PythonFile(_Borrowed(file), "r"), "zstd")
        return iter([(_buffered(stream, source, file), _inner(source))])
    return _members(file, source) if head.startswith((ZIP, EMPTY_ZIP)) else None


def _members(file: IO[bytes], source: str) -> Iterator[tuple[IO[bytes], str]]:
    with TemporaryFile() as copy:
        if not file.seekable():
            copyfileobj(file, copy)
        try:
            with ZipFile(file if file.seekable() else copy) as archive:
                if OFFICE & {*archive.namelist()}:
                    problem = "this is a document of an office program: save the table as CSV"
                    raise InvalidRecord(problem, source)
                for member in archive.infolist():
                    name = member.filename
                    hidden = any(part.startswith((".", "__")) for part in name.split("/"))
                    if not member.is_dir() and not hidden:
                        with archive.open(member) as stream:
                            yield _buffered(stream, source, file), f"{source}/{name}"
        except (BadZipFile, NotImplementedError, RuntimeError) as error:
            problem = error.args[0] if error.args else "it is broken"
            raise InvalidRecord(f"cannot read this ZIP archive: {problem}", source) from None


def _depth(file: Any) -> int:
    """Return in how many compressed files this one is."""
    raw = getattr(file, "raw", None)
    return raw.depth if isinstance(raw, _Stream) else 0


def _inner(source: str) -> str:
    """Return the name of the file in a compressed file."""
    suffix = next((each for each in SUFFIXES if source.lower().endswith(each)), "")
    return source[: len(source) - len(suffix)]


def _buffered(stream: Any, source: str, outer: Any) -> BufferedReader:
    return BufferedReader(_Stream(stream, source, _depth(outer) + 1), BUFFER)


class _Borrowed:
    """A file that stays open when PyArrow closes it."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self.read = file.read

    def close(self) -> None:
        """Do nothing; the file belongs to the caller."""


class _Stream(RawIOBase):
    """A stream of decompressed bytes whose errors are `InvalidRecord`."""

    def __init__(self, stream: Any, source: str, depth: int) -> None:
        self._stream, self._source, self.depth = stream, source, depth

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._stream.read(len(buffer))
        except (EOFError, OSError, ValueError, LZMAError, zlib.error, BadZipFile) as error:
            problem = f"the compressed data is cut off or broken: {error}"
            raise InvalidRecord(problem, self._source) from None
        buffer[: len(data)] = data
        return len(data)
