"""All kinds of tables and arrays give the same verdicts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import noughts.bulk.games
from bulk.batching import ALL_RULES, batch, by_numbers, random_record
from bulk.judging import listed, random_games, replayed, table
from noughts import InvalidRecord, Rules
from noughts.bulk import judge, judge_batch, winning_lines
from noughts.records import Record

pytestmark = pytest.mark.compiled("noughts.bulk._judge")

GAMES = [random_record(Random(i), ALL_RULES[i // 7 % 10], str(i)) for i in range(100)]
RULES = Rules((5, 5), 4)
MOVES = random_games(RULES, 200, seed=5)


def library(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed")


def polars(games: pa.Table) -> Any:
    pl = library("polars")
    return pl.from_arrow(games).with_columns(pl.col("variant").cast(pl.Categorical))


def pandas_of_arrow(games: pa.Table) -> Any:
    return games.to_pandas(types_mapper=library("pandas").ArrowDtype)


def pandas(games: pa.Table) -> Any:
    library("pandas")
    return games.to_pandas()


def duckdb(games: pa.Table) -> Any:
    return library("duckdb").connect().from_arrow(games)


class Stream:
    """A table known by Arrow's C stream alone."""

    def __init__(self, games: pa.Table) -> None:
        self.games = games

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.games.__arrow_c_stream__(requested_schema)


KINDS: dict[str, Callable[[pa.Table], Any]] = {
    "table": lambda games: games,
    "reader": lambda games: games.to_reader(),
    "dataset": ds.dataset,
    "structs": lambda games: games.to_struct_array(),
    "polars": polars,
    "polars, chunked": lambda games: library("polars").concat(
        [polars(games[:40]), polars(games[40:])], rechunk=False
    ),
    "polars, lazy": lambda games: polars(games).lazy().with_columns(other=1),
    "polars, lazy, in order": lambda games: polars(games).with_row_index().lazy().sort("index"),
    "polars, collected": lambda games: polars(games).lazy().collect(),
    "capsule": lambda games: games.__arrow_c_stream__(),
    "only a stream": lambda games: Stream(games),
    "dataset with more": lambda games: ds.dataset(
        games.append_column("other", pa.nulls(len(games)))
    ),
    "polars, structs": lambda games: polars(games).to_struct(),
    "pandas": pandas,
    "pandas of Arrow": pandas_of_arrow,
    "duckdb": duckdb,
}


def in_chunks(games: pa.RecordBatch) -> pa.Table:
    return pa.Table.from_batches([games[:3], games[3:3], games[3:30], games[30:]])


def in_chunks_of_one(games: list[Record]) -> pa.Table:
    return in_chunks(by_numbers(games))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_all_kinds_of_tables_give_the_same_verdicts(
    kind: Callable[[pa.Table], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = by_numbers(GAMES)
    expected = judge_batch(whole).to_pylist()
    for enough in (1 << 22, 2000, 0):  # join all batches, some and none
        monkeypatch.setattr(noughts.bulk.games, "ENOUGH", enough)
        assert judge_batch(kind(in_chunks(whole))).to_pylist() == expected
    games = [Record(RULES, (), str(i)) for i in range(len(MOVES))]
    alike = batch(games, pa.array(MOVES, pa.list_(pa.int16())))
    assert listed(judge(kind(in_chunks(alike)), RULES)) == [replayed(game, RULES) for game in MOVES]
    if kind is pandas:  # has no types for empty columns
        return
    nothing = judge_batch(kind(pa.Table.from_batches([alike[:0]])))
    assert (nothing.num_rows, nothing.schema.names) == (0, judge_batch(whole).schema.names)


def test_columns_arrays_and_lists_give_the_same_verdicts() -> None:
    pl, pd = library("polars"), library("pandas")
    expected = judge(pa.array(MOVES, pa.list_(pa.int64())), RULES)
    lines, offsets = winning_lines(MOVES, RULES, expected)
    kinds = [
        MOVES,
        [*map(tuple, MOVES)],
        [[*map(np.int16, game)] for game in MOVES],
        table(MOVES),
        pl.Series(MOVES),
        pd.Series(MOVES),
        pa.table({"n": [5] * len(MOVES), "moves": MOVES}),
    ]
    for moves in kinds:
        verdicts = judge(moves, RULES)
        assert listed(verdicts) == listed(expected)
        assert [a.tolist() for a in winning_lines(moves, RULES, verdicts)] == [
            lines.tolist(),
            offsets.tolist(),
        ]
    rows = pl.Series([[0, 3, 1], [0, 9, 2]], dtype=pl.Array(pl.UInt8, 3))
    cells = pl.Series([[[0, 0], [2, 2]], [[0, 3]]], dtype=pl.List(pl.Array(pl.Int8, 2)))
    assert judge_batch({"n": [3, 3], "moves": cells})["ply"].to_pylist() == [2, 0]
    assert judge(rows).ply.tolist() == judge(rows[1:].append(rows)).ply.tolist()[1:] == [3, 1]


def test_judge_batch_accepts_python_dicts_and_lists() -> None:
    rows: list[dict[str, Any]] = [{"n": 4, "moves": [[0, 0]]}, {"n": 4, "k": 3, "moves": []}]
    columns = {"n": np.array([4, 4]), "k": [None, 3], "moves": [[[0, 0]], []]}
    expected = judge_batch(pa.RecordBatch.from_pylist(rows, pa.table(columns).schema)).to_pylist()
    assert judge_batch(rows).to_pylist() == judge_batch(columns).to_pylist() == expected
    assert judge_batch([]).num_rows == 0
    # Keys that only later records have count, too.
    won = [{"n": 4, "moves": [0]}, {"n": 4, "k": 3, "moves": [0, 4, 1, 5, 2]}]
    assert judge_batch(won)["status"].to_pylist() == ["pending", "won"]


def test_lists_may_hold_any_integers() -> None:
    games = [[], [0, 2**31 - 1], [0, 2**64], [-(2**70)], [-1], [np.int8(0), True + 1]]
    assert listed(judge(games)) == [
        ("pending", 0, 0, None),
        *[("illegal", 0, 1, "off_board")] * 2,
        *[("illegal", 0, 0, "off_board")] * 2,
        ("pending", 0, 2, None),
    ]
    assert len(judge([])) == 0
    assert judge([[2**31 - 2, 2**31 - 1]], Rules((2**31 - 1,), 5)).ply.tolist() == [1]


class Changing:
    """A move that empties the games while they are read."""

    def __init__(self, games: list[list[Any]]) -> None:
        self.games = games

    def __index__(self) -> int:
        for game in self.games:
            game[:] = []
        self.games.clear()
        return 0


def test_lists_may_change_while_they_are_read() -> None:
    games: list[list[Any]] = [[1], [2, 3], [4]]
    games[1].append(Changing(games))
    assert judge(games).ply.tolist() == [1, 3, 0]


def test_verdicts_export_to_arrow() -> None:
    verdicts = judge(MOVES, RULES)
    pl, duckdb = library("polars"), library("duckdb")
    for columns in (pa.table(verdicts), pl.DataFrame(verdicts)):
        for name in ("status", "winner", "ply", "code"):
            array = getattr(verdicts, name)
            column = columns[name].to_numpy()
            assert (column.dtype, column.tolist()) == (array.dtype, array.tolist())
    assert duckdb.sql("select sum(ply) from verdicts").fetchall() == [(verdicts.ply.sum(),)]


@pytest.mark.parametrize("made", [by_numbers, in_chunks_of_one])
def test_columns_select_what_is_returned(made: Callable[[list[Record]], Any]) -> None:
    games = made(GAMES)
    every = judge_batch(games)
    for names in (["ply"], ["claim", "id"], ["lines", "status"], every.schema.names[::-1]):
        some = judge_batch(games, columns=names)
        assert some.schema.names == names
        assert some.to_pylist() == every.select(names).to_pylist()
    assert judge_batch(games, columns=[]).schema.names == []
    assert judge_batch([], columns=("code", "ply")).schema.names == ["code", "ply"]
    unreadable = pa.record_batch({"n": [0, 3], "moves": [[0], [1]]})
    assert judge_batch(unreadable, columns=["ply"])["ply"].to_pylist() == [None, 1]


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (["winer"], InvalidRecord, r"no column 'winer'; did you mean 'winner'\?"),
        (["x"], InvalidRecord, "no column 'x'; the columns are id, status, winner, ply, lines"),
        (["ply", "ply"], InvalidRecord, "columns must differ"),
        ("ply", TypeError, "columns must be a list of names, not 'ply'"),
        ([1], TypeError, "columns must be a list of names"),
        (3, TypeError, "columns must be a list of names"),
    ],
)
def test_unknown_columns_are_refused(columns: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        judge_batch(by_numbers(GAMES[:3]), columns=columns)


def test_error_of_a_lazy_query_is_raised() -> None:
    pl = library("polars")
    failing = lazy().with_columns(n=pl.lit("x").cast(pl.Int8))
    with pytest.raises(pl.exceptions.InvalidOperationError):
        judge_batch(failing)


def lazy() -> Any:
    return library("polars").LazyFrame({"moves": [[0]]})


def mixed() -> Any:
    return library("pandas").DataFrame({"n": [3, "x"], "moves": [[1], [2]]})


TABLE = "games must be a table with Arrow's interface, a dict of columns or a list of dicts, got a"


@pytest.mark.parametrize(
    ("judged", "given", "error", "message"),
    [
        (judge, dict, TypeError, "integers or an Arrow column of them, got a dict"),
        (judge, lambda: [[0], 1], TypeError, r"moves\[1\] must be a list of integers, got 1 \(int"),
        (judge, lambda: [[0], [0, True]], TypeError, r"moves\[1\]\[1\] must be an integer, not Tr"),
        (judge, lambda: [[0], [(0, 0)]], TypeError, r"moves\[1\]\[0\] must be an integer, not \(0"),
        (judge, mixed, InvalidRecord, "moves cannot be read as Arrow: Could not convert 'x'"),
        (judge_batch, lambda: lazy().select(n=3), InvalidRecord, "expected a column moves"),
        (judge_batch, object, TypeError, f"{TABLE} object"),
        (judge_batch, lambda: np.zeros((2, 3), int), TypeError, f"{TABLE} ndarray"),
        (judge_batch, lambda: [[0, 1]], TypeError, rf"{TABLE}n array of list<"),
        (judge_batch, mixed, InvalidRecord, "games cannot be read as Arrow: Could not convert 'x'"),
        (judge_batch, lambda: pa.chunked_array([[1]]), TypeError, f"{TABLE}n array of int64"),
        (
            judge_batch,
            lambda: {"n": [3]},
            InvalidRecord,
            "expected a column moves of lists of cell",
        ),
    ],
)
def test_unsupported_input_is_rejected_in_one_line(
    judged: Callable[[Any], object],
    given: Callable[[], Any],
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message) as caught:
        judged(given())
    assert "\n" not in str(caught.value)
