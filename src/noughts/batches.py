"""Batches of games: from Arrow to Arrow, from Parquet and JSON Lines to verdicts.

`judge_batch` is the unit of all bulk work: one function from a batch of games to a batch of
verdicts, which runs as it is here, on Dask, on Spark and on Ray. Needs ``noughts[batch]``.

A batch of games has the columns of a record (see `noughts.records`): ``moves``, lists of row-major
cell numbers; ``n``, or ``shape`` and ``k``; and where wanted ``id``, ``players``, ``early_draw``.
A batch of verdicts has those of a `Verdict`, with lines as lists of cell numbers. A row whose rules
make no sense has no status, and a message that says why.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from json.encoder import encode_basestring_ascii
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.json
import pyarrow.parquet as pq

from noughts.errors import CellTaken, GameOver, InvalidRecord, NoughtsError, OffBoard, size
from noughts.judge import CODES, STATUSES, Verdicts, coordinates, judge, winning_lines
from noughts.lines import Cell, Lines
from noughts.records import Record, judge_record, rules_of_record
from noughts.rules import Rules

ROWS = 1 << 16  # games in a batch; small ones take some 10 MB
RULES = ("n", "shape", "k", "players", "early_draw")

_STATUS = pa.dictionary(pa.int8(), pa.string())
VERDICTS = {
    "status": _STATUS,
    "winner": pa.int8(),
    "ply": pa.int32(),
    "lines": pa.list_(pa.list_(pa.int64())),
    "code": _STATUS,
    "message": pa.string(),
}
"""The columns of a batch of verdicts; before them comes ``id``, of the type it has in the games."""


def judge_batch(games: pa.RecordBatch, threads: int = 1) -> pa.RecordBatch:
    """The verdicts on a batch of games, row by row.

    Args:
        games: the columns are described above.
        threads: how many threads to judge with.

    Raises:
        InvalidRecord: a column is missing or of a wrong type.

    Cost: some 0.2 µs for a game of 3×3, where neighbouring games have the same rules.

    >>> games = pa.record_batch({"n": [3, 3], "moves": [[0, 3, 1, 4, 2], [0, 0]]})
    >>> judge_batch(games).select(["status", "winner", "lines", "code"]).to_pylist()[0]
    {'status': 'won', 'winner': 1, 'lines': [[0, 1, 2]], 'code': None}
    """
    parts = [part.to_batch() for part in judged_batch(games, threads)]
    if not parts:
        kind = games.schema.field("id").type if "id" in games.schema.names else pa.string()
        return pa.RecordBatch.from_pylist([], schema=pa.schema({"id": kind} | VERDICTS))
    merged: pa.RecordBatch = pa.Table.from_batches(parts).combine_chunks().to_batches()[0]
    return merged


@dataclass(frozen=True, slots=True)
class Judged:
    """Neighbouring games of the same rules, and the verdicts on them.

    Attributes:
        rules: what was played, or the error if these are no rules.
        ids: the games' ids.
        moves: their moves, lists of cell numbers; -1 for a cell off the board.
        cells: the coordinates of each move, where they were given; else they follow from its
            number. An array of moves × sides.
        verdicts: of `noughts.judge`.
    """

    rules: Rules | NoughtsError | TypeError
    ids: pa.Array
    moves: pa.Array
    cells: np.ndarray[Any, Any] | None
    verdicts: Verdicts

    def counts(self) -> Counter[str]:
        """How many games stand how: "won by 1", "draw" and so on; "unreadable" without rules."""
        verdicts = self.verdicts
        if not isinstance(self.rules, Rules):
            return Counter({"unreadable": len(verdicts)})
        kinds = Counter(dict(enumerate(np.bincount(verdicts.status, minlength=4).tolist())))
        counts = {STATUSES[kind]: number for kind, number in kinds.items() if kind != 1}
        winners = enumerate(np.bincount(verdicts.winner).tolist())
        counts |= {f"won by {winner}": number for winner, number in winners if winner}
        return Counter({status: number for status, number in counts.items() if number})

    def to_batch(self) -> pa.RecordBatch:
        """The verdicts with the columns `VERDICTS`."""
        if not isinstance(self.rules, Rules):
            nothing: dict[str, Any] = dict.fromkeys(VERDICTS)
            rows = [{"id": id} | nothing | {"message": str(self.rules)} for id in self._names()]
            schema = pa.schema({"id": self.ids.type} | VERDICTS)
            return pa.RecordBatch.from_pylist(rows, schema=schema)
        verdicts = self.verdicts
        games, lines = winning_lines(self.moves, self.rules, verdicts)
        counts = np.bincount(games, minlength=len(verdicts))
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        each = np.arange(0, lines.size + 1, lines.shape[1], dtype=np.int32)
        messages = dict(self._messages(self.rules))
        columns = [
            self.ids,
            pa.DictionaryArray.from_arrays(verdicts.status, list(STATUSES)),
            pa.array(verdicts.winner, mask=verdicts.winner == 0),
            pa.array(verdicts.ply),
            pa.ListArray.from_arrays(offsets, pa.ListArray.from_arrays(each, lines.ravel())),
            pa.DictionaryArray.from_arrays(
                pa.array(np.maximum(verdicts.code - 1, 0), mask=verdicts.code == 0),
                list(CODES[1:]),
            ),
            pa.array([messages.get(i) for i in range(len(verdicts))], pa.string())
            if messages
            else pa.nulls(len(verdicts), pa.string()),
        ]
        return pa.RecordBatch.from_arrays(
            columns, schema=pa.schema({"id": self.ids.type} | VERDICTS)
        )

    def to_json(self) -> str:
        """The verdicts as lines of JSON, as `Verdict.to_json` writes them.

        Raises:
            InvalidRecord: these are no rules.
        """
        if not isinstance(self.rules, Rules):
            raise InvalidRecord(str(self.rules))
        texts = self._line_texts(self.rules)
        messages = dict(self._messages(self.rules))
        verdicts = self.verdicts
        rows = zip(
            self._names(),
            verdicts.status.tolist(),
            verdicts.winner.tolist(),
            verdicts.ply.tolist(),
            verdicts.code.tolist(),
            strict=True,
        )
        parts = []
        for i, (name, status, winner, ply, code) in enumerate(rows):
            text = encode_basestring_ascii(name) if isinstance(name, str) else _number(name)
            parts.append(
                f'{{"id":{text},"status":"{STATUSES[status]}","winner":{winner or "null"},'
                f'"ply":{ply},"lines":[{texts.get(i, "")}]'
            )
            if code:
                message = encode_basestring_ascii(messages[i])
                parts.append(f',"code":"{CODES[code]}","message":{message}')
            parts.append("}\n")
        return "".join(parts)

    def _names(self) -> list[Any]:
        names: list[Any] = self.ids.to_pylist()
        return names

    def _line_texts(self, rules: Rules) -> dict[int, str]:
        """The winning lines of each won game, as in JSON; each different line is written once."""
        games, lines = winning_lines(self.moves, rules, self.verdicts)
        ends = (
            lines[:, [0, -1]] @ [rules.cells, 1] if rules.cells < 2**31 else np.arange(len(lines))
        )
        _, first, which = np.unique(ends, return_index=True, return_inverse=True)
        written = [
            json.dumps([coordinates(cell, rules) for cell in line], separators=(",", ":"))
            for line in lines[first].tolist()
        ]
        texts: dict[int, str] = {}
        for game, line in zip(games.tolist(), which.tolist(), strict=True):
            known = texts.get(game)
            texts[game] = written[line] if known is None else f"{known},{written[line]}"
        return texts

    def _messages(self, rules: Rules) -> Iterator[tuple[int, str]]:
        """Why the illegal games are, in words, each with its number."""
        verdicts = self.verdicts
        illegal = np.flatnonzero(verdicts.code)
        over = illegal[verdicts.code[illegal] == CODES.index(GameOver.code)]
        winners = self._winners_before(over, rules) if len(over) else {}
        for i in illegal.tolist():
            code = CODES[verdicts.code[i]]
            if code == GameOver.code:
                yield i, str(GameOver.of(winners[i]))
                continue
            cell = self._cell(i, int(verdicts.ply[i]), rules)
            yield (
                i,
                str(
                    OffBoard.of(cell, rules.shape) if code == OffBoard.code else CellTaken.of(cell)
                ),
            )

    def _winners_before(self, games: np.ndarray[Any, Any], rules: Rules) -> dict[int, int | None]:
        """Who had won, or None for a draw, in games that were played on after their end."""
        moves = [self.moves[i].as_py()[: self.verdicts.ply[i]] for i in games.tolist()]
        ended = judge(pa.array(moves, pa.list_(pa.int64())), rules)
        return {i: int(w) or None for i, w in zip(games.tolist(), ended.winner, strict=True)}

    def _cell(self, game: int, ply: int, rules: Rules) -> Cell:
        at = self.moves.offsets[game].as_py() + ply
        if self.cells is not None:
            return tuple(self.cells[at].tolist())
        number = self.moves.values[at].as_py()
        return coordinates(-1 if number is None else number, rules)


def judged_batch(games: pa.RecordBatch, threads: int = 1) -> Iterator[Judged]:
    """The verdicts on a batch of games, in stretches of equal rules.

    Raises:
        InvalidRecord: a column is missing or of a wrong type.
    """
    columns = _checked_columns(games)
    ids = columns.pop("id", pa.nulls(len(games), pa.string()))
    moves = columns.pop("moves")
    for begin, end in _stretches(columns, len(games)):
        fields = {name: column[begin].as_py() for name, column in columns.items()}
        here = slice(begin, end)
        zeros = np.zeros(end - begin, np.int8)
        nothing = Verdicts(zeros, zeros, zeros.astype(np.int32), zeros)
        try:
            rules = rules_of_record({name: v for name, v in fields.items() if v is not None})
        except (NoughtsError, TypeError) as error:
            yield Judged(error, ids[here], moves[here], None, nothing)
            continue
        numbers, cells = moves[here], None
        if _is_list(moves.type.value_type):
            try:
                numbers, cells = _numbered(numbers, rules)
            except InvalidRecord as error:
                yield Judged(error, ids[here], numbers, None, nothing)
                continue
        yield Judged(rules, ids[here], numbers, cells, judge(numbers, rules, threads=threads))


def read_parquet(file: IO[bytes], source: str) -> Iterator[pa.RecordBatch]:
    """The games of a Parquet file, batch by batch, in memory that does not grow with the file.

    Raises:
        InvalidRecord: the file is no Parquet file, or is cut short or corrupt.
    """
    try:
        parquet = pq.ParquetFile(file, pre_buffer=False)
        names = [name for name in ("id", *RULES, "moves") if name in parquet.schema_arrow.names]
        yield from parquet.iter_batches(ROWS, columns=names, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise InvalidRecord(f"not a Parquet file that can be read: {error}", source) from None


def verdict_writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    """A Parquet file to write batches of verdicts to."""
    return pq.ParquetWriter(path, schema, compression="zstd")


def judge_json_block(block: bytes) -> list[Judged] | None:
    """The verdicts on some whole lines of JSON, or None if one of them needs a closer look."""
    games = read_json_block(block)
    parts = [] if games is None else list(judged_batch(games))
    return parts if parts and all(isinstance(part.rules, Rules) for part in parts) else None


def read_json_block(block: bytes) -> pa.RecordBatch | None:
    """The games of some whole lines of JSON, or None if one of them needs a closer look.

    `records.read_records` reads every such block alike, only slower, and all others too.
    """
    count = block.count(b"\n")
    if block.count(b"\n{") + block.startswith(b"{") != count or block.count(b"}\n") != count:
        return None  # not an object a line
    if not block.isascii():
        return None
    wide = pa.int64()
    for kind in (pa.string(), wide):
        types = [kind, wide, pa.list_(wide), wide, wide, pa.bool_(), pa.list_(pa.list_(wide))]
        schema = pa.schema(list(zip(("id", *RULES, "moves"), types, strict=True)))
        try:
            table = pyarrow.json.read_json(
                BytesIO(block),
                pyarrow.json.ReadOptions(use_threads=False, block_size=len(block) + 1),
                pyarrow.json.ParseOptions(schema, unexpected_field_behavior="ignore"),
            )
        except pa.ArrowException:
            continue
        batch: pa.RecordBatch = table.combine_chunks().to_batches()[0]
        moves = batch.column("moves")
        if len(batch) != count or moves.null_count or moves.flatten().null_count:
            return None
        used = [name for name in batch.schema.names if batch.column(name).null_count < count]
        return batch.select(used) if "moves" in used else None
    return None


def judge_records(records: list[Record]) -> pa.RecordBatch:
    """The verdicts on games that were read one by one, as a batch; ids become strings."""
    rows = []
    for record in records:
        verdict, number = judge_record(record), Lines(record.rules).number
        fields = {name: getattr(verdict, name) for name in VERDICTS}
        fields["lines"] = [[number(cell) for cell in line] for line in verdict.lines]
        rows.append({"id": None if record.id is None else str(record.id)} | fields)
    schema = pa.schema({"id": pa.string()} | VERDICTS)
    return pa.RecordBatch.from_pylist(rows, schema=schema)


def _number(name: object) -> str:
    return "null" if name is None else str(name)


def _checked_columns(games: pa.RecordBatch) -> dict[str, pa.Array]:
    """The columns by name, those of integers as int64.

    Raises:
        InvalidRecord: a column is missing or of a wrong type.
    """
    known = {
        name: games.column(name) for name in games.schema.names if name in ("id", *RULES, "moves")
    }
    moves = known.get("moves")
    if moves is None or not _is_list(moves.type):
        given = "none" if moves is None else str(moves.type)
        raise InvalidRecord(f"expected a column moves of lists of cell numbers, not {given}")
    for name in ("n", "k", "players"):
        if name in known and not pa.types.is_integer(known[name].type):
            raise InvalidRecord(f"expected a column {name} of integers, not {known[name].type}")
    if "shape" in known and not (
        _is_list(known["shape"].type) and pa.types.is_integer(known["shape"].type.value_type)
    ):
        raise InvalidRecord(f"expected a column shape of lists of sides, not {known['shape'].type}")
    if "early_draw" in known and not pa.types.is_boolean(known["early_draw"].type):
        raise InvalidRecord(
            f"expected a column early_draw of bools, not {known['early_draw'].type}"
        )
    if "id" in known and not (
        pa.types.is_integer(known["id"].type) or pa.types.is_string(known["id"].type)
    ):
        raise InvalidRecord(f"expected a column id of strings or integers, not {known['id'].type}")
    return known


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _stretches(columns: dict[str, pa.Array], rows: int) -> Iterator[tuple[int, int]]:
    """The longest runs of rows that are equal in all these columns."""
    changes = np.zeros(max(rows - 1, 0), bool)
    for column in columns.values():
        changes |= _changes(column)
    ends = [*(np.flatnonzero(changes) + 1).tolist(), rows]
    begin = 0
    for end in ends:
        if end > begin:
            yield begin, end
        begin = end


def _changes(column: pa.Array) -> np.ndarray[Any, Any]:
    """Where a row differs from the one before it."""
    if _is_list(column.type):
        lengths = column.value_lengths().fill_null(-1).to_numpy(zero_copy_only=False)
        if len(lengths) and lengths[0] > 0 and (lengths == lengths[0]).all():
            table = column.flatten().fill_null(-1).to_numpy(zero_copy_only=False)
            table = table.reshape(-1, lengths[0])
            return np.asarray((table[1:] != table[:-1]).any(axis=1))
        rows = column.to_pylist()
        return np.array([a != b for a, b in pairwise(rows)], bool)
    if column.null_count == len(column):
        return np.zeros(max(len(column) - 1, 0), bool)
    values = column.cast(pa.int64()).fill_null(np.iinfo(np.int64).min)
    array = values.to_numpy(zero_copy_only=False)
    return np.asarray(array[1:] != array[:-1])


def _numbered(moves: pa.Array, rules: Rules) -> tuple[pa.Array, np.ndarray[Any, Any]]:
    """Moves given as coordinates, as cell numbers, -1 off the board; and the coordinates.

    Raises:
        InvalidRecord: a move has not as many coordinates as the board has sides.
    """
    inner, sides = moves.values, len(rules.shape)
    if (np.diff(inner.offsets.to_numpy()) != sides).any() or inner.values.null_count:
        raise InvalidRecord(f"every move must be {sides} integers")
    if rules.cells >= 2**62:
        raise InvalidRecord(f"the cells of a {size(rules.shape)} board cannot be numbered")
    first = inner.offsets[0].as_py()
    cells = inner.values.to_numpy()[first : first + len(inner) * sides].reshape(-1, sides)
    numbers = np.zeros(len(cells), np.int64)
    on_board = np.ones(len(cells), bool)
    for axis, side in enumerate(rules.shape):
        at = cells[:, axis]
        on_board &= (at >= 0) & (at < side)
        numbers = numbers * side + at
    numbers[~on_board] = -1
    return pa.ListArray.from_arrays(moves.offsets, numbers), cells
