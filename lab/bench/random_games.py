"""Write complete random games as Parquet or JSON Lines, depending on the file's name.

.venv/bin/python lab/bench/random_games.py games.parquet
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import count as counting
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from noughts import Rules
from noughts.bulk.arrays import judge
from noughts.records import Record

Array = NDArray[Any]

CHUNK = 4_000_000  # cells created at once


def random_games(rules: Rules, count: int, seed: int | list[int] = 1) -> Array:
    """Create complete games, one per row, with uniformly random moves; -1 follows the end.

    Every row starts as all cells in random order and is cut where `judge` finds the first illegal
    move, which is the first one after the end of the game. In renju it can also be a foul. With
    gravity, every empty place of a column is equally likely.
    """
    cells = np.tile(np.arange(rules.cells, dtype=np.min_scalar_type(-rules.cells)), (count, 1))
    moves = np.random.default_rng(seed).permuted(cells, axis=1, out=cells)
    if rules.gravity:
        rows, columns = rules.shape
        for column in range(columns):
            moves[moves % columns == column] = np.tile(
                np.arange(rows)[::-1] * columns + column, count
            )
    ends = judge(moves, rules).ply
    moves[np.arange(rules.cells) >= ends[:, None]] = -1
    return moves


def as_ragged(moves: Array) -> tuple[Array, Array]:
    """Return the games without the -1s, as values and offsets."""
    made = moves >= 0
    return moves[made], np.concatenate([[0], np.cumsum(made.sum(axis=1, dtype=np.int32))])


def chunks(rules: Rules, count: int, seed: int) -> Iterator[Array]:
    """Yield `count` random games in chunks."""
    size = max(1, CHUNK // rules.cells)
    for number in range(0, count, size):
        yield random_games(rules, min(size, count - number), [seed, number])


def records(rules: Rules, games: Iterable[Array]) -> Iterator[Record]:
    """Yield the games one by one, numbered from 1."""
    cells = list(product(*map(range, rules.shape)))
    numbers = counting(1)
    for chunk in games:
        for row in chunk.tolist():
            yield Record(rules, tuple(cells[move] for move in row if move >= 0), next(numbers))


def write_parquet(path: Path, rules: Rules, games: Iterable[Array]) -> None:
    """Write the columns of a record: id, n or shape and k, and moves as cell numbers.

    The file is fast to read: no column is nullable, and ids are stored as differences.
    """
    first, writer = 1, None
    rule = (
        {"n": rules.k} if rules == Rules.square(rules.k) else {"shape": rules.shape, "k": rules.k}
    )
    for chunk in games:
        values, offsets = as_ragged(chunk)
        cells = pa.list_(pa.field("element", pa.from_numpy_dtype(values.dtype), nullable=False))
        columns = {"id": pa.array(np.arange(first, first + len(chunk)))}
        columns |= {name: pa.repeat(pa.scalar(value), len(chunk)) for name, value in rule.items()}
        columns["moves"] = pa.ListArray.from_arrays(offsets.astype(np.int32), values, type=cells)
        fields = [pa.field(name, column.type, nullable=False) for name, column in columns.items()]
        schema = pa.schema(fields)
        writer = writer or pq.ParquetWriter(
            path,
            schema,
            use_dictionary=[*rule, "moves.list.element"],
            column_encoding={"id": "DELTA_BINARY_PACKED"},
        )
        writer.write_batch(pa.record_batch(list(columns.values()), schema=schema))
        first += len(chunk)
    if writer is not None:
        writer.close()


def write(path: Path, rules: Rules, count: int, seed: int = 1) -> None:
    """Write `count` random games, which depend only on the seed."""
    games = chunks(rules, count, seed)
    if path.suffix == ".parquet":
        write_parquet(path, rules, games)
    else:
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{record.to_json()}\n" for record in records(rules, games))


def main() -> None:
    """Parse the arguments and write the file."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "file", type=Path, help="file to write; Parquet if its name ends in .parquet"
    )
    parser.add_argument("--count", type=int, default=100_000_000, help="number of games")
    parser.add_argument("--n", type=int, default=3, help="side of the board")
    parser.add_argument("--k", type=int, help="marks in a row that win (default: the whole side)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write(options.file, Rules((options.n, options.n), options.k), options.count, options.seed)


if __name__ == "__main__":
    main()
