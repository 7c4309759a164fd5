"""The source of this server: to be read by people, and to be run by Python in a browser."""

from collections.abc import Collection, Iterable
from functools import cache
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PACKAGE = Path(__file__).parents[2]
CODE = {".py", ".pyx", ".pxd", ".typed", ".book"}
ROOMS = (
    *("__init__", "errors", "extras", "compiled", "arguments", "game", "referee", "picture"),
    "checker",
)
THEN = 1980, 1, 1, 0, 0, 0  # the earliest time that a ZIP archive knows: always the same bytes


@cache
def archive(page: Collection[str]) -> bytes:
    """The package as a ZIP archive, with its licence; files of the page have these endings."""
    paths = (path for path in PACKAGE.rglob("*") if path.suffix in {*CODE, *page})
    return _zipped(paths, LICENSE=(distribution("noughts").read_text("licenses/LICENSE") or ""))


def checker() -> bytes:
    """The checker, and what it needs of the package, as a ZIP archive: 110 KB."""
    paths = [PACKAGE / f"{room}.py" for room in ROOMS]
    for room in ROOMS:
        paths += (PACKAGE / room).glob("**/*.py")
    return _zipped(filter(Path.is_file, paths))


def _zipped(paths: Iterable[Path], **more: str) -> bytes:
    files = {f"noughts/{path.relative_to(PACKAGE).as_posix()}": path for path in paths}
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as written:
        for name, path in sorted(files.items()):
            written.writestr(ZipInfo(name, THEN), path.read_bytes(), ZIP_DEFLATED)
        for name, text in more.items():
            written.writestr(ZipInfo(name, THEN), text, ZIP_DEFLATED)
    return packed.getvalue()
