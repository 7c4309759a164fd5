"""Games in and out, one file a format.

`noughts.records.record` has what all formats share, a `Record`;
`noughts.records.formats` tells formats apart, and the other modules are a format each.
"""

from noughts.records.call_lists import CallList, answers_to_json
from noughts.records.formats import read_records, writer_of
from noughts.records.json_lines import MAX_LINE, Read, write_records
from noughts.records.record import Note, Record

__all__ = [
    "MAX_LINE",
    "CallList",
    "Note",
    "Read",
    "Record",
    "answers_to_json",
    "read_records",
    "write_records",
    "writer_of",
]
