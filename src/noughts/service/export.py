"""All games of a store as records, for ``noughts judge`` and whoever studies them.

Status, winner and termination tell what a record does not: who waits, plays on or has resigned,
whose time was up, and what was agreed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import IO

from msgspec import json

from noughts.errors import NoughtsError
from noughts.records import Record
from noughts.service.play.state import State
from noughts.service.store.store import Store

ROWS, MOVES = 10_000, 1 << 18  # in a row group of Parquet at most, but for one game


def states(store: Store, damaged: Callable[[str], None]) -> Iterator[State]:
    """Every game as it stands, in the order they were made; in memory that does not grow.

    Args:
        store: where they are kept.
        damaged: is told of each game whose events make no game; it is left out.

    Raises:
        StoreError: the database cannot be read.
    """
    for made, events in store.export():
        state = State(made)
        try:
            for event in events:
                state.apply(event)
        except (NoughtsError, ValueError, TypeError) as error:
            damaged(f"game {made.id} is damaged: {error}")
        else:
            yield state


def write_json_lines(games: Iterator[State], file: IO[str]) -> int:
    """Write a record a line, with status and winner; how many there were."""
    count = 0
    for state in games:
        game, result = state.game, _result(state)
        record = json.decode(Record(game.rules, game.history, state.id, result).to_json())
        line = json.encode(record | _end(state))
        file.write(line.decode() + "\n")
        count += 1
    return count


def write_parquet(games: Iterator[State], file: IO[bytes]) -> int:
    """Write the same as Parquet, cells by their number; how many there were.

    Raises:
        ModuleNotFoundError: PyArrow is not installed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = pa.list_(pa.int32())
    columns = {"id": pa.string(), "shape": numbers, "k": pa.int32(), "moves": numbers}
    columns |= {"gravity": pa.bool_(), "variant": pa.string(), "result": pa.int8()}
    columns |= {"status": pa.string(), "winner": pa.int8(), "termination": pa.string()}
    schema = pa.schema(columns)
    count = moves = 0
    rows: list[dict[str, object]] = []
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for state in chain(games, [None]):
            moves += state.game.ply if state else MOVES + 1
            if rows and (moves > MOVES or len(rows) == ROWS):
                writer.write_table(pa.Table.from_pylist(rows, schema))
                rows, moves = [], state.game.ply if state else 0
            if state:
                rows.append(_row(state))
                count += 1
    return count


def _result(state: State) -> int | None:
    """Who won, by a line, resignation or timeout; 0 for a draw, None while nothing is decided."""
    return 0 if state.status == "draw" else state.winner


def _row(state: State) -> dict[str, object]:
    rules, moves = state.game.rules, [*map(state.geometry.number, state.game.history)]
    row = {"id": state.id, "shape": rules.shape, "k": rules.k, "moves": moves}
    row |= {"gravity": rules.gravity, "variant": rules.variant, "result": _result(state)}
    return row | _end(state)


def _end(state: State) -> dict[str, object]:
    """How the game stands: its status, who has won, and why it ended."""
    why = state.termination
    end = {"status": state.status, "winner": state.winner}
    return end | {"termination": why.value if why else None}
