"""Play on the test bed and inject faults. It runs in its own namespaces, which end with it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from time import monotonic

from lab.faults.check import RECOVERY
from lab.faults.history import History, Record
from lab.faults.hosts import Bed
from lab.faults.injections import FAULTS, in_turn
from lab.faults.players import Place
from noughts.service.play.storage import DamagedGame
from noughts.service.store.dialects import store_at

LAST = 30  # seconds for requests that are in progress at the end
WARM = 2  # seconds of play before the first fault


async def run(
    folder: str, file: str, seconds: float, seed: int, names: list[str], bug: str | None
) -> None:
    """Play for this many seconds with these faults, and write the history to the file."""
    history, dice = History(Path(file)), Random(seed)
    bed = await asyncio.to_thread(Bed, Path(folder), bug)
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
        await asyncio.to_thread(bed.restore)
    place.ending.set()
    with suppress(TimeoutError):  # the checker reports requests without a response
        await asyncio.wait_for(playing, LAST)
    for server in bed.servers:
        await asyncio.to_thread(server.end, signal.SIGTERM)
    for log in logs(bed.database):
        history.write("log", **log)


def logs(database: str) -> Iterator[Record]:
    """Yield every game of the database at this URL, as the record `log` has it."""
    with closing(store_at(database)) as store:
        for made, events in store.export():
            if isinstance(made, DamagedGame):
                raise made
            game = made._replace(invite=None)._asdict() | {"rules": str(made.rules)}
            yield {"game": made.id, "made": game, "events": [each._asdict() for each in events]}


async def recovered(place: Place) -> None:
    """Wait until every player has succeeded again, or is overdue."""
    healed = monotonic()
    while monotonic() < healed + RECOVERY + 1 and min(place.through.values()) < healed:
        await asyncio.sleep(0.05)


def fail(args: threading.ExceptHookArgs) -> None:
    """Exit at once when a thread fails; without its network, the test bed would wait for ever."""
    threading.__excepthook__(args)
    os._exit(1)


if __name__ == "__main__":
    threading.excepthook = fail
    asyncio.run(run(**json.loads(sys.argv[1])))
