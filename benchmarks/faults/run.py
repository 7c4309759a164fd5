"""Plays on the bed and lets it fail, in namespaces of its own: see `benchmarks.faults.__main__`."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from benchmarks.faults.faults import FAULTS, in_turn
from benchmarks.faults.history import History
from benchmarks.faults.hosts import Bed
from benchmarks.faults.players import Place
from noughts.service.store.database import store_at

RECOVERY = 15  # seconds within which everybody gets through again
WARM = 2  # seconds of play before the first fault


async def run(
    folder: Path, programs: Path, seconds: float, seed: int, names: list[str], plant: str | None
) -> None:
    """Play for so long while these faults happen, and write the history."""
    history, dice = History(folder / "history.jsonl"), Random(seed)
    bed = await asyncio.to_thread(Bed, folder, programs, plant)
    place = Place([server.url for server in bed.servers], history, Random(seed))
    playing = asyncio.create_task(place.play())
    await asyncio.sleep(WARM)
    end, faults = monotonic() + seconds, in_turn(names, dice)
    while monotonic() < end and not playing.done():
        name = next(faults)
        fault = FAULTS[name](bed, dice)
        history.write("fault", name=name)
        await asyncio.sleep(await asyncio.to_thread(next, fault))
        await asyncio.to_thread(next, fault, None)
        history.write("healed", name=name)
        await recovered(place)
        await asyncio.to_thread(bed.mend)
    place.ending.set()
    await playing
    for server in bed.servers:
        server.signal(15)
    for made, events in store_at(bed.database).export():
        game = made._replace(invite=None)._asdict()
        history.write("log", game=made.id, made=game, events=[e._asdict() for e in events])


async def recovered(place: Place) -> None:
    """Wait until everybody has got through, or should have long ago."""
    healed = monotonic()
    while monotonic() < healed + RECOVERY + 1 and min(place.through.values()) < healed:
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    given: dict[str, Any] = json.loads(sys.argv[1])
    asyncio.run(run(Path(given.pop("folder")), Path(given.pop("programs")), **given))
