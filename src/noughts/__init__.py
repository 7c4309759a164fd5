"""noughts referees k-in-a-row games: `TicTacToe(n)` in O(1) per move, k in a row in O(k)."""

from noughts.errors import (
    CellTaken,
    Floating,
    Foul,
    GameOver,
    IllegalMove,
    InvalidPosition,
    InvalidRecord,
    InvalidRules,
    NoughtsError,
    OffBoard,
    UnknownPlayer,
    WrongTurn,
)
from noughts.game.game import Game
from noughts.game.outcome import Outcome, Termination
from noughts.game.rules import Rules
from noughts.referee import TicTacToe, tictactoe

__all__ = [
    "CellTaken",
    "Floating",
    "Foul",
    "Game",
    "GameOver",
    "IllegalMove",
    "InvalidPosition",
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

for _public in map(globals().__getitem__, __all__):
    if _public.__module__ != __name__:  # compiled classes are named so already, and are immutable
        _public.__module__ = __name__  # shown by help, tracebacks and pickles
