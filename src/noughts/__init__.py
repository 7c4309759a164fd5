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
