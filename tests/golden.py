"""Files with the output that was once looked at and found good, in ``tests/golden``.

``NOUGHTS_GOLDEN=renew script/test tests`` writes them anew; look at ``git diff`` afterwards.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def golden(name: str, text: str) -> str:
    """What the file of this name holds; `text` itself, once it is written, when renewing."""
    path = FOLDER / name
    if os.environ.get("NOUGHTS_GOLDEN") == "renew":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return path.read_bytes().decode()
