"""Random games for learners: nanoseconds a step, with the sampling of actions and observing."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np

from benchmarks.timing import Case, Run, Table, busy, clocked
from noughts import Rules
from noughts.learning import VectorGame

GAMES = 1024  # at once
MANY = 1 << 14  # so many for two threads, or starting them would take longer than they work
STEPS = 2_000_000
SLOW = 100  # who takes its time gets so many times fewer steps
BOARDS = {
    "3×3": Rules(),
    "Connect Four": Rules.connect_four(),
    "15×15, 5 in a row": Rules.gomoku(),
}
OURS = "`VectorGame`"
OPEN_SPIEL = ("tic_tac_toe", "connect_four", "mnk(m=15,n=15,k=5)")
PETTING_ZOO = ("tictactoe_v3", "connect_four_v3", None)

Play = Callable[[int], None]
"""Makes so many steps."""


def vector_game(rules: Rules, count: int = GAMES, threads: int = 1) -> Play:
    """`VectorGame`: all arrays are written in place."""
    games = VectorGame(rules, count, seed=1, threads=threads)
    actions, planes = games.random_actions(), games.observe()

    def play(steps: int) -> None:
        for _ in range(-(-steps // count)):
            games.step(games.random_actions(actions))
            games.observe(planes)

    return play


def vector_environment(rules: Rules) -> Play:
    """The Gymnasium environment over it: a step is a learner's move and a random answer."""
    env: Any = gymnasium.make_vec("noughts/KInARow-v0", GAMES, rules=rules)
    env.reset(seed=1)
    draw = env.unwrapped.random_actions

    def play(steps: int) -> None:
        for _ in range(-(-steps // GAMES)):
            env.step(draw())

    return play


def open_spiel(name: str) -> Play:
    """OpenSpiel: a game in C++, driven from Python."""
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
    """PettingZoo's environment in Python, without the wrappers that check."""
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


def measure(run: Run) -> dict[str, Table]:
    """All tables of this part."""
    steps, few = run.sized(STEPS), run.sized(STEPS // SLOW)
    cases: dict[tuple[str, str], tuple[Case, int]] = {}
    for (board, rules), theirs, zoo in zip(BOARDS.items(), OPEN_SPIEL, PETTING_ZOO, strict=True):
        run.report(f"learning: {board}")
        cases[board, OURS] = busy(vector_game(rules), steps), steps
        some = 10 * few
        cases[board, "the Gymnasium environment"] = busy(vector_environment(rules), some), some
        cases[board, "OpenSpiel"] = busy(open_spiel(theirs), few), few
        if zoo:
            cases[board, "PettingZoo"] = busy(petting_zoo(zoo), few), few
    times = run.times("learning", {name: case for name, (case, _) in cases.items()})
    ns = {name: times.median(name) / count * 1e9 for name, (_, count) in cases.items()}
    return {
        "steps": {
            f"{board}, {side}": {
                "ns a step": ns[board, side],
                f"times as long as {OURS}": ns[board, side] / ns[board, OURS],
            }
            for board, side in cases
        },
        "threads": by_threads(run, steps),
    }


def by_threads(run: Run, steps: int) -> Table:
    """How many times as much two threads do."""
    cases = {
        (board, threads): clocked(vector_game(rules, MANY, threads), steps)
        for board, rules in BOARDS.items()
        for threads in (1, 2)
    }
    times = run.times("learning: threads", cases)
    return {
        board: {"times as much on two threads": times.ratio((board, 1), (board, 2))}
        for board in BOARDS
    }
