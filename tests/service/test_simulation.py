"""The simulation: it finds bugs, repeats itself, and its database behaves as the real ones do."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random, SystemRandom
from types import SimpleNamespace
from typing import Any, cast

import pytest

from commands import SECONDS
from lab.simulation.database import Database, SimulatedStore
from lab.simulation.hunt import BUGS, SOURCE, hunt, patched
from lab.simulation.shrink import fewest
from noughts import Rules
from noughts.service.play.events import Change, Event, NewGame, Seats, digest
from noughts.service.play.storage import Loaded, Storage
from noughts.service.store.dialects import store_at

ROOT = Path(__file__).parents[2]
START = 1_750_000_000_000  # ms


def simulated(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    return subprocess.run(
        [sys.executable, "-m", "lab.simulation", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=10 * SECONDS,
    )


def test_fixed_seed_finds_nothing_and_repeats_itself() -> None:
    one, two = (simulated("--seed=1.1", "--moves=300", "--seconds=1") for _ in range(2))
    assert one.returncode == 0, one.stdout + one.stderr
    assert "; no findings" in one.stdout
    assert one.stdout == two.stdout


@pytest.mark.tier2("long")
def test_new_seeds_find_nothing() -> None:
    seed = SystemRandom().randrange(10**6)
    done = simulated(f"--seed={seed}", "--moves=1000000", "--seconds=120")
    assert done.returncode == 0, f"script/simulate --seed {seed}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("bug", BUGS)
def test_injected_bugs_still_apply(bug: str) -> None:
    with patched(bug) as folder:  # raises an error otherwise
        changed = [
            path
            for path in SOURCE.rglob("service/**/*.py")
            if path.read_text() != (folder / "noughts" / path.relative_to(SOURCE)).read_text()
        ]
        assert changed


@pytest.mark.tier2("long")
@pytest.mark.parametrize("bug", BUGS[::4])  # `script/simulate --bugs` hunts them all
def test_injected_bugs_are_found(bug: str) -> None:
    found = hunt(bug, seed=1, moves=50_000)
    assert found, f"script/simulate --seed 1 --moves 50000 --bug {bug} finds nothing"


@pytest.mark.tier2("long")
def test_failure_is_shrunk_to_a_short_trace() -> None:
    done = simulated("--seed=1.1", "--moves=5000", "--bug=last_event_id_too_high")
    assert done.returncode == 1
    short = done.stdout.partition("the short one again: script/simulate ")[2]
    assert "," not in short.partition("--tables ")[2].partition(" ")[0]  # one table is enough
    again = simulated(*shlex.split(short))
    assert again.returncode == 1


def test_fewest_keeps_what_is_needed() -> None:
    assert fewest(tuple(range(100)), lambda some: {17, 64} <= {*some}) == (17, 64)
    assert fewest((1, 2, 3), lambda _: True) == (3,)


def test_command_refuses_unknown_faults() -> None:
    done = simulated("--faults=server_killed,flood")
    assert done.returncode == 2
    assert "unknown fault flood; known are server_killed," in done.stderr


# The model of a database


@pytest.mark.parametrize("seed", range(10))
def test_model_answers_as_a_database_does(database: str, seed: int) -> None:
    real = store_at(database)
    real.open()
    committed = Database(0, lambda _: None)
    process = cast("Any", Silent())
    model = SimulatedStore(committed, process)
    try:
        for changes in histories(Random(seed)):
            assert model.commit(changes) == real.commit(changes)
        known = {game: number % 3 for number, game in enumerate([*committed.games, "unknown"])}
        assert model.events(known) == real.events(known)
        assert loaded(model, known) == loaded(real, known)
        tokens = [digest(str(number)) for number in range(40)]
        assert sorted(model.seats(tokens)) == sorted(real.seats(tokens))
        assert sorted(model.clocks()) == sorted(real.clocks())
        later = dict.fromkeys(known, START + 5)
        for store in (model, real):
            store.put_off(later)
        assert sorted(model.clocks()) == sorted(real.clocks())
        assert sorted(model.claim(2 * START)) == sorted(real.claim(2 * START))
        assert model.claim(START) == real.claim(START) == []
    finally:
        real.close()


def loaded(store: Storage, ids: Iterable[str]) -> list[Loaded]:
    """Return these games as they are stored, in order."""
    found = [each for each in store.load(ids) if isinstance(each, Loaded)]
    return sorted(found, key=lambda each: each.made.id)


class Silent:
    """A process that notifies nobody."""

    server = SimpleNamespace(name="silent")

    def reaches(self, _: Database) -> bool:
        """Return False: nothing arrives."""
        return False


def histories(dice: Random) -> list[list[Change]]:
    """Return transactions: new games, events that may come too late, seats, turns and clocks."""
    ids = [f"game-{number:011}" for number in range(6)]
    seqs = dict.fromkeys(ids, 0)
    made: set[str] = set()
    transactions = []
    for number in range(60):
        changes = []
        for id in dice.sample(ids, dice.randint(1, 3)):
            due = (id, dice.random() < 0.5) if dice.random() < 0.3 else None
            clock = (id, dice.choice([None, START + number])) if dice.random() < 0.3 else None
            token = digest(str(ids.index(id) * 7 + dice.randrange(7)))
            held = Seats(token, id, dice.choice([(1,), (2,), (1, 2)]))
            seats = (held,) if dice.random() < 0.3 else ()
            if id not in made or dice.random() < 0.1:
                made.add(id)
                game = NewGame(id, Rules(), "friend", None, 1, f"{number}", False, None, START)
                changes.append(Change(game=game, seats=seats, due=due, clock=clock))
                continue
            late = bool(seqs[id]) and dice.random() < 0.3
            seq = dice.randint(1, seqs[id]) if late else seqs[id] + 1
            seqs[id] = max(seqs[id], seq)
            event = Event(id, seq, "move", 1 + seq % 2, f"key {number}", START + number, cell=seq)
            changes.append(Change(event, seats=seats, due=due, clock=clock))
        transactions.append(changes)
    return transactions
