"""Judging Arrow batches: games in, verdicts out.

`judge_batch` is the unit of all bulk work: it runs unchanged on Dask, Spark and Ray. Needs
``noughts[batch]``.

A batch of games has the columns of a record (see `noughts.records`): ``moves``, lists of row-major
cell numbers or of coordinates; ``rules`` as text, or ``n``, or ``shape`` and ``k``, with
``players``, ``early_draw``, ``gravity`` and ``variant`` if needed; and optionally ``id`` and
``result``. A null in a column of rules stands for a missing key. Rows without ``rules``, ``n`` and
``shape`` are judged by the argument `rules`, which their other columns override.

A batch of verdicts has the columns of a `Verdict`, with lines as lists of cell numbers. An
unreadable row has no status, and its message gives the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from noughts.arguments import thread_count
from noughts.bulk.arrays import Ends, Verdicts, judge_with_ends, lines_of
from noughts.bulk.games import Games, columns_of, games_of, reader_of
from noughts.bulk.verdict import CLAIMS, CODES, STATUSES, illegal_move, standing
from noughts.errors import (
    Foul,
    GameOver,
    InvalidRecord,
    NoughtsError,
    did_you_mean,
    short_repr,
)
from noughts.extras import require_extra
from noughts.game.geometry import Cell, geometry_of
from noughts.game.rules import MAX_CELLS, Rules, as_rules
from noughts.records.record import rules_of_fields

with require_extra("judging Arrow batches", "PyArrow", "batch"):
    import numpy as np
    import pyarrow as pa

    from noughts.bulk import columns as col
    from noughts.bulk.columns import Array

_WORD = pa.dictionary(pa.int8(), pa.string())
_STATUSES, _CLAIMS, _CODES = map(col.texts, (STATUSES, CLAIMS[1:], CODES[1:]))
VERDICTS = {
    "status": _WORD,
    "winner": pa.int8(),
    "ply": pa.int32(),
    "lines": pa.list_(pa.list_(pa.int64())),
    "code": _WORD,
    "message": pa.string(),
    "claim": _WORD,
}
"""The columns of a batch of verdicts after ``id``, whose type is the same as in the games."""


def judge_batch(
    games: Any,
    threads: int = 1,
    *,
    rules: Rules | str | None = None,
    columns: Sequence[str] | None = None,
) -> pa.RecordBatch | pa.Table:
    """Judge a batch or table of games and return one verdict per row.

    The columns are described at the top of this module.

    Args:
        games: a PyArrow batch; or a table of any library that supports Arrow's C interface, in any
            number of batches, a dataset, a lazy query of Polars, which is collected as a stream, a
            stream's capsule, a dict of columns, or a list of dicts.
        threads: number of threads, 1 to 1,024.
        rules: the rules of rows that name none, as `Rules` or text.
        columns: the columns of verdicts to return, in this order; None for all.

    Returns:
        A batch for a batch; otherwise a PyArrow table, which every such library reads.

    Raises:
        TypeError: `games` is not a table, or `threads` is not an integer.
        InvalidRules: `rules` are not the text of rules.
        InvalidRecord: a column is missing or of the wrong type, `columns` has an unknown name, or a
            library cannot export its data as Arrow.
        ValueError: `threads` is less than 1 or more than 1,024.

    Cost: rows of equal rules are judged together, so rules that differ from row to row take longer.
    Batches of games are released once they are judged. Of datasets and lazy queries, only the
    columns of a record are read. Lines and messages take time only if they are returned. Types that
    are not plain, such as Polars' strings, are copied.

    >>> games = pa.record_batch({"n": [3, 3], "moves": [[0, 3, 1, 4, 2], [0, 0]]})
    >>> judge_batch(games).select(["status", "winner", "lines", "code"]).to_pylist()[0]
    {'status': 'won', 'winner': 1, 'lines': [[0, 1, 2]], 'code': None}
    >>> judge_batch({"moves": [[35, 36]]}, rules="connect-four", columns=["ply"]).to_pylist()
    [{'ply': 2}]
    """
    try:
        threads = thread_count(threads)
    except TypeError as error:
        raise TypeError(f"{error}{_meant_as_rules(threads)}") from None
    rules = None if rules is None else as_rules(rules)
    names = known_columns(columns)
    if isinstance(games, pa.RecordBatch):
        return judged_batch(games, threads, rules).to_batch(names)
    reader = reader_of(games)
    parts = [_judged(columns, threads, rules).to_batch(names) for columns in columns_of(reader)]
    if not parts:
        nothing = [pa.nulls(0, kind) for kind in reader.schema.types]
        parts = [judged_batch(pa.record_batch(nothing, reader.schema)).to_batch(names)]
    return pa.Table.from_batches(parts)


def _meant_as_rules(threads: Any) -> str:
    """Return what to write if this is the rules of the games, or nothing."""
    with suppress(NoughtsError, TypeError):
        return f"; for rules, write rules={short_repr(str(as_rules(threads)))}"
    return ""


def known_columns(names: Sequence[str] | None) -> list[str]:
    """Return the names of columns of verdicts, or of all for None.

    Raises TypeError if they are not names, and InvalidRecord if one is unknown or named twice.
    """
    known = ["id", *VERDICTS]
    if names is None:
        return known
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"columns must be a list of names, not {short_repr(names)}")
    for name in names:
        if name not in known:
            near = did_you_mean(name, known) or f"; the columns are {', '.join(known)}"
            raise InvalidRecord(f"verdicts have no column {short_repr(name)}{near}")
    if len(set(names)) < len(names):
        raise InvalidRecord(f"columns must differ, got {short_repr(list(names))}")
    return list(names)


def verdict_schema(id_type: pa.DataType, names: Sequence[str] | None = None) -> pa.Schema:
    """Return the schema of a batch of verdicts with ids of this type; `names` selects columns."""
    kinds = {"id": id_type} | VERDICTS
    return pa.schema({name: kinds[name] for name in (kinds if names is None else names)})


@dataclass(frozen=True, slots=True)
class Judged:
    """A batch of games and their verdicts.

    Attributes:
        groups: the games, grouped by their rules.
        unreadable: the rows without a verdict, grouped by the reason.
        id_type: the type of the ids in `to_batch`.
    """

    groups: list[Group]
    unreadable: list[Unreadable]
    id_type: pa.DataType

    def counts(self) -> Counter[str]:
        """Count the games of each standing, such as "won by 1", and of each claim."""
        counts: Counter[str] = Counter()
        for group in self.groups:
            for number, games in enumerate(np.bincount(group.standings()).tolist()):
                winner, status = divmod(number, len(STATUSES))
                counts[standing(STATUSES[status], winner)] += games
            if group.claims is not None:
                claims = np.bincount(group.claims, minlength=len(CLAIMS)).tolist()
                counts.update(dict(zip(map(str, CLAIMS[1:]), claims[1:], strict=True)))
        return +counts

    def problems(self) -> list[tuple[int, str]]:
        """Return each row without a verdict, counted from 0, with the reason."""
        return sorted((row, part.reason) for part in self.unreadable for row in part.rows.tolist())

    def set_aside(self, rows: Array, ids: pa.Array, bad: Array, reason: str) -> Array:
        """Record the bad rows as unreadable; return the others."""
        if not bad.any():
            return rows
        self.unreadable.append(Unreadable(rows[bad], col.take(ids, rows[bad]), reason))
        return rows[~bad]

    def to_batch(self, names: Sequence[str] | None = None) -> pa.RecordBatch:
        """Return one verdict per row, with all columns or those with these names."""
        schema = verdict_schema(self.id_type, names)
        parts: list[Group | Unreadable] = [*self.groups, *self.unreadable]
        if len(parts) == 1:
            return parts[0].to_batch(schema)
        table = pa.Table.from_batches([part.to_batch(schema) for part in parts], schema)
        table = in_order(table, parts).combine_chunks()
        return (table.to_batches() or [pa.RecordBatch.from_pylist([], schema)])[0]


@dataclass(frozen=True, slots=True)
class Group:
    """Games of the same rules and their verdicts.

    Attributes:
        rows: their rows in the batch, ascending.
        moves: lists of cell numbers; -1 for a cell off the board.
        arrays: the same as arrays.
        cells: the coordinates of each move, moves × sides; None if moves were given as numbers.
        ends: how the games ended.
        claims: an index into `CLAIMS` for each game; None if no game claims a result.
    """

    rows: Array
    rules: Rules
    ids: pa.Array
    moves: pa.Array
    arrays: list[Games]
    cells: Array | None
    verdicts: Verdicts
    ends: Ends
    claims: Array | None = None

    def with_claims(self, results: pa.Array) -> Group:
        """Return a copy with each game's claim checked; `results` covers the whole batch."""
        result = col.take(results, self.rows).cast(pa.int8()).fill_null(-1)
        result = result.to_numpy(zero_copy_only=False)
        status, code = self.verdicts.status, self.verdicts.code
        winner = self.verdicts.winner.copy()
        fouls = (code == CODES.index(Foul.code)) & (
            self.verdicts.ply + 1 == col.lengths(self.moves)
        )
        winner[fouls] = 2
        over = code == CODES.index(GameOver.code)
        winner[over] = self.ends.winner[over]
        decided = (status == STATUSES.index("won")) | (status == STATUSES.index("draw")) | fouls
        decided[over] = True
        claims = np.where(decided, np.where(winner == result, 1, 2), 3).astype(np.int8)
        claims[result < 0] = 0
        return replace(self, claims=claims)

    def standings(self) -> Array:
        """Return winner · 4 + status for each game."""
        return self.verdicts.winner * np.int8(len(STATUSES)) + self.verdicts.status

    def to_batch(self, schema: pa.Schema) -> pa.RecordBatch:
        """Return the verdicts, with the columns of the schema."""
        columns = [self._column(field.name, field.type) for field in schema]
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    def _column(self, name: str, kind: pa.DataType) -> pa.Array:
        """Return a column of the verdicts."""
        verdicts = self.verdicts
        if name == "id":
            return col.cast(self.ids, kind)
        if name == "status":
            return _words(col.integers(verdicts.status), _STATUSES)
        if name == "winner":
            return col.integers(verdicts.winner, verdicts.winner != 0)
        if name == "ply":
            return col.integers(verdicts.ply)
        if name == "lines":
            return self._lines_column()
        if name == "code":
            return _words_or_null(verdicts.code, _CODES)
        if name == "claim" and self.claims is not None:
            return _words_or_null(self.claims, _CLAIMS)
        if name == "message" and verdicts.code.any():
            messages, kinds = self.messages()
            return col.texts(messages).take(col.integers(kinds))
        return pa.nulls(len(verdicts), kind)  # no claims, or no messages

    def lines(self) -> tuple[Array, Array]:
        """Return the winning lines, lines × k cells, and the offsets where each game's begin."""
        return lines_of(self.arrays, self.rules, self.verdicts, self.ends)

    def _lines_column(self) -> pa.Array:
        lines, offsets = self.lines()
        each = np.arange(0, lines.size + 1, lines.shape[1], dtype=np.int32)
        return pa.ListArray.from_arrays(
            col.integers(offsets.astype(np.int32)),
            pa.ListArray.from_arrays(col.integers(each), col.integers(lines.ravel())),
        )

    def messages(self) -> tuple[list[str | None], Array]:
        """Return the different messages, None for legal games, and the index of each game's own.

        Games that are illegal for the same reason share a message, so that few are written.
        """
        codes = self.verdicts.code
        reasons = self.ends.winner.astype(np.int64)
        refused = np.flatnonzero((codes != 0) & (codes != CODES.index(GameOver.code)))
        reasons[refused] = self._reasons(refused)
        examples, kinds = col.alike(reasons * len(CODES) + codes)
        return [self._message(i) for i in examples.tolist()], kinds

    def _reasons(self, games: Array) -> Array:
        """Return a number for each of these games whose move was refused.

        Games with the same code and number have the same message. The number is that of the cell,
        or beyond all cells if the message depends on more than the cell.
        """
        own = np.arange(len(games)) + MAX_CELLS
        if self.moves.null_count or self.moves.values.null_count:
            return own
        values, offsets = self.moves.values.to_numpy(), self.moves.offsets.to_numpy()
        cells = values[offsets[games] + self.verdicts.ply[games]]
        least = -MAX_CELLS if self.cells is None else 0  # coordinates off the board have no number
        apart = (cells < least) | (cells >= MAX_CELLS)
        apart |= self.verdicts.code[games] == CODES.index(Foul.code)
        return np.where(apart, own, cells.astype(np.int64))

    def _message(self, i: int) -> str | None:
        """Return the message on an illegal game, None for a legal one."""
        code = CODES[self.verdicts.code[i]]
        if code is None:
            return None
        return str(illegal_move(code, self.rules, self._refused(i), int(self.ends.winner[i])))

    def _refused(self, i: int) -> list[Cell]:
        """Return the illegal move of a game; for a foul, after all moves before it."""
        cell = geometry_of(self.rules).cell
        if not self.moves[i].is_valid:
            return [cell(-1)]
        begin, ply = self.moves.offsets[i].as_py(), int(self.verdicts.ply[i])
        first = begin if CODES[self.verdicts.code[i]] == Foul.code else begin + ply
        if self.cells is not None:
            return [*map(tuple, self.cells[first : begin + ply + 1].tolist())]
        numbers = self.moves.values[first : begin + ply + 1].to_pylist()
        return [cell(-1 if number is None else number) for number in numbers]


def _words(indices: pa.Array, words: pa.Array) -> pa.Array:
    """Return words by their indices, which are ours and need no check."""
    return pa.DictionaryArray.from_arrays(indices, words, safe=False)


def _words_or_null(numbers: Array, words: pa.Array) -> pa.Array:
    """Return words by their numbers, which begin at 1; 0 stands for null."""
    if not numbers.any():
        return _words(pa.nulls(len(numbers), pa.int8()), words)
    return _words(col.integers(np.maximum(numbers, 1) - 1, numbers != 0), words)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Rows without a verdict, ascending, with their ids and the reason."""

    rows: Array
    ids: pa.Array
    reason: str

    def to_batch(self, schema: pa.Schema) -> pa.RecordBatch:
        """Return the ids and the reason, with nulls in the other columns of the schema."""
        count = len(self.ids)
        # take refuses texts that are too long for offsets of 32 bits, while repeat would wrap them
        reasons = col.texts([self.reason]).take(col.integers(np.zeros(count, np.int8)))
        given = {"id": self.ids, "message": reasons}
        columns = [
            col.cast(given[field.name], field.type)
            if field.name in given
            else pa.nulls(count, field.type)
            for field in schema
        ]
        return pa.RecordBatch.from_arrays(columns, schema=schema)


def judged_batch(games: pa.RecordBatch, threads: int = 1, rules: Rules | None = None) -> Judged:
    """Judge a batch like `judge_batch`, without converting the verdicts to Arrow or JSON."""
    return _judged(col.checked(games), threads, rules)


def _judged(columns: dict[str, pa.Array], threads: int, rules: Rules | None) -> Judged:
    """Judge the checked columns of a batch."""
    count = len(columns["moves"])
    ids, garbled = pa.nulls(count, pa.string()), np.zeros(0, np.int64)
    if "id" in columns:
        ids, garbled = col.readable(columns.pop("id"))
    moves, results = columns.pop("moves"), columns.pop("result", None)
    judged = Judged([], [], ids.type)
    if len(garbled):
        judged.unreadable.append(Unreadable(garbled, col.take(ids, garbled), "id must be UTF-8"))
    groups = list(col.rows_by_value(columns, count))
    if len(groups) > 1 or len(garbled) or results is not None:
        col.validate(moves, "moves")  # PyArrow will take some of the rows
    for rows, fields in groups:
        if len(garbled):
            rows = np.setdiff1d(rows, garbled, assume_unique=True)
        try:
            known = rules_of_fields(fields, rules)
        except (NoughtsError, TypeError) as error:
            judged.unreadable.append(Unreadable(rows, col.take(ids, rows), str(error)))
            continue
        if results is not None:
            bad = col.outside(col.take(results, rows), known.players)
            reason = f"result must be 1 to {known.players}, or 0 for a draw"
            rows = judged.set_aside(rows, ids, bad, reason)
        here, cells = col.take(moves, rows), None
        if col.is_list(moves.type.value_type):
            reason = f"every move must be {len(known.shape)} integers"
            rows = judged.set_aside(rows, ids, col.misfits(here, len(known.shape)), reason)
            here, cells = col.numbered(col.take(moves, rows), known)
        arrays = games_of(here)
        verdicts, ends = judge_with_ends(arrays, known, threads)
        group = Group(rows, known, col.take(ids, rows), here, arrays, cells, verdicts, ends)
        judged.groups.append(group if results is None else group.with_claims(results))
    return judged


def in_order(together: Any, parts: Sequence[Group | Unreadable]) -> Any:
    """Reorder rows that are grouped by part to the order of the batch."""
    if len(parts) < 2:
        return together
    return together.take(pa.array(np.argsort(np.concatenate([part.rows for part in parts]))))
