"""The engine on hard positions: how many it solves within a time, and its speed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import process_time

from lab.bench.timing import Run, Table
from noughts import Game
from noughts.compiled import required
from noughts.game.geometry import geometry_of
from noughts.opponent import advise
from noughts.opponent.search.network import network_for
from noughts.records import Record, read_records

FILE = Path(__file__).with_name("positions.jsonl")
KINDS = {"win": "a forced win", "defence": "a single defence"}
SECONDS = (0.1, 1.0, 10.0)
VISITED = 200_000  # positions visited to measure the speed
TABLE = 32 * 2**20  # bytes


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    return {"found": found(run), "speed": speed(run)}


def positions(kind: str) -> list[Record]:
    """Return the positions of this kind; the last move of each is the answer."""
    if not FILE.exists():
        return []
    with FILE.open("rb") as file:
        records = [one for one in read_records(file, FILE.name) if isinstance(one, Record)]
    return [record for record in records if str(record.id).startswith(kind)]


def found(run: Run) -> Table:
    """Count the positions that the engine gets right within each time.

    Positions that it gets wrong are tried again with the next longer time.
    """
    table = {}
    for kind, name in KINDS.items():
        left = positions(kind)
        left = left[: run.sized(len(left))]
        count, row = len(left), dict[str, float]()
        for seconds in SECONDS[: None if run.is_full else 1]:
            run.report(f"{name}: {seconds} s for each of {len(left)} positions")
            left = [record for record in left if not is_right(kind, record, seconds)]
            row[f"{seconds:g} s"] = count - len(left)
        table[name] = {"positions": count, **row}
    return table


def is_right(kind: str, record: Record, seconds: float) -> bool:
    """Return whether the engine proves the win or finds the only defence."""
    game = Game.replay(record.rules, record.moves[:-1])
    advice = advise(game, seconds=seconds)
    return advice.value == 1 if kind == "win" else advice.cell == record.moves[-1]


def speed(run: Run) -> Table:
    """Measure the positions visited per second on one core."""
    visited, seconds, depth = 0, 0.0, list[int]()
    chosen: Sequence[Record] = positions("defence")[: run.sized(20)]
    for record in chosen:
        module = required("noughts.opponent.search._engine", "measuring it")
        engine = module.Engine(record.rules, TABLE, network_for(record.rules))
        numbers = list(map(geometry_of(record.rules).number, record.moves[:-1]))
        start = process_time()
        thought = engine.think(numbers, 60.0, VISITED)
        seconds += process_time() - start
        visited += thought[5]
        depth.append(thought[4])
    name = f"{chosen[0].rules.shape[0]}×{chosen[0].rules.shape[1]}, 5 in a row"
    return {
        name: {"positions per second": visited / seconds, "depth in plies": sum(depth) / len(depth)}
    }
