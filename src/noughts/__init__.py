"""noughts referees k-in-a-row games of any size: every move is judged in constant time."""

TYPE_CHECKING = False  # importing it from typing would take its time
if TYPE_CHECKING:
    from noughts.errors import (
        CellTaken,
        GameOver,
        IllegalMove,
        InvalidRecord,
        InvalidRules,
        NoughtsError,
        OffBoard,
        UnknownPlayer,
        WrongTurn,
    )
    from noughts.game import Game
    from noughts.outcome import Outcome, Termination
    from noughts.referee import TicTacToe, tictactoe
    from noughts.rules import Rules

__all__ = [
    "CellTaken",
    "Game",
    "GameOver",
    "IllegalMove",
    "InvalidRecord",
    "InvalidRules",
    "NoughtsError",
    "OffBoard",
    "Outcome",
    "Rules",
    "Termination",
    "TicTacToe",
    "UnknownPlayer",
    "WrongTurn",
    "tictactoe",
]

_ROOMS = {"Game": "game", "Outcome": "outcome", "Rules": "rules", "Termination": "outcome"}
_ROOMS |= {"TicTacToe": "referee", "tictactoe": "referee"}  # the others are errors


def __getattr__(name: str) -> object:
    """Import what is asked for: so the commands come to deal with Ctrl-C before all else."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{_ROOMS.get(name, 'errors')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
