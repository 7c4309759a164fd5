"""Geometry: the winning lines of a board, and the lines through a cell.

Nothing here is a table that grows with the board. A line is a number, made from its first cell
and its direction, and its cells are computed when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations, product
from math import prod
from typing import NamedTuple

from noughts.rules import Rules

Cell = tuple[int, ...]
Line = tuple[Cell, ...]


class Direction(NamedTuple):
    """One way a line can run: each coordinate's change from a cell to the next."""

    delta: tuple[int, ...]
    stride: int  # the same as a change of the row-major cell number


class Lines:
    """The winning lines of a game: k cells in a row, in every direction that fits on the board.

    A line's number is ``first cell × directions + direction``, with cells numbered row-major.
    On two dimensions the directions are row, column, diagonal and anti-diagonal, in this order.

    >>> Lines(Rules()).count, Lines(Rules((15, 15), k=5)).count, Lines(Rules((3, 3, 3))).count
    (8, 572, 49)
    """

    def __init__(self, rules: Rules) -> None:
        self.shape = rules.shape
        self.k = rules.k
        self._strides = tuple(prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        self._directions = tuple(
            Direction(
                delta, sum(step * stride for step, stride in zip(delta, self._strides, strict=True))
            )
            for delta in _directions(self.shape, self.k)
        )
        self._through = lru_cache(maxsize=4096)(self._lines_through)

    @property
    def count(self) -> int:
        """How many winning lines the board has. Cost: one product a direction."""
        return sum(
            prod(
                side - self.k + 1 if step else side
                for side, step in zip(self.shape, direction.delta, strict=True)
            )
            for direction in self._directions
        )

    def __iter__(self) -> Iterator[int]:
        """Every line's number, cell by cell of the board; meant for small boards."""
        for cell in product(*map(range, self.shape)):
            for number, direction in enumerate(self._directions):
                if self._room(cell, direction.delta) >= self.k - 1:
                    yield self._number(cell) * len(self._directions) + number

    def through(self, cell: Cell) -> tuple[range, ...]:
        """The numbers of the lines through `cell`: a range a direction, of at most k lines each.

        Cost: O(directions); remembered for the cells asked for last.
        """
        return self._through(cell)

    def _lines_through(self, cell: Cell) -> tuple[range, ...]:
        here, ways, longest = self._number(cell), len(self._directions), self.k - 1
        ranges = []
        for number, (delta, stride) in enumerate(self._directions):
            behind = min(longest, self._room(cell, tuple(-step for step in delta)))
            lines = behind + min(longest, self._room(cell, delta)) - longest + 1
            if lines > 0:
                first = (here - behind * stride) * ways + number
                step = stride * ways
                ranges.append(range(first, first + lines * step, step))
        return tuple(ranges)

    def cells(self, line: int) -> Line:
        """The k cells of a line, from its first to its last."""
        first, number = divmod(line, len(self._directions))
        delta = self._directions[number].delta
        start = []
        for stride in self._strides:
            coordinate, first = divmod(first, stride)
            start.append(coordinate)
        return tuple(
            tuple(at + i * step for at, step in zip(start, delta, strict=True))
            for i in range(self.k)
        )

    def slices(self) -> Iterator[slice]:
        """Each line as a slice of the row-major board: its cells are equally far apart.

        Direction by direction, in the order of `order`. What `bytes` can do with a slice, such as
        counting marks, it does far faster than any loop over cells.
        """
        for delta, stride in self._directions:
            starts = product(
                *(
                    range(self.k - 1, side) if step < 0 else range(side - step * (self.k - 1))
                    for step, side in zip(delta, self.shape, strict=True)
                )
            )
            for start in starts:
                first = self._number(start)
                yield slice(first, first + stride * (self.k - 1) + 1, stride)

    def order(self, line: int) -> tuple[int, int]:
        """A sort key: by direction, then from the top left."""
        first, number = divmod(line, len(self._directions))
        return number, first

    def _number(self, cell: Cell) -> int:
        return sum(at * stride for at, stride in zip(cell, self._strides, strict=True))

    def _room(self, cell: Cell, delta: tuple[int, ...]) -> int:
        """How many steps along `delta` lead from `cell` to the edge."""
        return min(
            side - 1 - at if step > 0 else at
            for at, step, side in zip(cell, delta, self.shape, strict=True)
            if step
        )


@lru_cache(maxsize=16)
def lines_of(rules: Rules) -> Lines:
    """The lines of these rules; games of equal rules share them."""
    return Lines(rules)


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
