"""Batches of games, their expected verdicts, and `noughts judge` in this process."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from click.testing import CliRunner, Result
from hypothesis import strategies as st

from noughts import Rules
from noughts.bulk import batches as bulk
from noughts.bulk import judge_record
from noughts.bulk.json_blocks import to_json
from noughts.cli.app import application
from noughts.game.geometry import Geometry
from noughts.records import Record

GOOD = b'{"id":"a","n":3,"moves":[[0,0],[1,0],[0,1],[1,1],[0,2]]}\n'
ALL_RULES = [
    Rules(),
    Rules.square(1),
    Rules((4, 4), 3),
    Rules((3, 3, 3)),
    Rules((5, 4), 3, players=3),
    Rules((2, 3), 3, early_draw=True),
    Rules((6,), 2),
    Rules((4, 2), 3, gravity=True),
    Rules((3, 3), variant="misere"),
    Rules((5, 5), variant="renju"),
]


def random_record(random: Random, rules: Rules, id: Any) -> Record:
    """Create a random game that may be unfinished, continue after its end or have a bad move."""
    cells = [coordinates(number, rules) for number in range(rules.cells)]
    random.shuffle(cells)
    moves = cells[: random.randint(0, len(cells))]
    if moves and random.random() < 0.3:
        far = tuple(random.randint(-2, 7) for _ in rules.shape)
        moves[random.randrange(len(moves))] = random.choice([cells[-1], far])
    return Record(rules, tuple(moves), id)


def coordinates(number: int, rules: Rules) -> tuple[int, ...]:
    return Geometry(rules).cell(number)


@st.composite
def records(draw: st.DrawFn, ids: Any = None) -> list[Record]:
    random = draw(st.randoms(use_true_random=False))
    ids = ids or draw(st.sampled_from([st.none(), st.integers(-(2**63), 2**63 - 1), st.text()]))
    count = draw(st.integers(0, 12))
    rules = [random.choice(ALL_RULES)] * count
    for i in range(count):
        rules[i:] = [random.choice(ALL_RULES)] * (count - i) if random.random() < 0.4 else rules[i:]
    return [random_record(random, each, draw(ids | st.none())) for each in rules]


def numbered(record: Record) -> list[int]:
    """Return the moves as cell numbers, -1 for cells off the board."""
    rules = record.rules
    on_board = [
        all(0 <= at < side for at, side in zip(cell, rules.shape, strict=True))
        for cell in record.moves
    ]
    number = Geometry(rules).number
    return [number(c) if ok else -1 for c, ok in zip(record.moves, on_board, strict=True)]


def columns(games: list[Record], moves: Any, int_type: Any = None) -> dict[str, pa.Array]:
    int_type = int_type or pa.int64()
    ids: list[Any] = [game.id for game in games]
    id_type = pa.int64() if any(isinstance(id, int) for id in ids) else pa.string()
    return {
        "id": pa.array(ids, id_type),
        "shape": pa.array([list(game.rules.shape) for game in games], pa.list_(int_type)),
        "k": pa.array([game.rules.k for game in games], int_type),
        "players": pa.array([game.rules.players for game in games], int_type),
        "early_draw": pa.array([game.rules.early_draw for game in games], pa.bool_()),
        "gravity": pa.array([game.rules.gravity for game in games], pa.bool_()),
        "variant": pa.array([game.rules.variant for game in games], pa.string()),
        "moves": moves,
    }


def batch(games: list[Record], moves: Any, int_type: Any = None) -> pa.RecordBatch:
    return pa.record_batch(columns(games, moves, int_type))


def by_coordinates(games: list[Record], list_type: Any = pa.list_) -> pa.RecordBatch:
    kind = list_type(list_type(pa.int64()))
    return batch(games, pa.array([list(map(list, game.moves)) for game in games], kind))


def by_numbers(
    games: list[Record], list_type: Any = pa.list_, int_type: Any = None
) -> pa.RecordBatch:
    kind = list_type(int_type or pa.int64())
    return batch(games, pa.array(list(map(numbered, games)), kind), int_type)


def expected(games: list[Record], messages: bool = True) -> list[dict[str, Any]]:
    rows = []
    for game in games:
        verdict, number = judge_record(game), Geometry(game.rules).number
        lines = [[number(cell) for cell in line] for line in verdict.lines]
        row = {name: getattr(verdict, name) for name in ("id", *bulk.VERDICTS)} | {"lines": lines}
        rows.append(row if messages else row | {"message": None})
    return rows


def without_messages(verdicts: pa.RecordBatch) -> list[dict[str, Any]]:
    return [row | {"message": None} for row in verdicts.to_pylist()]


def verdicts_to_json(judged: bulk.Judged) -> str:
    return to_json(judged).decode("ascii")


def run(*arguments: str | Path, typed: bytes = b"") -> Result:
    result = CliRunner().invoke(application, ["judge", *map(str, arguments)], input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def parquet(path: Path, games: pa.RecordBatch, **options: Any) -> Path:
    pq.write_table(pa.Table.from_batches([games]), path, **options)
    return path
