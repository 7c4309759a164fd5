"""Three referees, which find the winner in different ways.

==================  ==================================  ========  ======  ======================
referee             stores per line                     per move  memory  answers
==================  ==================================  ========  ======  ======================
`BoardScan`         nothing; it stores the board        O(n)      O(n²)   who won
`PlayerTallies`     one tally per player                O(1)      O(n)    who won, who still can
`SignedSums`        one sum, +1 and -1                  O(1)      O(n)    who won
==================  ==================================  ========  ======  ======================

`TicTacToe` is the checked referee to import; `tictactoe` judges a whole game.
"""

from noughts.referee.checked import TicTacToe, tictactoe
from noughts.referee.scan import BoardScan
from noughts.referee.signed import SignedSums
from noughts.referee.tallies import PlayerTallies

__all__ = ["BoardScan", "PlayerTallies", "SignedSums", "TicTacToe", "tictactoe"]
