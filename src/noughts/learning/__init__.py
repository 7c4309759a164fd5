"""Learning environments; they require ``noughts[learn]``.

`VectorGame` needs only NumPy. If Gymnasium is installed, importing this package registers
``noughts/KInARow-v0`` with it.
"""

from contextlib import suppress

from noughts.learning.vector import State, VectorGame, num_actions, symmetries

__all__ = ["State", "VectorGame", "num_actions", "symmetries"]


def __dir__() -> list[str]:
    """Return the public names, which completion shows."""
    return __all__


with suppress(ModuleNotFoundError):
    from gymnasium.envs.registration import register

    register(
        id="noughts/KInARow-v0",
        entry_point="noughts.learning.gymnasium:KInARow",
        vector_entry_point="noughts.learning.gymnasium:KInARowVector",
    )
