"""Judging arrays in all accepted forms, and rejection of all others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import prod
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import noughts.bulk.arrays
from bulk.judging import (
    INTEGERS,
    arrays_of,
    compiled,
    listed,
    ragged,
    random_games,
    replayed,
    table,
)
from noughts import InvalidRecord, Rules
from noughts.bulk.arrays import Verdicts, judge, winning_lines
from noughts.game.geometry import geometry_of

pytestmark = pytest.mark.compiled("noughts.bulk._judge")


# --- accepted forms -------------------------------------------------------------------------------

RULES = Rules((5, 5), 4)
GAMES = random_games(RULES, 200, seed=5)
EXPECTED = [replayed(game, RULES) for game in GAMES]
LEAST = noughts.bulk.arrays.LEAST  # which the tests in this folder otherwise set to 0
SIGNED = [dtype for dtype in INTEGERS if dtype.kind == "i"]


def misaligned(array: NDArray[Any]) -> NDArray[Any]:
    raw = np.zeros(array.nbytes + 1, np.uint8)[1:]
    copy = raw.view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def field(array: NDArray[Any]) -> NDArray[Any]:
    """Copy the array to a field of records; its strides are not multiples of its items' size."""
    records = np.zeros(array.shape, [("other", "u1"), ("it", array.dtype)])
    records["it"] = array
    return records["it"]


LAYOUTS: dict[str, Callable[[NDArray[Any]], NDArray[Any]]] = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every other": lambda array: (
        np.repeat(np.repeat(array, 2, 0), 2, -1)[::2, ..., ::2]
        if array.ndim > 1
        else np.repeat(array, 2)[::2]
    ),
    "backwards": lambda array: np.flip(np.flip(array).copy()),
    "read-only": read_only,
    "misaligned": misaligned,
    "a field": field,
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "little-endian": lambda array: array.astype(array.dtype.newbyteorder("<")),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_judge_accepts_every_width_and_layout(layout: Any, threads: int) -> None:
    for dtype in SIGNED:
        moves = layout(table(GAMES, dtype))
        assert listed(judge(moves, RULES, threads=threads)) == EXPECTED
        values, offsets = ragged(GAMES, dtype)
        pair = layout(values), layout(offsets)
        assert listed(judge(pair, RULES, threads=threads)) == EXPECTED


def test_unsigned_arrays_have_no_padding() -> None:
    games = [game[:6] for game in GAMES if len(game) >= 6 and min(game[:6]) >= 0]
    expected = [replayed(game, RULES) for game in games]
    for dtype in INTEGERS:
        assert listed(judge(table(games, dtype), RULES)) == expected
        for offsets in INTEGERS:
            few = games[:20]
            pair = (table(few, dtype).ravel(), np.arange(0, 121, 6).astype(offsets))
            assert listed(judge(pair, RULES)) == expected[:20]
    for dtype in set(INTEGERS) - set(SIGNED):
        no_moves = np.full((2, 4), np.iinfo(dtype).max, dtype)
        assert listed(judge(no_moves)) == [("illegal", 0, 0, "off_board")] * 2


@pytest.mark.parametrize("dtype", INTEGERS)
def test_narrow_types_cannot_hold_all_cells(dtype: np.dtype[Any]) -> None:
    rules = Rules((46340, 46340), 5)
    info = np.iinfo(dtype)
    moves = np.array([[info.max, info.min, info.max]], dtype)
    game = [int(cell) for cell in moves[0]]
    assert listed(judge(moves, rules)) == [replayed(game, rules)]


def test_minus_one_before_a_move_is_off_the_board() -> None:
    gaps = [[0, -1, 1], [-1, 0, -1], [0, 3, 1, 4, 2, -1, 5], [0, 1, -1, 2, -1]]
    for width in (7, 9, 14):
        assert listed(judge(table(gaps, np.int8, width))) == [
            ("illegal", 0, 1, "off_board"),
            ("illegal", 0, 0, "off_board"),
            ("illegal", 0, 5, "off_board"),
            ("illegal", 0, 2, "off_board"),
        ]


def test_judge_accepts_empty_input() -> None:
    assert len(judge(np.zeros((0, 9), np.int8))) == 0
    assert len(judge(np.zeros((0, 0), np.int8), threads=2)) == 0
    assert listed(judge(np.zeros((2, 0), np.int8))) == [("pending", 0, 0, None)] * 2
    empty = np.zeros(0, np.int8)
    assert len(judge((empty, np.zeros(1, np.int32)))) == 0
    assert listed(judge((empty, np.zeros(3, np.int32)))) == [("pending", 0, 0, None)] * 2
    assert len(judge(pa.array([], pa.list_(pa.int8())))) == 0
    assert len(judge(pa.chunked_array([], pa.list_(pa.int8())))) == 0


def test_offsets_may_skip_values() -> None:
    values = np.array([99, 0, 1, 2, 99], np.int8)
    verdicts = judge((values, np.array([1, 3, 3, 4])))
    assert verdicts.ply.tolist() == [2, 0, 1]
    assert verdicts.status.tolist() == [0, 0, 0]


def test_judge_accepts_other_buffers() -> None:
    moves = np.array([[0, 3, 1, 4, 2]], np.int8)
    assert listed(judge(memoryview(moves))) == [("won", 1, 5, None)]  # type: ignore[arg-type]
    pair = bytes([0, 3, 1, 4, 2]), np.array([0, 5])
    assert listed(judge(pair)) == [("won", 1, 5, None)]


@pytest.mark.parametrize("list_type", [pa.list_, pa.large_list])
@pytest.mark.parametrize("width", ["int8", "int16", "int32", "int64"])
def test_judge_accepts_arrow_columns(list_type: Any, width: str) -> None:
    games = pa.array(GAMES, list_type(getattr(pa, width)()))
    assert listed(judge(games, RULES)) == EXPECTED
    assert listed(judge(games[20:150], RULES, threads=2)) == EXPECTED[20:150]
    chunks = pa.chunked_array([games[:7], games[7:7], games[7:]])
    assert listed(judge(chunks, RULES, threads=3)) == EXPECTED
    assert listed(judge(ByInterface(games[3:]), RULES)) == EXPECTED[3:]
    assert listed(judge(ByInterface(chunks), RULES)) == EXPECTED


class ByInterface:
    """An array of another library, of which only Arrow's interface is known."""

    def __init__(self, array: Any) -> None:
        name = "__arrow_c_stream__" if hasattr(array, "chunks") else "__arrow_c_array__"
        self._hook = name, getattr(array, name)

    def __getattr__(self, name: str) -> Any:
        if name == self.__dict__["_hook"][0]:
            return self.__dict__["_hook"][1]
        raise AttributeError(name)


@pytest.mark.parametrize("width", [pa.int8(), pa.uint8(), pa.uint64(), pa.int64()])
def test_arrow_nulls_are_off_the_board(width: Any) -> None:
    games = pa.array([[0, 3], None, [0, None, 1], [], [None], [0, 3, 1, 4, 2]], pa.list_(width))
    expected = [
        ("pending", 0, 2, None),
        ("illegal", 0, 0, "off_board"),
        ("illegal", 0, 1, "off_board"),
        ("pending", 0, 0, None),
        ("illegal", 0, 0, "off_board"),
        ("won", 1, 5, None),
    ]
    rules = Rules((3, 3))
    assert listed(judge(games, rules)) == expected
    assert listed(judge(games[1:], rules, threads=2)) == expected[1:]
    large = judge(games, Rules((100, 100), 3))
    assert large.code.tolist() == [0, 1, 1, 0, 1, 0]


def test_null_game_ignores_values_below_it() -> None:
    values = pa.array([0, 3, 1, 4, 2, 0], pa.int8())
    games = pa.ListArray.from_arrays(
        pa.array([0, 5, 6], pa.int32()), values, mask=pa.array([True, False])
    )
    assert listed(judge(games)) == [("illegal", 0, 0, "off_board"), ("pending", 0, 1, None)]


def test_verdicts_do_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noughts.bulk.arrays, "BLOCK", 50)
    for threads in (1, 2):
        assert listed(judge(table(GAMES), RULES, threads=threads)) == EXPECTED
        assert listed(judge(ragged(GAMES), RULES, threads=threads)) == EXPECTED
        values, offsets = ragged(GAMES)
        pair = misaligned(values), offsets
        assert listed(judge(pair, RULES, threads=threads)) == EXPECTED


def test_verdicts_can_be_sliced() -> None:
    verdicts = judge(table(GAMES), RULES)
    assert listed(verdicts[10:20]) == EXPECTED[10:20]
    assert len(verdicts[10:20]) == 10
    dtypes = [array.dtype.name for array in arrays_of(verdicts)]
    assert dtypes == ["int8", "int8", "int32", "int8"]


# --- rejected input -------------------------------------------------------------------------------

ok = np.zeros((2, 3), np.int8)
line = np.zeros(6, np.int8)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (ok.astype(float), "moves must be an array of integers with 2 dimensions, got float64"),
        (ok.astype(bool), "moves must be .*, got bool"),
        (ok.astype(object), "moves must be .*, got object"),
        (ok.astype("S1"), "moves must be .*, got "),
        (ok.astype("m8[s]"), "moves must be .*, got timedelta64"),
        (np.ma.masked_array(ok), "moves must be .*, got a masked array"),
        ([[0, 1.5]], r"moves\[0\]\[1\] must be an integer, not 1.5 \(float\)"),
        ("games", "moves must be .*, got a str"),
        (None, "moves must be .*, got a NoneType"),
        ((line,), r"moves must be a pair \(values, offsets\), got a tuple of 1"),
        ((line.astype(float), line), "values must be an array of integers with 1 dimension, got"),
        ((line, line.astype(float)), "offsets must be an array of integers with 1 dimension, got"),
        ((line, [0, 6]), "offsets must be .*, got a list"),
        (pa.array([1, 2]), "moves must be an Arrow array of lists of integers, got int64"),
        (pa.array([[1.5]]), "Arrow array of lists of integers, got list<.*double>"),
        (pa.table({"a": [1]}), "Arrow array of lists of integers, got struct"),
    ],
)
def test_wrong_types_are_rejected(moves: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        judge(moves)


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (line, "moves must be an array of integers with 2 dimensions, got 1"),
        (ok[None], "with 2 dimensions, got 3"),
        ((ok, line), "values must be an array of integers with 1 dimension, got 2"),
        ((line, ok), "offsets must be an array of integers with 1 dimension, got 2"),
        ((line, line[:0]), "expected one more offset than there are games, got no offsets"),
        ((line, np.array([0, 4, 3, 6])), r"offsets must ascend .*, got offsets\[1:3\] = \[4, 3\]"),
        ((line, np.array([-1, 4])), r"from 0 to the number of values, 6, .*\[0:2\] = \[-1, 4\]"),
        ((line, np.array([0, 7, 9])), r"the number of values, 6, got offsets\[1:3\] = \[7, 9\]"),
        ((line, np.array([0, 2**64 - 1], np.uint64)), r"got .* = \[0, 18446744073709551615\]"),
    ],
)
def test_wrong_dimensions_and_offsets_are_rejected(moves: object, message: str) -> None:
    with pytest.raises(InvalidRecord, match=message):
        judge(moves)


def test_too_many_plies_are_rejected() -> None:
    with pytest.raises(InvalidRecord, match="at most 2147483647 moves, got 2147483648"):
        judge(np.broadcast_to(np.int8(0), (1, 2**31)))


def test_missing_compiled_module_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "noughts.bulk._judge", None)
    verdicts = Verdicts(*output(2)[:4])
    with pytest.raises(ModuleNotFoundError, match=r"judging .* needs .* without a C compiler"):
        judge(ok)
    with pytest.raises(ModuleNotFoundError, match=r"lines .* needs .* without a C compiler"):
        winning_lines(ok, Rules(), verdicts)


def test_wrong_rules_and_threads_are_rejected() -> None:
    with pytest.raises(TypeError, match="rules must be Rules"):
        judge(ok, (3, 3))  # type: ignore[arg-type]
    for threads in (1.0, True, "2", None):
        with pytest.raises(TypeError, match="threads must be an integer"):
            judge(ok, threads=threads)  # type: ignore[arg-type]
    for count in (0, -1):
        with pytest.raises(ValueError, match=f"threads must be 1 to 1,024, got {count}"):
            judge(ok, threads=count)


def test_few_games_are_judged_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    many = np.tile(np.arange(9, dtype=np.int8), (300_000, 1))
    renju = np.tile(np.arange(50, dtype=np.int16), (200, 1))
    monkeypatch.setattr(noughts.bulk.arrays, "LEAST", LEAST)
    started: list[int] = []
    pool = noughts.bulk.arrays._pool

    def counting(process: int) -> Any:
        started.append(process)
        return pool(process)

    monkeypatch.setattr(noughts.bulk.arrays, "_pool", counting)
    for games, rules, several in (
        *((many[:10_000], Rules(), False), (many, Rules(), True)),
        *((renju[:9], Rules.gomoku("renju"), False), (renju, Rules.gomoku("renju"), True)),
    ):
        started.clear()
        expected = judge(games, rules)
        assert all(
            map(np.array_equal, arrays_of(judge(games, rules, threads=2)), arrays_of(expected))
        )
        assert bool(started) == several


# --- the compiled module on its own ---------------------------------------------------------------


def output(games: int) -> tuple[NDArray[Any], ...]:
    return tuple(np.full(games, 77, dtype) for dtype in ("b", "b", "i", "b", "b"))


PLAIN = Rules()
ERRORS = (TypeError, ValueError, BufferError, MemoryError, OverflowError)


def test_compiled_module_checks_its_arguments() -> None:
    for moves in (
        ok.astype(float),
        ok.astype(bool),
        ok.astype(">i2"),
        line,
        None,
        misaligned(ok.astype("i4")),
    ):
        with pytest.raises(ERRORS):
            compiled.judge(moves, None, PLAIN, output(2))
    short, long = output(1), output(2)
    for i in range(5):
        verdicts = (*long[:i], short[i], *long[i + 1 :])
        with pytest.raises(ValueError, match="must have one item per game, 2, got 1"):
            compiled.judge(ok, None, PLAIN, verdicts)
    with pytest.raises(ValueError, match="read-only"):
        compiled.judge(ok, None, PLAIN, tuple(map(read_only, long)))
    for offsets in ([0, 9], [3, 2], [-1, 2], [7], [7, 7], [-1], [0, 2, 1]):
        with pytest.raises(InvalidRecord, match=r"offsets must ascend|expected one more offset"):
            compiled.judge(line, np.array(offsets), PLAIN, long)
    for wrong in (None, (3, 3), geometry_of(Rules())):
        with pytest.raises(TypeError, match="rules must be Rules, not"):
            compiled.judge(ok, None, wrong, long)


@given(st.randoms(use_true_random=False), st.binary(max_size=600))
def test_garbage_raises_an_error_and_never_crashes(random: Random, garbage: bytes) -> None:
    side = random.choice([1, 2, 3, 3, 3, 4, 9, 20, 1000, 2**20])
    shape = random.choice([(side, side), (side,), (side, 3), (2, side, 2), (3,) * 8])
    if prod(shape) > 2**31 - 1:
        shape = (side,)
    k = random.choice([max(shape), min(3, max(shape)), 1, random.randint(1, max(shape))])
    early_draw = prod(shape) <= 2**20 and random.random() < 0.3  # the limit for early draws
    rules = Rules(shape, k, random.choice([2, 2, 3, 8]), early_draw)
    dtype = random.choice(INTEGERS)
    flat = np.frombuffer(garbage[: len(garbage) // 8 * 8], dtype)
    if random.random() < 0.5:
        flat = (flat % np.array(min(127, side * side + 2), dtype)).astype(dtype)
    width = random.randint(1, 20)
    moves = flat[: len(flat) // width * width].reshape(-1, width)
    step = random.choice([1, 2, -1, -3])
    moves = moves[:: random.choice([1, -2]), ::step]
    widths = [np.dtype("i8"), np.dtype("i8"), random.choice(INTEGERS)]
    offsets = np.frombuffer(garbage[: len(garbage) // 8 * 8], random.choice(widths))
    if random.random() < 0.7:
        offsets = np.sort(offsets % np.array(max(1, min(127, len(flat))), offsets.dtype))
    verdicts = output(random.choice([600, 600, 0, 3]))
    for games in ((moves, None), (flat[::step], offsets)):
        try:
            compiled.judge(*games, rules, verdicts)
        except ERRORS:
            continue
        assert set(verdicts[0].tolist()) <= {0, 1, 2, 3, 77}
