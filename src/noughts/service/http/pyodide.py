"""Pyodide, which is Python for the browser: of files of this machine, or of a public server's."""

import json
import os
from functools import cache
from pathlib import Path

from noughts.errors import NoughtsError
from noughts.service.http.answer import Answer, Headers
from noughts.service.http.guard import POLICY

VERSION = "314.0.7"
ROOT = "/page/pyodide/"
ADDRESS = f"{ROOT}{VERSION}/"
PUBLIC = f"https://cdn.jsdelivr.net/npm/pyodide@{VERSION}/"
FILES = {
    "pyodide.mjs": b"text/javascript; charset=utf-8",
    "pyodide.asm.mjs": b"text/javascript; charset=utf-8",
    "pyodide.asm.wasm": b"application/wasm",
    "python_stdlib.zip": b"application/zip",
    "pyodide-lock.json": b"application/json",
}
HEADERS: Headers = (
    (b"cache-control", b"public, max-age=31536000, immutable"),  # its address has the version
    (b"vary", b"Accept-Encoding"),
)
GZIP = b"content-encoding", b"gzip"


class NoPyodideError(NoughtsError):
    """The folder has no Pyodide, or another version of it."""


class Pyodide:
    """The files in a folder; without one, in the folder where ``script/pyodide`` puts them.

    Attributes:
        address: where browsers find them: here, or on a public server if they are not here.
        policy: the content policy of the script that loads it.

    Raises:
        NoPyodideError: they are not in the folder that is named.
    """

    def __init__(self, folder: str = "") -> None:
        self._folder = Path(folder) if folder else installed()
        is_here = _version(self._folder) == VERSION
        if folder and not is_here:
            raise NoPyodideError(f"{folder} does not contain the files of Pyodide {VERSION}")
        self.address = ADDRESS if is_here else PUBLIC
        elsewhere = "" if is_here else f" {PUBLIC}"
        self.policy = POLICY.replace(
            "script-src", f"script-src 'wasm-unsafe-eval'{elsewhere}"
        ).replace("connect-src", f"connect-src{elsewhere}")
        self._read = cache(self._file)

    def send(self, version: str, name: str, packed: bool) -> Answer:
        """A file, compressed if that is wanted. Raises KeyError if there is no such file."""
        if version != VERSION or self.address != ADDRESS:
            raise KeyError(version)
        media_type = FILES[name]
        if packed and (body := self._read(f"{name}.gz")):
            return Answer(body, media_type, headers=(*HEADERS, GZIP))
        return Answer(self._read(name) or b"", media_type, headers=HEADERS)

    def _file(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:  # not everybody has compressed it
            return None


def installed() -> Path:
    """Where ``script/pyodide`` puts it."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(data, "noughts", f"pyodide-{VERSION}")


def _version(folder: Path) -> str:
    """Which one is in a folder; none if a file is missing."""
    try:
        told = json.loads((folder / "package.json").read_text())
    except (OSError, ValueError):
        return ""
    return str(told["version"]) if all((folder / name).is_file() for name in FILES) else ""
