"""Reading and writing recorded games, one module per format.

`noughts.records.record` defines `Record`, which all formats share. `noughts.records.formats`
detects the format of a file. `noughts.records.storage` opens paths and URLs, and
`noughts.records.atomic` writes files.
"""

from noughts.records.call_lists import CallList, answers_to_json
from noughts.records.formats import read_records, writer_of
from noughts.records.json_lines import Read
from noughts.records.lines import MAX_LINE
from noughts.records.record import Note, Record

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
