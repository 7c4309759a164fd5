"""Arrow batches made of any buffers: offsets that lie, nulls, slices, and every type of column."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from fuzz import Check
from noughts import NoughtsError, Rules
from noughts.bulk import judge, judge_batch

REFUSALS = (NoughtsError, TypeError, ValueError, MemoryError)
INTEGERS = [pa.int8(), pa.uint8(), pa.int16(), pa.int32(), pa.int64(), pa.uint64()]
RULES = [None, Rules(), Rules.connect_four(), Rules.gomoku("renju"), Rules((3, 3, 3))]
ORDERS = ["<", ">"]

batches = st.integers(0, 2**64 - 1)  # seeds; an example is a hundred batches


class Buffers(Random):
    """Columns of raw buffers, from a seed."""

    def bits(self, rows: int) -> Any:
        """Return a validity bitmap, or None."""
        return pa.py_buffer(self.randbytes(rows // 8 + 1)) if self.random() < 0.2 else None

    def numbers(self, kind: pa.DataType, rows: int) -> pa.Array:
        """Return integers, mostly cells of small boards."""
        data = [self.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 3, 5, 9, 40, -1, 127]) for _ in range(rows)]
        values = np.array(data, np.int64).astype(kind.to_pandas_dtype())
        if self.random() < 0.1:
            values = np.frombuffer(self.randbytes(values.nbytes), values.dtype)
        return pa.Array.from_buffers(kind, rows, [self.bits(rows), pa.py_buffer(values.copy())])

    def ends(self, rows: int, values: int, size: int) -> Any:
        """Return a buffer of offsets that ascend, and of others."""
        offsets = sorted(self.randint(0, values) for _ in range(rows + 1))
        for _ in range(self.choice([0, 0, 0, 1, 3])):
            at = self.randrange(rows + 1)
            offsets[at] = self.choice([-1, 0, values + 1, 2**31 - 1, -(2**31), self.randrange(99)])
        return pa.py_buffer(np.array(offsets, f"i{size}"))

    def lists(self, rows: int, depth: int) -> pa.Array:
        """Return lists of integers, or of such lists."""
        many = rows * self.choice([0, 2, 5, 9])
        items = self.numbers(self.choice(INTEGERS), many) if depth == 1 else self.lists(many, 1)
        large = self.random() < 0.3
        kind = (pa.large_list if large else pa.list_)(items.type)
        buffers = [self.bits(rows), self.ends(rows, many, 8 if large else 4)]
        return pa.Array.from_buffers(kind, rows, buffers, children=[items])

    def texts(self, rows: int) -> pa.Array:
        """Return texts, of which some are rules and some are not UTF-8."""
        data = b"".join(self.choice([b"3x3", b"renju", b"\xff", b"", b"ab"]) for _ in range(rows))
        ends = self.ends(rows, len(data), 4)
        return pa.Array.from_buffers(pa.string(), rows, [self.bits(rows), ends, pa.py_buffer(data)])

    def batch(self) -> pa.RecordBatch:
        """Return a batch of games."""
        rows = self.choice([0, 1, 5, 40, 200])
        columns = {"moves": self.lists(rows, self.choice([1, 1, 2]))}
        if self.random() < 0.7:
            n = np.full(rows, 3, np.int8)
            columns["n"] = pa.Array.from_buffers(pa.int8(), rows, [None, pa.py_buffer(n)])
        for name in self.sample(["id", "rules", "result", "k", "shape"], self.randrange(3)):
            by_text = name in ("id", "rules")
            if by_text or name == "shape":
                columns[name] = self.texts(rows) if by_text else self.lists(rows, 1)
            else:
                columns[name] = self.numbers(self.choice(INTEGERS), rows)
        batch = pa.RecordBatch.from_arrays([*columns.values()], [*columns])
        begin = self.randint(0, rows) if self.random() < 0.3 else 0
        return batch.slice(begin, self.randint(0, rows))

    def games(self) -> tuple[Any, Any]:
        """Return values and offsets as arrays of any byte order."""
        values = np.array([self.randint(-2, 11) for _ in range(300)])
        values = values.astype(self.choice(ORDERS) + self.choice(["i1", "i2", "i8"]))
        offsets = np.frombuffer(self.ends(40, 300, 8), np.int64)
        return values, offsets.astype(self.choice(ORDERS) + "i8")


@contextmanager
def judging_batches() -> Iterator[Check]:
    """Yield a check that batches are judged or rejected, with as many verdicts as games."""

    def check(seed: int) -> None:
        drawn = Buffers(seed)
        for _ in range(100):
            try:
                batch, rules = drawn.batch(), drawn.choice(RULES)  # PyArrow notices some lies
                verdicts = judge_batch(batch, drawn.choice([1, 2]), rules=rules)
            except REFUSALS:
                continue
            verdicts.validate(full=True)
            assert len(verdicts) == len(batch)
        with suppress(*REFUSALS):
            judge(drawn.games(), drawn.choice(RULES) or Rules())

    yield check
