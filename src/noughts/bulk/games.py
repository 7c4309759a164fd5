"""Games in whatever form they come, as what the compiled judge and `judge_batch` read.

Tables and columns are taken from every library that speaks Arrow's C data interface, none of them
by name. What is integers in memory already is not copied.
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


ENOUGH = 1 << 22  # bytes of a batch that is judged by itself


@dataclass(frozen=True, slots=True)
class Games:
    """Games in one array: its rows, or the stretches between the offsets if there are any."""

    moves: NDArray[Any]
    offsets: NDArray[Any] | None = None

    def __len__(self) -> int:
        """How many games there are."""
        return len(self.moves) if self.offsets is None else len(self.offsets) - 1

    @property
    def size(self) -> int:
        """How many moves there are."""
        if self.offsets is None:
            return self.moves.size
        return int(self.offsets[-1]) - int(self.offsets[0])

    def __getitem__(self, games: slice) -> Games:
        """Some of the games, as views."""
        if self.offsets is None:
            return Games(self.moves[games])
        return Games(self.moves, self.offsets[games.start : games.stop + 1])


def games_of(moves: object) -> list[Games]:
    """The games, in the pieces in which they are in memory. `judge` says what is taken."""
    if isinstance(moves, tuple):
        if len(moves) != 2:
            raise TypeError(f"moves must be a pair (values, offsets), not a tuple of {len(moves)}")
        return [_ragged(*moves)]
    if isinstance(moves, list):
        compiled = required("noughts.bulk._judge", "judging many games at once")
        values, offsets = compiled.joined(moves)
        return [Games(np.frombuffer(values, np.int32), np.frombuffer(offsets, np.int64))]
    if not isinstance(moves, np.ndarray) and speaks_arrow(moves):
        return _arrow(moves)
    return [Games(_integers(moves, 2, "moves", ", lists of integers or an Arrow column of them"))]


def reader_of(games: object) -> Any:
    """A table as a PyArrow reader of its batches. `judge_batch` says what is taken.

    Raises:
        TypeError: this is not a table. InvalidRecord: it cannot be given as Arrow's.
    """
    import pyarrow as pa

    expected = "games must be a table that speaks Arrow, a dict of columns or a list of dicts"
    with _readable("games"):
        if isinstance(games, list):  # pa.Table.from_pylist would drop what the first record lacks
            games = pa.array(games, None if games else pa.struct({"moves": pa.list_(pa.int8())}))
        elif isinstance(games, Mapping):
            games = pa.table({name: _column(games[name]) for name in games})
        elif not speaks_arrow(games):
            raise TypeError(f"{expected}, not a {type(games).__name__}")
        if isinstance(games, pa.Array | pa.ChunkedArray) and not pa.types.is_struct(games.type):
            raise TypeError(f"{expected}, not an array of {games.type}")
        return pa.RecordBatchReader.from_stream(_streaming(games))


def _column(values: Any) -> Any:
    """The values as PyArrow has them, if they speak Arrow; its own tables ask nobody."""
    import pyarrow as pa

    return pa.chunked_array(_streaming(values)) if speaks_arrow(values) else values


def batches_of(reader: Any) -> Iterator[Any]:
    """The known columns of all that a reader has: its large batches, and its small ones joined.

    A batch costs as much as some 2,000 games, whatever its size.

    Raises:
        InvalidRecord: a column is missing or of a wrong type.
    """
    import pyarrow as pa

    from noughts.bulk.columns import checked

    small: list[Any] = []
    size = 0
    for batch in filter(len, reader):
        known = pa.record_batch(checked(batch))
        more = known.nbytes
        if more >= ENOUGH:  # is not copied
            yield from _joined(small)
            small, size = [], 0
        small.append(known)
        size += more
        if size >= ENOUGH:
            yield from _joined(small)
            small, size = [], 0
    yield from _joined(small)


def _joined(batches: list[Any]) -> list[Any]:
    """These batches as one, or as none if they are empty."""
    import pyarrow as pa

    return pa.Table.from_batches(batches).combine_chunks().to_batches() if batches else []


def speaks_arrow(data: object) -> bool:
    """Whether this is data of Arrow's C interface, or a dataset, whose batches are."""
    hooks = ("__arrow_c_array__", "__arrow_c_stream__")
    return any(hasattr(data, hook) for hook in hooks) or _is_dataset(data)


def _is_dataset(data: object) -> bool:
    """Whether this is PyArrow's dataset, which says so in no other way until it is imported."""
    return hasattr(data, "to_batches") and hasattr(data, "schema")


def _streaming(data: Any) -> Any:
    """The same with Arrow's interface for what may have many pieces."""
    import pyarrow as pa

    if hasattr(data, "__arrow_c_stream__"):
        return data
    if hasattr(data, "__arrow_c_array__"):
        return pa.chunked_array([pa.array(data)])
    return pa.RecordBatchReader.from_batches(data.schema, data.to_batches())


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Read another library's data.

    Raises:
        InvalidRecord: that library, or PyArrow, cannot give it as Arrow's.
    """
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        reason = ", ".join(map(str, error.args)).partition("\n")[0]
        raise InvalidRecord(f"{name} cannot be read as Arrow: {reason}") from error


def _integers(array: object, dimensions: int, name: str, others: str = "") -> NDArray[Any]:
    """An array of integers with this many dimensions, in a form that compiled code can read."""
    expected = f"{name} must be an array of integers with {dimensions} dimension"
    expected += "s" if dimensions > 1 else ""
    if not isinstance(array, np.ndarray):
        try:
            array = np.asarray(memoryview(array))  # type: ignore[arg-type]  # that is the question
        except (TypeError, ValueError, NotImplementedError):
            raise TypeError(f"{expected}{others}, not a {type(array).__name__}") from None
    ma = sys.modules.get("numpy.ma")  # slow to import; if nobody has, none is masked
    if isinstance(array, getattr(ma, "MaskedArray", ())):
        raise TypeError(f"{expected}, not a masked one")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{expected}, not of {array.dtype}")
    if array.ndim != dimensions:
        raise InvalidRecord(f"{expected}, not {array.ndim}")
    return np.require(array, array.dtype.newbyteorder("="), "A")


def _ragged(values: object, offsets: object) -> Games:
    """The games between these offsets."""
    values = _integers(values, 1, "values")
    offsets = _integers(offsets, 1, "offsets")
    if not len(offsets):
        raise InvalidRecord("offsets must be one more than there are games, not none")
    if offsets[0] < 0:
        raise InvalidRecord(f"offsets must not be negative, as offsets[0] = {offsets[0]} is")
    falls = np.flatnonzero(offsets[1:] < offsets[:-1])
    if len(falls):
        i = int(falls[0])
        raise InvalidRecord(
            "offsets must not decrease, but"
            f" offsets[{i}] = {offsets[i]} and offsets[{i + 1}] = {offsets[i + 1]}"
        )
    if offsets[-1] > len(values):
        i = int(np.argmax(offsets > len(values)))
        raise InvalidRecord(
            f"offsets must be at most {len(values)}, the number of values,"
            f" but offsets[{i}] = {offsets[i]}"
        )
    return Games(values, np.require(offsets, np.int64, ["C", "A"]))


def _arrow(moves: Any) -> list[Games]:
    """The chunks of a column of lists, or of the column ``moves`` of a table."""
    with require_extra("judging Arrow arrays", "PyArrow", "batch"):
        import pyarrow as pa

        from noughts.bulk.columns import cast, is_list_of_integers, plain
    if not isinstance(moves, pa.Array | pa.ChunkedArray):
        with _readable("moves"):
            moves = pa.chunked_array(_streaming(moves))
    chunks, kind = moves.chunks if isinstance(moves, pa.ChunkedArray) else [moves], moves.type
    if isinstance(kind, pa.StructType) and (at := kind.get_field_index("moves")) >= 0:
        chunks, kind = [chunk.flatten()[at] for chunk in chunks], kind.field(at).type
    if not is_list_of_integers(into := plain(kind)):
        raise TypeError(f"moves must be an Arrow array of lists of integers, not of {kind}")
    return [_arrow_chunk(cast(chunk, into)) for chunk in chunks]


def _arrow_chunk(chunk: Any) -> Games:
    """The games of an array of lists; nulls become -1, and games that are null one such move."""
    values = chunk.values  # of the whole buffer; the offsets know about slices
    if chunk.null_count or values.null_count:
        import pyarrow as pa
        import pyarrow.compute as pc  # slow to import, and most arrays do not need it

        kind = pa.large_list(pa.int64())  # larger integers become negative: no cells either
        chunk = pc.coalesce(chunk.cast(kind, safe=False), pa.scalar([-1], kind))
        values = chunk.values.fill_null(-1)
    return _ragged(values.to_numpy(), chunk.offsets.to_numpy())
