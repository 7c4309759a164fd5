"""Conversion of games in every accepted form to arrays for `judge`, and to batches.

Tables and columns can come from any library that supports Arrow's C data interface; no library is
named here. Data that is already stored as integers is not copied.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from noughts.compiled import required
from noughts.errors import InvalidRecord
from noughts.extras import require_extra

with require_extra("judging many games at once", "NumPy", "batch"):
    import numpy as np
    from numpy.typing import NDArray

ENOUGH = 1 << 22  # bytes; smaller batches are joined


@dataclass(frozen=True, slots=True)
class Games:
    """Games in one array: its rows or, if there are offsets, the slices between them."""

    moves: NDArray[Any]
    offsets: NDArray[Any] | None = None

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.moves) if self.offsets is None else len(self.offsets) - 1

    @property
    def size(self) -> int:
        """The number of moves, padding included."""
        if self.offsets is None:
            return self.moves.size
        return int(self.offsets[-1]) - int(self.offsets[0])

    def __getitem__(self, games: slice) -> Games:
        """Return a slice of the games, as views."""
        if self.offsets is None:
            return Games(self.moves[games])
        return Games(self.moves, self.offsets[games.start : games.stop + 1])


def games_of(moves: object) -> list[Games]:
    """Convert the argument of `judge` to arrays, one per contiguous chunk in memory."""
    if isinstance(moves, tuple):
        if len(moves) != 2:
            raise TypeError(f"moves must be a pair (values, offsets), got a tuple of {len(moves)}")
        return [_ragged(*moves)]
    if isinstance(moves, list):
        compiled = required("noughts.bulk._judge", "judging many games at once")
        values, offsets = compiled.flatten(moves)
        return [Games(np.frombuffer(values, np.int32), np.frombuffer(offsets, np.int64))]
    if not isinstance(moves, np.ndarray) and supports_arrow(moves):
        return _arrow(moves)
    return [Games(_integers(moves, 2, "moves", ", lists of integers or an Arrow column of them"))]


def reader_of(games: object) -> Any:
    """Convert the argument of `judge_batch` to a PyArrow reader of batches.

    Raises:
        TypeError: it is not a table.
        InvalidRecord: its library cannot export it as Arrow.
    """
    import pyarrow as pa

    expected = "games must be a table with Arrow's interface, a dict of columns or a list of dicts"
    with _readable("games"):
        if isinstance(games, list):  # pa.Table.from_pylist drops keys that the first dict lacks
            games = pa.array(games, None if games else pa.struct({"moves": pa.list_(pa.int8())}))
        elif isinstance(games, Mapping):
            games = pa.table({name: _column(games[name]) for name in games})
        elif not supports_arrow(games):
            raise TypeError(f"{expected}, got a {type(games).__name__}")
        if isinstance(games, pa.Array | pa.ChunkedArray) and not pa.types.is_struct(games.type):
            raise TypeError(f"{expected}, got an array of {games.type}")
        if isinstance(games, pa.Table):
            return games.to_reader()  # Arrow's interface would not keep the sizes of texts' buffers
        if isinstance(games, pa.RecordBatchReader):
            return games
        return pa.RecordBatchReader.from_stream(_streaming(games))


def _column(values: Any) -> Any:
    """Convert data of other libraries to PyArrow, which `pa.table` would not do."""
    import pyarrow as pa

    return pa.chunked_array(_streaming(values)) if supports_arrow(values) else values


def columns_of(reader: Any) -> Iterator[dict[str, Any]]:
    """Yield the checked columns of a reader's batches, with small batches joined.

    Joining pays off because a batch has a fixed cost, equal to about 20,000 games of 3×3. Raises
    InvalidRecord if a column is missing or of the wrong type.
    """
    from noughts.bulk.columns import checked

    small: list[dict[str, Any]] = []
    size = 0
    for batch in filter(len, reader):
        known = checked(batch)
        more = sum(column.nbytes for column in known.values())
        if more >= ENOUGH:  # yield a large batch by itself, without copying
            yield from _joined(small)
            small, size = [], 0
        small.append(known)
        size += more
        if size >= ENOUGH:
            yield from _joined(small)
            small, size = [], 0
    yield from _joined(small)


def _joined(batches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join the columns of batches; return a list of the result, or an empty list for none."""
    import pyarrow as pa

    if len(batches) < 2:
        return batches
    return [{name: pa.concat_arrays([batch[name] for batch in batches]) for name in batches[0]}]


def supports_arrow(data: object) -> bool:
    """Return whether data supports Arrow's C interface, or can be read as batches that do.

    Those are a capsule of a stream, a dataset and a lazy query.
    """
    hooks = ("__arrow_c_array__", "__arrow_c_stream__")
    return (
        any(hasattr(data, hook) for hook in hooks)
        or _is_capsule(data)
        or _is_dataset(data)
        or _is_lazy(data)
    )


def _is_capsule(data: object) -> bool:
    return type(data).__name__ == "PyCapsule"  # has no public name before Python 3.13


def _is_dataset(data: object) -> bool:
    return hasattr(data, "to_batches") and hasattr(data, "schema")  # avoids importing datasets


def _is_lazy(data: object) -> bool:
    return hasattr(data, "collect_schema") and hasattr(data, "lazy") and hasattr(data, "collect")


@dataclass(frozen=True, slots=True)
class _Stream:
    """A capsule with Arrow's stream interface."""

    capsule: object

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.capsule


def _streaming(data: Any) -> Any:
    """Wrap data so that it supports Arrow's stream interface."""
    import pyarrow as pa

    if hasattr(data, "__arrow_c_stream__"):
        return data
    if hasattr(data, "__arrow_c_array__"):
        return pa.chunked_array([pa.array(data)])
    if _is_capsule(data):
        return _Stream(data)
    from noughts.bulk.columns import COLUMNS

    if _is_lazy(data):
        data = data.select([name for name in data.collect_schema().names() if name in COLUMNS])
        schema = pa.table(data.clear().collect()).schema
        return pa.RecordBatchReader.from_batches(schema, _collected(data))
    names = [name for name in data.schema.names if name in COLUMNS]
    schema = pa.schema([data.schema.field(name) for name in names])
    return pa.RecordBatchReader.from_batches(schema, data.to_batches(columns=names))


def _collected(query: Any) -> Iterator[Any]:
    """Run a lazy query and yield its result in batches, so that memory does not grow with it."""
    import pyarrow as pa

    if hasattr(query, "collect_batches"):
        frames = query.collect_batches()
    else:  # an older Polars
        frames = [query.collect(engine="streaming")]
    for frame in frames:
        yield from pa.table(frame).to_batches()


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Raise InvalidRecord if a library cannot export its data, or PyArrow cannot import it."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        reason = ", ".join(map(str, error.args)).partition("\n")[0]
        raise InvalidRecord(f"{name} cannot be read as Arrow: {reason}") from error


def _integers(array: object, dimensions: int, name: str, others: str = "") -> NDArray[Any]:
    """Convert to an array of integers with this many dimensions that compiled code can read."""
    expected = f"{name} must be an array of integers with {dimensions} dimension"
    expected += "s" if dimensions > 1 else ""
    if not isinstance(array, np.ndarray):
        try:
            array = np.asarray(memoryview(array))  # type: ignore[arg-type]  # raises TypeError
        except (TypeError, ValueError, NotImplementedError):
            raise TypeError(f"{expected}{others}, got a {type(array).__name__}") from None
    ma = sys.modules.get("numpy.ma")  # slow to import, so do not import it here
    if isinstance(array, getattr(ma, "MaskedArray", ())):
        raise TypeError(f"{expected}, got a masked array")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{expected}, got {array.dtype}")
    if array.ndim != dimensions:
        raise InvalidRecord(f"{expected}, got {array.ndim}")
    return np.require(array, array.dtype.newbyteorder("="), "A")


def _ragged(values: object, offsets: object) -> Games:
    """Check values and offsets, and return them as games."""
    values = _integers(values, 1, "values")
    offsets = _integers(offsets, 1, "offsets")
    if not len(offsets):
        raise InvalidRecord("expected one more offset than there are games, got no offsets")
    falling = offsets[1:] < offsets[:-1]
    if falling.any() or offsets[0] < 0 or offsets[-1] > len(values):
        falls = np.flatnonzero(falling)
        i = int(falls[0]) if len(falls) else 0 if offsets[0] < 0 else max(0, len(offsets) - 2)
        raise InvalidRecord(
            f"offsets must ascend from 0 to the number of values, {len(values)},"
            f" got offsets[{i}:{i + 2}] = {offsets[i : i + 2].tolist()}"
        )
    return Games(values, np.require(offsets, np.int64, ["C", "A"]))


def _arrow(moves: Any) -> list[Games]:
    """Convert the chunks of a column of lists, or of the column ``moves`` of a table."""
    with require_extra("judging Arrow arrays", "PyArrow", "batch"):
        import pyarrow as pa

        from noughts.bulk.columns import cast, is_list_of_integers, plain, validate
    if not isinstance(moves, pa.Array | pa.ChunkedArray):
        with _readable("moves"):
            moves = pa.chunked_array(_streaming(moves))
    chunks, kind = moves.chunks if isinstance(moves, pa.ChunkedArray) else [moves], moves.type
    if isinstance(kind, pa.StructType) and (at := kind.get_field_index("moves")) >= 0:
        chunks, kind = [chunk.flatten()[at] for chunk in chunks], kind.field(at).type
    if not is_list_of_integers(into := plain(kind)):
        raise TypeError(f"moves must be an Arrow array of lists of integers, got {kind}")
    if kind != into:
        for chunk in chunks:
            validate(chunk, "moves")
    return [_arrow_chunk(cast(chunk, into)) for chunk in chunks]


def _arrow_chunk(chunk: Any) -> Games:
    """Convert an array of lists; a null move becomes -1, and a null game one such move."""
    values = chunk.values  # the whole buffer, even of a slice; the offsets select the slice
    if chunk.null_count or values.null_count:
        import pyarrow as pa
        import pyarrow.compute as pc  # slow to import, and most arrays do not need it

        from noughts.bulk.columns import validate

        validate(chunk, "moves")
        kind = pa.large_list(pa.int64())  # larger integers become negative: also off the board
        chunk = pc.coalesce(chunk.cast(kind, safe=False), pa.scalar([-1], kind))
        values = chunk.values.fill_null(-1)
    return _ragged(values.to_numpy(), chunk.offsets.to_numpy())
