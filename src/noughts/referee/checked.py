"""The checked `TicTacToe`, and `tictactoe` for a whole game.

If noughts was built with a C compiler, `TicTacToe` is the compiled class, otherwise the definition
in `noughts.referee.tictactoe`.
"""

import copyreg
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from noughts.arguments import plain_cell
from noughts.compiled import accelerated
from noughts.errors import IllegalMove, OffBoard

if TYPE_CHECKING:  # types come from the definition
    from noughts.referee.tictactoe import TicTacToe
else:
    TicTacToe = accelerated("noughts.referee.tictactoe").TicTacToe

__all__ = ["TicTacToe", "tictactoe"]


def _restored(*state: Any) -> TicTacToe:
    return TicTacToe._restore(*state)


# Pickles name this function rather than a class, so that they load with and without compiled code.
copyreg.pickle(TicTacToe, lambda game: (_restored, game._state()))


def tictactoe(moves: Iterable[tuple[int, int]], n: int = 3) -> Literal["A", "B", "Draw", "Pending"]:
    """Judge a whole game on an n×n board in which player A moves first.

    Args:
        moves: the cells (row, col) in the order of play.
        n: the side of the board.

    Returns:
        "A" or "B" if that player won, "Draw" if the board is full, otherwise "Pending".

    Raises:
        IllegalMove: for the first illegal move; a note on the error gives its ply.
        InvalidRules: n is less than 1.
        TypeError: n is not an integer, or a cell not a tuple of integers.

    Cost: O(1) per move.

    >>> tictactoe([(0, 0), (2, 0), (1, 1), (2, 1), (2, 2)])
    'A'
    """
    referee, ply = TicTacToe(n), 0
    for ply, cell in enumerate(moves, start=1):
        player = 1 if ply % 2 else 2
        try:
            at = plain_cell(cell, 2)
            if len(at) != 2:
                raise OffBoard.of(at, (referee.n, referee.n), player)
            referee.move(at[0], at[1], player)
        except (IllegalMove, TypeError) as error:
            error.add_note(f"at ply {ply}")
            raise
    if referee.winner:
        return "A" if referee.winner == 1 else "B"
    return "Draw" if ply == referee.n**2 else "Pending"
