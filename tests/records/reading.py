"""Sample records, and functions that read them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from noughts import Rules
from noughts.errors import InvalidRecord
from noughts.records import CallList, Record, read_records

EXAMPLES = Path(__file__).parents[2] / "examples"

GOOD_LINE = '{"id":"good","n":3,"moves":[[1,1]]}'
GOOD = Record(Rules(), ((1, 1),), "good")
GOOD_CALLS_LINES = '["TicTacToe","move"]\n[[2],[1,0,2]]'
GOOD_CALLS = CallList(2, ((1, 0, 2),))
LONG = "9" * 5000  # more digits than Python reads

Read = Record | CallList | InvalidRecord


def read(data: str | bytes, source: str = "games.jsonl") -> list[Read]:
    return list(read_records(BytesIO(data.encode() if isinstance(data, str) else data), source))


def only(data: str | bytes) -> Read:
    (record,) = read(data)
    return record


def problem(record: Read) -> tuple[str, int | None, str]:
    """Return the source, the line and the message of a record that could not be read."""
    assert isinstance(record, InvalidRecord), record
    return record.source, record.line, record.args[0]
