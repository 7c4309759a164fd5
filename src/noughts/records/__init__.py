"""Games in and out, one file a format.

`noughts.records.record` has what all formats share, a `Record` and the `Verdict` on it;
`noughts.records.json_lines` and `noughts.records.call_lists` are the formats that are text.
"""

from noughts.records.call_lists import CallList, answers_to_json
from noughts.records.json_lines import MAX_LINE, read_records, write_records
from noughts.records.record import Record, Verdict, judge_record

__all__ = [
    "MAX_LINE",
    "CallList",
    "Record",
    "Verdict",
    "answers_to_json",
    "judge_record",
    "read_records",
    "write_records",
]
