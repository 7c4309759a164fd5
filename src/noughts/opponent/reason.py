"""Why a move is advised, in words."""

from __future__ import annotations

from fractions import Fraction

from noughts.game import Game
from noughts.opponent.advice import Advice
from noughts.opponent.potential import potential_after


def reason(game: Game, advice: Advice) -> str:
    """What is proved of the advised move, to be read after the name of its cell.

    >>> reason(Game(), Advice((1, 1), 0, "potential"))
    'cannot lose from here: potential 0.75 < 1'
    """
    if advice.proof == "potential":
        return f"cannot lose from here: potential {_decimal(potential_after(game, advice.cell))}"
    return {
        "line": "completes a line",
        "pairing": "cannot lose from here: two empty cells are kept for each line against it",
        "search": {
            1: "wins against every reply",
            0: "cannot lose from here: every reply was searched",
            -1: "loses against best play, as every move does",
            None: "",
        }[advice.value],
        None: "looks best, but nothing is proved of it",
    }[advice.proof]


def _decimal(potential: Fraction) -> str:
    """How a number compares with 1, to two decimals; never rounded up to 1."""
    hundredths = min(round(potential * 100), 99)
    return "under 0.01" if potential and not hundredths else f"{hundredths / 100:.2f} < 1"
