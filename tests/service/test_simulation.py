"""The simulation: it finds bugs, repeats itself, and its database behaves as the real ones do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from commands import SECONDS
from lab.faults.injected_bugs import BUGS
from lab.simulation.database import Database, SimulatedStore
from noughts import Rules
from noughts.service.play.events import Change, Event, NewGame, Seats, digest
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
        timeout=4 * SECONDS,
    )


def test_short_run_finds_nothing() -> None:
    done = simulated("--seed=1.1", "--moves=40")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no findings" in done.stdout


@pytest.mark.tier2("long")
def test_same_seed_brings_the_same_run() -> None:
    one, two, other = (simulated(f"--seed={seed}", "--moves=40") for seed in ("2.1", "2.1", "2.2"))
    assert one.stdout == two.stdout != other.stdout


@pytest.mark.tier2("long")
@pytest.mark.parametrize("bug", BUGS)
def test_injected_bugs_are_found(bug: str) -> None:
    done = simulated("--seed=3", "--moves=3000", f"--bug={bug}")
    assert done.returncode == 1
    assert "findings; run them again with --seed 3." in done.stderr


def test_command_refuses_unknown_faults() -> None:
    done = simulated("--faults=server_killed,flood")
    assert done.returncode == 2
    assert "unknown fault flood; known are server_killed," in done.stderr


# The model of a database


@pytest.mark.parametrize("seed", range(10))
def test_model_answers_as_a_database_does(database: str, seed: int) -> None:
    real = store_at(database)
    real.open()
    committed = Database(0)
    process = cast("Any", Silent())
    model = SimulatedStore(committed, process)
    try:
        for changes in histories(Random(seed)):
            assert model.commit(changes) == real.commit(changes)
        known = {game: number % 3 for number, game in enumerate([*committed.games, "unknown"])}
        assert model.events(known) == real.events(known)
        assert model.games(sorted(known)) == sorted(real.games(known), key=lambda game: game.id)
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


class Silent:
    """A process that notifies nobody."""

    name = "silent"
    life = 1

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
