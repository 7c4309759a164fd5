"""Advice: a move and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.geometry import Cell

Proof = Literal["line", "search", "potential", "pairing"]


@dataclass(frozen=True, slots=True)
class Advice:
    """A move for the player to move.

    Attributes:
        cell: where to play.
        value: what is proved of this move: 1, it wins; 0, it cannot lose; −1, it loses against
            best play; None, nothing.
        proof: how: "line", it completes a line; "search", every reply was looked at, or every one
            that matters; "potential" and "pairing", see the modules of these names.
    """

    cell: Cell
    value: int | None = None
    proof: Proof | None = None
