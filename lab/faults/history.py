"""What has happened, written as it happens: a line of JSON for each thing that somebody saw.

`at` is in seconds, of one clock. What the records are:

- `asked`: an attempt at a `request` of a player: which one, of which `game`, with which `body`
- `answered`: its `status`, `retry` (the header Retry-After) and `body`, or why it `failed`
- `read`: a `state` that a player was shown, and when they had `asked`
- `shown`: an event of a `stream`: its `kind` and `data`
- `fault`, `healed`: its `name`
- `log`: at the end, a `game` of the database: how it was `made`, and its `events`
"""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import Any

Record = dict[str, Any]


class History:
    """The file of the records."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w")

    def write(self, what: str, **fields: Any) -> None:
        """Add a record, now."""
        record = {"at": round(monotonic(), 6), "what": what, **fields}
        print(json.dumps(record, ensure_ascii=False), file=self._file, flush=True)


def read(path: Path) -> list[Record]:
    """The records of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]
