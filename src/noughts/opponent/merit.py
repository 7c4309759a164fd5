"""How much a cell promises, as far as a glance at the lines tells."""

from __future__ import annotations

from collections.abc import Iterable

from noughts.opponent.position import Position


def merits(position: Position) -> list[int]:
    """For each cell, the mover's lines that it lengthens, twice, and the others' that it blocks.

    A line with t marks counts 2^t, as in the potential. Cells that bear a mark mean nothing.
    """
    merit = [2 * weight for weight in position.weights(position.turn)]
    for player in range(1, position.players + 1):
        if player != position.turn:
            weights = position.weights(player)
            merit = [own + other for own, other in zip(merit, weights, strict=True)]
    return merit


def by_promise(position: Position) -> list[int]:
    """The empty cells, the most promising ones first."""
    merit = merits(position)
    return sorted(position.empty, key=lambda cell: -merit[cell])


def most_promising(position: Position, cells: Iterable[int]) -> list[int]:
    """Of these cells those that promise most, in the same order."""
    merit, cells = merits(position), list(cells)
    most = max(merit[cell] for cell in cells)
    return [cell for cell in cells if merit[cell] == most]
