"""Geometry: the one numbering of cells, directions and lines, and the symmetries of a board.

Cells are numbered row by row, from 0. A *line* is k cells in a row; its number is
``first cell × directions + direction``. No table here grows with the board: everything is computed
when it is needed.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations, product
from math import prod
from typing import NamedTuple

from noughts.arguments import Cell as Cell
from noughts.game.rules import VARIANTS, Rules

Line = tuple[Cell, ...]


class Direction(NamedTuple):
    """A direction in which lines run.

    Attributes:
        delta: the change of each coordinate per step: -1, 0 or 1.
        stride: the change of the cell's number per step.
    """

    delta: tuple[int, ...]
    stride: int


class Geometry:
    """The cells, directions and lines of a board.

    Attributes:
        shape, k: as in the rules.
        strides: the change of a cell's number per step along each side.
        directions: the directions in which k cells fit, one of each opposite pair; in two
            dimensions row, column, diagonal and anti-diagonal, in this order.
        count: the number of lines.
        through: a function that returns the numbers of the lines through a cell of the board: one
            range of up to k lines for each direction that has any. Cost: O(directions); the results
            for 4,096 cells are cached.

    >>> [Geometry(rules).count for rules in (Rules(), Rules((15, 15), k=5), Rules((3, 3, 3)))]
    [8, 572, 49]
    """

    __slots__ = ("count", "directions", "k", "shape", "strides", "through")

    def __init__(self, rules: Rules) -> None:
        self.shape: tuple[int, ...] = rules.shape
        self.k: int = rules.k
        self.strides: tuple[int, ...] = _strides(self.shape)
        self.directions: tuple[Direction, ...] = tuple(
            Direction(delta, sum(map(int.__mul__, delta, self.strides)))
            for delta in _deltas(self.shape, self.k)
        )
        self.count: int = sum(prod(map(len, self._begins(delta))) for delta, _ in self.directions)
        self.through: Callable[[Cell], tuple[range, ...]] = lru_cache(maxsize=4096)(self._through)

    def number(self, cell: Cell) -> int:
        """Return the number of a cell, or -1 if the board has no such cell."""
        if len(cell) != len(self.shape):
            return -1
        number = 0
        for at, side in zip(cell, self.shape, strict=True):
            if not 0 <= at < side:
                return -1
            number = number * side + at
        return number

    def cell(self, number: int) -> Cell:
        """Return the cell with this number; for other numbers it is off the board."""
        at = []
        for stride in self.strides:
            coordinate, number = divmod(number, stride)
            at.append(coordinate)
        return tuple(at)

    def _through(self, cell: Cell) -> tuple[range, ...]:
        number, ways = self.number(cell), len(self.directions)
        spans = []
        for way, (delta, stride) in enumerate(self.directions):
            behind, ahead = self._room(cell, delta)
            if behind + ahead >= self.k - 1:
                first = number - behind * stride
                last = number + (ahead - self.k + 1) * stride
                spans.append(range(first * ways + way, last * ways + way + 1, stride * ways))
        return tuple(spans)

    def _room(self, cell: Cell, delta: tuple[int, ...]) -> tuple[int, int]:
        """Return how many steps back and ahead from a cell stay on the board, up to k - 1."""
        behind = ahead = self.k - 1
        for at, step, side in zip(cell, delta, self.shape, strict=True):
            if step:
                before, after = (at, side - 1 - at) if step > 0 else (side - 1 - at, at)
                behind, ahead = min(behind, before), min(ahead, after)
        return behind, ahead

    def numbers(self, line: int) -> range:
        """Return the numbers of a line's cells, from its first to its last."""
        first, way = divmod(line, len(self.directions))
        stride = self.directions[way].stride
        return range(first, first + stride * (self.k - 1) + 1, stride)

    def cells(self, line: int) -> Line:
        """Return the k cells of a line, from its first to its last."""
        return tuple(map(self.cell, self.numbers(line)))

    def ends(self, line: int) -> tuple[Cell, Cell]:
        """Return the cells before a line's first and after its last, which can be off the board."""
        first, way = divmod(line, len(self.directions))
        begin, delta = self.cell(first), self.directions[way].delta
        before = tuple(at - step for at, step in zip(begin, delta, strict=True))
        after = tuple(at + self.k * step for at, step in zip(begin, delta, strict=True))
        return before, after

    def __iter__(self) -> Iterator[int]:
        """Yield the number of every line in ascending order; meant for small boards."""
        ways = len(self.directions)
        return iter(
            sorted(
                self.number(cell) * ways + way
                for way, (delta, _) in enumerate(self.directions)
                for cell in product(*self._begins(delta))
            )
        )

    def _begins(self, delta: tuple[int, ...]) -> list[range]:
        """Return, for each side, the coordinates that the first cell of a line can have."""
        return [
            range(self.k - 1, side) if step < 0 else range(side - step * (self.k - 1))
            for step, side in zip(delta, self.shape, strict=True)
        ]


geometry_of: Callable[[Rules], Geometry] = lru_cache(maxsize=16)(Geometry)
"""Return the geometry of rules, which games of equal rules share."""


@lru_cache(maxsize=16)
def counted_of(rules: Rules) -> bytes | None:
    """Return a byte for each line, 1 if it can win, or None if every line can. Cost: O(lines)."""
    counts = VARIANTS[rules.variant].counts
    if counts is None:
        return None
    geometry = geometry_of(rules)
    counted = bytearray(rules.cells * len(geometry.directions))
    for line in geometry:
        counted[line] = counts(rules.shape, geometry.ends(line))
    return bytes(counted)


def symmetries(rules: Rules) -> Iterator[tuple[int, ...]]:
    """Yield the symmetries of a board: every reflection and every exchange of equal sides.

    With gravity, down stays down. Each symmetry is a tuple that gives, for every cell number, the
    cell that moves there; the first is the identity. A square has 8. Lines are mapped to lines.
    """
    shape, strides = rules.shape, _strides(rules.shape)
    steps = [range(0, side * by, by) for side, by in zip(shape, strides, strict=True)]
    fixed = 1 if rules.gravity else 0  # the number of axes that stay as they are
    for order in permutations(range(fixed, len(shape))):
        axes = (*range(fixed), *order)
        if tuple(shape[axis] for axis in axes) == shape:
            # Reflecting a side of one cell changes nothing.
            ways = [(steps[axis], steps[axis][::-1])[: shape[axis]] for axis in order]
            for way in product(*ways):
                yield tuple(map(sum, product(*steps[:fixed], *way)))


def automorphisms(rules: Rules) -> Iterator[tuple[int, ...]]:
    """Yield the permutations of cells that map lines to lines, starting with `symmetries`.

    There are more of them if every line runs from side to side, as on 4×4×4 with k = 4: the
    coordinates can change places, in the same way along every side, as long as opposite ones stay
    opposite. So 4×4×4 has 192, not just the 48 of a cube. (R. Silver, *The group of automorphisms
    of the game of 3-dimensional ticktacktoe*, American Mathematical Monthly 74 (1967), 247–254.)
    """
    mirrored = list(symmetries(rules))
    if rules.gravity or set(rules.shape) != {rules.k}:
        yield from mirrored
        return
    for places in exchanges(rules.k):
        moved = [*map(sum, product(*([at * by for at in places] for by in _strides(rules.shape))))]
        yield from (tuple(moved[cell] for cell in image) for image in mirrored)


def exchanges(side: int) -> Iterator[list[int]]:
    """Yield the permutations of a side's coordinates that keep opposite ones opposite.

    Only one of each mirrored pair is included; the first is the identity.

    >>> list(exchanges(4))
    [[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 3, 2], [1, 3, 0, 2]]
    """
    last = side - 1
    ways = [(False,), *[(False, True)] * (side // 2)]  # the first pair stays as it is
    for order in permutations(range(side // 2)):
        for flips in product(*ways[: side // 2]):
            half = [last - at if flip else at for at, flip in zip(order, flips, strict=True)]
            middle = [last // 2] * (side % 2)
            yield [*half, *middle, *(last - at for at in reversed(half))]


def column_bits(rules: Rules) -> tuple[list[int], int]:
    """Lay out a bit for each cell, column by column from the bottom up, with a spare bit on top.

    The bits of a line are equally far apart and never wrap around the board: where they could,
    there is a spare column.

    Returns:
        The change of a bit's number per step along each side except the first, and the number of
        bits.
    """
    height, *sides = rules.shape
    strides, stride = list[int](), height + 1
    for side in reversed(sides):
        strides.insert(0, stride)
        stride *= side + (side >= rules.k)
    return strides, height + 1 + sum((n - 1) * by for n, by in zip(sides, strides, strict=True))


def _strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _deltas(shape: tuple[int, ...], k: int) -> list[tuple[int, ...]]:
    """Return the directions in which k cells fit, one of each opposite pair.

    Rows come before columns, columns before diagonals, diagonals before anti-diagonals. For k = 1
    there is only one direction, since all would have the same lines, the single cells.
    """

    def reading_order(delta: tuple[int, ...]) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        return sum(map(abs, delta)), tuple(map(abs, delta)), tuple(-step for step in delta)

    deltas = [
        delta
        for delta in product((0, 1, -1), repeat=len(shape))
        if delta > (0,) * len(shape)
        and all(side >= k for side, step in zip(shape, delta, strict=True) if step)
    ]
    return sorted(deltas, key=reading_order)[: 1 if k == 1 else None]
