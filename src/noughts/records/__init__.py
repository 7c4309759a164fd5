"""Games in and out, one file a format.

`noughts.records.record` has what all formats share, a `Record`; `noughts.records.formats` finds the
format of a file; each other module is one format.
"""

from noughts.records.call_lists import CallList, answers_to_json
from noughts.records.formats import read_records, writer_of
from noughts.records.json_lines import MAX_LINE, Read
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
