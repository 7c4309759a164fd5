"""Environments to learn in. `VectorGame` needs NumPy alone; needs ``noughts[learn]``."""

from __future__ import annotations

from noughts.learning.vector import VectorGame, num_actions, symmetries

__all__ = ["VectorGame", "num_actions", "symmetries"]
