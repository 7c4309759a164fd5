"""Files with approved output in ``tests/golden``.

``NOUGHTS_GOLDEN=renew script/test tests`` rewrites them; check ``git diff`` afterwards.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def golden(name: str, text: str) -> str:
    """Return the contents of a file; when renewing, write `text` to it first."""
    path = FOLDER / name
    if os.environ.get("NOUGHTS_GOLDEN") == "renew":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return path.read_bytes().decode()
