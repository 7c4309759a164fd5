"""Parquet files of games and of verdicts, read and written in batches. Needs ``noughts[batch]``."""

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from noughts.bulk.batches import VERDICTS, verdict_schema
from noughts.bulk.columns import COLUMNS
from noughts.bulk.verdict import Verdict
from noughts.errors import InvalidRecord, NoughtsError
from noughts.game.geometry import geometry_of
from noughts.game.rules import OPTIONS, Rules
from noughts.records import Read, Record
from noughts.records.record import record_of_fields, rules_of_fields

ROWS = 1 << 17  # most games per batch; 3×3 games then take about 20 MB
MOVES = 1 << 20  # average number of moves per batch, unless a single game has more
LONGEST = 1 << 21  # limit of the average number of moves per game
WAITING = 1 << 14  # games collected before writing, each about a kilobyte of Python objects
BYTES = 1 << 25  # of verdicts collected before writing
BUFFER = 1 << 20  # bytes read at once from a column chunk


def read_parquet(file: IO[bytes]) -> Iterator[pa.RecordBatch]:
    """Yield the games of a Parquet file in batches; memory does not grow with the file.

    Raises InvalidRecord if the file is not Parquet, is truncated or corrupt, or its games have more
    than `LONGEST` moves on average.
    """
    try:
        parquet = pq.ParquetFile(file, buffer_size=BUFFER, pre_buffer=False)
        names = [name for name in COLUMNS if name in parquet.schema_arrow.names]
        rows = _rows_at_once(parquet.metadata)
        yield from parquet.iter_batches(rows, columns=names, use_threads=False)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InvalidRecord(f"cannot read this as Parquet: {error}") from None


_KINDS = {int: pa.int8(), bool: pa.bool_(), str: pa.string()}
GAMES = pa.schema(
    {
        "id": pa.string(),
        "shape": pa.list_(pa.int32()),
        "k": pa.int32(),
        **{name: _KINDS[type(option.usual)] for name, option in OPTIONS.items()},
        "moves": pa.list_(pa.int32()),
        "result": pa.int8(),
    }
)
"""The columns of games, as written by `row_of`."""

ENDED = pa.schema(
    [*GAMES, ("status", pa.string()), ("winner", pa.int8()), ("termination", pa.string())]
)
"""The columns of games from a server: `GAMES`, and how each game stands."""


def records_of(
    games: pa.RecordBatch, source: str, done: int = 0, rules: Rules | None = None
) -> Iterator[Read]:
    """Yield the games of a batch; row numbers in errors begin at `done` + 1.

    Rows that name no rules have `rules`, as in `judge_batch`.
    """
    for number, row in enumerate(games.to_pylist(), done + 1):
        try:
            fields = {name: value for name, value in row.items() if value is not None}
            cell = geometry_of(rules_of_fields(fields, rules)).cell
            moves = [-1 if move is None else move for move in fields.get("moves", [])]
            fields["moves"] = [list(cell(at)) if isinstance(at, int) else at for at in moves]
            yield record_of_fields(fields, rules)
        except (NoughtsError, TypeError) as error:
            yield InvalidRecord(str(error), source, number)


def row_of(record: Record) -> dict[str, object]:
    """Return the columns of a record; its id becomes a string."""
    rules, number = record.rules, geometry_of(record.rules).number
    row = {name: getattr(rules, name) for name in GAMES.names if hasattr(rules, name)}
    name = None if record.id is None else id_text(record.id)
    return row | {"id": name, "moves": [*map(number, record.moves)], "result": record.result}


def write_rows(rows: Iterable[dict[str, Any]], schema: pa.Schema, file: IO[bytes]) -> None:
    """Write games as a Parquet file with these columns; memory does not grow with the file."""
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        waiting: list[dict[str, Any]] = []
        moves = 0
        for row in rows:
            waiting.append(row)
            moves += len(row["moves"])
            if len(waiting) == WAITING or moves > MOVES:
                writer.write_table(pa.Table.from_pylist(waiting, schema))
                waiting, moves = [], 0
        writer.write_table(pa.Table.from_pylist(waiting, schema))


def id_text(name: str | int) -> str:
    """Convert an id to a string that Arrow can hold."""
    # JSON can hold half of a surrogate pair, and Arrow cannot: keep it as JSON's escape.
    return str(name).encode(errors="backslashreplace").decode()


def _rows_at_once(metadata: pq.FileMetaData) -> int:
    """Return the number of games with `MOVES` moves in the row group with the longest games."""
    rows = ROWS
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        columns = [group.column(i) for i in range(group.num_columns)]
        values = max((column.num_values for column in columns), default=0)
        if values > LONGEST * group.num_rows:
            raise InvalidRecord(
                f"games must have at most {LONGEST:,} moves on average, got"
                f" {values:,} moves in the {group.num_rows:,} rows of row group {number}"
            )
        rows = min(rows, max(1, MOVES * group.num_rows // max(1, values)))
    return rows


class VerdictFile:
    """A Parquet file of verdicts, which collects small batches into large ones.

    The first batch sets the type of the ids, and later ids are cast to it. Every method raises
    InvalidRecord if that is impossible.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._writer: pq.ParquetWriter | None = None
        self._schema: pa.Schema | None = None
        self._batches: list[pa.RecordBatch] = []
        self._single: list[dict[str, Any]] = []  # rows added one by one after the batches

    def add(self, verdicts: pa.RecordBatch | tuple[Record, Verdict]) -> None:
        """Add a batch of verdicts, or the verdict on one record, whose id becomes a string."""
        if not isinstance(verdicts, tuple):
            self._write_single()
            self._write(verdicts)
            return
        record, verdict = verdicts
        row = {name: getattr(verdict, name) for name in VERDICTS}
        number = geometry_of(record.rules).number
        row["lines"] = [[number(cell) for cell in line] for line in verdict.lines]
        name = None if record.id is None else id_text(record.id)
        self._single.append({"id": name} | row)
        if len(self._single) >= ROWS:
            self._write_single()

    def _write(self, verdicts: pa.RecordBatch) -> None:
        self._schema = self._schema or verdicts.schema
        try:
            if verdicts.schema != self._schema:
                verdicts = verdicts.cast(self._schema)
        except pa.ArrowInvalid:
            kinds = self._schema.field("id").type, verdicts.schema.field("id").type
            raise InvalidRecord("cannot mix {} and {} ids in one file".format(*kinds)) from None
        self._batches.append(verdicts)
        waiting = sum(batch.nbytes for batch in self._batches)
        if waiting >= BYTES or sum(map(len, self._batches)) >= ROWS:
            self._flush()

    def close(self, metadata: Mapping[bytes, str] | None = None) -> None:
        """Write the remaining verdicts, and this metadata in the footer."""
        self._write_single()
        writer = self._flush()
        writer.add_key_value_metadata(metadata or {})
        writer.close()

    def _write_single(self) -> None:
        rows, self._single = self._single, []
        if rows:
            self._write(pa.RecordBatch.from_pylist(rows, verdict_schema(pa.string())))

    def _flush(self) -> pq.ParquetWriter:
        self._schema = self._schema or verdict_schema(pa.string())
        self._writer = writer = self._writer or _writer(self._file, self._schema)
        writer.write_table(pa.Table.from_batches(self._batches, self._schema))
        self._batches = []
        return writer


def _writer(file: IO[bytes], schema: pa.Schema) -> pq.ParquetWriter:
    """Open a writer of verdicts with encodings that are both fast and small.

    Words are dictionary-encoded and integers stored as differences. That leaves little to compress,
    so only texts are compressed. Only ids have statistics.
    """
    integers = ["winner", "ply", "lines.list.element.list.element"]
    if pa.types.is_integer(schema.field("id").type):
        integers.append("id")
    return pq.ParquetWriter(
        file,
        schema,
        compression={"id": "none" if "id" in integers else "lz4", "message": "lz4"},
        use_dictionary=["status", "claim", "code", "message"],
        column_encoding=dict.fromkeys(integers, "DELTA_BINARY_PACKED"),
        write_statistics=["id"],
        write_batch_size=ROWS,
    )
