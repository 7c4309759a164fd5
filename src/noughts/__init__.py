"""noughts referees k-in-a-row games of any size: every move is judged in constant time."""

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
    if _public.__module__ != __name__:  # what is compiled has it already, and cannot be changed
        _public.__module__ = __name__  # so that help, tracebacks and pickles say it
