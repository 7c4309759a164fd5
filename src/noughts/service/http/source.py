"""The source of this server, for people who want to see how it works."""

from functools import cache
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from noughts.service.http.files import TYPES

PACKAGE = Path(__file__).parents[2]
CODE = {".py", ".pyx", ".pxd", ".typed", ".book"}
THEN = 1980, 1, 1, 0, 0, 0  # the earliest time that a ZIP archive knows: always the same bytes


@cache
def archive() -> bytes:
    """The package as a ZIP archive, with its licence: what runs here, and is read by people."""
    files = {
        f"noughts/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes()
        for path in sorted(PACKAGE.rglob("*"))
        if path.is_file() and path.suffix in CODE | TYPES.keys()
    }
    files["LICENSE"] = (distribution("noughts").read_text("licenses/LICENSE") or "").encode()
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as written:
        for name, content in files.items():
            written.writestr(ZipInfo(name, THEN), content, ZIP_DEFLATED)
    return packed.getvalue()
