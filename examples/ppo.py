"""MaskablePPO of sb3-contrib learns Connect Four against random opponents.

    python examples/ppo.py [curve.svg]

It learns from 64 games at once, in both seats, and is then tested in 2,000 new games. sb3-contrib
gets the mask of legal actions from `action_masks()`; an illegal action, in training or later, would
raise an exception. In a clone: pip install ".[learn]" sb3-contrib
"""

from __future__ import annotations

import sys
from pathlib import Path

import gymnasium
import numpy as np
import torch
from learn import draw
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from noughts import Rules
from noughts.learning.gymnasium import KInARowVector

RULES = Rules.connect_four()
GAMES, ROUNDS, STEPS = 64, 20, 16_384  # STEPS: per round
TRIALS = 2000
ENOUGH = 0.95


def new_game() -> gymnasium.Env:
    """Return an environment for training."""
    return gymnasium.make("noughts/KInARow-v0", rules=RULES, illegal="error")


def share_won(model: MaskablePPO, games: int, seed: int) -> float:
    """Return the share of games that the model wins, with half of them from each seat."""
    won = 0
    for seat in (1, 2):
        envs = KInARowVector(
            games // 2, RULES, seat=seat, illegal="error", autoreset_mode="Disabled"
        )
        planes, _ = envs.reset(seed=seed + seat)
        over = np.zeros(games // 2, bool)
        while not over.all():
            masks = envs.action_masks()
            masks[over] = True  # actions of finished games are ignored
            actions, _ = model.predict(planes, action_masks=masks, deterministic=True)
            planes, rewards, ended, _, _ = envs.step(actions)
            won += int((rewards == 1).sum())
            over |= ended
    return won / games


def main() -> None:
    """Train the model, print its progress and exit with 1 if it wins too few games."""
    torch.set_num_threads(1)  # more threads are slower for such a small network
    envs = make_vec_env(new_game, GAMES, seed=1)
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=STEPS // GAMES,
        batch_size=1024,
        n_epochs=6,
        learning_rate=1e-3,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=1,
        device="cpu",
    )
    curve = []
    for round_ in range(ROUNDS + 1):
        curve.append(share_won(model, 400, seed=2))
        bar = "█" * (30 * round_ // ROUNDS)
        print(f"\r{bar:30} {curve[-1]:6.1%} of games won", end="", flush=True)
        if round_ < ROUNDS:
            model.learn(STEPS, reset_num_timesteps=False)
    won = share_won(model, TRIALS, seed=3)
    print(f"\nIt won {won:.1%} of {TRIALS:,} new games, without an illegal move.")
    if len(sys.argv) > 1:
        draw(curve, Path(sys.argv[1]), f"{max(curve):.0%} won", f"{ROUNDS * STEPS:,} moves played")
    if won < ENOUGH:
        sys.exit(f"It should have won at least {ENOUGH:.0%}.")


if __name__ == "__main__":
    main()
