"""Random play in learning environments: nanoseconds per step, with sampling and observation."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np

from lab.bench.timing import Case, Run, Table, busy, clocked
from noughts import Rules
from noughts.learning import VectorGame

SMALL, LARGE = 4096, 1024  # simultaneous games, which fit in a core's cache
FOR_THREADS = 4  # times as many games with threads, so that handing over work costs little
STEPS = 2_000_000
SLOW = 100  # slow sides get this many times fewer steps
BOARDS = {
    "3×3": Rules(),
    "Connect Four": Rules.connect_four(),
    "15×15, 5 in a row": Rules.gomoku(),
}
BRANCHING = BOARDS | {
    "3×3, early draws": Rules(early_draw=True),
    "15×15, renju": Rules.gomoku("renju"),
}
COPIES = 40  # per round
OURS = "`VectorGame`"
OPEN_SPIEL = ("tic_tac_toe", "connect_four", "mnk(m=15,n=15,k=5)")
PETTING_ZOO = ("tictactoe_v3", "connect_four_v3", None)
PGX = ("tic_tac_toe", "connect_four", None)

Play = Callable[[int], None]
"""Plays this number of steps."""


def at_once(rules: Rules) -> int:
    """Return the number of simultaneous games."""
    return SMALL if rules.cells < 100 else LARGE


def vector_game(rules: Rules, count: int, threads: int = 1) -> Play:
    """Return a run of `VectorGame`, which writes all arrays in place."""
    games = VectorGame(rules, count, seed=1, threads=threads)
    actions, planes = games.random_actions(), games.observe()

    def play(steps: int) -> None:
        for _ in range(-(-steps // count)):
            games.step(games.random_actions(actions))
            games.observe(planes)

    return play


def vector_environment(rules: Rules) -> Play:
    """Return a run of the Gymnasium environment, whose steps are a move and a random reply."""
    count = at_once(rules)
    env: Any = gymnasium.make_vec("noughts/KInARow-v0", count, rules=rules)
    env.reset(seed=1)
    draw = env.unwrapped.random_actions

    def play(steps: int) -> None:
        for _ in range(-(-steps // count)):
            env.step(draw())

    return play


def open_spiel(name: str) -> Play:
    """Return a run of OpenSpiel, a game in C++ driven from Python."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play(steps: int) -> None:
        state = game.new_initial_state()
        for _ in range(steps):
            state.apply_action(random.choice(state.legal_actions()))
            state.observation_tensor(0)
            if state.is_terminal():
                state = game.new_initial_state()

    return play


def petting_zoo(name: str) -> Play:
    """Return a run of PettingZoo's environment in Python, without its checking wrappers."""
    env: Any = import_module(f"pettingzoo.classic.{name}").raw_env()

    def play(steps: int) -> None:
        env.reset()
        for _ in range(steps):
            observation, _, over, _, _ = env.last()
            if over:
                env.reset()
                continue
            env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))

    return play


def pgx(name: str, count: int = SMALL) -> Play:
    """Return a run of pgx, whose steps of all games jax compiles for the processor or a GPU."""
    import jax
    import pgx

    env, key = pgx.make(name), jax.random.PRNGKey(1)
    begin, step = jax.vmap(env.init), jax.vmap(env.step)
    rounds = 16  # per call

    def advance(both: Any, _: None) -> Any:
        games, key = both
        key, drawing, beginning = jax.random.split(key, 3)
        weights = jax.numpy.where(games.legal_action_mask, 0.0, -jax.numpy.inf)
        games = step(games, jax.random.categorical(drawing, weights, axis=-1))
        new, over = begin(jax.random.split(beginning, count)), games.terminated

        def chosen(one: Any, other: Any) -> Any:
            return jax.numpy.where(over.reshape(-1, *[1] * (one.ndim - 1)), one, other)

        games = jax.tree_util.tree_map(chosen, new, games)
        return (games, key), games.observation.sum()

    all_rounds = jax.jit(lambda both: jax.lax.scan(advance, both, None, length=rounds))
    start = begin(jax.random.split(key, count)), key
    jax.block_until_ready(all_rounds(start))  # compiles it

    def play(steps: int) -> None:
        both = start
        for _ in range(-(-steps // (count * rounds))):
            both, seen = all_rounds(both)
            jax.block_until_ready(seen)

    return play


def measure(run: Run) -> dict[str, Table]:
    """Return all tables of this part."""
    steps, few = run.sized(STEPS), run.sized(STEPS // SLOW)
    cases: dict[tuple[str, str], tuple[Case, int]] = {}
    names = zip(BOARDS.items(), OPEN_SPIEL, PETTING_ZOO, PGX, strict=True)
    for (board, rules), theirs, zoo, compiled in names:
        run.report(f"learning: {board}")
        cases[board, OURS] = busy(vector_game(rules, at_once(rules)), steps), steps
        some = 10 * few
        cases[board, "the Gymnasium environment"] = busy(vector_environment(rules), steps), steps
        cases[board, "OpenSpiel"] = busy(open_spiel(theirs), few), few
        if zoo:
            cases[board, "PettingZoo"] = busy(petting_zoo(zoo), few), few
        if compiled:
            cases[board, "pgx, compiled"] = busy(pgx(compiled), some), some
    times = run.times("learning", {name: case for name, (case, _) in cases.items()})
    ns = {name: times.median(name) / count * 1e9 for name, (_, count) in cases.items()}
    return {
        "steps": {
            f"{board}, {side}": {
                "ns per step": ns[board, side],
                f"times as long as {OURS}": ns[board, side] / ns[board, OURS],
            }
            for board, side in cases
        },
        "threads": by_threads(run, steps),
        "copies": by_copying(run),
    }


def by_copying(run: Run) -> Table:
    """Measure the cost of copying and restoring games in progress, in random order."""
    cases: dict[tuple[str, str], Case] = {}
    times_each = run.sized(COPIES)
    for board, rules in BRANCHING.items():
        games = VectorGame(rules, at_once(rules), 1, autoreset="Disabled")
        for _ in range(rules.cells // 3):
            games.step(games.random_actions())
        numbers = np.random.default_rng(1).integers(0, len(games), len(games))
        state = games.state()

        def copy(games: VectorGame = games, numbers: Any = numbers) -> None:
            for _ in range(times_each):
                games.copy(numbers)

        def restore(games: VectorGame = games, state: Any = state, numbers: Any = numbers) -> None:
            for _ in range(times_each):
                games.restore(state, numbers)

        cases[board, "copy"], cases[board, "restore"] = busy(copy), busy(restore)
    times = run.times("learning: copies", cases, brief=True)
    return {
        board: {
            f"`{how}`, ns per cell": times.median((board, how))
            / (times_each * at_once(rules) * rules.cells)
            * 1e9
            for how in ("copy", "restore")
        }
        for board, rules in BRANCHING.items()
    }


def by_threads(run: Run, steps: int) -> Table:
    """Measure the speed-up from a second thread."""
    cases = {
        (board, threads): clocked(vector_game(rules, FOR_THREADS * at_once(rules), threads), steps)
        for board, rules in BOARDS.items()
        for threads in (1, 2)
    }
    times = run.times("learning: threads", cases, brief=True)
    return {
        board: {"speed-up with two threads": times.ratio((board, 1), (board, 2))}
        for board in BOARDS
    }
