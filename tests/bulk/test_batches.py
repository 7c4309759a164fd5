"""`judge_batch` agrees with `judge_record`."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulk.batching import (
    ALL_RULES,
    by_coordinates,
    by_numbers,
    columns,
    expected,
    numbered,
    random_record,
    records,
    verdicts_to_json,
    without_messages,
)
from commands import python
from noughts import Game, IllegalMove, InvalidRecord, InvalidRules, Rules
from noughts.bulk import batches as bulk
from noughts.bulk import judge_record
from noughts.bulk.batches import judge_batch, judged_batch
from noughts.bulk.json_blocks import judge_json_block
from noughts.bulk.parquet import records_of
from noughts.cli.report import games_of
from noughts.game.geometry import Geometry
from noughts.records import Record

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


@given(records(), st.sampled_from([pa.list_, pa.large_list]), st.integers(0, 5))
def test_judge_batch_agrees_with_judge_record(
    games: list[Record], list_type: Any, cut: int
) -> None:
    verdicts = judge_batch(by_coordinates(games, list_type))
    assert verdicts.to_pylist() == expected(games)
    assert verdicts.schema.names == ["id", *bulk.VERDICTS]
    sliced = by_coordinates(games, list_type)[cut : cut + 5]
    assert judge_batch(sliced).to_pylist() == expected(games)[cut : cut + 5]
    numbers = by_numbers(games, list_type)
    assert without_messages(judge_batch(numbers)) == expected(games, messages=False)
    assert without_messages(judge_batch(numbers[cut:], threads=2)) == expected(games, False)[cut:]


@pytest.mark.parametrize("games", [{"moves": [[0]]}, {"n": [3], "moves": [[0]]}])
def test_rules_in_place_of_threads_are_rejected(games: dict[str, Any]) -> None:
    wrong: Any
    for wrong in ("connect-four", Rules.connect_four()):
        with pytest.raises(TypeError, match="for rules, write rules='connect-four'"):
            judge_batch(games, wrong)
    for wrong in (None, 1.0, True):
        with pytest.raises(TypeError, match="threads must be an integer"):
            judge_batch(games, wrong)


@given(records())
def test_to_json_agrees_with_verdicts(games: list[Record]) -> None:
    judged = judged_batch(by_coordinates(games))
    assert verdicts_to_json(judged) == "".join(
        judge_record(game).to_json() + "\n" for game in games
    )
    assert games_of(judged.counts()) == len(games)
    assert not judged.problems()
    assert len(judged.groups) == len({game.rules for game in games})


@given(records())
def test_json_block_agrees_with_single_lines(games: list[Record]) -> None:
    block = "".join(game.to_json() + "\n" for game in games).encode()
    judged = judge_json_block(block)
    if judged is not None:
        one_by_one = "".join(judge_record(game).to_json() + "\n" for game in games)
        assert verdicts_to_json(judged) == one_by_one
    else:
        ids = [game.id for game in games]
        assert not games or {int, str} <= set(map(type, ids)) or "null" in str(ids)


@pytest.mark.parametrize("kind", [pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.int8()])
def test_judge_batch_accepts_all_integer_types(kind: Any) -> None:
    games = [random_record(Random(i), ALL_RULES[i % 7], i) for i in range(30)]
    games = [game for game in games if -1 not in numbered(game)]
    assert without_messages(judge_batch(by_numbers(games, pa.list_, kind))) == expected(
        games, False
    )


def test_judge_batch_judges_chunks_of_a_table() -> None:
    games = [random_record(Random(i), ALL_RULES[i // 5 % 7], str(i)) for i in range(60)]
    table = pa.Table.from_batches([by_numbers(games[:20]), by_numbers(games[20:])])
    rows = [row for part in table.to_batches(7) for row in without_messages(judge_batch(part))]
    assert rows == expected(games, messages=False)


def test_judge_batch_accepts_empty_batches() -> None:
    empty = judge_batch(by_numbers([]))
    assert (len(empty), empty.schema.names) == (0, ["id", *bulk.VERDICTS])
    only_moves = pa.record_batch({"moves": pa.array([], pa.list_(pa.int8()))})
    assert judge_batch(only_moves).schema == empty.schema


def test_unreadable_rows_do_not_affect_others() -> None:
    games = pa.record_batch(
        {
            "id": pa.array(range(7)),
            "n": pa.array([3, 0, None, 3, 3, 2**40, 3]),
            "shape": pa.array([None, None, None, [3, 3], None, None, None], pa.list_(pa.int64())),
            "moves": pa.array([[[0, 0]]] * 4 + [[[0]], [], [[0, 0], [0, 0]]]),
        }
    )
    rows = judge_batch(games).to_pylist()
    assert [row["status"] for row in rows] == ["pending", *[None] * 5, "illegal"]
    assert [row["id"] for row in rows] == list(range(7))
    assert rows[1]["message"] == "every side of the board must be at least 1, got 0"
    assert "the file does not name the rules" in rows[2]["message"]
    assert "pass --rules (in Python, rules=)" in rows[2]["message"]
    assert rows[4]["message"] == "every move must be 2 integers"
    assert "a board has at most 2,147,483,647 cells" in rows[5]["message"]
    judged = judged_batch(games)
    assert [row for row, _ in judged.problems()] == [1, 2, 3, 4, 5]
    assert [json.loads(line)["id"] for line in verdicts_to_json(judged).splitlines()] == [0, 6]


@given(records())
def test_rules_fill_in_what_rows_leave_open(games: list[Record]) -> None:
    whole = by_coordinates(games)
    for rules in {game.rules for game in games}:
        # Remove the rules from the games that have these; options that they keep do not change.
        keep = pa.array([game.rules != rules for game in games])
        columns = [
            pc.if_else(keep, column, None) if name in ("shape", "k") else column
            for name, column in zip(whole.schema.names, whole.columns, strict=True)
        ]
        some = pa.RecordBatch.from_arrays(columns, whole.schema.names)
        assert judge_batch(some, rules=rules).to_pylist() == expected(games)
        assert judge_batch(some, rules=str(rules)).to_pylist() == expected(games)


def test_columns_of_options_override_the_rules() -> None:
    rows = [
        {"moves": [0, 3, 1, 4, 2], "players": 3},
        {"moves": [35, 0], "gravity": True},
        {"moves": [0, 2, 1], "k": 2, "n": 3},
        {"moves": [0, 7, 1, 8, 2, 9, 3]},
        {"moves": [], "k": 9},
    ]
    verdicts = judge_batch(rows, rules="6x7,k=4").to_pylist()
    standings = [(row["status"], row["ply"], row["code"]) for row in verdicts]
    assert standings == [
        ("pending", 5, None),
        ("illegal", 1, "floating"),
        ("won", 3, None),
        ("won", 7, None),
        (None, None, None),
    ]
    assert "k must be" in verdicts[-1]["message"]
    with pytest.raises(InvalidRules, match="did you mean 'gomoku'"):
        judge_batch(rows, rules="gomuko")
    with pytest.raises(TypeError, match="rules"):
        judge_batch(rows, rules=5)  # type: ignore[arg-type]


def test_lines_without_rules_are_read_at_once() -> None:
    block = b'{"id":1,"moves":[[5,3]]}\n{"id":2,"moves":[[0,0]]}\n{"id":3,"n":3,"moves":[[0,0]]}\n'
    assert judge_json_block(block) is None  # Python reports the lines
    judged = judge_json_block(block, Rules.connect_four())
    assert judged is not None
    statuses = [json.loads(line)["status"] for line in verdicts_to_json(judged).splitlines()]
    assert statuses == ["pending", "illegal", "pending"]


def test_rows_without_rules_become_records() -> None:
    batch = pa.record_batch({"moves": [[0, 1], [40]]})
    assert list(records_of(batch, "games.parquet", rules=Rules())) == [
        Record(Rules(), ((0, 0), (0, 1))),
        Record(Rules(), ((13, 1),)),
    ]
    assert all(isinstance(error, InvalidRecord) for error in records_of(batch, "games.parquet"))


def test_null_moves_are_off_the_board() -> None:
    moves: list[Any] = [[0, None], None, [None], [0, 3, 1, 4, 2]]
    for kind in (pa.int8(), pa.uint64()):
        games = pa.record_batch(
            {"n": [3] * 4, "k": pa.nulls(4), "moves": pa.array(moves, pa.list_(kind))}
        )
        rows = judge_batch(games).to_pylist()
        assert [row["code"] for row in rows] == ["off_board"] * 3 + [None]
        assert [row["ply"] for row in rows] == [1, 0, 0, 5]
        assert rows[1]["message"] == "cell (-1, 2) is off the 3×3 board"
        assert judge_batch(games[1:]).to_pylist() == rows[1:]
    cells = pa.array([[[0, 0], None], None, [[0, None]], [[0, 0]]], pa.list_(pa.list_(pa.int8())))
    rows = judge_batch(pa.record_batch({"n": [3] * 4, "moves": cells})).to_pylist()
    assert [row["status"] for row in rows] == [None, "illegal", None, "pending"]


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "int64", "uint64"])
def test_messages_that_games_share_name_the_move_of_each(kind: str) -> None:
    ends, random = np.iinfo(kind), Random(7)
    far = {ends.min, ends.max, -1, 9, 10, 2**31 - 2, 2**31 - 1, -(2**31), ends.max // 6, 2**63}
    last = [number for number in far if ends.min <= number <= ends.max]
    games = [[0, 4, number] for number in [*last, *range(9)]]
    games += [[0, 3, 1, 4, 2, 5], [3, 0, 4, 1, 8, 2, 5], [0, 3, 1, 4, 2]]
    games = random.choices(games, k=200)
    moves = pa.array(games, pa.list_(pa.from_numpy_dtype(kind)))
    rows = judge_batch({"moves": moves}, rules=Rules()).to_pylist()
    cell = Geometry(Rules()).cell
    records = [Record(Rules(), tuple(map(cell, game))) for game in games]
    assert [(row["code"], row["message"]) for row in rows] == [
        (verdict.code, verdict.message) for verdict in map(judge_record, records)
    ]


def test_huge_coordinates_are_off_the_board() -> None:
    for kind, far in [(pa.uint64(), 2**64 - 1), (pa.int64(), -(2**63)), (pa.int8(), 127)]:
        moves = pa.array([[[0, 0], [0, far]]], pa.list_(pa.list_(kind)))
        (row,) = judge_batch(pa.record_batch({"n": [3], "moves": moves})).to_pylist()
        assert row["message"] == f"cell (0, {far}) is off the 3×3 board"
        assert row["ply"] == 1


@pytest.mark.parametrize("n", [3, 127, 128, 255, 256, 300, 32768, 46340])
@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "int64", "uint64"])
def test_extreme_coordinates_are_judged_like_records(kind: str, n: int) -> None:
    ends = np.iinfo(kind)
    for far in {max(-1, ends.min), ends.min, ends.max, min(n - 1, ends.max), min(n, ends.max)}:
        moves = pa.array([[[0, far]], [[far, 0]]], pa.list_(pa.list_(pa.from_numpy_dtype(kind))))
        rows = judge_batch(pa.record_batch({"n": [n] * 2, "moves": moves})).to_pylist()
        for cell, row in zip([(0, far), (far, 0)], rows, strict=True):
            expected = judge_record(Record(Rules.square(n), (cell,)))
            assert (row["status"], row["message"]) == (expected.status, expected.message)


@pytest.mark.parametrize("name", ["id", "n", "shape", "k", "players", "early_draw", "moves"])
def test_wrong_column_type_is_named(name: str) -> None:
    valid = columns([Record(Rules(), ())], pa.array([[0]])) | {"n": pa.nulls(1, pa.int8())}
    for wrong in (pa.array([1.5]), pa.array([["x"]]), pa.array([b"x"]), pa.array([[[[1]]]])):
        with pytest.raises(InvalidRecord, match=f"expected a column {name} of .*, got "):
            judge_batch(pa.record_batch(valid | {name: wrong}))
    twice = pa.record_batch([*valid.values(), valid[name]], names=[*valid, name])
    with pytest.raises(InvalidRecord, match=f"expected one column {name}, got 2"):
        judge_batch(twice)


def test_missing_moves_are_rejected() -> None:
    for games in ({"n": [3]}, {"n": [3], "moves": pa.nulls(1)}):
        with pytest.raises(InvalidRecord, match="expected a column moves of lists"):
            judge_batch(pa.record_batch(games))


def test_judge_batch_does_not_import_pandas(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("raise SystemExit('imported pandas')")
    python(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import pyarrow as pa\nfrom noughts.bulk import judge_batch\n"
        "def integers(kind, size, *them):\n"
        "    data = b''.join(number.to_bytes(size, 'little') for number in them)\n"
        "    return pa.Array.from_buffers(kind, len(them), [None, pa.py_buffer(data)])\n"
        "ends, cells = integers(pa.int32(), 4, 0, 3, 4), integers(pa.int8(), 1, 0, 3, 0, 1)\n"
        "moves, n = pa.ListArray.from_arrays(ends, cells), integers(pa.int8(), 1, 3, 3)\n"
        "judge_batch(pa.RecordBatch.from_arrays([moves, n], ['moves', 'n']))"
    )


def test_public_names_are_imported_lazily() -> None:
    done = python(
        "import sys\nfrom noughts import bulk\n"
        "print(bulk.judge, 'pyarrow' in sys.modules, bulk.judge_batch)\n"
        "print(*(name for name in bulk.__all__ if not hasattr(bulk, name)), hasattr(bulk, 'x'))"
    )
    judge, judge_batch = "<function judge at 0x", "> False <function judge_batch at 0x"
    assert done.stdout.startswith(judge)
    assert judge_batch in done.stdout
    assert done.stdout.endswith(">\nFalse\n")


def test_judging_batches_imports_no_formats() -> None:
    done = python(
        "import sys\nfrom noughts.bulk import judge_batch\n"
        "print('noughts.records.record' in sys.modules, 'noughts.records.formats' in sys.modules)"
    )
    assert done.stdout == "True False\n"


ILLEGAL = [
    (Rules.connect_four(), [(5, 3), (3, 3)], "floating"),
    (
        Rules.gomoku("renju"),
        [(4, 2), (0, 0), (4, 3), (0, 2), (2, 4), (0, 4), (3, 4), (0, 6), (4, 4)],
        "foul",
    ),
]


@pytest.mark.parametrize(("rules", "moves", "code"), ILLEGAL, ids=["floating", "foul"])
@pytest.mark.parametrize("as_numbers", [True, False], ids=["numbers", "cells"])
def test_illegal_moves_have_the_same_message_everywhere(
    rules: Rules, moves: list[tuple[int, ...]], code: str, as_numbers: bool
) -> None:
    with pytest.raises(IllegalMove) as raised:
        Game.replay(rules, moves)
    verdict = judge_record(Record(rules, tuple(moves)))
    columns = rules.shape[1]
    given = [row * columns + col for row, col in moves] if as_numbers else [*map(list, moves)]
    batch = {"shape": rules.shape, "k": rules.k, "gravity": rules.gravity, "variant": rules.variant}
    [row] = judge_batch(pa.RecordBatch.from_pylist([batch | {"moves": given}])).to_pylist()
    assert (verdict.code, verdict.message) == (code, str(raised.value))
    assert (row["code"], row["message"], row["ply"]) == (code, verdict.message, len(moves) - 1)
