"""Advice: a move, what is known of it, and why."""

from dataclasses import dataclass, field
from typing import Literal

from noughts.game.game import Game
from noughts.game.geometry import Cell
from noughts.game.rules import VARIANTS
from noughts.opponent.exact.proofs import potential_after
from noughts.picture import cell_name, facts_html

Proof = Literal["line", "search", "potential", "pairing"]


@dataclass(frozen=True, slots=True)
class Advice:
    """A move for the player to move.

    Attributes:
        cell: where to play.
        value: what is proved of this move: 1, it wins; 0, it cannot lose; −1, it loses against
            best play; None, nothing.
        proof: how: "line", it completes a line; "search", every reply was looked at, or every one
            that matters; "potential" and "pairing", see `noughts.opponent.exact.proofs`.
        chance: the share of the points that is expected, in percent; None where nothing was
            estimated. It proves nothing.
        plies: in how many plies the game is expected to be won or lost; None if it is not yet.
        depth: how many plies the search looked ahead; None if it did not.
        line: the moves that it expects, beginning with this one.

    Two pieces of advice are equal if they say the same of the same cell: cell, value and proof.
    """

    cell: Cell
    value: int | None = None
    proof: Proof | None = None
    chance: int | None = field(default=None, compare=False)
    plies: int | None = field(default=None, compare=False)
    depth: int | None = field(default=None, compare=False)
    line: tuple[Cell, ...] = field(default=(), compare=False)

    def _repr_html_(self) -> str:
        """The move and what is known of it, for notebooks."""
        proved = {1: "wins", 0: "cannot lose", -1: "loses against best play", None: ""}[self.value]
        facts = [
            ("proved", f"{proved}, by {self.proof}" if proved and self.proof else proved),
            ("chance", "" if self.chance is None else f"{self.chance} %"),
            ("looked ahead", "" if self.depth is None else f"{self.depth} plies"),
            ("expected", " ".join(map(cell_name, self.line))),
        ]
        return facts_html(f"Play {cell_name(self.cell)}", facts)


def advice_of(game: Game, cell: Cell) -> Advice:
    """A move of which only what the next mark decides is known."""
    if cell not in game.threats(game.turn):
        return Advice(cell)
    return Advice(cell, -1 if VARIANTS[game.rules.variant].loses else 1, "line")


def reason(game: Game, advice: Advice) -> str:
    """What is proved of the advised move, to be read after the name of its cell.

    >>> reason(Game(), Advice((1, 1), 0, "potential"))
    'cannot lose from here: potential 0.75 < 1'
    """
    if advice.proof == "potential":
        potential = potential_after(game, advice.cell)
        hundredths = min(round(potential * 100), 99)  # never rounded up to 1
        shown = "under 0.01" if potential and not hundredths else f"{hundredths / 100:.2f} < 1"
        return f"cannot lose from here: potential {shown}"
    moves = f", in {(advice.plies + 1) // 2} moves" if advice.value == 1 and advice.plies else ""
    return {
        "line": "completes a line" if advice.value == 1 else "completes a line, and so loses",
        "pairing": "cannot lose from here: two empty cells are kept for each line against it",
        "search": {
            1: f"wins against every reply{moves}",
            0: "cannot lose from here: every reply was searched",
            -1: "loses against best play, as every move does",
            None: "",
        }[advice.value],
        None: "looks best, but nothing is proved of it",
    }[advice.proof]
