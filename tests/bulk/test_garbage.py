"""Judging garbage, which must raise an error and never access memory out of bounds.

Only a build that checks every memory access finds all such faults; script/sanitize makes one and
runs these tests with it.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulk.judging import arrays_of, compiled
from noughts import InvalidRecord, Rules
from noughts.bulk import STATUSES, Verdicts, judge, judge_batch, winning_lines
from noughts.game.geometry import geometry_of

pytestmark = pytest.mark.compiled("noughts.bulk._judge")

ERRORS = (TypeError, ValueError, IndexError, OverflowError, BufferError, MemoryError)
HUGE = [2**k + d for k in (31, 32, 62, 63, 64) for d in (-1, 0, 1)]
huge = st.sampled_from(HUGE) | st.sampled_from(HUGE).map(lambda n: -n)
odd = st.sampled_from([None, 1.5, float("nan"), "1", b"", (), True, 1j, [1]])

# --- winning lines --------------------------------------------------------------------------------

GAME: tuple[Any, ...] = (
    *(np.array([0, 3, 1, 4, 2]), np.array([0, 5])),
    *(np.array([1], np.int8), np.array([5], np.int32)),
)


def find(values: Any, offsets: Any, winner: Any, ply: Any, rules: Any, *, known: Any = None) -> Any:
    """Return the winning lines found by the compiled module, and the end of each game's lines."""
    ends = np.zeros(np.size(offsets), np.int64)
    lines = compiled.winning_lines(values, offsets, rules, (winner, ply), ends, known)
    return np.frombuffer(lines, np.int64).reshape(-1, rules.k), ends


@st.composite
def buffers(draw: st.DrawFn, dtype: str, number: st.SearchStrategy[int]) -> Any:
    """Draw buffers that usually have the right type and layout, but with arbitrary values."""
    numbers = draw(st.lists(number, max_size=12))
    array = np.array(numbers, object).astype(
        draw(st.sampled_from([*[dtype] * 9, "f8", ">i8", "O"]))
    )
    change = draw(st.integers(0, 11))
    if change == 0:
        return array[:: draw(st.sampled_from([2, -1]))]
    if change == 1:
        array.flags.writeable = False
    return {2: array[None], 3: array[:0], 4: draw(odd)}.get(change, array)


@st.composite
def some_rules(draw: st.DrawFn) -> Rules:
    shape = draw(st.lists(st.integers(1, 4) | st.just(1000), min_size=1, max_size=3).map(tuple))
    return Rules(shape, draw(st.integers(1, max(shape))), draw(st.integers(2, 4)))


@given(
    values=buffers("i8", st.integers(-2, 12) | huge.filter(lambda n: abs(n) < 2**63)),
    offsets=buffers("i8", st.integers(-2, 12) | huge.filter(lambda n: abs(n) < 2**63)),
    winner=buffers("i1", st.integers(-1, 3)),
    ply=buffers("i4", st.integers(-1, 12) | st.sampled_from([-(2**31), 2**31 - 1])),
    rules=some_rules() | st.just(Rules()),
    known=st.none() | buffers("i1", st.integers(-128, 127)),
)
def test_winning_lines_survives_garbage(
    values: Any, offsets: Any, winner: Any, ply: Any, rules: Rules, known: Any
) -> None:
    try:
        lines, ends = find(values, offsets, winner, ply, rules, known=known)
    except ERRORS:
        return
    counts = np.diff(ends[: np.size(offsets) - 1], prepend=0)
    assert counts.sum() == len(lines)
    if known is None or (winner >= 0).all():
        assert [count > 0 for count in counts] == [one > 0 for one in winner[: len(counts)]]
    assert ((lines >= 0) & (lines < rules.cells)).all()


@pytest.mark.parametrize(
    "forged", [None, 3, (3, 3), geometry_of(Rules()), SimpleNamespace(shape=(3, 3), k=3, players=2)]
)
def test_winning_lines_rejects_forged_rules(forged: Any) -> None:
    values, offsets, winner, ply = GAME
    lines, ends = find(values, offsets, winner, ply, Rules())
    assert (lines.tolist(), ends.tolist()) == ([[0, 1, 2]], [1, 0])
    with pytest.raises(TypeError, match="rules must be Rules, not"):
        compiled.winning_lines(values, offsets, forged, (winner, ply), ends)


@pytest.mark.parametrize("offsets", [[-1, 4], [1, 6], [2**62, 5], [-(2**63), 0]])
def test_winning_lines_rejects_wrong_offsets(offsets: list[int]) -> None:
    values, _, winner, ply = GAME
    with pytest.raises(ValueError, match=r"offsets must ascend .* for game 0"):
        find(values, np.array(offsets), winner, ply, Rules())


# A game on 2×2 with k = 2, as arguments of `find`.
SMALL_GAME = [
    np.array([0, 2, 1]),
    np.array([0, 3]),
    np.array([1], np.int8),
    np.array([3], np.int32),
]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({0: np.array([4, 2, 1])}, "game 0 was played on another board"),
        ({0: np.array([0, 2, -1])}, "game 0 was played on another board"),
        ({0: np.array([0, 2, 2**40 + 1])}, "game 0 was played on another board"),
        ({0: np.array([0, 2, 255], np.uint8)}, "game 0 was played on another board"),
        ({0: np.array([0, 1])}, "number of values, 2, got 0 and 3 for game 0"),
        ({1: np.array([1, 3])}, "game 0 has no move 3"),
        ({1: np.array([-1, 3])}, "number of values, 3, got -1 and 3 for game 0"),
        ({3: np.array([0], np.int32)}, "game 0 has no move 0"),
        ({3: np.array([2], np.int32)}, "the last move of game 0 completes no line"),
        ({2: np.zeros(0, np.int8)}, "winner must have one item per game, 1, got 0"),
        ({3: np.zeros(0, np.int32)}, "ply must have one item per game, 1, got 0"),
    ],
)
def test_winning_lines_rejects_verdicts_on_other_games(
    changes: dict[int, Any], message: str
) -> None:
    whole: list[Any] = [*SMALL_GAME, Rules.square(2)]
    assert find(*whole)[0].tolist() == [[0, 1]]
    for index, value in changes.items():
        whole[index] = value
    with pytest.raises(ValueError, match=message):
        find(*whole)


def test_winning_lines_rejects_unsuitable_ends() -> None:
    wrong_ends: list[Any] = [
        *(np.zeros(0, np.int64), np.zeros(1, np.int32), np.zeros(4, np.int64)[::2]),
        *(bytes(8), None),
    ]
    for wrong in wrong_ends:
        with pytest.raises(ERRORS):
            compiled.winning_lines(*GAME[:2], Rules(), GAME[2:], wrong)


# --- Arrow arrays ---------------------------------------------------------------------------------

cells = st.none() | st.integers(-1, 9)
some_games = st.lists(
    st.none() | st.lists(cells, max_size=11) | st.just([0, 3, 1, 4, 2]), max_size=12
)


@given(some_games, st.integers(0, 12), st.integers(0, 12), st.sampled_from([pa.int8(), pa.int64()]))
def test_arrow_slice_is_judged_like_a_copy(
    games: list[Any], begin: int, end: int, width: Any
) -> None:
    rules = Rules()
    whole = pa.array(games, pa.list_(width))
    alone = pa.array(games[begin:end], pa.list_(width))
    ours, theirs = judge(whole[begin:end], rules), judge(alone, rules)
    for one, other in zip(arrays_of(ours), arrays_of(theirs), strict=True):
        assert one.tolist() == other.tolist()
    found, expected = (
        winning_lines(whole[begin:end], rules, ours),
        winning_lines(alone, rules, ours),
    )
    assert [array.tolist() for array in found] == [array.tolist() for array in expected]
    won = ours.status == STATUSES.index("won")
    assert (np.diff(found[1]) > 0).tolist() == won.tolist()


def test_winning_lines_accepts_verdicts_of_any_layout() -> None:
    moves = np.array([[0, 3, 1, 4, 2], [0, 4, 1, 2, -1]] * 3, np.int8)
    verdicts = judge(moves)
    read_only = Verdicts(*(array.copy() for array in arrays_of(verdicts)))
    for array in arrays_of(read_only):
        array.flags.writeable = False
    for step, some in ((2, verdicts), (-1, verdicts), (1, read_only)):
        lines, offsets = winning_lines(moves[::step], Rules(), some[::step])
        assert np.diff(offsets).tolist() == (verdicts.winner[::step] > 0).tolist()
        assert lines.tolist() == [[0, 1, 2]] * 3


def raw(
    kind: pa.DataType, rows: int, offsets: list[int], items: pa.Array, *, null: bool
) -> pa.Array:
    """Make a column of buffers; PyArrow checks only the first offset and the last one."""
    ends = np.array(offsets, np.int32)
    valid = pa.py_buffer(b"\xfe") if null else None
    return pa.Array.from_buffers(kind, rows, [valid, pa.py_buffer(ends)], children=[items])


@pytest.mark.parametrize("null", [False, True])
@pytest.mark.parametrize("offsets", [[0, 2**30, 5], [0, -(2**31), 5], [0, 6, 5]])
def test_offsets_that_lie_are_an_error(offsets: list[int], null: bool) -> None:
    cells = pa.array([0, 3, 1, 4, 2], pa.int8())
    flat = raw(pa.list_(pa.int8()), 2, offsets, cells, null=null)
    inner = raw(pa.list_(pa.int8()), 2, offsets, cells, null=False)
    nested = raw(pa.list_(inner.type), 2, [0, 1, 2], inner, null=null)
    fine = pa.array([[0, 3], [1]], pa.list_(pa.int8()))
    for columns in (
        *({"moves": flat}, {"moves": nested}, {"moves": flat, "n": [3, 4]}),
        *({"moves": flat, "result": [1, 1]}, {"moves": fine, "shape": flat}),
    ):
        with pytest.raises(InvalidRecord, match=r"is not valid Arrow|offsets must ascend"):
            judge_batch(pa.record_batch(columns), rules=Rules())
    with pytest.raises(InvalidRecord, match=r"is not valid Arrow|offsets must ascend"):
        judge(flat)


@pytest.mark.parametrize("kind", [pa.list_(pa.int8()), pa.large_list(pa.int8())])
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    "offsets", [[0, 2**30, 5], [0, -5, 5], [0, 5, 2**20], [5, 5, 0], [-(2**20), 5, 5], [0, 6, 6]]
)
def test_offsets_that_lie_in_joined_batches_are_an_error(
    offsets: list[int], place: int, kind: Any
) -> None:
    parts = []
    for number in range(3):
        ends = np.array([0, 5, 5], np.int32 if pa.types.is_list(kind) else np.int64)
        cells = pa.array([0, 3, 1, 4, 2], pa.int8())
        moves = pa.Array.from_buffers(kind, 2, [None, pa.py_buffer(ends)], children=[cells])
        parts.append(pa.record_batch({"moves": moves}))
        ends[:] = offsets if number == place else ends  # PyArrow has looked at them
    with pytest.raises(InvalidRecord, match=r"is not valid Arrow|offsets must ascend"):
        judge_batch(pa.Table.from_batches(parts), rules=Rules())


@pytest.mark.parametrize("offsets", [[0, 2**31 - 1], [2**30, 2**30], [-1, 1]])
def test_offsets_of_texts_that_lie_are_an_error(offsets: list[int]) -> None:
    ends = np.array([0, 1], np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"a")]
    ids = pa.Array.from_buffers(pa.string(), 1, buffers)
    batch = pa.record_batch({"id": ids, "moves": pa.array([[0]], pa.list_(pa.int8()))})
    ends[:] = offsets
    table = pa.Table.from_batches([batch, batch])
    for games in (batch, table, table.to_reader()):
        with pytest.raises(InvalidRecord, match="column id is not valid Arrow"):
            judge_batch(games, rules=Rules())
