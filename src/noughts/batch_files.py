"""Files of games and verdicts, batch by batch: Parquet and JSON Lines in, Parquet out.

What is between, `noughts.batches` does. Needs ``noughts[batch]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq

from noughts.batches import (
    MAX_CELLS,
    RULES,
    VERDICTS,
    Judged,
    judged_batch,
    not_numbered,
    verdict_schema,
)
from noughts.errors import InvalidRecord
from noughts.lines import Lines
from noughts.records import MAX_LINE, Record, Verdict

ROWS = 1 << 16  # games in a batch; small ones take some 10 MB
BUFFER = 1 << 20  # bytes of a column's chunk read in one go
SHORT = 1000  # bytes; in a line of fewer nothing is nested too deep, no number too long


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

    `records.read_records` reads every such block alike, only slower, and all others too.
    """
    if not block.endswith(b"\n"):
        return None
    text = np.frombuffer(block, np.uint8)
    ends = np.flatnonzero(text == ord("\n"))
    begins = np.append(0, ends[:-1] + 1)
    if (text[begins] != ord("{")).any() or (text[ends - 1] != ord("}")).any():
        return None  # not an object a line
    if not block.isascii() or b"null" in block:  # null is not the same as a key left out
        return None
    longest = int(np.diff(ends, prepend=-1).max())
    if longest > MAX_LINE:
        return None
    # What is ignored is not held to Python's limits, which a short line cannot exceed.
    unexpected = "ignore" if longest < SHORT else "error"
    wide = pa.int64()
    for kind in (pa.string(), wide):
        types = [kind, wide, pa.list_(wide), wide, wide, pa.bool_(), pa.list_(pa.list_(wide))]
        schema = pa.schema(list(zip(("id", *RULES, "moves"), types, strict=True)))
        try:
            table = pyarrow.json.read_json(
                BytesIO(block),
                pyarrow.json.ReadOptions(use_threads=False, block_size=len(block) + 1),
                pyarrow.json.ParseOptions(schema, unexpected_field_behavior=unexpected),
            )
        except pa.ArrowException:
            continue
        batch: pa.RecordBatch = table.combine_chunks().to_batches()[0]
        moves = batch.column("moves")
        if len(batch) != len(ends) or moves.null_count or moves.flatten().null_count:
            return None
        used = [name for name in batch.schema.names if batch.column(name).null_count < len(ends)]
        return batch.select(used) if "moves" in used else None
    return None


def verdicts_batch(verdicts: list[tuple[Record, Verdict]]) -> pa.RecordBatch:
    """Verdicts that were given one by one, as a batch; ids become strings."""
    rows = []
    for record, verdict in verdicts:
        fields = {name: getattr(verdict, name) for name in VERDICTS}
        number = Lines(record.rules).number
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
