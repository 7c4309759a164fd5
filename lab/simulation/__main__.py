"""Simulate clusters with faults from a seed, and check what clients saw: ``script/simulate``."""

from __future__ import annotations

import gc
import json
import logging
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from math import inf
from time import perf_counter
from typing import Any

import click

from lab.simulation.faults import FAULTS
from lab.simulation.hunt import BUGS, environment, hunt, patched
from lab.simulation.round import Plan, Round
from lab.simulation.shrink import shrunk, trace

ROUND = 5000  # moves in one cluster until its last fault
HUNTED = 50_000  # moves in which a bug must be found


class Run:
    """Rounds, one after another, until one fails.

    Attributes:
        failed: The round that has failed.
        moves: How many were played, also after the last fault of each round.
    """

    def __init__(self) -> None:
        self.failed: Round | None = None
        self.moves = 0
        self.faults = Counter[str]()
        self._virtual = 0.0
        self._digest = sha256()

    def run(self, plans: Iterable[Plan], seconds: float) -> None:
        """Run rounds until one fails, the plans end, or the time is over."""
        begun = perf_counter()
        for plan in plans:
            round = Round(plan)
            findings = round.run()
            self.moves += round.moves
            self.faults += round.faults
            self._virtual += round.loop.time()
            self._digest.update(round.digest.encode())
            print(f"round {plan.seed}: {round.moves} moves", file=sys.stderr)
            if findings:
                self.failed = round
                return
            gc.collect()
            if perf_counter() > begun + seconds:
                return

    def __str__(self) -> str:
        """The figures that the same seed brings again."""
        faults = f"{self.faults.total():,} faults in {self._virtual:,.0f} simulated seconds"
        return f"{self.moves:,} moves, {faults}\ndigest {self._digest.hexdigest()[:16]}"


def plans(run: Run, seed: str, moves: int, names: list[str]) -> Iterator[Plan]:
    """Yield plans until the run has so many moves, or the plan of the round that the seed names."""
    if "." in seed:
        yield Plan.of(seed, moves, names)
        return
    for number in count(1):
        if run.moves >= moves:
            return
        yield Plan.of(f"{seed}.{number}", min(ROUND, moves - run.moves), names)


def reduced(plan: Plan, tables: str, injected: str | None, until: float) -> Plan:
    """Return the plan with some of its tables and faults only."""
    if tables:
        plan = plan._replace(tables=tuple(map(int, tables.split(","))), moves=inf, until=until)
    if injected is not None:
        numbers = [int(number) for number in injected.split(",") if number]
        plan = plan._replace(faults=tuple(plan.faults[number] for number in numbers))
    return plan


def report(run: Run, options: str) -> None:
    """Print what is wrong and the shortest trace that shows it."""
    failed = run.failed
    assert failed
    print(*failed.findings[:20], sep="\n")
    print("shrinking …", file=sys.stderr)
    best = shrunk(failed.plan, failed)
    print("", best.findings[0], *trace(best), sep="\n")
    plan = f"--seed {failed.plan.seed} --moves {failed.plan.moves}{options}"
    print(f"the whole round again: script/simulate {plan}")
    if best is not failed:
        all_faults = Plan.of(failed.plan.seed, int(failed.plan.moves), [*FAULTS]).faults
        numbers = ",".join(str(all_faults.index(each)) for each in best.plan.faults)
        tables = ",".join(map(str, best.plan.tables))
        few = f" --tables {tables} --injected '{numbers}' --until {best.plan.until}"
        print(f"the short one again: script/simulate {plan}{few}")


@click.command(context_settings={"show_default": True, "help_option_names": ["-h", "--help"]})
@click.option("--seed", default="1", help="Seed of the run, or of one round such as 1.17.")
@click.option("--moves", type=click.IntRange(1), default=20_000, help="Moves to play.")
@click.option("--seconds", type=float, default=inf, help="Start no round after this time.")
@click.option("--faults", default=",".join(FAULTS), help="Faults that happen, by name.")
@click.option("--tables", default="", help="Numbers of the tables; all by default.")
@click.option("--injected", help="Numbers of the faults that happen; all by default.")
@click.option("--until", type=float, default=inf, help="Simulated seconds; with --tables.")
@click.option(
    "--bug", metavar="NAME", type=click.Choice(BUGS), help="Bug of lab/simulation/bugs to inject."
)
@click.option(
    "--bugs", is_flag=True, help="Inject one bug after another; report how each is found."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON; shrink nothing.")
def simulate(
    seed: str,
    moves: int,
    seconds: float,
    faults: str,
    tables: str,
    injected: str | None,
    until: float,
    bug: str | None,
    bugs: bool,
    as_json: bool,
) -> None:
    """Simulate clusters of servers with faults, and check what clients saw.

    The same seed brings the same run. Exit status: 1 if anything is lost, repeated or shown
    wrongly, or if players cannot go on once the faults have ended; then the fewest tables and
    faults that show it are searched for, in up to a hundred rounds.
    """
    if not all(part.isdecimal() for part in seed.split(".", 1)):
        raise click.BadParameter(f"expected a seed such as 1 or 1.17, got {seed}")
    names = [name for name in faults.split(",") if name]
    if unknown := [name for name in names if name not in FAULTS]:
        raise click.BadParameter(f"unknown fault {unknown[0]}; known are {', '.join(FAULTS)}")
    if bugs:
        sys.exit(hunt_all(int(seed)))
    logging.disable()
    gc.disable()  # which would drop games from memory at other times in another run
    gc.freeze()  # modules and classes stay; between rounds it need not search them
    run, begun = Run(), perf_counter()
    planned = plans(run, seed, moves, names)
    run.run((reduced(each, tables, injected, until) for each in planned), seconds)
    if as_json:
        findings = run.failed.findings if run.failed else []
        last = run.failed.plan.seed if run.failed else ""
        print(json.dumps({"seed": last, "moves": run.moves, "findings": findings}))
    elif run.failed:
        report(run, f" --faults {faults}" + (f" --bug {bug}" if bug else ""))
    else:
        print(f"{run}; no findings")
    print(f"{perf_counter() - begun:.1f} s", file=sys.stderr)
    sys.exit(bool(run.failed))


def hunt_all(seed: int) -> int:
    """Print how each bug is found; return the exit status."""
    missed = 0
    print(f"{'bug':34} {'round':>6} {'moves':>7} {'seconds':>7}  finding")
    for bug in BUGS:
        found = hunt(bug, seed, HUNTED)
        missed += found is None
        row: tuple[Any, ...] = found or (bug, "-", HUNTED, 0.0, "not found")
        name, where, moves, seconds, finding = row
        print(f"{name:34} {where:>6} {moves:>7,} {seconds:>7.1f}  {finding[:110]}", flush=True)
    print(f"{len(BUGS) - missed} of {len(BUGS)} found")
    return min(missed, 1)


def main() -> int:
    """Run the command, in a process whose sets have the same order in every run."""
    if os.environ.get("PYTHONHASHSEED") == "0":
        simulate()
    command = [sys.executable, "-m", "lab.simulation", *sys.argv[1:]]
    bug = next((arg.partition("=")[2] for arg in sys.argv if arg.startswith("--bug=")), None)
    if "--bug" in sys.argv[:-1]:
        bug = sys.argv[sys.argv.index("--bug") + 1]
    if bug in BUGS:
        with patched(bug) as folder:
            return subprocess.run(command, env=environment(folder), check=False).returncode
    return subprocess.run(command, env=environment(), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
