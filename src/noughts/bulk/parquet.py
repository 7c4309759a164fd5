"""Parquet files: games in, verdicts out, batch by batch. Needs ``noughts[batch]``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from noughts.bulk.batches import VERDICTS, verdict_schema
from noughts.bulk.columns import COLUMNS
from noughts.errors import InvalidRecord
from noughts.geometry import geometry_of
from noughts.records import Record, Verdict

ROWS = 1 << 17  # games in a batch; small ones take some 20 MB
BUFFER = 1 << 20  # bytes of a column's chunk read in one go


def read_parquet(file: IO[bytes]) -> Iterator[pa.RecordBatch]:
    """The games of a Parquet file, batch by batch, in memory that does not grow with the file.

    Raises:
        InvalidRecord: the file is no Parquet file, or is cut short or corrupt.
    """
    try:
        parquet = pq.ParquetFile(file, buffer_size=BUFFER, pre_buffer=False)
        names = [name for name in COLUMNS if name in parquet.schema_arrow.names]
        yield from parquet.iter_batches(ROWS, columns=names, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise InvalidRecord(f"not a Parquet file that can be read: {error}") from None


class VerdictFile:
    """A Parquet file of verdicts, written in large pieces, however small those that come.

    The ids have the type of the first batch; later ones are cast to it. Where they cannot be, each
    method raises InvalidRecord.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._writer: pq.ParquetWriter | None = None
        self._schema: pa.Schema | None = None
        self._batches: list[pa.RecordBatch] = []
        self._single: list[dict[str, Any]] = []  # rows that came one by one, after the batches

    def write_verdict(self, record: Record, verdict: Verdict) -> None:
        """Add the verdict on one record; its id becomes a string."""
        row = {name: getattr(verdict, name) for name in VERDICTS}
        number = geometry_of(record.rules).number
        row["lines"] = [[number(cell) for cell in line] for line in verdict.lines]
        self._single.append({"id": None if record.id is None else str(record.id)} | row)
        if len(self._single) >= ROWS:
            self._write_single()

    def write(self, verdicts: pa.RecordBatch) -> None:
        """Add a batch of verdicts."""
        self._write_single()
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
        if sum(map(len, self._batches)) >= ROWS:
            self._flush()

    def close(self, metadata: Mapping[bytes, str] | None = None) -> None:
        """Write what is left and the end of the file, with this metadata."""
        self._write_single()
        writer = self._flush()
        writer.add_key_value_metadata(metadata or {})
        writer.close()

    def _write_single(self) -> None:
        rows, self._single = self._single, []
        if rows:
            self.write(pa.RecordBatch.from_pylist(rows, verdict_schema(pa.string())))

    def _flush(self) -> pq.ParquetWriter:
        self._schema = self._schema or verdict_schema(pa.string())
        self._writer = writer = self._writer or _writer(self._file, self._schema)
        writer.write_table(pa.Table.from_batches(self._batches, self._schema))
        self._batches = []
        return writer


def _writer(file: IO[bytes], schema: pa.Schema) -> pq.ParquetWriter:
    """A writer of verdicts that spends its time where it saves space.

    Words go into dictionaries and integers are kept as differences: both leave little to compress,
    so only texts are compressed. Only ids have statistics: nobody looks for the least and the
    greatest of another column.
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
