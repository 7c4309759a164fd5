"""Blocks of JSON lines read by PyArrow give the same output, to the byte, as single lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from io import BytesIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noughts.bulk import judge_record
from noughts.bulk.json_blocks import judge_json_block, read_json_block, to_json
from noughts.cli.report import games_of
from noughts.records import MAX_LINE, Record, read_records


def one_by_one(block: bytes) -> str | None:
    """Judge the lines of a block one by one; return None if any of them is not a game."""
    games = list(read_records(BytesIO(block), "block"))
    if not all(isinstance(game, Record) for game in games):
        return None
    return "".join(
        judge_record(game).to_json() + "\n" for game in games if isinstance(game, Record)
    )


def verdicts(block: bytes) -> str | None:
    """Judge a block by PyArrow; return None if it is irregular."""
    judged = judge_json_block(block)
    if judged is None:
        return None
    assert games_of(judged.counts()) == len(block.removesuffix(b"\n").split(b"\n"))
    return to_json(judged).decode("ascii")


# --- blocks ---------------------------------------------------------------------------------------

spaces = st.sampled_from(["", "", "", " ", "\t", "\r", "  "])
numbers = st.integers(-1, 5) | st.sampled_from([10**18 - 1, 1 - 10**18])
tokens = st.sampled_from(
    [
        *("0", "-0", "1.5", "-2E+7", "1e-3", "0.0e0", '""', '"x"', "true", "false", "null"),
        '"\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00e9 \\uD83C\\udfb2 \\ud800"',
        *(
            "[ ]",
            "{ }",
            '[1, [null, "]"] ,[]]',
            '{"moves" : [[0]], "\\"" :{ "x":1},"x": {}}',
            "[" * 8 + "]" * 8,
        ),
    ]
)
names = st.text(st.characters(codec="utf-8"), max_size=5)
strings = names.map(lambda text: json.dumps(text)) | names.map(
    lambda text: json.dumps(text, ensure_ascii=False)
)
# Other keys that a line may have: those that PyArrow accepts, and those that only Python reads.
results = st.fixed_dictionaries(
    {},
    optional={
        '"status"': st.sampled_from(['"won"', '""', '"é\\u00e9"']),
        '"winner"': st.sampled_from(["null", "1", "-0"]),
        '"result"': numbers.map(str),
    },
)
others = st.dictionaries(
    st.sampled_from(['"x"', '""', '"N"', '"nn"', '"move"', '"idle"', '"é"', '"winner"']),
    tokens,
    max_size=2,
)


@st.composite
def spaced(draw: st.DrawFn, parts: list[str], brackets: str) -> str:
    """Join parts with commas, add brackets around them, and insert random space."""
    inside = ",".join(draw(spaces) + part + draw(spaces) for part in parts)
    return brackets[0] + (inside or draw(spaces)) + brackets[1]


def lists(values: Iterable[object]) -> st.SearchStrategy[str]:
    return spaced([str(value) for value in values], "[]")


@st.composite
def lines(draw: st.DrawFn, ids: st.SearchStrategy[str], regular: bool) -> str:
    """Draw a line of valid JSON with a game that may be invalid."""
    sides = draw(st.sampled_from([1, 2, 2, 2, 2, 3]))
    shape = draw(st.lists(st.integers(1, 4), min_size=sides, max_size=sides))
    odd = draw(st.integers(0, 19)) == 0
    cells: st.SearchStrategy[Iterable[int]] = st.lists(numbers, max_size=3)
    if not odd:
        cells = st.tuples(*[st.integers(0, side - 1) for side in shape])
    moves = draw(st.lists(cells, max_size=12, unique_by=str if draw(st.booleans()) else None))
    fields = {"moves": draw(lists([draw(lists(move)) for move in moves]))}
    if sides == 2 and len(set(shape)) == 1 and draw(st.booleans()):
        fields["n"] = str(shape[0])
    else:
        fields["shape"] = draw(lists(shape))
        fields["k"] = str(draw(st.integers(1, max(shape))))
    if draw(st.booleans()):
        fields["id"] = draw(ids)
    if draw(st.integers(0, 3)) == 0:
        fields["players"] = draw(st.sampled_from(["2", "3", "9"] if odd else ["2", "3"]))
    if draw(st.integers(0, 3)) == 0:
        fields["early_draw"] = draw(st.sampled_from(["true", "false"]))
    keys = {f'"{name}"': value for name, value in fields.items()}
    keys |= draw(results if regular else results | others)
    members = [
        f"{key}:null"
        if keys[key] == "null" and regular
        else f"{key}{draw(spaces)}:{draw(spaces)}{keys[key]}"
        for key in draw(st.permutations(list(keys)))
    ]
    line = draw(spaced(members, "{}"))
    if regular:
        return line + draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return draw(spaces) + line + draw(spaces) + "\n"


@st.composite
def blocks(draw: st.DrawFn, regular: bool = False) -> bytes:
    kinds = [numbers.map(str), st.just("-0"), strings]
    ids = draw(st.sampled_from(kinds if regular else [*kinds, strings | numbers.map(str)]))
    few = draw(st.lists(lines(ids, regular), min_size=1, max_size=3))
    repeats = draw(st.lists(st.sampled_from(few), max_size=6))
    return "".join(few + repeats).encode()


@given(blocks())
def test_block_is_read_like_its_lines(block: bytes) -> None:
    found, expected = verdicts(block), one_by_one(block)
    assert found is None or found == expected


@given(blocks(regular=True))
def test_regular_block_is_read_at_once(block: bytes) -> None:
    assert verdicts(block) == one_by_one(block)


FRAGMENTS = [
    *(
        b'{ } [ ] , : " \\ - + . e E 0 00 1 9 10 \t \n \r \x00 \x1f \x7f \xff \xc3 \xc3\xa9'.split(
            b" "
        )
    ),
    *(b'null true false NaN Infinity -Infinity tru "id" "n" "k" "moves" "shape"'.split(b" ")),
    *(b'"players" "early_draw" [] {} [[]] [[0,0]] "\\u0041" "\\ud800" "\\x"'.split(b" ")),
    *(
        b"1234567890123456789",
        b"-999999999999999999",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b" ",
        b"\xc2\xa0",
    ),
    *(b"}\n{", b"\r\n", b'"winner":null', b'"status":"a"', b'"result":', b"}{", b"},{"),
]


@given(blocks(), st.data())
def test_block_with_mistakes_is_read_like_its_lines(block: bytes, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(block)))
        end = begin + data.draw(st.sampled_from([0, 0, 1, 1, 2, 5]))
        block = block[:begin] + data.draw(st.sampled_from([b"", *FRAGMENTS])) + block[end:]
    found = verdicts(block)
    assert found is None or found == one_by_one(block)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map(b"".join) | st.binary(max_size=60))
@example(b"")
@example(b"\n")
def test_garbage_is_read_like_its_lines(block: bytes) -> None:
    for text in (block, block + b"\n", b'{"n":3,"moves":[]}\n' + block + b"\n"):
        found = verdicts(text)
        assert found is None or found == one_by_one(text)


# --- regular and irregular lines ------------------------------------------------------------------

REGULAR = [
    '{"id":1,"n":3,"moves":[[0,0],[1,1]]}',
    '{"id": "a1", "n": 3, "moves": [[0, 0], [1, 1]]}',
    '{ "moves" : [ [ 0 , 0 ] , [ 1 , 1 ] ] , "n" : 3 , "id" : 7 }\r',
    '{"shape":[3,4],"k":3,"players":3,"early_draw":false,"moves":[]}',
    '{"shape":[2,2,2],"k":2,"early_draw":true,"moves":[[0,0,0],[1,1,1]]}',
    '{"id":-9223372036854775808,"moves":[[-0,5]],"shape":[3,3]}',
    '{"id":-0,"n":3,"moves":[[0,0],[0,-999999999999999999]]}',
    '{"id":"é \\" \\\\ \\u00e9 \\ud83c\\udfb2 \x7f \\u0000","n":3,"moves":[]}',
    '{"id":"","n":1,"moves":[[0,0]]}',
    '{"id":"2020-01-01","n":1,"moves":[[0,0]]}',
    '{"n":3,"moves":[[0,1000000000000000000]]}',
    '{"id":1234567890123456789,"n":3,"moves":[]}',
    '{"\\u006e":3,"moves":[]}',
    '{"n":3,"mo\\u0076es":[]}',
    '{"id":"x","shape":[3,3],"k":3,"moves":[[0,0]],"status":"pending","winner":null}',
    '{"id":"x","n":3,"moves":[],"status":"won","winner":2,"result":1}',
]


@pytest.mark.parametrize("line", REGULAR)
def test_regular_lines_are_read_at_once(line: str) -> None:
    block = line.encode() + b"\n"
    for several in (block, block.rstrip(), block * 3, block + b'{"n":3,"moves":[[0,0]]}\n' + block):
        found = verdicts(several)
        assert found is not None
        assert found == one_by_one(several)


IRREGULAR = [
    *("", " ", "{}", "[]", "{", '{"n":3,"moves":[]', '{"n":3,"moves":[]}}', '{"n":3,"moves":[]},'),
    *('{"n":3,"moves":[],}', '{,"n":3,"moves":[]}', '{"n":3 "moves":[]}', '{"n":3,"moves" []}'),
    *('{"n":3}', '{"n":3,"moves":null}', '{"n":3,"moves":[null]}', '{"n":3,"moves":[[null]]}'),
    *('{"n":3,"moves":[[0,0],]}', '{"n":3,"moves":[[0,0,]]}', '{"n":3,"moves":[[0 0]]}'),
    *('{"n":3,"moves":[[0,[0]]]}', '{"n":3,"moves":[0]}', '{"n":3,"moves":[[0,0] [1,1]]}'),
    *('{"n":3,"moves":[[0,0.0]]}', '{"n":3,"moves":[[0,00]]}', '{"n":3,"moves":[[0,1e0]]}'),
    *('{"n":3,\x0c"moves":[]}', '{"n":1_0,"moves":[]}', '{"n":3,"moves":[[0,1_]]}'),
    *('{"n":3,"moves":[[0,+1]]}', '{"n":3,"moves":[[0,-]]}', '{"n":3,"moves":[[0,"0"]]}'),
    *('{"n":3,"moves":[[0,9223372036854775808]]}', '{"n":3,"moves":[[0,true]]}'),
    *('{"n":3,"n":3,"moves":[]}', '{"n":3,"moves":[],"moves":[]}', '{"n":true,"moves":[]}'),
    *('{"n":3,"\\u006e":3,"moves":[]}', '{"n":null,"shape":[3,3],"moves":[]}'),
    *('{"id":1,"id":"a","n":3,"moves":[]}', '{"id":null,"n":3,"moves":[]}'),
    *('{"id":1.0,"n":3,"moves":[]}', '{"id":01,"n":3,"moves":[]}', '{"id":[],"n":3,"moves":[]}'),
    *('{"id":9223372036854775808,"n":3,"moves":[]}', '{"id":false,"n":3,"moves":[]}'),
    *('{"id":"\\x","n":3,"moves":[]}', '{"id":"\\","n":3,"moves":[]}'),
    *('{"id":"\\ud800","n":3,"moves":[]}', '{"id":"\\udc00","n":3,"moves":[]}'),
    *('{"id":"\t","n":3,"moves":[]}', '{"id":"\0","n":3,"moves":[]}', '{"n":3,"moves":[]}\0'),
    *('{"n":3,"moves":[],"early_draw":1}', '{"n":3,"moves":[],"early_draw":trues}'),
    *('{"n":3,"moves":[],"status":1}', '{"n":3,"moves":[],"winner": null}'),
    *('{"n":3,"moves":[],"winner":null,"k":null}', '{"n":3,"moves":[],"\\"winner":null}'),
    *('{"n":3,"moves":[],"x":0}', '{"n":3,"moves":[],"x":nul}', '{"n":3,"moves":[],"x":NaN}'),
    *('{"n":3,"moves":[]}{"n":3,"moves":[]}', '{"n":3,"moves":[]} {"n":3,"moves":[]}'),
    *('{"n":3,\n"moves":[]}', '{"n":3,"moves":[],"x":{}\n}', '{"n":3,"moves":[]\n}'),
    '{"n":3,"moves":' + "[" * 100_000 + "]" * 100_000 + "}",
    '{"n":3,"moves":[],"x":' + "[" * 100_000 + "]" * 100_000 + "}",
    '{"n":3,"moves":[],"x":' + '{"x":' * 100_000 + "0" + "}" * 100_001,
    *("{'n':3,\"moves\":[]}", '{"n":0,"moves":[]}', '{"n":3,"moves":[[0]]}'),
    *('{"n":3,"shape":[3,3],"moves":[]}', ' {"n":3,"moves":[]}', '{"n":3,"moves":[]} '),
    *('\ufeff{"n":3,"moves":[]}', '\u00a0{"n":3,"moves":[]}', '{"n":3,"moves":[]}\x0b'),
]


@pytest.mark.parametrize("line", IRREGULAR)
def test_irregular_lines_are_not_read_at_once(line: str) -> None:
    regular = b'{"n":3,"moves":[[0,0]]}\n'
    assert read_json_block(regular) is not None
    for block in (line.encode() + b"\n", regular + line.encode() + b"\n" + regular):
        assert verdicts(block) is None


def test_mixed_ids_and_long_lines_are_irregular() -> None:
    line = b'{"id":1,"n":3,"moves":[]}\n'
    assert verdicts(line + line.replace(b"1", b'"1"')) is None
    assert verdicts(line.replace(b"1", b'"\xff"')) is None
    assert verdicts(line.replace(b"1", b'"\xed\xa0\x80"')) is None
    end = b" " * (MAX_LINE - len(line)) + b"}\n"
    assert verdicts(line[:-2] + end) == one_by_one(line)
    assert verdicts(line[:-2] + b" " + end) is None
    assert verdicts(line[:-2] + b" " + end[:-1]) == one_by_one(line)


def test_missing_keys_become_null() -> None:
    block = b'{"id":1,"n":3,"moves":[[0,0]]}\n{"shape":[2,3],"k":2,"moves":[]}\n'
    games = read_json_block(block)
    assert games is not None
    assert games.to_pylist() == [
        {"id": 1, "n": 3, "k": None, "shape": None, "moves": [[0, 0]]},
        {"id": None, "n": None, "k": 2, "shape": [2, 3], "moves": []},
    ]
    games.validate(full=True)
