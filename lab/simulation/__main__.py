"""Simulate a cluster with faults from a seed, and check what players saw: ``script/simulate``."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from random import Random
from time import perf_counter
from typing import Any

import click

from lab.faults import injected_bugs
from lab.faults.check import RECOVERY, check
from lab.faults.history import Record
from lab.faults.injected_bugs import BUGS
from lab.faults.injections import in_turn
from lab.faults.players import GAMES, Place
from lab.simulation.cluster import Cluster, Transport, simulated
from lab.simulation.faults import FAULTS
from lab.simulation.loop import VirtualLoop

TABLES = 20
PACE = 3.0, 15.0  # seconds between two actions of a player
REST = 0.5, 3.0  # seconds between two faults
ROUND = 500  # moves in one cluster
CALM = 1.0, 3.0  # the pace after the last fault
STALLED = 60.0  # seconds without a move after which a round ends
LAST = 30.0  # seconds for requests that are in progress at the end


class Memory:
    """A history in memory; see `lab.faults.history`."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self.records: list[Record] = []

    def write(self, what: str, **fields: Any) -> None:
        """Add a record with the current time."""
        self.records.append({"at": round(self._loop.time(), 6), "what": what, **fields})


class Round:
    """One cluster, with all that happens to it.

    Args:
        seed: What decides it.
        moves: How many moves the databases have before the last fault.
        faults: Which faults happen.
    """

    def __init__(self, seed: str, moves: int, faults: list[str]) -> None:
        self._dice = Random(seed)
        self._moves = moves
        self._names = faults
        self.loop = VirtualLoop()
        self.history = Memory(self.loop)
        self.faults: Counter[str] = Counter()
        self.stalled = False
        self.problems: list[str] = []

    def run(self) -> list[str]:
        """Run it; return what went wrong."""
        with simulated(self.loop, self._dice), asyncio.Runner(loop_factory=lambda: self.loop) as it:
            it.run(self._play())
        stall = [f"no move in {STALLED:.0f} s"] if self.stalled else []
        return check(self.history.records) + stall + self.problems

    async def _play(self) -> None:
        dice = self._dice
        cluster = Cluster(dice)
        await asyncio.sleep(1)
        history: Any = self.history
        urls = [f"http://{name}" for name in cluster.processes]
        place = Place(urls, history, dice, GAMES * (TABLES // len(GAMES)), Transport(cluster))
        place.pace = PACE
        playing = asyncio.create_task(place.play())
        names = in_turn([*self._names], dice)
        latest = 0, 0.0  # how many moves there were, and since when
        while self.done(cluster) < self._moves and not playing.done():
            if self.done(cluster) > latest[0]:
                latest = self.done(cluster), self.loop.time()
            if self.loop.time() > latest[1] + STALLED:
                self.stalled = True
                break
            await asyncio.sleep(dice.uniform(*REST))
            if self._names:
                name = next(names)
                self.faults[name] += 1
                async for seconds in FAULTS[name](cluster, dice):
                    await asyncio.sleep(seconds)
        place.pace = CALM
        await asyncio.sleep(PACE[1])  # until nobody waits at the old pace
        history.write("healed", name="all")
        await asyncio.sleep(RECOVERY)
        place.ending.set()
        with suppress(TimeoutError):  # the checker reports requests without a response
            await asyncio.wait_for(playing, LAST)
        self.moves = self.done(cluster)
        for database in cluster.databases:
            for made in database.games.values():
                game = made._replace(invite=None)._asdict() | {"rules": str(made.rules)}
                log = [each._asdict() for each in database.logs[made.id]]
                history.write("log", game=made.id, made=game, events=log)
        self.problems = cluster.problems
        for process in cluster.processes.values():
            await process.kill()

    @staticmethod
    def done(cluster: Cluster) -> int:
        """Return the number of moves in the databases."""
        return sum(
            event.kind == "move"
            for database in cluster.databases
            for log in database.logs.values()
            for event in log
        )

    def digest(self) -> str:
        """Return a hash of everything that happened."""
        return sha256(repr(self.history.records).encode()).hexdigest()


def rounds(seed: int, moves: int) -> Iterator[tuple[str, int]]:
    """Yield the seed and the number of moves of each round."""
    for number, before in enumerate(range(0, moves, ROUND), 1):
        yield f"{seed}.{number}", min(ROUND, moves - before)


@click.command(context_settings={"show_default": True, "help_option_names": ["-h", "--help"]})
@click.option("--seed", default="1", help="Seed of the run, or of one round such as 1.17.")
@click.option("--moves", type=click.IntRange(1), default=10_000, help="Moves to play.")
@click.option("--faults", default=",".join(FAULTS), help="Faults that happen, by name.")
@click.option("--bug", type=click.Choice(BUGS), help="Bug to inject into the servers.")
def simulate(seed: str, moves: int, faults: str, bug: str | None) -> None:
    """Simulate clusters of servers with faults, and check what players saw.

    The same seed brings the same run. Exit status: 1 if anything is lost, repeated or shown
    wrongly, or if a player cannot go on once the faults have ended.
    """
    if not all(part.isdecimal() for part in seed.split(".", 1)):
        raise click.BadParameter(f"expected a seed such as 1 or 1.17, got {seed}")
    names = [name for name in faults.split(",") if name]
    if unknown := [name for name in names if name not in FAULTS]:
        raise click.BadParameter(f"unknown fault {unknown[0]}; known are {', '.join(FAULTS)}")
    if bug:
        getattr(injected_bugs, bug)()
    logging.disable()
    gc.disable()  # which would drop games from memory at other times in another run
    begun, virtual, total, all_faults, digest = perf_counter(), 0.0, 0, Counter[str](), sha256()
    work = [(seed, moves)] if "." in seed else rounds(int(seed), moves)
    for name, number in work:
        round = Round(name, number, names)
        wrong = round.run()
        virtual += round.loop.time()
        total += round.moves
        all_faults += round.faults
        digest.update(round.digest().encode())
        print(f"round {name}: {round.moves} moves, {round.loop.time():.0f} s", file=sys.stderr)
        if wrong:
            print(*wrong[:20], sep="\n")
            raise click.ClickException(
                f"{len(wrong)} findings; run them again with --seed {name} --moves {number} "
                f"--faults {faults}" + (f" --bug {bug}" if bug else "")
            )
        gc.collect()
    print(f"{total:,} moves, {all_faults.total():,} faults in {virtual:,.0f} simulated seconds")
    print(f"digest {digest.hexdigest()[:16]}; no findings")
    print(f"{perf_counter() - begun:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets have the same order in every run
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        os.execve(
            sys.executable, [sys.executable, "-m", "lab.simulation", *sys.argv[1:]], environment
        )
    simulate()
