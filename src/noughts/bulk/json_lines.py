"""JSON Lines of many games at once: blocks of lines in, lines of verdicts out.

`noughts.records.json_lines` defines what a line means and what is wrong with one. PyArrow reads
blocks of ordinary lines to the same effect, ten times as fast; every other block is read there.
Needs ``noughts[batch]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BufferedReader, BytesIO
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow.json import ParseOptions, ReadOptions, read_json

from noughts.bulk.arrays import CODES, STATUSES, winning_lines
from noughts.bulk.batches import Array, Group, Judged, in_order, judged_batch
from noughts.errors import InvalidRecord
from noughts.geometry import geometry_of
from noughts.records import MAX_LINE, CallList, Record, Verdict
from noughts.records.json_lines import NumberedLine, read_lines, unless_empty, without_arguments
from noughts.records.record import encode

BLOCK = 1 << 19  # bytes of lines read in one go

_INTEGERS = pa.list_(pa.int64())
_GAME = {
    "n": pa.int64(),
    "shape": _INTEGERS,
    "k": pa.int64(),
    "players": pa.int64(),
    "early_draw": pa.bool_(),
    "moves": pa.list_(_INTEGERS),
}
_IGNORED = {"status": pa.string(), "winner": pa.int64(), "result": pa.int64()}
"""What a game may have besides; `noughts export` writes the first two."""

_TEXT = pa.large_string()
_NO_ID = '{"id":null'
"""What the JSON of a verdict begins with where there is no id."""


def judge_json_lines(
    file: BufferedReader, source: str
) -> Iterator[Judged | Record | CallList | InvalidRecord]:
    """The games of a file in their order: those of ordinary lines in batches, already judged.

    Args:
        file: opened for reading bytes.
        source: the name of the file, for the errors.
    """
    return unless_empty(_judge_blocks(file, source), source)


def _judge_blocks(
    file: BufferedReader, source: str
) -> Iterator[Judged | Record | CallList | InvalidRecord]:
    line = 1
    names: NumberedLine | None = None  # of a call list whose arguments come in the next block
    while block := _next_block(file):
        judged = None if names else judge_json_block(block)
        if judged is not None:
            yield judged
        else:
            names = yield from read_lines(BytesIO(block), source, line, names)
        line += _count_lines(block)
    if names:
        yield without_arguments(names, source)


def _next_block(file: BufferedReader) -> bytes:
    """Whole lines, as many as can be read now; of a line that is too long, the beginning."""
    block = file.read1(BLOCK)
    if block and not block.endswith(b"\n"):
        block += file.readline(MAX_LINE)
    end = block[-1:]
    while end not in (b"", b"\n"):
        end = file.readline(MAX_LINE)[-1:]
    return block


def _count_lines(block: bytes) -> int:
    return block.count(b"\n") + (not block.endswith(b"\n"))


def judge_json_block(block: bytes) -> Judged | None:
    """The verdicts on some whole lines of JSON, or None if a line is out of the ordinary."""
    games = read_json_block(block)
    judged = None if games is None else judged_batch(games)
    if judged is None or judged.unreadable:
        return None
    return replace(judged, id_type=pa.string())  # other blocks may have strings


def read_json_block(block: bytes) -> pa.RecordBatch | None:
    """The games of some whole lines of JSON, or None if a line is out of the ordinary.

    In ordinary lines there are no keys but those of records, no key twice, no null but that of a
    winner, no integer beyond 64 bits, nothing around the braces; and the ids are of one type.

    Cost: about 3 µs for a game of 3×3.
    """
    lines = _count_lines(block)
    if len(block) > MAX_LINE and max(map(len, block.split(b"\n"))) >= MAX_LINE:
        return None
    body = block.replace(b"\r\n", b"\n").removesuffix(b"\n")
    # Every line begins and ends with a brace. So no object goes over two lines, since in none
    # "}{" can stand, and if there are as many objects as lines, each line is one.
    if not (body.startswith(b"{") and body.endswith(b"}") and body.count(b"}\n{") == lines - 1):
        return None
    # PyArrow takes a null for a key left out; that is what it means for a winner alone.
    if body.count(b"null") != body.count(b'"winner":null'):
        return None
    id_type = pa.string() if re.search(rb'"id"\s*:\s*"', body) else pa.int64()
    schema = pa.schema({"id": id_type} | _GAME | _IGNORED)
    try:
        body.decode()  # PyArrow does not look whether it is UTF-8
        table = read_json(
            pa.py_buffer(body),
            ReadOptions(use_threads=False, block_size=len(body)),
            ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
        )
    except (UnicodeDecodeError, pa.ArrowInvalid):
        return None
    if len(table) != lines or table["moves"].null_count:
        return None
    there = [name for name in ("id", *_GAME) if table[name].null_count < lines]
    return table.select(there).combine_chunks().to_batches()[0]


def verdicts_to_json(judged: Judged) -> str:
    """The verdicts on many games as lines of JSON, as `Verdict.to_json` writes them."""
    lines = pa.chunked_array([_group_to_json(group) for group in judged.groups], _TEXT)
    return "".join(str(_data(chunk), "ascii") for chunk in in_order(lines, judged.groups).chunks)


def _group_to_json(group: Group) -> pa.Array:
    """The verdicts as lines of JSON; texts that differ in the id alone are made once."""
    verdicts, messages = group.verdicts, group.messages()
    lines, offsets = winning_lines(group.moves, group.rules, verdicts)
    examples, kinds = _alike(_kinds(group, lines, offsets))
    texts = []
    for i in examples.tolist():
        status: Any = STATUSES[verdicts.status[i]]
        verdict = Verdict(
            id=None,
            status=status,
            winner=int(verdicts.winner[i]) or None,
            ply=int(verdicts.ply[i]),
            lines=tuple(
                tuple(map(geometry_of(group.rules).cell, line))
                for line in lines[offsets[i] : offsets[i + 1]].tolist()
            ),
            code=CODES[verdicts.code[i]],
            message=messages.get(i),
        )
        texts.append(verdict.to_json().removeprefix(_NO_ID) + "\n")
    return _joined('{"id":', _ids_to_json(group.ids), pa.array(texts, _TEXT).take(kinds))


def _kinds(group: Group, lines: Array, offsets: Array) -> Array:
    """A number for each verdict; only those with the same JSON after the id have the same."""
    verdicts, begins, ends = group.verdicts, offsets[:-1], offsets[1:]
    won = ends > begins
    _, numbers = _alike(lines[:, 0] * group.rules.cells + lines[:, -1])
    numbers = np.append(numbers.to_numpy().astype(np.int64) + 1, 0)
    # The numbers of the first and the last line of each game, which has two lines at most; or else
    # the verdict, like one with a message, is of a kind of its own.
    first = np.where(won, numbers[np.where(won, begins, -1)], 0)
    last = np.where(won, numbers[np.where(won, ends - 1, -1)], 0)
    _, pairs = _alike(first * len(numbers) + last)
    plies = int(verdicts.ply.max(initial=0)) + 1
    kinds: Array = (group.standings() * np.int64(plies) + verdicts.ply) * len(
        won
    ) + pairs.to_numpy()
    alone = np.flatnonzero((ends - begins > 2) | (verdicts.code != 0))
    kinds[alone] = -1 - alone
    return kinds


def _alike(values: Array) -> tuple[Array, pa.Array]:
    """Where there is an example of each different value, and the number of each value's own."""
    encoded = pa.array(values).dictionary_encode()
    examples = np.zeros(len(encoded.dictionary), np.int64)
    examples[encoded.indices.to_numpy()] = np.arange(len(values))
    return examples, encoded.indices


def _ids_to_json(ids: pa.Array) -> pa.Array:
    if not pa.types.is_integer(ids.type):
        ids = pa.array([None if id is None else encode(id) for id in ids.to_pylist()], _TEXT)
    return ids.cast(_TEXT).fill_null("null")


def _joined(*columns: pa.Array | str) -> pa.Array:
    """The texts of each row, one after the other; a string stands for a column of it."""
    import pyarrow.compute as pc  # takes its time, and Parquet does without

    between = ""
    return pc.binary_join_element_wise(
        *(pa.scalar(of, _TEXT) if isinstance(of, str) else of for of in (*columns, between))
    )


def _data(texts: pa.Array) -> memoryview:
    """All texts one after the other, as they lie in memory."""
    _, offsets, data = texts.buffers()
    begin, end = np.frombuffer(offsets, np.int64)[[texts.offset, texts.offset + len(texts)]]
    return memoryview(data or b"")[begin:end]
