"""Advice: a move, its known value and the reason."""

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
    """An advised move for the player to move.

    Attributes:
        cell: the cell to play.
        value: the proven value: 1 if the move wins, 0 if it cannot lose, −1 if it loses against
            best play; None if nothing is proven.
        proof: the kind of proof: "line" if the move completes a line; "search" if every relevant
            reply was searched; for "potential" and "pairing" see `noughts.opponent.exact.proofs`.
        chance: the expected share of the points, in percent; None without an estimate. It is not a
            proof.
        plies: the number of plies until the expected win or loss; None if neither is in sight.
        depth: the depth of the search, in plies; None without a search.
        line: the expected moves, starting with this one.

    Only cell, value and proof are compared for equality.
    """

    cell: Cell
    value: int | None = None
    proof: Proof | None = None
    chance: int | None = field(default=None, compare=False)
    plies: int | None = field(default=None, compare=False)
    depth: int | None = field(default=None, compare=False)
    line: tuple[Cell, ...] = field(default=(), compare=False)

    def _repr_html_(self) -> str:
        """Return the move and its known value as HTML, for notebooks."""
        proved = {1: "wins", 0: "cannot lose", -1: "loses against best play", None: ""}[self.value]
        facts = [
            ("proved", f"{proved}, by {self.proof}" if proved and self.proof else proved),
            ("chance", "" if self.chance is None else f"{self.chance}%"),
            ("looked ahead", "" if self.depth is None else f"{self.depth} plies"),
            ("expected", " ".join(map(cell_name, self.line))),
        ]
        return facts_html(f"Play {cell_name(self.cell)}", facts)


def advice_of(game: Game, cell: Cell) -> Advice:
    """Return advice to play a cell, with a value only if the move completes a line."""
    if cell not in game.threats(game.turn):
        return Advice(cell)
    return Advice(cell, -1 if VARIANTS[game.rules.variant].loses else 1, "line")


def reason(game: Game, advice: Advice) -> str:
    """Return the reason for an advised move, to be read after the name of its cell.

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
        "line": "completes a line" if advice.value == 1 else "completes a line, which loses",
        "pairing": "cannot lose from here: each opposing line is answered by its own pair of cells",
        "search": {
            1: f"wins against every reply{moves}",
            0: "cannot lose from here: every reply was searched",
            -1: "loses against best play, as every move does",
            None: "",
        }[advice.value],
        None: "looks best, but nothing is proved",
    }[advice.proof]
