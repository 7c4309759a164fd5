"""Columns of a batch of games: check their types, group rows by rules, convert moves."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa

from noughts.errors import InvalidRecord
from noughts.game.geometry import geometry_of
from noughts.game.rules import OPTIONS, Rules

Array = np.ndarray[Any, Any]


def is_list(kind: pa.DataType) -> bool:
    """Return whether this is a list type, large or not."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def is_list_of_integers(kind: pa.DataType) -> bool:
    """Return whether this is a type of lists of integers."""
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
"""The columns of a batch of games, each with a check of its type and the expected type in words."""


def plain(kind: pa.DataType) -> pa.DataType:
    """Return the equivalent type without views, dictionaries and fixed sizes."""
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
    """Return the columns of the batch that are in `COLUMNS`, by name.

    Raises InvalidRecord if ``moves`` is missing, or a column is duplicated, has the wrong type or
    is not valid Arrow. Texts need not be UTF-8.
    """
    known = {}
    for name, (is_right, expected) in COLUMNS.items():
        indices = games.schema.get_all_field_indices(name)
        if len(indices) > 1:
            raise InvalidRecord(f"expected one column {name}, got {len(indices)}")
        given = games.schema.field(indices[0]).type if indices else None
        kind = plain(given) if indices else pa.null()
        if is_right(kind):
            column = games.column(indices[0])
            # Offsets of games as cell numbers are checked where they are read, in less time: here,
            # only the first one and the last one.
            are_cells = name == "moves" and kind == given and is_list_of_integers(kind)
            validate(column, name, full=not are_cells)
            known[name] = cast(column, kind)
        elif kind != pa.null() or name == "moves":
            given = given if indices else "none"
            raise InvalidRecord(f"expected a column {name} of {expected}, got {given}")
    return known


def validate(column: pa.Array, name: str, *, full: bool = True) -> None:
    """Raise InvalidRecord if PyArrow would read outside the buffers of a column.

    Unless `full`, check only the sizes of buffers, the first offset and the last one, in constant
    time. The column may then be copied, but its items may not be read.
    """
    binary = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}
    try:
        column.view(binary.get(column.type, column.type)).validate(full=full)
    except pa.ArrowInvalid as error:
        raise InvalidRecord(f"column {name} is not valid Arrow: {error}") from error


def rows_by_value(
    columns: dict[str, pa.Array], rows: int
) -> Iterator[tuple[Array, dict[str, Any]]]:
    """Group rows with equal values in these columns; yield the rows and their non-null values."""
    if not rows:
        return
    groups: dict[Any, Any] = {None: np.arange(rows)}
    if not all(column[1:].equals(column[:-1]) for column in columns.values()):
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
    """Replace ids that are not UTF-8 by null; return the ids and the rows of those replaced."""
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
    """Return these ascending rows of a column, without copying if they are contiguous."""
    if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
        return column[rows[0] : rows[-1] + 1]
    return column.take(pa.array(rows))


def cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """Convert the column to this type."""
    # A cast to the same type would import pyarrow.compute, which is slow.
    if column.type == kind:
        return column
    if pa.types.is_dictionary(column.type):  # PyArrow cannot decode every string type itself
        return column.dictionary.cast(kind).take(column.indices)
    return column.cast(kind)


def integers(values: Array, valid: Array | None = None) -> pa.Array:
    """Wrap integers as an Arrow array without copying; values where `valid` is False are null."""
    # pa.array would import numpy.ma, and with a mask it searches for pandas on each call.
    bits = None if valid is None else pa.py_buffer(np.packbits(valid, bitorder="little"))
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [bits, pa.py_buffer(values)])


def texts(values: Sequence[str | None]) -> pa.Array:
    """Convert texts to an Arrow array."""
    # pa.array would import pandas where it is installed, which takes longer than PyArrow itself.
    raw = [(value or "").encode() for value in values]
    ends = np.fromiter(accumulate(map(len, raw), initial=0), np.int32)
    bits = None
    if None in values:
        valid = [value is not None for value in values]
        bits = pa.py_buffer(np.packbits(valid, bitorder="little"))
    data = pa.py_buffer(b"".join(raw))
    return pa.StringArray.from_buffers(len(raw), pa.py_buffer(ends), data, bits)


def alike(values: Array) -> tuple[Array, Array]:
    """Find the distinct values; return an index of each, and for each value which it equals."""
    least, most = int(values.min(initial=0)), int(values.max(initial=0))
    if most - least < 2 * len(values):  # a third of the time that PyArrow takes
        values = values - least
        example_of = np.full(most - least + 1, -1)
        example_of[values] = np.arange(len(values))
        examples = example_of[example_of >= 0]
        which_of = np.empty_like(example_of)
        which_of[values[examples]] = np.arange(len(examples))
        return examples, which_of[values]
    encoded = integers(values).dictionary_encode()
    which = encoded.indices.to_numpy()
    examples = np.zeros(len(encoded.dictionary), np.int64)
    examples[which] = np.arange(len(values))
    return examples, which


def misfits(moves: pa.Array, sides: int) -> Array:
    """Return which games have a move that does not consist of this many integers."""
    cells = items(moves)
    bad = lengths(cells) != sides
    values = items(cells)
    if values.null_count:
        nulls = values.is_null().to_numpy(zero_copy_only=False)
        bad[np.repeat(np.arange(len(cells)), lengths(cells))[nulls]] = True
    found = np.zeros(len(moves), bool)
    if bad.any():
        found[np.repeat(np.arange(len(moves)), lengths(moves))[bad]] = True
    return found


def outside(results: pa.Array, players: int) -> Array:
    """Return which results are neither null nor 0 nor a player's number."""
    values = (results.fill_null(0) if results.null_count else results).to_numpy()
    found: Array = (values < 0) | (values > players)
    return found


def numbered(moves: pa.Array, rules: Rules) -> tuple[pa.Array, Array]:
    """Convert moves from coordinates to cell numbers, -1 off the board; return both."""
    cells = items(items(moves)).to_numpy(zero_copy_only=False)
    cells = cells.reshape(-1, len(rules.shape))
    numbers, on_board = np.zeros(len(cells), np.int64), np.ones(len(cells), bool)
    strides = geometry_of(rules).strides
    for at, side, stride in zip(cells.T, rules.shape, strides, strict=True):
        at = at.astype(np.int64)
        on_board &= at.view(np.uint64) < side  # false for negative numbers, too
        numbers += at * stride
    numbers[~on_board] = -1
    offsets = np.concatenate([[0], np.cumsum(lengths(moves), dtype=np.int64)])
    nulls = moves.is_null() if moves.null_count else None
    return pa.LargeListArray.from_arrays(offsets, pa.array(numbers), mask=nulls), cells


def items(lists: pa.Array) -> pa.Array:
    """Return the items of all lists."""
    # Without a list there is an offset nevertheless, which PyArrow reads but does not validate.
    return lists.flatten() if len(lists) else lists.values[:0]


def lengths(lists: pa.Array) -> Array:
    """Return the length of each list, 0 for a null."""
    lengths: Any = lists.value_lengths()
    lengths = lengths.fill_null(0) if lengths.null_count else lengths
    counted: Array = lengths.to_numpy(zero_copy_only=False)
    return counted
