"""Files of records are read lazily, and unreadable lines are reported with their number."""

from __future__ import annotations

import gc
import json
import tracemalloc
from io import BufferedReader, BytesIO, RawIOBase
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts.bulk import judge_record
from noughts.errors import InvalidRecord
from noughts.records import MAX_LINE, Record, read_records
from records.reading import (
    EXAMPLES,
    GOOD,
    GOOD_CALLS,
    GOOD_CALLS_LINES,
    GOOD_LINE,
    only,
    problem,
    read,
)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b" \r\n\t\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"],
    ids=["empty", "a blank line", "blank lines", "only a BOM", "a BOM on a blank line"],
)  # fmt: skip
def test_file_without_records_is_reported(data: bytes) -> None:
    record = only(data)
    assert problem(record) == ("games.jsonl", None, "no record: the file is empty")
    assert str(record) == "games.jsonl: no record: the file is empty"


def test_blank_lines_are_skipped_but_counted() -> None:
    good, bad = read(f"\n  \n{GOOD_LINE}\n\n\t\r\nbad\n")
    assert good == GOOD
    assert problem(bad)[1] == 6


@pytest.mark.parametrize("end", ["\n", "\r\n", ""], ids=["LF", "CRLF", "no end"])
def test_all_line_endings_are_accepted(end: str) -> None:
    first = GOOD_LINE + (end or "\n")
    assert read(first + GOOD_LINE + end) == [GOOD, GOOD]


@pytest.mark.parametrize("text", [GOOD_LINE, GOOD_CALLS_LINES], ids=["a game", "a call list"])
def test_byte_order_mark_at_the_start_is_skipped(text: str) -> None:
    assert read(b"\xef\xbb\xbf" + text.encode()) == read(text)
    assert read(text) in ([GOOD], [GOOD_CALLS])


def test_byte_order_mark_within_the_file_is_reported() -> None:
    good, bad = read(f"{GOOD_LINE}\n\ufeff{GOOD_LINE}")
    assert good == GOOD
    assert problem(bad)[1] == 2


@pytest.mark.parametrize(
    ("line", "where"),
    [
        (b'{"id":"caf\xe9","n":3,"moves":[]}', "byte 0xe9 at column 11"),
        (b"\xff\xfe{\0}\0", "byte 0xff at column 1"),
        (b'{"id":"\xed\xa0\x80","n":3,"moves":[]}', "byte 0xed at column 8"),
        (b'{"id":"\xe2\x82', "byte 0xe2 at column 8"),
    ],
    ids=["Latin-1", "UTF-16", "a surrogate", "cut within a character"],
)
@pytest.mark.parametrize("number", [1, 2])
def test_invalid_utf_8_is_reported(line: bytes, where: str, number: int) -> None:
    lines = [GOOD_LINE.encode()] * 3
    lines[number - 1] = line
    records = read(b"\n".join(lines))
    assert problem(records.pop(number - 1)) == (
        "games.jsonl", number, f"the line is not UTF-8: {where}; save the file as UTF-8",
    )  # fmt: skip
    assert records == [GOOD, GOOD]


def test_utf_8_text_is_kept() -> None:
    record = only('{"id":"café 対局","n":3,"moves":[]}')
    assert isinstance(record, Record)
    assert record.id == "café 対局"


def padded(length: int) -> bytes:
    """Return a valid line of this many bytes."""
    return GOOD_LINE.encode().ljust(length)


@pytest.mark.parametrize("length", [MAX_LINE + 1, 10_000_000, 3 * MAX_LINE])
def test_too_long_line_is_reported_and_the_next_is_read(length: int) -> None:
    before, bad, after = read(
        f"{GOOD_LINE}\n".encode() + padded(length) + f"\n{GOOD_LINE}".encode()
    )
    assert problem(bad) == ("games.jsonl", 2, "the line is longer than 4 MiB")
    assert before == after == GOOD


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_file_of_one_huge_line_is_reported(end: bytes) -> None:
    assert problem(only(b"[" * 10_000_000 + end))[1:] == (1, "the line is longer than 4 MiB")


def test_longest_allowed_line_is_read() -> None:
    assert read(padded(MAX_LINE - 1) + b"\n") == [GOOD]
    assert read(padded(MAX_LINE)) == [GOOD]


def test_truncated_file_yields_the_games_before_the_cut() -> None:
    data = f"{GOOD_LINE}\n{GOOD_LINE}\n"
    for cut in range(1, len(GOOD_LINE)):
        good, bad = read(data[: len(GOOD_LINE) + 1 + cut])
        assert good == GOOD
        assert problem(bad)[1] == 2


@given(st.binary(max_size=200))
def test_arbitrary_bytes_never_raise(data: bytes) -> None:
    for record in read(data):
        if isinstance(record, Record):
            judge_record(record)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(
    st.dictionaries(
        st.sampled_from(["n", "shape", "k", "players", "early_draw", "id", "moves", "x"]),
        json_values | st.integers(1, 4) | st.lists(st.lists(st.integers(0, 3), max_size=3)),
    )
)
def test_arbitrary_fields_never_raise(fields: dict[str, object]) -> None:
    good, any_, end = read(f"{GOOD_LINE}\n{json.dumps(fields)}\n{GOOD_LINE}\n")
    assert good == end == GOOD
    if isinstance(any_, InvalidRecord):
        assert problem(any_)[:2] == ("games.jsonl", 2)
    else:
        assert isinstance(any_, Record)


# Lazy reading


class Repeated(RawIOBase):
    """A stream of the same bytes, repeated a number of times or endlessly."""

    def __init__(self, part: bytes, times: int | None = None) -> None:
        self.part = part
        self.left = -1 if times is None else times * len(part)
        self.at = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = len(buffer) if self.left < 0 else min(len(buffer), self.left)
        copies = (self.at + size) // len(self.part) + 1
        buffer[:size] = (self.part * copies)[self.at : self.at + size]
        self.at = (self.at + size) % len(self.part)
        self.left -= size if self.left > 0 else 0
        return size


def stream(part: bytes | str, times: int | None = None) -> BufferedReader:
    return BufferedReader(Repeated(part.encode() if isinstance(part, str) else part, times))


def test_games_of_an_endless_stream_are_read() -> None:
    games = read_records(stream(GOOD_LINE + "\n"), "endless")
    assert list(islice(games, 1000)) == [GOOD] * 1000


def test_call_lists_of_an_endless_stream_are_read() -> None:
    calls = read_records(stream(GOOD_CALLS_LINES + "\n"), "endless")
    assert list(islice(calls, 1000)) == [GOOD_CALLS] * 1000


class OneAtATime(BytesIO):
    """Lines that must not be read before the previous record has been consumed."""

    allowed = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert self.allowed > 0, "read ahead"
        self.allowed -= 1
        return super().readline(size)


def test_record_is_yielded_before_the_next_line_is_read() -> None:
    file = OneAtATime(f"{GOOD_LINE}\n{GOOD_CALLS_LINES}\n{GOOD_LINE}\n".encode())
    records = read_records(file, "slow")
    for lines, record in ((1, GOOD), (2, GOOD_CALLS), (1, GOOD)):
        file.allowed = lines
        assert next(records) == record


def peak_while_judging(file: BufferedReader) -> int:
    """Return the peak of memory, in bytes, while a stream is read and judged."""
    tracemalloc.start()
    try:
        for number, record in enumerate(read_records(file, "stream")):
            if isinstance(record, Record):
                judge_record(record).to_json()
            if number % 300 == 0:
                gc.collect()  # keeps the peak independent of automatic collections
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    some_games = (EXAMPLES / "games.jsonl").read_bytes() + b"not a game\n"
    peak_while_judging(stream(some_games, 10))  # fill the caches
    few, many = (peak_while_judging(stream(some_games, times)) for times in (20, 80))
    assert many < few + 20_000


def test_memory_does_not_grow_with_the_length_of_a_line() -> None:
    peak = peak_while_judging(stream(b"[" * 1_000_000, 60))
    assert peak < 5 * MAX_LINE
