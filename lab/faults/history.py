"""The history of a run, as JSON Lines: one record for each thing that a player did or saw.

The field `at` is in seconds of one clock. The records are:

- `asked`: an attempt at a `request`, with its number, path and `body`
- `answered`: a response's `status`, `retry` (the header Retry-After) and `body`, or why it `failed`
- `read`: a `state` that a player requested, and the time at which it was `asked` for
- `shown`: an event of a `stream`, with its `kind` and `data`
- `fault`, `healed`: the start and the end of a fault, with its `name`
- `made`, `event`: in a simulation, a game and an event that the database has just committed
- `watched`: the start of a `stream`, with the seq that its client knows
- `watching`: at the end, a `stream` that is still open
- `log`: at the end, a `game` of the database, with how it was `made` and its `events`
"""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import Any

Record = dict[str, Any]


class History:
    """A file of records."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w")

    def write(self, what: str, **fields: Any) -> None:
        """Add a record with the current time."""
        record = {"at": round(monotonic(), 6), "what": what, **fields}
        print(json.dumps(record, ensure_ascii=False), file=self._file, flush=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read(path: Path) -> list[Record]:
    """Return the records of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]
