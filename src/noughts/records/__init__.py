"""Reading and writing recorded games, one module per format.

`noughts.records.record` defines `Record`, which all formats share. `noughts.records.formats`
detects the format of a file. `noughts.records.storage` opens paths and URLs, and
`noughts.records.atomic` writes files.
"""

from typing import TYPE_CHECKING

from noughts.exports import imported_on_use
from noughts.records.record import Note, Record

if TYPE_CHECKING:
    from noughts.records.call_lists import CallList, answers_to_json
    from noughts.records.formats import read_records, writer_of
    from noughts.records.json_lines import Read
    from noughts.records.lines import MAX_LINE
else:  # importing the formats takes as long as importing the rules
    __getattr__ = imported_on_use(
        __name__,
        {
            "MAX_LINE": "lines",
            "CallList": "call_lists",
            "Read": "json_lines",
            "answers_to_json": "call_lists",
            "read_records": "formats",
            "writer_of": "formats",
        },
    )

__all__ = [
    "MAX_LINE",
    "CallList",
    "Note",
    "Read",
    "Record",
    "answers_to_json",
    "read_records",
    "writer_of",
]


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__]
