"""Environments to learn in; needs ``noughts[learn]``.

`VectorGame` needs NumPy alone. Where Gymnasium is installed, importing this registers
``noughts/KInARow-v0`` there.
"""

from __future__ import annotations

from contextlib import suppress

from noughts.learning.vector import VectorGame, num_actions, symmetries

__all__ = ["VectorGame", "num_actions", "symmetries"]

with suppress(ModuleNotFoundError):
    from gymnasium.envs.registration import register

    register(
        id="noughts/KInARow-v0",
        entry_point="noughts.learning.gymnasium:KInARow",
        vector_entry_point="noughts.learning.gymnasium:KInARowVector",
    )
