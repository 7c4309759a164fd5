"""Plays on the bed and lets it fail. It runs in namespaces of its own, which end with it."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path
from random import Random
from time import monotonic

from benchmarks.faults.check import RECOVERY
from benchmarks.faults.faults import FAULTS, in_turn
from benchmarks.faults.history import History
from benchmarks.faults.hosts import Bed
from benchmarks.faults.players import Place
from noughts.service.store.database import store_at

WARM = 2  # seconds of play before the first fault


async def run(
    folder: str, file: str, seconds: float, seed: int, names: list[str], plant: str | None
) -> None:
    """Play for so long while these faults happen, and write the history into the file."""
    history, dice = History(Path(file)), Random(seed)
    bed = await asyncio.to_thread(Bed, Path(folder), plant)
    place = Place([server.url for server in bed.servers], history, Random(seed))
    playing = asyncio.create_task(place.play())
    await asyncio.sleep(WARM)
    begun, faults = monotonic(), in_turn(names, dice)
    while monotonic() < begun + seconds and not playing.done():
        name = next(faults)
        print(f"{monotonic() - begun:6.1f} s  {name.replace('_', ' ')}", flush=True)
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
        await asyncio.to_thread(server.end, signal.SIGTERM)
    for made, events in store_at(bed.database).export():
        game = made._replace(invite=None)._asdict()
        history.write("log", game=made.id, made=game, events=[each._asdict() for each in events])


async def recovered(place: Place) -> None:
    """Wait until everybody has got through, or should have long ago."""
    healed = monotonic()
    while monotonic() < healed + RECOVERY + 1 and min(place.through.values()) < healed:
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(run(**json.loads(sys.argv[1])))
