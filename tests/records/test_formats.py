"""Formats of other programs: records survive a round trip, and broken files are reported."""

from __future__ import annotations

import base64
import random
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Rules
from noughts.bulk import judge_record
from noughts.errors import InvalidRecord
from noughts.records import Note, Record, read_records, writer_of
from records.reading import only, problem, read

GOMOKU, RENJU = Rules.gomoku(), Rules.gomoku("renju")
PISKVORK = """Piskvorky 20x20, 11:11, 0
10,10,456
11,12,4500
pisq7.exe
renju solver.ZIP
0
"""


def written(record: Record, suffix: str) -> str:
    write = writer_of(Path("games" + suffix))
    assert write
    return write(record)


def read_as(rules: Rules, data: str) -> Record:
    (record,) = read_records(BytesIO(data.encode()), "games", rules)
    assert isinstance(record, Record)
    return record


# Round trips

names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=9)
lines = st.text("ab[]\\;()黑 :5", min_size=1, max_size=9).map(str.strip)
seconds = st.integers(-(10**6), 10**6).map(lambda milliseconds: milliseconds / 1000)
any_note = st.builds(
    Note,
    lines,
    st.none() | st.integers(0, 10**9),
    st.none() | seconds,
    st.none() | st.integers(0, 9),
)


@st.composite
def gomoku_records(draw: st.DrawFn) -> Record:
    shape = draw(st.tuples(st.integers(5, 52), st.integers(5, 52)))
    variant = draw(st.sampled_from(["freestyle", "standard", "caro", "misere", "renju"]))
    gravity = variant != "renju" and draw(st.booleans())
    rules = Rules(shape, 5, gravity=gravity, variant=variant)
    cell = st.tuples(*(st.integers(0, side - 1) for side in shape))
    moves = tuple(draw(st.lists(cell, max_size=6)))
    notes = tuple(draw(st.lists(any_note, min_size=len(moves), max_size=len(moves))))
    return Record(
        rules,
        moves,
        draw(st.none() | names),
        draw(st.none() | st.integers(0, 2)),
        draw(st.just(()) | st.tuples(names, names)),
        draw(lines),
        notes if any(note != Note() for note in notes) else (),
    )


@given(st.lists(gomoku_records(), min_size=1, max_size=3))
def test_sgf_round_trip_keeps_everything(records: list[Record]) -> None:
    assert read("".join(written(record, ".sgf") for record in records)) == records


@given(gomoku_records().filter(lambda record: "," not in "".join(record.names[:1])))
def test_psq_round_trip_keeps_moves_names_result_and_times(record: Record) -> None:
    took = [note.took or 0 for note in record.notes]
    kept = Record(
        record.rules,
        record.moves,
        result=record.result,
        names=record.names,
        notes=tuple(Note(took=each) for each in took) if any(took) else (),
    )
    assert only(written(record, ".psq")) == kept


@given(st.integers(5, 26), st.data())
def test_pos_round_trip_keeps_moves(side: int, data: st.DataObject) -> None:
    cell = st.tuples(*[st.integers(0, side - 1)] * 2)
    moves = data.draw(st.lists(st.lists(cell, min_size=1, max_size=6), min_size=1, max_size=3))
    records = [Record(Rules((side, side), 5), tuple(each)) for each in moves]
    text = "".join(written(record, ".pos") for record in records)
    assert list(read_records(BytesIO(text.encode()), "", Rules((side, side), 5))) == records


# SGF


def test_sgf_is_written_in_the_usual_form() -> None:
    note = Note("threat", 250, left=59.5, moves_left=7)
    record = Record(
        RENJU, ((7, 7), (6, 7)), "final", 1, ("Timo", "Jo]hann"), "A game", (Note(), note)
    )
    assert written(record, ".sgf") == (
        "(;FF[4]C[A game]CA[UTF-8]GM[4]GN[final]PB[Timo]PW[Jo\\]hann]RE[B+]RU[renju]\n"
        "SZ[15];B[hh];C[threat\n250ms]OW[7]W[hg]WL[59.5])\n"
    )


@pytest.mark.parametrize(
    ("properties", "record"),
    [
        ("", Record(GOMOKU, ())),
        ("SZ[9]", Record(Rules((9, 9), 5), ())),
        ("SZ[20:16]", Record(Rules((16, 20), 5), ())),
        ("GM[4]RU[4]RE[W+1]", Record(RENJU, (), result=2)),
        ("RU[Caro]RE[0]", Record(Rules.gomoku("caro"), (), result=0)),
        ("RE[黑胜]", Record(GOMOKU, (), result=1)),
        ("RE[白胜]", Record(GOMOKU, (), result=2)),
        ("RE[和棋]", Record(GOMOKU, (), result=0)),
        ("RE[Void]", Record(GOMOKU, ())),
        ("RE[Bob]", Record(GOMOKU, ())),
        ("5A[23]PB[[B]军]PW[A\\]军]", Record(GOMOKU, (), names=("[B]军", "A]军"))),
        ("C[a\\\nb];B[aa];;C[c];W[bb]C[9ms]", Record(GOMOKU, ((0, 0), (1, 1)), comment="ab",
            notes=(Note("c"), Note(took=9)))),
        (";B[hh](;W[hg];B[ii])(;W[hi](;B[aa]))", Record(GOMOKU, ((7, 7), (6, 7), (8, 8)))),
        (";B[zz]", Record(GOMOKU, ((25, 25),))),
        ("; B [hh]\n\n ;\tW\n[ hg]".replace(" hg", "hg"), Record(GOMOKU, ((7, 7), (6, 7)))),
    ],
)  # fmt: skip
def test_sgf_is_read(properties: str, record: Record) -> None:
    assert only(f"(;{properties})\n") == record


def test_sgf_is_read_in_its_encoding() -> None:
    text = "(;CA[gb18030]PB[黑\\]方]RE[黑胜];B[hh])"
    record = only(text.encode("gb18030"))
    assert record == Record(GOMOKU, ((7, 7),), result=1, names=("黑]方", ""))
    assert only(b"\xef\xbb\xbf(;PB[\xc3\xa9])") == Record(GOMOKU, (), names=("é", ""))


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        ("(;GM[4]\n;B[hh", 2, "the game is cut off: a ] is missing"),
        ("(;GM[4]\n;B[hh](;W[ii]", 2, "the game is cut off: a ) is missing"),
        ("(;\nB[hh]\n!;W[ii])", 3, "expected a property, ; or ), got '!;W[ii])'"),
        ("(", 1, "expected ( before a game, got '('"),
        ("(;GM[1]SZ[19];B[pd])", 1, "expected GM[4], gomoku or renju, got GM[1]"),
        ("(;SZ[x])", 1, "expected a size such as SZ[15] or SZ[20:15], got SZ[x]"),
        ("(;SZ[0])", 1, "every side of the board must be at least 1, got 0"),
        ("(;SZ[3])", 1, "k must be 1 to 3 on a 3×3 board, got 5"),
        ("(;RU[Sakata])", 1, "unknown rules RU[sakata]"),
        ("(;AB[hh])", 1, "AB sets up stones"),
        ("(;B[h8])", 1, "move 1, B[h8], is not a point: expected two letters such as hh"),
        ("(;B[])", 1, "move 1, B[], is a pass"),
        ("(;W[hh])", 1, "move 1 must be one B move, got W[hh]"),
        ("(;B[hh];B[hg])", 1, "move 2 must be one W move, got B[hg]"),
        ("(;B[hh][hg])", 1, "move 1 must be one B move, got B[hh]"),
        ("(;B[hh]BL[soon])", 1, "expected numbers of seconds and moves, got BL[soon] and OB[]"),
        ("(;B;W[hh])", 1, "a property has no value"),
        ("(;[hh])", 1, "expected a property before [hh]"),
        ("(;PB[é])".encode("latin-1"), 1, "the text is not UTF-8, and CA[…] does not"),
        ("(;CA[utf-8]\nPB[é])".encode("latin-1"), 2, "the text is not utf-8: byte 0xe9"),
        ("(;CA[punycode])", None, "CA[punycode] names an unsupported encoding"),
        ("(;CA[nonsense])", None, "CA[nonsense] names an unsupported encoding"),
        ("(;" + " " * (1 << 20), 1, "the game is longer than 1 MiB, or its end is missing"),
        ("(;C[" + "\\" * (1 << 20), 1, "the game is longer than 1 MiB, or its end is missing"),
        (b"(;" + random.Random(1).randbytes(1 << 20), None, "this is not a text file"),
        (random.Random(2).randbytes(1 << 20), None, "this is not a text file"),
        (b"PAR1....", None, "this is a Parquet file, not text"),
    ],
)  # fmt: skip
def test_broken_sgf_is_reported(data: str | bytes, line: int | None, message: str) -> None:
    source, number, found = problem(only(data))
    assert (source, number) == ("games.jsonl", line)
    assert found.startswith(message)


@pytest.mark.parametrize("name", ["games.sgf", "games.PSQ"])
def test_name_decides_the_format_of_garbage(name: str) -> None:
    garbage = base64.encodebytes(random.Random(3).randbytes(1 << 17))
    (problem,) = read_records(BytesIO(garbage), name)
    assert str(problem).startswith(f"{name}:1: expected ")
    (judged,) = read_records(BytesIO(b'{"n": 3, "moves": []}\n'), name)
    assert isinstance(judged, Record)  # the content takes precedence


def test_games_before_a_broken_one_are_read() -> None:
    good, broken = read("(;SZ[15];B[hh])\n(;B[hg];W[")
    assert good == Record(GOMOKU, ((7, 7),))
    assert problem(broken)[1:] == (2, "the game is cut off: a ] is missing")
    assert problem(read("(;)\n)")[1])[1:] == (2, "expected ( before a game, got ')'")


# Piskvork


def test_psq_is_read() -> None:
    notes = Note(took=456), Note(took=4500)
    record = only(PISKVORK)
    assert record == Record(
        Rules((20, 20), 5), ((9, 9), (11, 10)), names=("pisq7.exe", "renju solver.ZIP"), notes=notes
    )
    assert only("Piskvorky 9x5, 0:0, 0\n9,5,0\n-1\n") == Record(Rules((5, 9), 5), ((4, 8),))
    swapped = only(PISKVORK.replace(", 0\n", ", 1\n", 1))
    assert isinstance(swapped, Record)
    assert swapped.names == ("renju solver.ZIP", "pisq7.exe")


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        ("Piskvorky 15, 0:0, 0\n", 1, "expected a line such as Piskvorky 15x15, 11:11, 0, got"),
        ("Piskvorky 4x15, 0:0, 0\n-1\n", None, ""),
        ("Piskvorky 3x3, 0:0, 0\n-1\n", 1, "k must be 1 to 3"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n", 3, "expected a move such as 8,8,0, or two names"),
        ("Piskvorky 15x15, 0:0, 0\n8,x,0\n-1\n", 2, "expected a move such as 8,8,0, or two"),
        ("Piskvorky 15x15, 0:0, 0\n-1\nResult: 2-0\n", 1, "Result must be one of 1/2-1/2"),
        ("Piskvorky 15x15, 0:0, 0\n-1\nRules: go\n", 1, "unknown rules 'go'"),
        (b"Piskvorky 15x15, 0:0, 0\n\xe9\n", 2, "the line is not UTF-8: byte 0xe9"),
        ("Piskvorky 15x15, 0:0, 0\n" + "8,8,0\n" * (1 << 16), 52426, "the game is longer than"),
    ],
)  # fmt: skip
def test_broken_psq_is_reported(data: str | bytes, line: int | None, message: str) -> None:
    record = only(data)
    if not message:
        assert isinstance(record, Record)
        return
    assert problem(record)[1] == line
    assert problem(record)[2].startswith(message)


# Positions


def test_pos_is_read() -> None:
    first, second, broken, last = read("h8h9i7\nA1 o15\n\nh8h\nh8\n")
    assert first == Record(GOMOKU, ((7, 7), (6, 7), (8, 8)))
    assert second == Record(GOMOKU, ((14, 0), (0, 14)))
    assert problem(broken)[1] == 4
    assert "expected a move such as h8 at column 3, got 'h'; --format" in problem(broken)[2]
    assert last == Record(GOMOKU, ((7, 7),))


def test_pos_needs_two_dimensions_and_utf_8() -> None:
    (cube,) = read_records(BytesIO(b"h8\n"), "cube.pos", Rules((3, 3, 3)))
    assert problem(cube)[2] == "expected a board of two dimensions, got 3"
    first, bad, last = read_records(BytesIO(b"h8\n\xff\nh8\n"), "games.pos")
    assert first == last == Record(GOMOKU, ((7, 7),))
    assert problem(bad)[1] == 2


# Rules and boards


@pytest.mark.parametrize(
    "data",
    ["(;SZ[15];B[hh])", PISKVORK.replace("20x20", "15x15"), "h8\n"],
    ids=["sgf", "psq", "pos"],
)
def test_given_rules_apply_to_files_without_rules(data: str) -> None:
    assert read_as(RENJU, data).rules == RENJU
    small = read_as(Rules((9, 9), 4), data)
    assert small.rules == Rules((9, 9) if data == "h8\n" else (15, 15), 4)


@pytest.mark.parametrize(
    ("record", "suffix"),
    [
        (Record(Rules((3, 3, 3)), ()), ".sgf"),
        (Record(Rules(players=3), ()), ".sgf"),
        (Record(Rules((53, 5), 5), ()), ".sgf"),
        (Record(Rules(), ((-1, 0),)), ".sgf"),
        (Record(Rules((3, 3, 3)), ()), ".psq"),
        (Record(Rules(players=3), ()), ".psq"),
        (Record(GOMOKU, ((1, 1),), names=("-1,2,3", "1,1")), ".psq"),  # a name like a move
        (Record(Rules((3, 3, 3)), ((0, 0, 0),)), ".pos"),
        (Record(Rules((30, 30), 5), ((0, 26),)), ".pos"),
        (Record(GOMOKU, ()), ".pos"),
    ],
)
def test_writers_reject_unsupported_records(record: Record, suffix: str) -> None:
    with pytest.raises(InvalidRecord):
        written(record, suffix)


def test_writer_of_unknown_suffix_is_none() -> None:
    assert writer_of(Path("games.doc")) is None


@given(st.binary(max_size=40) | st.data())
def test_arbitrary_files_never_raise(data: bytes | st.DataObject) -> None:
    if not isinstance(data, bytes):
        record = data.draw(gomoku_records().filter(lambda record: bool(record.moves)))
        suffix = data.draw(st.sampled_from([".sgf", ".psq"]))
        whole = written(record, suffix).encode()
        begin = data.draw(st.integers(0, len(whole)))
        data = whole[:begin] + data.draw(st.binary(max_size=3)) + whole[begin + 3 :]
    for game in read(data):
        if isinstance(game, Record):
            judge_record(game)
