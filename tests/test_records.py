"""Games in and out: what is written is read back, and what cannot be read says where and why."""

from __future__ import annotations

import gc
import json
import tracemalloc
from contextlib import suppress
from io import BufferedReader, BytesIO, RawIOBase, StringIO
from itertools import islice
from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, InvalidRules, Outcome, Rules, Termination
from noughts.errors import CellTaken, GameOver, IllegalMove, InvalidRecord, OffBoard, UnknownPlayer
from noughts.records import (
    MAX_LINE,
    CallList,
    Record,
    Verdict,
    answers_to_json,
    judge_record,
    read_records,
    write_records,
)

EXAMPLES = Path(__file__).parent.parent / "examples"

GOOD_LINE = '{"id":"good","n":3,"moves":[[1,1]]}'
GOOD = Record(Rules(), ((1, 1),), "good")
GOOD_CALLS_LINES = '["TicTacToe","move"]\n[[2],[1,0,2]]'
GOOD_CALLS = CallList(2, ((1, 0, 2),))

OBJECT = 'expected an object such as {"n": 3, "moves": [[0, 0]]}'
NAMES = 'expected an array of names such as ["TicTacToe", "move"]'
ARGUMENTS = "expected an array of arguments such as [[3], [0, 0, 1]]"

Read = Record | CallList | InvalidRecord


def read(data: str | bytes, source: str = "games.jsonl") -> list[Read]:
    return list(read_records(BytesIO(data.encode() if isinstance(data, str) else data), source))


def only(data: str | bytes) -> Read:
    (record,) = read(data)
    return record


def problem(record: Read) -> tuple[str, int | None, str]:
    """The source, the line and the message of what could not be read."""
    assert isinstance(record, InvalidRecord), record
    return record.source, record.line, record.args[0]


# What is written is read back


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    sides = st.lists(st.integers(1, 14) | st.integers(1, 2**31 - 1), min_size=1, max_size=8)
    shape = tuple(draw(sides.filter(lambda sides: prod(sides) < 2**31)))
    k = draw(st.integers(1, max(shape)))
    players = draw(st.integers(2, 8))
    with suppress(InvalidRules):  # the board has too many lines for early draws
        return Rules(shape, k, players, draw(st.booleans()))
    return Rules(shape, k, players)


square_rules = st.builds(Rules.square, st.integers(1, 100))


@st.composite
def any_record(draw: st.DrawFn) -> Record:
    rules = draw(square_rules | any_rules())
    cell = st.tuples(*[st.integers()] * len(rules.shape))
    moves = draw(st.lists(cell, max_size=5))
    return Record(rules, tuple(moves), draw(st.none() | st.integers() | st.text()))


any_call = st.tuples(st.integers(), st.integers(), st.integers())
any_call_list = st.builds(
    CallList, st.integers(1, 1_000_000), st.lists(any_call, max_size=5).map(tuple)
)


@given(st.lists(any_record() | any_call_list, min_size=1, max_size=5))
def test_what_is_written_is_read_back(records: list[Record | CallList]) -> None:
    file = StringIO()
    write_records(records, file)
    assert read(file.getvalue()) == records


def test_a_record_is_written_as_the_design_says() -> None:
    assert Record(Rules(), ((0, 0), (1, 1)), "a1").to_json() == (
        '{"id":"a1","n":3,"moves":[[0,0],[1,1]]}'
    )
    assert Record(Rules((15, 15), k=5), (), 7).to_json() == (
        '{"id":7,"shape":[15,15],"k":5,"players":2,"moves":[]}'
    )
    assert Record(Rules((4,), players=3, early_draw=True), ((2,),)).to_json() == (
        '{"shape":[4],"k":4,"players":3,"early_draw":true,"moves":[[2]]}'
    )


def test_a_call_list_is_written_as_the_design_says() -> None:
    assert GOOD_CALLS.to_json() == GOOD_CALLS_LINES


def test_writing_nothing_writes_nothing() -> None:
    file = StringIO()
    write_records([], file)
    assert file.getvalue() == ""


def test_a_game_becomes_a_record_and_the_record_the_game() -> None:
    game = Game.replay(Rules((4, 4), k=3), [(0, 0), (3, 3), (1, 1)])
    record = Record.of(game, id=5)
    assert record == Record(game.rules, ((0, 0), (3, 3), (1, 1)), 5)
    assert Record.of(game).id is None
    assert record.game() == game


def test_a_record_with_an_illegal_move_is_no_game() -> None:
    with pytest.raises(CellTaken, match=r"cell \(0, 0\) is already taken"):
        Record(Rules(), ((0, 0), (0, 0))).game()


# JSON Lines


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ('{"n": 3, "moves": []}', Record(Rules(), ())),
        ('{"n": 3, "moves": [], "id": null}', Record(Rules(), ())),
        ('{"n": 3, "moves": [], "id": ""}', Record(Rules(), (), "")),
        ('{"n": 3, "moves": [], "id": "\\ud800"}', Record(Rules(), (), "\ud800")),
        ('{"n": 3, "moves": [[-1, 99]]}', Record(Rules(), ((-1, 99),))),
        ('{"n": 4, "k": 3, "moves": []}', Record(Rules((4, 4), 3), ())),
        ('{"n": 3, "k": null, "moves": []}', Record(Rules(), ())),
        ('{"n": 3, "players": 3, "moves": []}', Record(Rules(players=3), ())),
        ('{"n": 3, "early_draw": true, "moves": []}', Record(Rules(early_draw=True), ())),
        ('{"shape": [3, 3], "moves": []}', Record(Rules(), ())),
        ('{"shape": [7], "k": 3, "moves": [[6]]}', Record(Rules((7,), 3), ((6,),))),
        ('{"shape": [2, 2, 2], "moves": [[0, 1, 1]]}', Record(Rules((2, 2, 2)), ((0, 1, 1),))),
        ('{"n": 3, "moves": [], "date": "2024-05-01", "by": [1]}', Record(Rules(), ())),
        ('{"n": 4, "n": 3, "moves": [[0, 0]], "moves": []}', Record(Rules(), ())),
    ],
    ids=[
        "plain", "id null", "empty id", "lone surrogate", "off the board", "k", "k null",
        "players", "early draw", "shape", "one side", "three sides", "unknown keys ignored",
        "the last of duplicate keys counts",
    ],
)  # fmt: skip
def test_a_line_is_a_game(line: str, record: Record) -> None:
    assert only(line) == record


LONG = "9" * 5000

MALFORMED = {
    "plain text": ("hello", f"{OBJECT}; this is not JSON: expecting value at column 1"),
    "truncated": ('{"n": 3, "moves": [[0,', f"{OBJECT}; this is not JSON: expecting value "
                  "at column 23"),
    "truncated string": ('{"id": "a', f"{OBJECT}; this is not JSON: unterminated string "
                         "starting at at column 8"),
    "two objects": ('{"n":3,"moves":[]} {}', f"{OBJECT}; this is not JSON: extra data "
                    "at column 20"),
    "single quotes": ("{'n': 3}", f"{OBJECT}; this is not JSON: expecting property name "
                      "enclosed in double quotes at column 2"),
    "a number": ("3", f"{OBJECT}, not 3"),
    "null": ("null", f"{OBJECT}, not None"),
    "a string": ('"game"', f"{OBJECT}, not 'game'"),
    "5000 digits": (f'{{"n": {LONG}, "moves": []}}', f"{OBJECT}; a number is too long"),
    "nested too deep": ('{"n":' + "[" * 100_000, f"{OBJECT}; nested too deep"),
    "neither n nor shape": ('{"moves": []}', 'a game needs either "n" or "shape"'),
    "both n and shape": ('{"n":3,"shape":[3,3],"moves":[]}', 'a game needs either "n" or "shape"'),
    "n a float": ('{"n":3.0,"moves":[]}', "n must be an integer, not 3.0 (float)"),
    "n a bool": ('{"n":true,"moves":[]}', "n must be an integer, not True (bool)"),
    "n a string": ('{"n":"3","moves":[]}', "n must be an integer, not '3' (str)"),
    "n null": ('{"n":null,"moves":[]}', "n must be an integer, not None (NoneType)"),
    "n a list": ('{"n":[3],"moves":[]}', "n must be an integer, not [3] (list)"),
    "n not a number": ('{"n":NaN,"moves":[]}', "n must be an integer, not nan (float)"),
    "n infinite": ('{"n":1e999,"moves":[]}', "n must be an integer, not inf (float)"),
    "n zero": ('{"n":0,"moves":[]}', "every side of the board must be at least 1, not 0"),
    "n negative": ('{"n":-3,"moves":[]}', "every side of the board must be at least 1, not -3"),
    "shape a number": ('{"shape":3,"moves":[]}', "shape must be a list of sides, not 3"),
    "shape null": ('{"shape":null,"moves":[]}', "shape must be a list of sides, not None"),
    "shape a string": ('{"shape":"3x3","moves":[]}', "shape must be a list of sides, not '3x3'"),
    "shape an object": ('{"shape":{},"moves":[]}', "shape must be a list of sides, not {}"),
    "shape empty": ('{"shape":[],"moves":[]}', "a board has 1 to 8 sides, not 0"),
    "shape of nine sides": ('{"shape":[1,1,1,1,1,1,1,1,1],"moves":[]}',
                            "a board has 1 to 8 sides, not 9"),
    "a side a float": ('{"shape":[3,3.0],"moves":[]}',
                       "a side of the board must be an integer, not 3.0 (float)"),
    "a side a bool": ('{"shape":[true,3],"moves":[]}',
                      "a side of the board must be an integer, not True (bool)"),
    "a side a list": ('{"shape":[[3],3],"moves":[]}',
                      "a side of the board must be an integer, not [3] (list)"),
    "unequal sides without k": ('{"shape":[3,4],"moves":[]}',
                                "the sides of a 3×4 board differ: say how many win (k)"),
    "k too large": ('{"n":3,"k":4,"moves":[]}', "k must be 1 to 3 on a 3×3 board, not 4"),
    "k zero": ('{"n":3,"k":0,"moves":[]}', "k must be 1 to 3 on a 3×3 board, not 0"),
    "k a float": ('{"n":3,"k":3.0,"moves":[]}', "k must be an integer, not 3.0 (float)"),
    "k a bool": ('{"n":3,"k":true,"moves":[]}', "k must be an integer, not True (bool)"),
    "k a string": ('{"n":3,"k":"3","moves":[]}', "k must be an integer, not '3' (str)"),
    "k a list": ('{"n":3,"k":[3],"moves":[]}', "k must be an integer, not [3] (list)"),
    "one player": ('{"n":3,"players":1,"moves":[]}', "players must be 2 to 8, not 1"),
    "nine players": ('{"n":3,"players":9,"moves":[]}', "players must be 2 to 8, not 9"),
    "players a float": ('{"n":3,"players":2.0,"moves":[]}',
                        "players must be an integer, not 2.0 (float)"),
    "players null": ('{"n":3,"players":null,"moves":[]}',
                     "players must be an integer, not None (NoneType)"),
    "players an object": ('{"n":3,"players":{},"moves":[]}',
                          "players must be an integer, not {} (dict)"),
    "early_draw a number": ('{"n":3,"early_draw":1,"moves":[]}',
                            "early_draw must be true or false, not 1"),
    "early_draw null": ('{"n":3,"early_draw":null,"moves":[]}',
                        "early_draw must be true or false, not None"),
    "early_draw a long list": ('{"n":3,"early_draw":[1,2,3,4,5,6,7,8],"moves":[]}',
                               "early_draw must be true or false, not [1, 2, 3, 4, 5, 6, ...]"),
    "id a float": ('{"n":3,"id":1.5,"moves":[]}', "id must be a string or an integer, not 1.5"),
    "id a bool": ('{"n":3,"id":false,"moves":[]}', "id must be a string or an integer, not False"),
    "id a list": ('{"n":3,"id":["a"],"moves":[]}', "id must be a string or an integer, not ['a']"),
    "no moves": ('{"n":3}', "moves must be a list of cells such as [[0, 0], [1, 1]], "
                 "but there are none"),
    "moves null": ('{"n":3,"moves":null}', "moves must be a list of cells such as "
                   "[[0, 0], [1, 1]], not None"),
    "moves an object": ('{"n":3,"moves":{"0":[0,0]}}', "moves must be a list of cells such as "
                        "[[0, 0], [1, 1]], not {'0': [0, 0]}"),
    "moves a string": ('{"n":3,"moves":"b2"}', "moves must be a list of cells such as "
                       "[[0, 0], [1, 1]], not 'b2'"),
    "a cell a number": ('{"n":3,"moves":[[0,0],4]}',
                        "moves[1] must be a list of 2 integers, not 4"),
    "a cell a string": ('{"n":3,"moves":["b2"]}',
                        "moves[0] must be a list of 2 integers, not 'b2'"),
    "a cell null": ('{"n":3,"moves":[null]}', "moves[0] must be a list of 2 integers, not None"),
    "a cell of one": ('{"n":3,"moves":[[0]]}', "moves[0] must be a list of 2 integers, not [0]"),
    "a cell of three": ('{"n":3,"moves":[[0,0,1]]}',
                        "moves[0] must be a list of 2 integers, not [0, 0, 1]"),
    "a flat cell in a cube": ('{"shape":[3,3,3],"moves":[[0,0]]}',
                              "moves[0] must be a list of 3 integers, not [0, 0]"),
    "a coordinate a float": ('{"n":3,"moves":[[0,0],[0,1.0]]}',
                             "moves[1]'s coordinate must be an integer, not 1.0 (float)"),
    "a coordinate a bool": ('{"n":3,"moves":[[true,0]]}',
                            "moves[0]'s coordinate must be an integer, not True (bool)"),
    "a coordinate a string": ('{"n":3,"moves":[["1",0]]}',
                              "moves[0]'s coordinate must be an integer, not '1' (str)"),
    "a coordinate null": ('{"n":3,"moves":[[0,null]]}',
                          "moves[0]'s coordinate must be an integer, not None (NoneType)"),
    "a coordinate nested": ('{"n":3,"moves":[[0,[1]]]}',
                            "moves[0]'s coordinate must be an integer, not [1] (list)"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "message"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_game_is_reported_in_its_place_and_spoils_no_other(
    line: str, message: str
) -> None:
    before, bad, after = read(f"{GOOD_LINE}\n{line}\n{GOOD_LINE}\n")
    assert problem(bad) == ("games.jsonl", 2, message)
    assert str(bad) == f"games.jsonl:2: {message}"
    assert before == after == GOOD


@pytest.mark.parametrize("value", ['"' + "x" * 100_000 + '"', "[" + "1," * 50_000 + "1]"])
@pytest.mark.parametrize("key", ["n", "shape", "k", "players", "early_draw", "id", "moves"])
def test_a_message_stays_short_whatever_was_given(key: str, value: str) -> None:
    fields = {"n": "3", "moves": "[]", key: value}
    if key == "shape":
        del fields["n"]
    record = only("{" + ",".join(f'"{name}":{json}' for name, json in fields.items()) + "}")
    if key == "id" and value.startswith('"'):
        assert isinstance(record, Record)
    else:
        assert len(problem(record)[2]) < 200


# Files


@pytest.mark.parametrize(
    "data", [b"", b"\n", b" \r\n\t\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"],
    ids=["empty", "a blank line", "blank lines", "a BOM alone", "a BOM on a blank line"],
)  # fmt: skip
def test_a_file_without_a_record_says_so(data: bytes) -> None:
    record = only(data)
    assert problem(record) == ("games.jsonl", None, "no record: the file is empty")
    assert str(record) == "games.jsonl: no record: the file is empty"


def test_blank_lines_are_passed_over_but_counted() -> None:
    good, bad = read(f"\n  \n{GOOD_LINE}\n\n\t\r\nbad\n")
    assert good == GOOD
    assert problem(bad)[1] == 6


@pytest.mark.parametrize("end", ["\n", "\r\n", ""], ids=["LF", "CRLF", "no end"])
def test_any_end_of_the_line_will_do(end: str) -> None:
    first = GOOD_LINE + (end or "\n")
    assert read(first + GOOD_LINE + end) == [GOOD, GOOD]


@pytest.mark.parametrize("text", [GOOD_LINE, GOOD_CALLS_LINES], ids=["a game", "a call list"])
def test_a_byte_order_mark_at_the_start_is_passed_over(text: str) -> None:
    assert read(b"\xef\xbb\xbf" + text.encode()) == read(text)
    assert read(text) in ([GOOD], [GOOD_CALLS])


def test_a_byte_order_mark_within_the_file_is_no_json() -> None:
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
def test_bytes_that_are_not_utf_8_are_reported(line: bytes, where: str, number: int) -> None:
    lines = [GOOD_LINE.encode()] * 3
    lines[number - 1] = line
    records = read(b"\n".join(lines))
    assert problem(records.pop(number - 1)) == (
        "games.jsonl", number, f"the line is not UTF-8: {where}",
    )  # fmt: skip
    assert records == [GOOD, GOOD]


def test_text_that_is_utf_8_is_read_as_it_is() -> None:
    record = only('{"id":"café 対局","n":3,"moves":[]}')
    assert isinstance(record, Record)
    assert record.id == "café 対局"


def padded(length: int) -> bytes:
    """A good line of so many bytes."""
    return GOOD_LINE.encode().ljust(length)


@pytest.mark.parametrize("length", [MAX_LINE + 1, 10_000_000, 3 * MAX_LINE])
def test_a_line_that_is_too_long_is_reported_and_the_next_is_read(length: int) -> None:
    before, bad, after = read(
        f"{GOOD_LINE}\n".encode() + padded(length) + f"\n{GOOD_LINE}".encode()
    )
    assert problem(bad) == ("games.jsonl", 2, "the line is longer than 4 MiB")
    assert before == after == GOOD


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_file_that_is_one_endless_line_is_reported(end: bytes) -> None:
    assert problem(only(b"[" * 10_000_000 + end))[1:] == (1, "the line is longer than 4 MiB")


def test_the_longest_line_allowed_is_read() -> None:
    assert read(padded(MAX_LINE - 1) + b"\n") == [GOOD]
    assert read(padded(MAX_LINE)) == [GOOD]


def test_a_truncated_file_gives_the_games_before_the_cut() -> None:
    data = f"{GOOD_LINE}\n{GOOD_LINE}\n"
    for cut in range(1, len(GOOD_LINE)):
        good, bad = read(data[: len(GOOD_LINE) + 1 + cut])
        assert good == GOOD
        assert problem(bad)[1] == 2


@given(st.binary(max_size=200))
def test_no_bytes_whatever_raise(data: bytes) -> None:
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
def test_no_fields_whatever_raise(fields: dict[str, object]) -> None:
    good, any_, end = read(f"{GOOD_LINE}\n{json.dumps(fields)}\n{GOOD_LINE}\n")
    assert good == end == GOOD
    if isinstance(any_, InvalidRecord):
        assert problem(any_)[:2] == ("games.jsonl", 2)
    else:
        assert isinstance(any_, Record)


# Reading is lazy


class Repeated(RawIOBase):
    """A stream of the same bytes, so many times over, or without end."""

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


def test_the_first_games_of_an_endless_stream_are_read() -> None:
    games = read_records(stream(GOOD_LINE + "\n"), "endless")
    assert list(islice(games, 1000)) == [GOOD] * 1000


def test_the_first_call_lists_of_an_endless_stream_are_read() -> None:
    calls = read_records(stream(GOOD_CALLS_LINES + "\n"), "endless")
    assert list(islice(calls, 1000)) == [GOOD_CALLS] * 1000


class OneAtATime(BytesIO):
    """Lines that must not be asked for before the record ahead of them was taken."""

    allowed = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert self.allowed > 0, "read ahead"
        self.allowed -= 1
        return super().readline(size)


def test_a_record_is_given_out_before_the_next_line_is_read() -> None:
    file = OneAtATime(f"{GOOD_LINE}\n{GOOD_CALLS_LINES}\n{GOOD_LINE}\n".encode())
    records = read_records(file, "slow")
    for lines, record in ((1, GOOD), (2, GOOD_CALLS), (1, GOOD)):
        file.allowed = lines
        assert next(records) == record


def peak_while_judging(file: BufferedReader) -> int:
    """The most memory, in bytes, that reading and judging a stream takes at any time."""
    tracemalloc.start()
    try:
        for number, record in enumerate(read_records(file, "stream")):
            if isinstance(record, Record):
                judge_record(record).to_json()
            if number % 300 == 0:
                gc.collect()  # the peak must not depend on when Python does it
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    some_games = (EXAMPLES / "games.jsonl").read_bytes() + b"not a game\n"
    peak_while_judging(stream(some_games, 10))  # fills the caches
    few, many = (peak_while_judging(stream(some_games, times)) for times in (50, 200))
    assert many < few + 20_000


def test_memory_does_not_grow_with_the_length_of_a_line() -> None:
    peak = peak_while_judging(stream(b"[" * 1_000_000, 60))
    assert peak < 5 * MAX_LINE


# Verdicts


def verdict(moves: list[tuple[int, ...]], *, early_draw: bool = False) -> str:
    return judge_record(Record(Rules(early_draw=early_draw), tuple(moves), "a1")).to_json()


def test_a_verdict_is_a_line_of_the_designs_form() -> None:
    moves: list[tuple[int, ...]] = [(2, 0), (0, 0), (2, 1), (0, 1), (1, 1), (1, 0), (2, 2)]
    assert verdict(moves) == (
        '{"id":"a1","status":"won","winner":1,"ply":7,"lines":[[[2,0],[2,1],[2,2]]]}'
    )
    assert verdict(moves[:6]) == ('{"id":"a1","status":"pending","winner":null,"ply":6,"lines":[]}')
    assert verdict([*moves[:6], (0, 0)]) == (
        '{"id":"a1","status":"illegal","winner":null,"ply":6,"lines":[],'
        '"code":"cell_taken","message":"cell (0, 0) is already taken"}'
    )


def test_a_win_of_two_lines_names_both() -> None:
    moves: list[tuple[int, ...]] = [
        (0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (2, 0), (2, 2), (2, 1), (0, 2),
    ]  # fmt: skip
    assert verdict(moves) == (
        '{"id":"a1","status":"won","winner":1,"ply":9,'
        '"lines":[[[0,0],[0,1],[0,2]],[[0,2],[1,2],[2,2]]]}'
    )


def test_the_third_player_can_win() -> None:
    moves = ((0,), (2,), (5,), (3,), (6,), (4,))
    assert judge_record(Record(Rules((7,), k=2, players=3), moves)).to_json() == (
        '{"id":null,"status":"won","winner":3,"ply":6,"lines":[[[4],[5]]]}'
    )


def test_a_draw_has_no_winner_and_no_lines() -> None:
    full: list[tuple[int, ...]] = [
        (1, 1), (0, 0), (0, 2), (2, 0), (1, 0), (1, 2), (2, 1), (0, 1), (2, 2),
    ]  # fmt: skip
    assert verdict(full) == '{"id":"a1","status":"draw","winner":null,"ply":9,"lines":[]}'


def test_a_draw_is_early_only_where_the_rules_say_so() -> None:
    moves: list[tuple[int, ...]] = [(0, 0), (1, 0), (2, 1), (2, 2), (1, 2), (0, 1)]
    assert '"status":"pending"' in verdict(moves)
    assert '"status":"draw"' in verdict(moves, early_draw=True)


WON = ((0, 0), (1, 0), (0, 1), (1, 1), (0, 2))


@pytest.mark.parametrize(
    ("moves", "ply", "code", "message"),
    [
        (((3, 0),), 0, "off_board", "cell (3, 0) is off the 3×3 board"),
        (((0, 0), (0, -1)), 1, "off_board", "cell (0, -1) is off the 3×3 board"),
        (((0, 0), (1, 1), (1, 1)), 2, "cell_taken", "cell (1, 1) is already taken"),
        ((*WON, (2, 2)), 5, "game_over", "the game is over: player 1 has won"),
    ],
)
def test_an_illegal_game_says_why_and_after_how_many_moves(
    moves: tuple[tuple[int, int], ...], ply: int, code: str, message: str
) -> None:
    record = Record(Rules(), (*moves, (2, 1)), "bad")  # what comes after changes nothing
    assert judge_record(record) == Verdict("bad", "illegal", None, ply, (), code, message)


def test_a_move_after_an_early_draw_is_illegal() -> None:
    moves = ((0, 0), (1, 0), (2, 1), (2, 2), (1, 2), (0, 1), (0, 2))
    found = judge_record(Record(Rules(early_draw=True), moves))
    assert (found.code, found.ply, found.message) == (
        "game_over", 6, "the game is over: it is a draw",
    )  # fmt: skip


def test_a_coordinate_beyond_all_bounds_is_off_the_board() -> None:
    found = judge_record(Record(Rules(), ((10**4000, 0),)))
    assert found.code == "off_board"
    assert found.message is not None
    assert len(found.message) < 100


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), max_size=12))
def test_a_verdict_says_what_a_game_says(moves: list[tuple[int, int]]) -> None:
    found = judge_record(Record(Rules(), tuple(moves)))
    game = Game()
    for cell in moves:
        if error := game.why_illegal(cell):
            assert (found.status, found.code, found.message) == ("illegal", error.code, str(error))
            break
        game.play(cell)
    else:
        if game.outcome:
            assert (found.winner, found.lines) == (game.outcome.winner, game.outcome.lines)
            assert found.status == ("won" if found.winner else "draw")
        else:
            assert found == Verdict(None, "pending", None, len(moves))
    assert found.ply == game.ply


def test_the_examples_are_read_and_judged() -> None:
    with (EXAMPLES / "games.jsonl").open("rb") as file:
        records = list(read_records(file, "games.jsonl"))
    assert {record.id: judge_record(record).status for record in records
            if isinstance(record, Record)} == {
        "draw": "draw", "diagonal": "won", "last-cell-two-lines": "won", "unfinished": "pending",
        "taken-cell": "illegal", "nobody-can-win": "draw", "four-square": "draw", "gomoku": "won",
        "five-by-six": "won", "cube": "won", "three-players": "won",
    }  # fmt: skip
    by_id = {record.id: record for record in records if isinstance(record, Record)}
    assert by_id["nobody-can-win"].game().outcome == Outcome(Termination.NO_WIN_LEFT)


# Call lists


def call_list(names: str, arguments: str) -> Read:
    return only(f"{names}\n{arguments}\n")


def test_the_call_list_of_the_issue_is_answered() -> None:
    found = call_list(
        '["TicTacToe","move","move","move","move","move","move","move"]',
        "[[3],[0,0,1],[0,2,2],[2,2,1],[1,1,2],[2,0,1],[1,0,2],[2,1,1]]",
    )
    assert isinstance(found, CallList)
    assert answers_to_json(found.answers()) == "[null,0,0,0,0,0,0,1]"


def test_a_call_list_without_moves_is_answered_by_null() -> None:
    found = call_list('["TicTacToe"]', "[[1]]")
    assert found == CallList(1, ())
    assert CallList(1, ()).answers() == [None]


def test_refused_calls_are_answered_by_their_errors_and_the_rest_goes_on() -> None:
    calls = CallList(
        2, ((0, 0, 3), (0, 2, 1), (0, 0, 1), (0, 0, 2), (1, 0, 2), (1, 1, 1), (0, 1, 2))
    )
    answers = calls.answers()
    assert [type(answer) for answer in answers] == [
        type(None), UnknownPlayer, OffBoard, int, CellTaken, int, int, GameOver,
    ]  # fmt: skip
    assert [answer for answer in answers if not isinstance(answer, IllegalMove)] == [None, 0, 0, 1]
    assert answers_to_json(answers) == (
        '[null,{"code":"unknown_player","message":"player 3 is unknown: expected 1 or 2"},'
        '{"code":"off_board","message":"cell (0, 2) is off the 2\\u00d72 board"},0,'
        '{"code":"cell_taken","message":"cell (0, 0) is already taken"},0,1,'
        '{"code":"game_over","message":"the game is over: player 1 has won"}]'
    )


def test_several_call_lists_follow_each_other_blank_lines_between() -> None:
    pair = GOOD_CALLS_LINES.replace("\n", "\n\n")
    assert read(f"\n{pair}\n\n{pair}") == [GOOD_CALLS, GOOD_CALLS]


NAMES_ERRORS = {
    "not JSON": ('["TicTacToe",', f"{NAMES}; this is not JSON: expecting value at column 14"),
    "empty": ("[]", 'call 0 must be "TicTacToe", but the list is empty'),
    "no constructor": ('["move","move"]', "call 0 must be \"TicTacToe\", not 'move'"),
    "another method": ('["TicTacToe","undo"]', "call 1 must be \"move\", not 'undo'"),
    "two constructors": ('["TicTacToe","TicTacToe"]', "call 1 must be \"move\", not 'TicTacToe'"),
    "a number": ('["TicTacToe",1]', 'call 1 must be "move", not 1'),
    "nested": ('[["TicTacToe"],"move"]', "call 0 must be \"TicTacToe\", not ['TicTacToe']"),
    "nested too deep": ("[" * 100_000, f"{NAMES}; nested too deep"),
}

ARGUMENTS_ERRORS = {
    "not JSON": ("[[2],[1,0,2]", f"{ARGUMENTS}; this is not JSON: expecting ',' delimiter at "
                 "column 13"),
    "not an array": ("3", f"{ARGUMENTS}, not 3"),
    "too long a number": (f"[[{LONG}],[1,0,2]]", f"{ARGUMENTS}; a number is too long"),
    "too few": ("[[2]]", "expected the arguments of 2 calls, not of 1"),
    "too many": ("[[2],[1,0,2],[0,0,1]]", "expected the arguments of 2 calls, not of 3"),
    "none": ("[]", "expected the arguments of 2 calls, not of 0"),
    "n bare": ("[2,[1,0,2]]", "call 0 needs [n], not 2"),
    "n twice": ("[[2,2],[1,0,2]]", "call 0 needs [n], not [2, 2]"),
    "n missing": ("[[],[1,0,2]]", "call 0 needs [n], not []"),
    "n zero": ("[[0],[1,0,2]]", "n must be 1 to 1,000,000 in a call list, not 0"),
    "n negative": ("[[-1],[1,0,2]]", "n must be 1 to 1,000,000 in a call list, not -1"),
    "n too large": ("[[1000001],[1,0,2]]", "n must be 1 to 1,000,000 in a call list, not 1000001"),
    "n beyond all bounds": (f"[[{'9' * 4300}],[1,0,2]]", "n must be 1 to 1,000,000 in a call list, "
                            "not 999999999999999999...9999999999999999999"),
    "n a float": ("[[2.0],[1,0,2]]", "an argument of call 0 must be an integer, not 2.0 (float)"),
    "n a bool": ("[[true],[1,0,2]]", "an argument of call 0 must be an integer, not True (bool)"),
    "a move of two": ("[[2],[1,0]]", "call 1 needs [row, col, player], not [1, 0]"),
    "a move of four": ("[[2],[1,0,2,3]]", "call 1 needs [row, col, player], not [1, 0, 2, 3]"),
    "a move null": ("[[2],null]", "call 1 needs [row, col, player], not None"),
    "a row a string": ('[[2],["1",0,2]]',
                       "an argument of call 1 must be an integer, not '1' (str)"),
    "a player null": ("[[2],[1,0,null]]",
                      "an argument of call 1 must be an integer, not None (NoneType)"),
    "a column nested": ("[[2],[1,[0],2]]",
                        "an argument of call 1 must be an integer, not [0] (list)"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "message"), NAMES_ERRORS.values(), ids=NAMES_ERRORS)
def test_bad_names_are_reported_on_their_line(line: str, message: str) -> None:
    before, bad, after = read(
        f"{GOOD_CALLS_LINES}\n{line}\n[[2],[1,0,2]]\n{GOOD_CALLS_LINES}\n", "calls.json"
    )
    assert problem(bad) == ("calls.json", 3, message)
    assert before == after == GOOD_CALLS


@pytest.mark.parametrize(("line", "message"), ARGUMENTS_ERRORS.values(), ids=ARGUMENTS_ERRORS)
def test_bad_arguments_are_reported_on_their_line(line: str, message: str) -> None:
    before, bad, after = read(
        f'{GOOD_CALLS_LINES}\n["TicTacToe","move"]\n{line}\n{GOOD_CALLS_LINES}\n', "calls.json"
    )
    assert problem(bad) == ("calls.json", 4, message)
    assert before == after == GOOD_CALLS


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[[2],[1,0,\xb2]]", "the line is not UTF-8: byte 0xb2 at column 11"),
        (b"[[2]," + b" " * MAX_LINE, "the line is longer than 4 MiB"),
    ],
)
def test_arguments_that_are_no_line_of_text_are_reported(line: bytes, message: str) -> None:
    good = GOOD_CALLS_LINES.encode()
    bad, after = read(b'["TicTacToe","move"]\n' + line + b"\n" + good)
    assert problem(bad) == ("games.jsonl", 2, message)
    assert after == GOOD_CALLS


NO_ARGUMENTS = "the names have no line of arguments after them"


def test_a_call_list_cut_after_its_names_is_reported() -> None:
    good, bad = read(GOOD_CALLS_LINES + '\n["TicTacToe","move"]\n')
    assert good == GOOD_CALLS
    assert problem(bad) == ("games.jsonl", 3, NO_ARGUMENTS)


@pytest.mark.parametrize("after", [GOOD_CALLS_LINES, GOOD_LINE], ids=["a call list", "a game"])
def test_names_without_arguments_do_not_swallow_what_follows(after: str) -> None:
    bad, good = read(f'["TicTacToe"]\n{after}\n')
    assert problem(bad) == ("games.jsonl", 1, NO_ARGUMENTS)
    assert good in (GOOD_CALLS, GOOD)


STRAY = [b"[[0,0],[1,1]]", b"[1]", b"[", b"]", b"{}", b"text", b"\xff", b"[\xff", b'["']


@pytest.mark.parametrize("line", STRAY)
def test_a_stray_first_line_spoils_none_of_the_games(line: bytes) -> None:
    bad, *games = read(line + f"\n{GOOD_LINE}\n{GOOD_LINE}\n".encode())
    assert problem(bad)[:2] == ("games.jsonl", 1)
    assert games == [GOOD, GOOD]
