"""Reading and writing recorded games, one module per format.

`noughts.records.record` defines `Record`, which all formats share. `noughts.records.formats`
detects the format of a file. `noughts.records.storage` opens paths and URLs, and
`noughts.records.atomic` writes files.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from noughts.records.record import Note, Record

if TYPE_CHECKING:
    from noughts.records.call_lists import CallList, answers_to_json
    from noughts.records.formats import read_records, writer_of
    from noughts.records.json_lines import Read
    from noughts.records.lines import MAX_LINE

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

_MODULES = {
    "MAX_LINE": "lines",
    "CallList": "call_lists",
    "Read": "json_lines",
    "answers_to_json": "call_lists",
    "read_records": "formats",
    "writer_of": "formats",
}


if not TYPE_CHECKING:  # which would take every name for an attribute

    def __getattr__(name: str) -> object:
        """Import a public name on first use: importing the formats takes as long as the rules."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__]
