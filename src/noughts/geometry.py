"""Geometry: the winning lines of a board, and the lines through a cell.

Nothing here is a table that grows with the board. A line is a number, made from its first cell
and its direction, and its cells are computed when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import permutations, product, repeat
from math import prod
from typing import NamedTuple

from noughts.kernels.position import geometry
from noughts.rules import Rules

Cell = tuple[int, ...]
Line = tuple[Cell, ...]


class Direction(NamedTuple):
    """One way a line can run: each coordinate's change from a cell to the next."""

    delta: tuple[int, ...]
    stride: int  # the same as a change of the row-major cell number


class Geometry:
    """The winning lines of a game: k cells in a row, in every direction that fits on the board.

    A line's number is ``first cell × directions + direction``, with cells numbered row-major.
    On two dimensions the directions are row, column, diagonal and anti-diagonal, in this order.

    >>> [Geometry(rules).count for rules in (Rules(), Rules((15, 15), k=5), Rules((3, 3, 3)))]
    [8, 572, 49]
    """

    def __init__(self, rules: Rules) -> None:
        self.shape = rules.shape
        self.k = rules.k
        self._strides = tuple(prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        self.directions = tuple(
            Direction(
                delta, sum(step * stride for step, stride in zip(delta, self._strides, strict=True))
            )
            for delta in _directions(self.shape, self.k)
        )
        deltas = [direction.delta for direction in self.directions]
        self.geometry = geometry(self.shape, self.k, deltas, self.count)

    @property
    def count(self) -> int:
        """How many winning lines the board has. Cost: one product a direction."""
        return sum(
            prod(
                side - self.k + 1 if step else side
                for side, step in zip(self.shape, direction.delta, strict=True)
            )
            for direction in self.directions
        )

    def __iter__(self) -> Iterator[int]:
        """Every line's number, cell by cell of the board; meant for small boards."""
        for cell in product(*map(range, self.shape)):
            for number, direction in enumerate(self.directions):
                if self._room(cell, direction.delta) >= self.k - 1:
                    yield self.number(cell) * len(self.directions) + number

    def through(self, cell: Cell) -> tuple[range, ...]:
        """The numbers of the lines through `cell`: a range a direction, of at most k lines each.

        Cost: O(directions).
        """
        return self.geometry.through(cell)

    def cells(self, line: int) -> Line:
        """The k cells of a line, from its first to its last."""
        first, number = divmod(line, len(self.directions))
        coordinates: list[Iterable[int]] = []
        for stride, step in zip(self._strides, self.directions[number].delta, strict=True):
            start, first = divmod(first, stride)
            end = start + self.k * step
            coordinates.append(range(start, end, step) if step else repeat(start, self.k))
        return tuple(zip(*coordinates, strict=True))

    def slices(self) -> Iterator[slice]:
        """Each line as a slice of the row-major board: its cells are equally far apart.

        Direction by direction, in the order of `order`. What `bytes` can do with a slice, such as
        counting marks, it does far faster than any loop over cells.
        """
        for delta, stride in self.directions:
            starts = product(
                *(
                    range(self.k - 1, side) if step < 0 else range(side - step * (self.k - 1))
                    for step, side in zip(delta, self.shape, strict=True)
                )
            )
            for start in starts:
                first = self.number(start)
                yield slice(first, first + stride * (self.k - 1) + 1, stride)

    def number(self, cell: Cell) -> int:
        """The cell's row-major number."""
        return sum(at * stride for at, stride in zip(cell, self._strides, strict=True))

    def _room(self, cell: Cell, delta: tuple[int, ...]) -> int:
        """How many steps along `delta` lead from `cell` to the edge."""
        return min(
            side - 1 - at if step > 0 else at
            for at, step, side in zip(cell, delta, self.shape, strict=True)
            if step
        )


@lru_cache(maxsize=16)
def geometry_of(rules: Rules) -> Geometry:
    """The lines of these rules; games of equal rules share them."""
    return Geometry(rules)


def symmetries(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The board's symmetries: every mirroring and every exchange of equal sides.

    Each is a tuple that says, for every row-major cell number, which cell comes to lie there; the
    first is the identity. A square has 8. They map lines to lines.
    """
    axes = range(len(shape))
    cells = list(product(*map(range, shape)))
    number = {cell: i for i, cell in enumerate(cells)}
    mirrorings = list(product(*[(False, True) if side > 1 else (False,) for side in shape]))
    for order in permutations(axes):
        if all(shape[order[axis]] == shape[axis] for axis in axes):
            for mirrored in mirrorings:
                yield tuple(
                    number[
                        tuple(
                            shape[axis] - 1 - cell[order[axis]]
                            if mirrored[axis]
                            else cell[order[axis]]
                            for axis in axes
                        )
                    ]
                    for cell in cells
                )


def _directions(shape: tuple[int, ...], k: int) -> Iterator[tuple[int, ...]]:
    """The directions in which k cells fit, one of each opposite pair.

    For k = 1 every direction would give the same lines, the single cells: one is enough.
    """
    origin = (0,) * len(shape)
    deltas = (
        delta
        for delta in sorted(product((0, 1, -1), repeat=len(shape)), key=_reading_order)
        if delta > origin
        and all(side >= k for side, step in zip(shape, delta, strict=True) if step)
    )
    yield from [next(deltas)] if k == 1 else deltas


def _reading_order(delta: tuple[int, ...]) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Rows before columns before diagonals before anti-diagonals."""
    return sum(map(abs, delta)), tuple(map(abs, delta)), tuple(-step for step in delta)
