"""Batches of games: from Arrow to Arrow.

`judge_batch` is the unit of all bulk work: one function from a batch of games to a batch of
verdicts, which runs as it is here, on Dask, on Spark and on Ray. Needs ``noughts[batch]``.

A batch of games has the columns of a record (see `noughts.records`): ``moves``, lists of row-major
cell numbers; ``n``, or ``shape`` and ``k``; and where wanted ``id``, ``players``, ``early_draw``.
Moves may also be lists of coordinates, and a null in a column of rules is a key left out. A batch
of verdicts has the columns of a `Verdict`, with lines as lists of cell numbers. A row that makes no
sense has no status, and a message that says why.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from json.encoder import encode_basestring_ascii
from typing import Any

import numpy as np
import pyarrow as pa

from noughts.bulk.arrays import CODES, STATUSES, Verdicts, coordinates, judge, winning_lines
from noughts.errors import CellTaken, GameOver, InvalidRecord, NoughtsError, OffBoard, size
from noughts.geometry import Cell
from noughts.records.record import rules_of_fields
from noughts.rules import Rules

RULES = ("n", "shape", "k", "players", "early_draw")
MAX_CELLS = 2**63 - 1  # a cell's number has 64 bits

_TEXT = pa.large_string()
_STATUS = pa.dictionary(pa.int8(), pa.string())
_STATUSES, _CODES = pa.array(STATUSES), pa.array(CODES[1:])
_UNCHANGED = np.array([encode_basestring_ascii(chr(i)) == f'"{chr(i)}"' for i in range(256)])
"""Which bytes of UTF-8 are in JSON as they are."""
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

    Cost: some 0.1 µs for a game of 3×3; some µs more for each change of rules from row to row.

    >>> games = pa.record_batch({"n": [3, 3], "moves": [[0, 3, 1, 4, 2], [0, 0]]})
    >>> judge_batch(games).select(["status", "winner", "lines", "code"]).to_pylist()[0]
    {'status': 'won', 'winner': 1, 'lines': [[0, 1, 2]], 'code': None}
    """
    return judged_batch(games, threads).to_batch()


@dataclass(frozen=True, slots=True)
class Judged:
    """A batch of games, and the verdicts on them.

    Attributes:
        groups: the games, by their rules.
        unreadable: the rows on which there are no verdicts, by the reason.
        id_type: what the ids become in a batch.
    """

    groups: list[Group]
    unreadable: list[Unreadable]
    id_type: pa.DataType

    def __len__(self) -> int:
        """How many rows the batch has."""
        return sum(len(part.rows) for part in self._parts)

    @property
    def _parts(self) -> list[Group | Unreadable]:
        return [*self.groups, *self.unreadable]

    def counts(self) -> Counter[str]:
        """How many games stand how: "won by 1", "draw" and so on."""
        counts: Counter[str] = Counter()
        for group in self.groups:
            counts += group.counts()
        return counts

    def to_batch(self) -> pa.RecordBatch:
        """The verdicts with the columns `VERDICTS`, row by row."""
        schema = verdict_schema(self.id_type)
        parts = self._parts
        table = pa.Table.from_batches([part.to_batch(schema) for part in parts], schema)
        if len(parts) > 1:
            table = table.take(_ascending([part.rows for part in parts]))
        batches = table.combine_chunks().to_batches()
        return batches[0] if batches else pa.RecordBatch.from_pylist([], schema)

    def to_json(self) -> str:
        """The verdicts as lines of JSON, as `Verdict.to_json` writes them."""
        lines = pa.chunked_array([group.to_json() for group in self.groups], _TEXT)
        if len(self.groups) > 1:
            lines = lines.take(_ascending([group.rows for group in self.groups]))
        return "".join(str(_data(chunk), "ascii") for chunk in lines.chunks)

    def problems(self) -> list[tuple[int, str]]:
        """The rows on which there are no verdicts, from 0, and why."""
        return sorted((row, part.reason) for part in self.unreadable for row in part.rows.tolist())


@dataclass(frozen=True, slots=True)
class Group:
    """Games of the same rules, and the verdicts on them.

    Attributes:
        rows: where they stand in their batch, ascending.
        rules: what was played.
        ids: the games' ids.
        moves: their moves, lists of cell numbers; -1 for a cell off the board.
        cells: the coordinates of each move, where they were given; else they follow from its
            number. An array of moves × sides.
        verdicts: of `noughts.bulk.arrays`.
    """

    rows: np.ndarray[Any, Any]
    rules: Rules
    ids: pa.Array
    moves: pa.Array
    cells: np.ndarray[Any, Any] | None
    verdicts: Verdicts

    def counts(self) -> Counter[str]:
        """How many games stand how: "won by 1", "draw" and so on."""
        standings = self._standings()
        counts: Counter[str] = Counter()
        for standing in range((self.rules.players + 1) * len(STATUSES)):
            winner, status = divmod(standing, len(STATUSES))
            number = int(np.count_nonzero(standings == standing))
            counts[f"won by {winner}" if winner else STATUSES[status]] += number
        return +counts

    def to_batch(self, schema: pa.Schema) -> pa.RecordBatch:
        """The verdicts, as the columns of the schema."""
        verdicts = self.verdicts
        lines, offsets = winning_lines(self.moves, self.rules, verdicts)
        each = np.arange(0, lines.size + 1, lines.shape[1], dtype=np.int32)
        messages = dict(self._messages())
        columns = [
            _of_type(self.ids, schema.field("id").type),
            pa.DictionaryArray.from_arrays(_array(verdicts.status), _STATUSES),
            _array(verdicts.winner, verdicts.winner != 0),
            _array(verdicts.ply),
            pa.ListArray.from_arrays(
                _array(offsets.astype(np.int32)),
                pa.ListArray.from_arrays(_array(each), _array(lines.ravel())),
            ),
            pa.DictionaryArray.from_arrays(
                _array(np.maximum(verdicts.code, 1) - 1, verdicts.code != 0), _CODES
            ),
            pa.array([messages.get(i) for i in range(len(verdicts))], pa.string())
            if messages
            else pa.nulls(len(verdicts), pa.string()),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    def to_json(self) -> pa.Array:
        """The verdicts as lines of JSON, as `Verdict.to_json` writes them."""
        return _concatenated(
            '{"id":', self._ids_as_json(), self._verdicts_as_json(), self._ends_as_json()
        )

    def _standings(self) -> np.ndarray[Any, Any]:
        """How each game stands, as one number: that of its winner and its status."""
        verdicts = self.verdicts
        return verdicts.winner * np.int8(len(STATUSES)) + verdicts.status

    def _ids_as_json(self) -> pa.Array:
        ids = self.ids.cast(_TEXT)
        if not pa.types.is_integer(self.ids.type):
            ids = _quoted(ids)
        return ids.fill_null("null")

    def _verdicts_as_json(self) -> pa.Array:
        """What comes after the ids, up to the reasons; each different text is written once."""
        verdicts = self.verdicts
        lines, numbers = self._lines_as_json()
        plies = int(verdicts.ply.max(initial=0)) + 1
        kinds = (self._standings() * np.int64(plies) + verdicts.ply) * len(lines) + numbers
        encoded = pa.array(kinds).dictionary_encode()
        texts = []
        for kind in encoded.dictionary.to_pylist():
            rest, line = divmod(kind, len(lines))
            standing, ply = divmod(rest, plies)
            winner, status = divmod(standing, len(STATUSES))
            texts.append(
                f',"status":"{STATUSES[status]}","winner":{winner or "null"},"ply":{ply},'
                f'"lines":[{lines[line]}]'
            )
        return pa.array(texts, _TEXT).take(encoded.indices)

    def _lines_as_json(self) -> tuple[list[str], np.ndarray[Any, Any]]:
        """What the winning lines of a game can be, in words, and the number of each game's own."""
        rules = self.rules
        lines, offsets = winning_lines(self.moves, rules, self.verdicts)
        counts = np.diff(offsets)
        ends = np.arange(len(lines))
        if rules.cells < 2**31:
            ends = lines[:, 0] * rules.cells + lines[:, -1]
        encoded = pa.array(ends).dictionary_encode()
        numbers = encoded.indices.to_numpy() + 1
        examples = np.zeros(len(encoded.dictionary), np.int64)
        examples[numbers - 1] = np.arange(len(lines))
        texts = ["", *map(self._line_as_json, lines[examples].tolist())]
        of_games = np.zeros(len(self.verdicts), np.int64)
        of_games[counts > 0] = numbers[offsets[:-1][counts > 0]]
        # Most games have one line or none; what the others have is written after those.
        known: dict[tuple[int, ...], int] = {}
        for game in np.flatnonzero(counts > 1).tolist():
            several = tuple(numbers[offsets[game] : offsets[game + 1]].tolist())
            if several not in known:
                known[several] = len(texts)
                texts.append(",".join(texts[i] for i in several))
            of_games[game] = known[several]
        return texts, of_games

    def _line_as_json(self, line: list[int]) -> str:
        cells = [coordinates(cell, self.rules) for cell in line]
        return json.dumps(cells, separators=(",", ":"))

    def _ends_as_json(self) -> pa.Array | str:
        """How the lines end; those of the illegal games say why they are."""
        messages = dict(self._messages())
        ends = ["}\n"] * len(self.verdicts) if messages else []
        for i, message in messages.items():
            code = CODES[self.verdicts.code[i]]
            ends[i] = f',"code":"{code}","message":{encode_basestring_ascii(message)}}}\n'
        return pa.array(ends, _TEXT) if messages else "}\n"

    def _messages(self) -> Iterator[tuple[int, str]]:
        """Why the illegal games are, in words, each with its number."""
        verdicts = self.verdicts
        winners = self._winners_of(np.flatnonzero(verdicts.code == CODES.index(GameOver.code)))
        for i in np.flatnonzero(verdicts.code).tolist():
            code = CODES[verdicts.code[i]]
            if code == GameOver.code:
                yield i, str(GameOver.of(winners[i]))
            elif code == CellTaken.code:
                yield i, str(CellTaken.of(self._refused_cell(i)))
            else:
                yield i, str(OffBoard.of(self._refused_cell(i), self.rules.shape))

    def _winners_of(self, games: np.ndarray[Any, Any]) -> dict[int, int | None]:
        """Who had won, or None for a draw, the games that were played on after their end."""
        if not len(games):
            return {}
        moves = [self.moves[i].as_py()[: self.verdicts.ply[i]] for i in games.tolist()]
        ended = judge(pa.array(moves, pa.list_(self.moves.type.value_type)), self.rules)
        return {i: int(w) or None for i, w in zip(games.tolist(), ended.winner, strict=True)}

    def _refused_cell(self, game: int) -> Cell:
        if not self.moves[game].is_valid:
            return coordinates(-1, self.rules)
        at = self.moves.offsets[game].as_py() + int(self.verdicts.ply[game])
        if self.cells is not None:
            return tuple(self.cells[at].tolist())
        number = self.moves.values[at].as_py()
        return coordinates(-1 if number is None else number, self.rules)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Rows on which there are no verdicts.

    Attributes:
        rows: where they stand in their batch, ascending.
        ids: the rows' ids.
        reason: what is wrong with all of them.
    """

    rows: np.ndarray[Any, Any]
    ids: pa.Array
    reason: str

    def to_batch(self, schema: pa.Schema) -> pa.RecordBatch:
        """No verdicts, as the columns of the schema."""
        columns = [pa.nulls(len(self.ids), kind) for kind in schema.types]
        columns[0] = _of_type(self.ids, schema.field("id").type)
        columns[-1] = pa.array([self.reason] * len(self.ids), pa.string())
        return pa.RecordBatch.from_arrays(columns, schema=schema)


def judged_batch(games: pa.RecordBatch, threads: int = 1) -> Judged:
    """The verdicts on a batch of games, before they are written in some form.

    Args:
        games, threads: as for `judge_batch`.

    Raises:
        InvalidRecord: a column is missing or of a wrong type.
    """
    columns = _checked_columns(games)
    ids = columns.pop("id", pa.nulls(len(games), pa.string()))
    moves = columns.pop("moves")
    judged = Judged([], [], ids.type)
    for rows, fields in _by_rules(columns, len(games)):
        try:
            rules = rules_of_fields(fields)
        except (NoughtsError, TypeError) as error:
            judged.unreadable.append(Unreadable(rows, _taken(ids, rows), str(error)))
            continue
        if rules.cells > MAX_CELLS:
            judged.unreadable.append(Unreadable(rows, _taken(ids, rows), not_numbered(rules)))
            continue
        cells = None
        here = _taken(moves, rows)
        if _is_list(moves.type.value_type):
            misfits = _misfits(here, len(rules.shape))
            if misfits.any():
                reason = f"every move must be {len(rules.shape)} integers"
                bad, rows = rows[misfits], rows[~misfits]
                judged.unreadable.append(Unreadable(bad, _taken(ids, bad), reason))
                here = _taken(moves, rows)
            here, cells = _numbered(here, rules)
        verdicts = judge(here, rules, threads=threads)
        judged.groups.append(Group(rows, rules, _taken(ids, rows), here, cells, verdicts))
    return judged


def verdict_schema(id_type: pa.DataType) -> pa.Schema:
    """The columns of a batch of verdicts, with ids of this type."""
    return pa.schema({"id": id_type} | VERDICTS)


def not_numbered(rules: Rules) -> str:
    """Why games by rules of more than `MAX_CELLS` cells have no place in a batch."""
    return f"the cells of a {size(rules.shape)} board have no numbers of 64 bits"


def _checked_columns(games: pa.RecordBatch) -> dict[str, pa.Array]:
    """The columns that matter, by name.

    Raises:
        InvalidRecord: a column is missing, there twice or of a wrong type.
    """
    known = {}
    for name, (is_right, expected) in _COLUMNS.items():
        indices = games.schema.get_all_field_indices(name)
        if len(indices) > 1:
            raise InvalidRecord(f"expected one column {name}, not {len(indices)}")
        kind = games.schema.field(indices[0]).type if indices else pa.null()
        if is_right(kind):
            known[name] = games.column(indices[0])
        elif kind != pa.null() or name == "moves":
            given = kind if indices else "none"
            raise InvalidRecord(f"expected a column {name} of {expected}, not {given}")
    return known


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))


def _is_integers(kind: pa.DataType) -> bool:
    return _is_list(kind) and bool(pa.types.is_integer(kind.value_type))


def _is_moves(kind: pa.DataType) -> bool:
    return _is_integers(kind) or (_is_list(kind) and _is_integers(kind.value_type))


def _is_id(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_integer(kind) or types.is_string(kind) or types.is_large_string(kind))


_COLUMNS = {
    "id": (_is_id, "strings or integers"),
    "n": (pa.types.is_integer, "integers"),
    "shape": (_is_integers, "lists of integers"),
    "k": (pa.types.is_integer, "integers"),
    "players": (pa.types.is_integer, "integers"),
    "early_draw": (pa.types.is_boolean, "booleans"),
    "moves": (_is_moves, "lists of cell numbers"),
}


def _by_rules(
    columns: dict[str, pa.Array], rows: int
) -> Iterator[tuple[np.ndarray[Any, Any], dict[str, Any]]]:
    """The rows that are equal in these columns, ascending, and what they hold but nulls."""
    if not rows:
        return
    changes = np.zeros(rows - 1, bool)
    for column in columns.values():
        changes |= _changes(column)
    begins = [0, *(np.flatnonzero(changes) + 1).tolist()]  # of stretches of equal rows
    kinds = [{name: column[i].as_py() for name, column in columns.items()} for i in begins]
    numbers: dict[str, int] = {}
    of_kinds = [numbers.setdefault(repr(kind), len(numbers)) for kind in kinds]
    if len(numbers) == 1:
        groups = [np.arange(rows)]
    else:
        of_rows = np.repeat(of_kinds, np.diff(np.append(begins, rows)))
        order = np.argsort(of_rows, kind="stable")
        groups = np.split(order, np.cumsum(np.bincount(of_rows))[:-1])
    for equal in groups:
        kind = kinds[np.searchsorted(begins, equal[0])]
        yield equal, {name: value for name, value in kind.items() if value is not None}


def _of_type(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """The column, cast if need be."""
    # A cast to the same type would change nothing but import pyarrow.compute, which takes its time.
    return column if column.type == kind else column.cast(kind)


def _taken(column: pa.Array, rows: np.ndarray[Any, Any]) -> pa.Array:
    """The rows of a column, ascending; without copying them where they are neighbours."""
    if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
        return column[rows[0] : rows[-1] + 1]
    return column.take(pa.array(rows))


def _changes(column: pa.Array) -> np.ndarray[Any, Any]:
    """Where a row differs from the one before it."""
    if _is_list(column.type):
        lengths = column.value_lengths()
        changes = _changes(lengths)
        if changes.any():
            return np.array([a != b for a, b in pairwise(column.to_pylist())], bool)
        import pyarrow.compute as pc  # as in `_of_type`

        for i in range((len(lengths) and lengths[0].as_py()) or 0):
            changes |= _changes(pc.list_element(column, i))
        return changes
    if not column.null_count:
        values = column.to_numpy(zero_copy_only=False)
        return np.asarray(values[1:] != values[:-1])
    there = column.is_valid().to_numpy(zero_copy_only=False)
    changes = _changes(column.fill_null(pa.scalar(0).cast(column.type)))
    return np.asarray(changes | (there[1:] != there[:-1]))


def _ascending(rows: Sequence[np.ndarray[Any, Any]]) -> pa.Array:
    """Where, among parts one after the other, each row is that comes next in their batch."""
    return pa.array(np.argsort(np.concatenate(rows)))


def _concatenated(*columns: pa.Array | str) -> pa.Array:
    """The texts of each row, one after the other; a text in place of a column is that of all."""
    import pyarrow.compute as pc  # as in `_of_type`

    between = ""
    return pc.binary_join_element_wise(
        *(pa.scalar(of, _TEXT) if isinstance(of, str) else of for of in (*columns, between))
    )


def _quoted(texts: pa.Array) -> pa.Array:
    """The texts as JSON."""
    if _UNCHANGED[np.frombuffer(_data(texts), np.uint8)].all():
        return _concatenated('"', texts, '"')
    quoted = [text if text is None else encode_basestring_ascii(text) for text in texts.to_pylist()]
    return pa.array(quoted, _TEXT)


def _data(texts: pa.Array) -> memoryview:
    """All texts one after the other, as they lie in memory."""
    _, offsets, data = texts.buffers()
    begin, end = np.frombuffer(offsets, np.int64)[[texts.offset, texts.offset + len(texts)]]
    return memoryview(data or b"")[begin:end]


def _array(values: np.ndarray[Any, Any], there: np.ndarray[Any, Any] | None = None) -> pa.Array:
    """The values, contiguous integers that are not copied; nulls where they are not there."""
    # pa.array does the same, but imports numpy.ma, and with a mask searches for pandas each time.
    bits = None if there is None else pa.py_buffer(np.packbits(there, bitorder="little"))
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [bits, pa.py_buffer(values)])


def _misfits(moves: pa.Array, sides: int) -> np.ndarray[Any, Any]:
    """Which games have a move that is not so many integers."""
    inner = moves.flatten()
    widths = inner.value_lengths().fill_null(-1).to_numpy(zero_copy_only=False)
    bad = widths != sides
    values = inner.flatten()
    if values.null_count:
        nulls = values.is_null().to_numpy(zero_copy_only=False)
        bad[np.repeat(np.arange(len(inner)), np.maximum(widths, 0))[nulls]] = True
    misfits = np.zeros(len(moves), bool)
    if bad.any():
        lengths = moves.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        misfits[np.repeat(np.arange(len(moves)), lengths)[bad]] = True
    return misfits


def _numbered(moves: pa.Array, rules: Rules) -> tuple[pa.Array, np.ndarray[Any, Any]]:
    """Moves given as coordinates, as cell numbers, -1 off the board; and the coordinates."""
    lengths = moves.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    cells = moves.flatten().flatten().to_numpy(zero_copy_only=False)
    cells = cells.reshape(-1, len(rules.shape))
    wide = cells.astype(np.int64, copy=False)
    unsigned = wide.view(np.uint64)  # in which no side is as large as a negative number
    numbers = np.zeros(len(cells), np.int64)
    on_board = np.ones(len(cells), bool)
    for axis, side in enumerate(rules.shape):
        on_board &= unsigned[:, axis] < side
        numbers *= side
        numbers += wide[:, axis]
    numbers[~on_board] = -1
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    nulls = moves.is_null() if moves.null_count else None
    return pa.LargeListArray.from_arrays(offsets, pa.array(numbers), mask=nulls), cells
