"""Files of games and verdicts, batch by batch: Parquet and JSON Lines in, Parquet out.

What is between, `noughts.bulk.batches` does. Needs ``noughts[batch]``. JSON Lines are read many at
once by `noughts.kernels.reader`, which is compiled; where it could not be, they are read one by
one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from noughts.bulk.batches import (
    MAX_CELLS,
    RULES,
    VERDICTS,
    Judged,
    judged_batch,
    not_numbered,
    verdict_schema,
)
from noughts.errors import InvalidRecord
from noughts.geometry import Geometry
from noughts.kernels import load
from noughts.records import MAX_LINE, Record, Verdict

ROWS = 1 << 17  # games in a batch; small ones take some 20 MB
BUFFER = 1 << 20  # bytes of a column's chunk read in one go

_reader = load("reader")


def read_parquet(file: IO[bytes]) -> Iterator[pa.RecordBatch]:
    """The games of a Parquet file, batch by batch, in memory that does not grow with the file.

    Raises:
        InvalidRecord: the file is no Parquet file, or is cut short or corrupt.
    """
    try:
        parquet = pq.ParquetFile(file, buffer_size=BUFFER, pre_buffer=False)
        names = [name for name in ("id", *RULES, "moves") if name in parquet.schema_arrow.names]
        yield from parquet.iter_batches(ROWS, columns=names, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise InvalidRecord(f"not a Parquet file that can be read: {error}") from None


def judge_parquet(file: IO[bytes]) -> Iterator[Judged]:
    """The verdicts on the games of a Parquet file, batch by batch.

    Raises:
        InvalidRecord: as `read_parquet`, or a column is missing or of a wrong type.
    """
    return map(judged_batch, read_parquet(file))


def judge_json_block(block: bytes) -> Judged | None:
    """The verdicts on some whole lines of JSON, or None if one of them needs a closer look."""
    games = read_json_block(block)
    judged = None if games is None else judged_batch(games)
    if judged is None or judged.unreadable:
        return None
    return replace(judged, id_type=pa.string())  # other blocks may have strings


def read_json_block(block: bytes) -> pa.RecordBatch | None:
    """The games of some whole lines of JSON, or None if one of them needs a closer look.

    `records.read_records` reads every such block alike, only slower, and all others too. What lines
    are plain, `noughts.kernels.reader` says; where it was not compiled, none are.
    """
    if _reader is None or not _is_utf8(block):
        return None
    size, rows = len(block), np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n"))
    keys, numbers = np.empty(rows, np.uint8), np.zeros((len(_reader.NUMBERS), rows), np.int64)
    text, text_ends = np.empty(size, np.uint8), np.empty(rows + 1, np.int32)
    sides, side_ends = np.empty(size // 2 + 1, np.int64), np.empty(rows + 1, np.int32)
    cells, cell_ends = np.empty(size // 2 + 1, np.int64), np.empty(size, np.int32)
    game_ends = np.empty(rows + 1, np.int32)
    texts, shapes, moves = (text, text_ends), (sides, side_ends), (cells, cell_ends, game_ends)
    if not _reader.read_games(block, MAX_LINE, keys, numbers, texts, shapes, moves):
        return None
    wide, integers = pa.int64(), pa.list_(pa.int64())
    all_moves = pa.ListArray.from_arrays(cell_ends[: game_ends[-1] + 1], cells)
    data: dict[str, tuple[Any, ...]] = {
        name: (wide, row) for name, row in zip(_reader.NUMBERS, numbers, strict=True)
    }
    if (keys >> _reader.TEXT).any():
        data["id"] = (pa.string(), text_ends, text)
    data["early_draw"] = (pa.bool_(), _bits(data["early_draw"][1]))
    data["shape"] = (integers, side_ends, pa.array(sides))
    data["moves"] = (pa.list_(integers), game_ends, all_moves)
    columns = {}
    for bit, name in enumerate(_reader.KEYS):
        there = keys >> bit & 1
        if there.any():
            columns[name] = _column(there, *data[name])
    if (text[: text_ends[-1]] == ord("\\")).any():
        try:
            columns["id"] = _unescaped(columns["id"])
        except ValueError:
            return None
    return pa.record_batch(columns)


def _column(there: np.ndarray[Any, Any], kind: pa.DataType, *data: Any) -> pa.Array:
    """A column of these buffers, or of a buffer and an array, with nulls but where it is there."""
    buffers = [pa.py_buffer(of) for of in (_bits(there), *data) if not isinstance(of, pa.Array)]
    children = [of for of in data if isinstance(of, pa.Array)]
    return pa.Array.from_buffers(kind, len(there), buffers, children=children)


def _unescaped(strings: pa.Array) -> pa.Array:
    """What strings of JSON mean.

    Raises:
        ValueError: one of them means nothing, or no text.
    """
    texts = [text if text is None else json.loads(f'"{text}"') for text in strings.to_pylist()]
    return pa.array(texts, pa.string())


def _bits(flags: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Arrow's form of what is true and what is not."""
    return np.packbits(flags, bitorder="little")


def _is_utf8(block: bytes) -> bool:
    """Whether every line is; a newline is part of no longer character."""
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


def verdicts_batch(verdicts: list[tuple[Record, Verdict]]) -> pa.RecordBatch:
    """Verdicts that were given one by one, as a batch; ids become strings."""
    rows = []
    for record, verdict in verdicts:
        fields = {name: getattr(verdict, name) for name in VERDICTS}
        number = Geometry(record.rules).number
        fields["lines"] = [[number(cell) for cell in line] for line in verdict.lines]
        if record.rules.cells > MAX_CELLS:
            fields = {"message": not_numbered(record.rules)}
        rows.append({"id": None if record.id is None else str(record.id)} | fields)
    return pa.RecordBatch.from_pylist(rows, schema=verdict_schema(pa.string()))


class VerdictFile:
    """A Parquet file of verdicts, written in large pieces, however small those that come.

    The ids have the type of the first batch; what comes later is cast to it.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._writer: pq.ParquetWriter | None = None
        self._batches: list[pa.RecordBatch] = []
        self._schema: pa.Schema | None = None
        self._rows = 0

    def write(self, verdicts: pa.RecordBatch) -> None:
        """Add verdicts.

        Raises:
            InvalidRecord: the ids are of another type than those before.
        """
        self._schema = self._schema or verdicts.schema
        try:
            if verdicts.schema != self._schema:
                verdicts = verdicts.cast(self._schema)
        except pa.ArrowInvalid:
            here, before = verdicts.schema.field("id").type, self._schema.field("id").type
            raise InvalidRecord(
                f"ids of {here} do not go with the ids of {before} before"
            ) from None
        self._batches.append(verdicts)
        self._rows += len(verdicts)
        if self._rows >= ROWS:
            self._flush()

    def close(self, metadata: Mapping[bytes, str] | None = None) -> None:
        """Write what is still to be written, and the end of the file with this in it."""
        self._schema = self._schema or verdict_schema(pa.string())
        writer = self._flush()
        writer.add_key_value_metadata(metadata or {})
        writer.close()

    def _flush(self) -> pq.ParquetWriter:
        self._writer = writer = self._writer or _writer(self._file, self._schema)
        writer.write_table(pa.Table.from_batches(self._batches, self._schema))
        self._batches, self._rows = [], 0
        return writer


def _writer(file: IO[bytes], schema: pa.Schema) -> pq.ParquetWriter:
    """A writer of verdicts that spends its time where it saves space.

    Texts that come again and again go into dictionaries, and integers are kept as differences: both
    leave little to compress, so that only texts are. Ids that are texts are just that. Nobody looks
    for the least and the greatest of any column but them.
    """
    integers = ["winner", "ply", "lines.list.element.list.element"]
    if pa.types.is_integer(schema.field("id").type):
        integers.append("id")
    return pq.ParquetWriter(
        file,
        schema,
        compression={"id": "none" if "id" in integers else "lz4", "message": "lz4"},
        use_dictionary=["status", "code", "message"],
        column_encoding=dict.fromkeys(integers, "DELTA_BINARY_PACKED"),
        write_statistics=["id"],
        write_batch_size=ROWS,
    )
