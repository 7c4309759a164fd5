"""Fast judging of blocks of JSON Lines.

`noughts.records.json_lines` defines the format and its errors. PyArrow reads blocks of regular
lines with the same result, ten times as fast; that module reads all other blocks. Needs
``noughts[batch]``.
"""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow.json import ParseOptions, ReadOptions, read_json

from noughts.bulk.batches import Group, Judged, in_order, judged_batch
from noughts.bulk.columns import alike, integers
from noughts.bulk.verdict import CLAIMS, CODES, STATUSES, Verdict
from noughts.game.geometry import geometry_of
from noughts.game.rules import OPTIONS, Rules
from noughts.records import MAX_LINE
from noughts.records.record import encode

_INTEGERS = pa.list_(pa.int64())
_KINDS = {int: pa.int64(), bool: pa.bool_(), str: pa.string()}
_GAME = {
    "rules": pa.string(),
    "n": pa.int64(),
    "shape": _INTEGERS,
    "k": pa.int64(),
    **{name: _KINDS[type(option.usual)] for name, option in OPTIONS.items()},
    "moves": pa.list_(_INTEGERS),
    "result": pa.int64(),
}
_KEYS = {
    "id": pa.int64(),
    **_GAME,
    "names": pa.list_(pa.string()),
    "comment": pa.string(),
    "status": pa.string(),
    "winner": pa.int64(),
}
"""The keys of regular lines; only the id and `_GAME` are used."""

_TEXT = pa.large_string()


def judge_json_block(block: bytes, rules: Rules | None = None) -> Judged | None:
    """Judge whole lines of JSON; return None if a line is irregular.

    Lines that name no rules are judged by `rules`, as in `judge_batch`.
    """
    games = read_json_block(block)
    judged = None if games is None else judged_batch(games, rules=rules)
    if judged is None or judged.unreadable:
        return None
    return replace(judged, id_type=pa.string())  # other blocks may have strings


def read_json_block(block: bytes) -> pa.RecordBatch | None:
    """Read the games on whole lines of JSON; return None if a line is irregular.

    Regular lines have only the keys of records, none of them twice, no null except as winner, no
    integer of more than 64 bits, nothing around the braces, and ids of one type.
    """
    body = block.replace(b"\r\n", b"\n") if b"\r" in block else block
    body = body.removesuffix(b"\n")
    if len(block) > MAX_LINE and max(map(len, block.split(b"\n"))) >= MAX_LINE:
        return None
    # Every line must begin and end with a brace. A JSON object cannot contain "}\n{", so no object
    # spans two lines: if there are as many objects as lines, each line is one object.
    lines = body.count(b"\n") + 1
    if not (body.startswith(b"{") and body.endswith(b"}") and body.count(b"}\n{") == lines - 1):
        return None
    # Each key takes time. The first line usually has all keys that occur.
    first = body[: body.find(b"\n")]
    keys = [key for key in _KEYS if f'"{key}"'.encode() in first]
    table = _read(body, keys, first) or _read(body, list(_KEYS), body)
    if table is None or len(table) != lines or "moves" not in table.column_names:
        return None
    missing = {name: table[name].null_count for name in table.column_names}
    # PyArrow treats a null like a missing key, which is correct only for a winner.
    if missing["moves"] or body.count(b"null") != body.count(b'"winner":null'):
        return None
    there = [name for name in ("id", *_GAME) if missing.get(name, lines) < lines]
    return table.select(there).combine_chunks().to_batches()[0]


def _read(lines: bytes, keys: list[str], sample: bytes) -> pa.Table | None:
    """Read lines as a table; return None if they have other keys or other types.

    Whether ids are strings is decided by `sample`.
    """
    kinds = _KEYS | ({"id": pa.string()} if re.search(rb'"id"\s*:\s*"', sample) else {})
    try:
        lines.decode()  # PyArrow does not check for UTF-8
        return read_json(
            pa.py_buffer(lines),
            ReadOptions(use_threads=False, block_size=len(lines)),
            ParseOptions(
                explicit_schema=pa.schema({key: kinds[key] for key in keys}),
                unexpected_field_behavior="error",
            ),
        )
    except (UnicodeDecodeError, pa.ArrowInvalid):
        return None


def to_json(judged: Judged) -> bytes:
    """Write one line per verdict, identical to `Verdict.to_json`."""
    lines = pa.chunked_array([_group_to_json(group) for group in judged.groups], _TEXT)
    parts = []
    for chunk in in_order(lines, judged.groups).chunks:
        _, offsets, data = chunk.buffers()
        begin, end = np.frombuffer(offsets, np.int64)[[chunk.offset, chunk.offset + len(chunk)]]
        parts.append(memoryview(data or b"")[begin:end])
    return b"".join(parts)


def _group_to_json(group: Group) -> pa.Array:
    """Write verdicts as lines of JSON; parts that several of them share are written once."""
    import pyarrow.compute as pc  # slow to import, and Parquet does not need it

    heads, tails = _around_lines(group)
    ids = group.ids
    if not pa.types.is_integer(ids.type):
        ids = pa.array([None if id is None else encode(id) for id in ids.to_pylist()], _TEXT)
    lines, offsets = group.lines()
    examples, kinds = alike(lines[:, 0] * group.rules.cells + lines[:, -1])
    cell = geometry_of(group.rules).cell
    texts = [encode(list(map(cell, line))) for line in lines[examples].tolist()]
    by_game = pa.LargeListArray.from_arrays(offsets, pa.array(texts, _TEXT).take(integers(kinds)))
    begin, comma, between = (pa.scalar(text, _TEXT) for text in ('{"id":', ",", ""))
    ids = ids.cast(_TEXT).fill_null("null")
    return pc.binary_join_element_wise(
        begin, ids, heads, pc.binary_join(by_game, comma), tails, between
    )


def _around_lines(group: Group) -> tuple[pa.Array, pa.Array]:
    """Return each verdict's JSON between its id and its winning lines, and after the lines."""
    verdicts, (messages, message_of) = group.verdicts, group.messages()
    claims = np.zeros(len(verdicts), np.int8) if group.claims is None else group.claims
    kinds = group.standings() * np.int64(len(CLAIMS)) + claims
    kinds = kinds * np.int64(verdicts.ply.max(initial=0) + 1) + verdicts.ply
    kinds = kinds * len(messages) + message_of
    examples, kinds = alike(kinds)
    parts = []
    for i in examples.tolist():
        status: Any = STATUSES[verdicts.status[i]]
        verdict = Verdict(
            id=None,
            status=status,
            winner=int(verdicts.winner[i]) or None,
            ply=int(verdicts.ply[i]),
            claim=CLAIMS[claims[i]],
            code=CODES[verdicts.code[i]],
            message=messages[message_of[i]],
        )
        head, lines, tail = verdict.to_json().removeprefix('{"id":null').partition('"lines":[')
        parts.append((head + lines, tail + "\n"))
    heads, tails = zip(*parts, strict=True) if parts else ((), ())
    which = integers(kinds)
    return pa.array(heads, _TEXT).take(which), pa.array(tails, _TEXT).take(which)
