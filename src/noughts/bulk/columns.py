"""The columns of a batch of games: their types, rows of equal rules, moves as cell numbers."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from noughts.errors import InvalidRecord
from noughts.game.geometry import geometry_of
from noughts.game.rules import OPTIONS, Rules

Array = np.ndarray[Any, Any]


def is_list(kind: pa.DataType) -> bool:
    """Whether this is a type of lists, large or not."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def is_list_of_integers(kind: pa.DataType) -> bool:
    """Whether this is a type of lists of integers."""
    return is_list(kind) and bool(pa.types.is_integer(kind.value_type))


def _is_moves(kind: pa.DataType) -> bool:
    return is_list_of_integers(kind) or (is_list(kind) and is_list_of_integers(kind.value_type))


def _is_id(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind)) or _is_text(kind)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


_KINDS = {
    int: (pa.types.is_integer, "integers"),
    bool: (pa.types.is_boolean, "booleans"),
    str: (_is_text, "strings"),
}
COLUMNS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "id": (_is_id, "strings or integers"),
    "rules": (_is_text, "strings"),
    "n": (pa.types.is_integer, "integers"),
    "shape": (is_list_of_integers, "lists of integers"),
    "k": (pa.types.is_integer, "integers"),
    **{name: _KINDS[type(option.usual)] for name, option in OPTIONS.items()},
    "moves": (_is_moves, "lists of cell numbers"),
    "result": (pa.types.is_integer, "integers"),
}
"""The columns of a batch of games: whether a type is right, and what is expected, in words."""


def plain(kind: pa.DataType) -> pa.DataType:
    """The type that has the same values without a view, a dictionary or a fixed size."""
    if isinstance(kind, pa.DictionaryType):
        return plain(kind.value_type)
    if isinstance(kind, pa.FixedSizeListType):
        return pa.list_(plain(kind.value_type))
    if isinstance(kind, pa.ListType | pa.LargeListType):
        inner = plain(kind.value_type)
        if inner == kind.value_type:
            return kind
        return pa.list_(inner) if isinstance(kind, pa.ListType) else pa.large_list(inner)
    return pa.large_string() if pa.types.is_string_view(kind) else kind


def checked(games: pa.RecordBatch) -> dict[str, pa.Array]:
    """The columns of `COLUMNS` that the batch has, by name.

    Raises:
        InvalidRecord: ``moves`` is missing, or a column is there twice or of a wrong type.
    """
    known = {}
    for name, (is_right, expected) in COLUMNS.items():
        indices = games.schema.get_all_field_indices(name)
        if len(indices) > 1:
            raise InvalidRecord(f"expected one column {name}, not {len(indices)}")
        given = games.schema.field(indices[0]).type if indices else None
        kind = plain(given) if indices else pa.null()
        if is_right(kind):
            known[name] = cast(games.column(indices[0]), kind)
        elif kind != pa.null() or name == "moves":
            given = given if indices else "none"
            raise InvalidRecord(f"expected a column {name} of {expected}, not {given}")
    return known


def rows_by_value(
    columns: dict[str, pa.Array], rows: int
) -> Iterator[tuple[Array, dict[str, Any]]]:
    """Each set of rows with equal values in these columns, and the values that are not null."""
    if not rows:
        return
    groups: dict[Any, Any] = {None: np.arange(rows)}
    if not all(column.equals(pa.repeat(column[0], rows)) for column in columns.values()):
        groups = defaultdict(list)
        for row, values in enumerate(zip(*map(_hashable, columns.values()), strict=True)):
            groups[values].append(row)
    for equal in groups.values():
        fields = {name: column[equal[0]].as_py() for name, column in columns.items()}
        yield np.asarray(equal), {key: value for key, value in fields.items() if value is not None}


def _hashable(column: pa.Array) -> list[Any]:
    values = column.to_pylist()
    return [tuple(value) if isinstance(value, list) else value for value in values]


def readable(ids: pa.Array) -> tuple[pa.Array, Array]:
    """The ids, null if they are not UTF-8, and the rows of those that are not."""
    try:
        ids.validate(full=True)
        return ids, np.zeros(0, np.int64)
    except pa.ArrowInvalid:
        texts: list[str | None] = []
        garbled = []
        for row, raw in enumerate(ids.cast(pa.large_binary()).to_pylist()):
            try:
                texts.append(None if raw is None else raw.decode())
            except UnicodeDecodeError:
                texts.append(None)
                garbled.append(row)
        return pa.array(texts, ids.type), np.array(garbled)


def take(column: pa.Array, rows: Array) -> pa.Array:
    """These rows, ascending, of a column; not copied if they are neighbours."""
    if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
        return column[rows[0] : rows[-1] + 1]
    return column.take(pa.array(rows))


def cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """The column as this type."""
    # A cast to the same type would change nothing, but import pyarrow.compute, which is slow.
    if column.type == kind:
        return column
    if pa.types.is_dictionary(column.type):  # PyArrow decodes not every type of strings
        return column.dictionary.cast(kind).take(column.indices)
    return column.cast(kind)


def integers(values: Array, there: Array | None = None) -> pa.Array:
    """These integers, not copied, or null where `there` is False."""
    # pa.array imports numpy.ma, and with a mask it searches for pandas each time.
    bits = None if there is None else pa.py_buffer(np.packbits(there, bitorder="little"))
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [bits, pa.py_buffer(values)])


def misfits(moves: pa.Array, sides: int) -> Array:
    """Which games have a move that is not this many integers."""
    cells = moves.flatten()
    bad = lengths(cells) != sides
    values = cells.flatten()
    if values.null_count:
        nulls = values.is_null().to_numpy(zero_copy_only=False)
        bad[np.repeat(np.arange(len(cells)), lengths(cells))[nulls]] = True
    found = np.zeros(len(moves), bool)
    if bad.any():
        found[np.repeat(np.arange(len(moves)), lengths(moves))[bad]] = True
    return found


def outside(results: pa.Array, players: int) -> Array:
    """Which results are not null, 0 or a player."""
    values = (results.fill_null(0) if results.null_count else results).to_numpy()
    found: Array = (values < 0) | (values > players)
    return found


def numbered(moves: pa.Array, rules: Rules) -> tuple[pa.Array, Array]:
    """Moves as cell numbers, -1 off the board, instead of coordinates; and the coordinates."""
    cells = moves.flatten().flatten().to_numpy(zero_copy_only=False)
    cells = cells.reshape(-1, len(rules.shape))
    numbers, on_board = np.zeros(len(cells), np.int64), np.ones(len(cells), bool)
    strides = geometry_of(rules).strides
    for at, side, stride in zip(cells.T, rules.shape, strides, strict=True):
        at = at.astype(np.int64)
        on_board &= at.view(np.uint64) < side  # not negative either
        numbers += at * stride
    numbers[~on_board] = -1
    offsets = np.concatenate([[0], np.cumsum(lengths(moves), dtype=np.int64)])
    nulls = moves.is_null() if moves.null_count else None
    return pa.LargeListArray.from_arrays(offsets, pa.array(numbers), mask=nulls), cells


def lengths(lists: pa.Array) -> Array:
    """The length of each list, 0 for a null."""
    lengths: Any = lists.value_lengths()
    lengths = lengths.fill_null(0) if lengths.null_count else lengths
    counted: Array = lengths.to_numpy(zero_copy_only=False)
    return counted
