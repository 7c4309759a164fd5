"""Geometry: the only numbering of cells, directions and lines; the symmetries of a board.

Cells are numbered row by row, from 0. A *line* is k cells in a row, which win; its number is
``first cell × directions + direction``. No table here grows with the board: everything is worked
out when it is needed.
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
    """One way a line can run.

    Attributes:
        delta: what a step adds to each coordinate: -1, 0 or 1.
        stride: what a step adds to the cell's number.
    """

    delta: tuple[int, ...]
    stride: int


class Geometry:
    """The cells, directions and lines of a board.

    Args:
        rules: the game that is played on it.

    Attributes:
        shape, k: as in the rules.
        strides: what a step along each side adds to a cell's number.
        directions: those in which k cells fit, one of each opposite pair; in two dimensions row,
            column, diagonal and anti-diagonal, in this order.
        count: how many lines there are.
        through: a function of a cell of the board: the numbers of the lines through it, a range of
            at most k for each direction that has any. Cost: O(directions); 4,096 cells are kept.

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
        """The number of a cell of the board; -1 where the board has no such cell."""
        if len(cell) != len(self.shape):
            return -1
        number = 0
        for at, side in zip(cell, self.shape, strict=True):
            if not 0 <= at < side:
                return -1
            number = number * side + at
        return number

    def cell(self, number: int) -> Cell:
        """The cell with this number; it is off the board if no cell of the board has it."""
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
        """How many steps fit on the board from a cell, back and ahead; k - 1 at most."""
        behind = ahead = self.k - 1
        for at, step, side in zip(cell, delta, self.shape, strict=True):
            if step:
                before, after = (at, side - 1 - at) if step > 0 else (side - 1 - at, at)
                behind, ahead = min(behind, before), min(ahead, after)
        return behind, ahead

    def numbers(self, line: int) -> range:
        """The numbers of a line's cells, from its first to its last."""
        first, way = divmod(line, len(self.directions))
        stride = self.directions[way].stride
        return range(first, first + stride * (self.k - 1) + 1, stride)

    def cells(self, line: int) -> Line:
        """The k cells of a line, from its first to its last."""
        return tuple(map(self.cell, self.numbers(line)))

    def ends(self, line: int) -> tuple[Cell, Cell]:
        """The cells before a line's first and after its last, which may be off the board."""
        first, way = divmod(line, len(self.directions))
        begin, delta = self.cell(first), self.directions[way].delta
        before = tuple(at - step for at, step in zip(begin, delta, strict=True))
        after = tuple(at + self.k * step for at, step in zip(begin, delta, strict=True))
        return before, after

    def __iter__(self) -> Iterator[int]:
        """The number of every line, in ascending order; meant for small boards."""
        ways = len(self.directions)
        return iter(
            sorted(
                self.number(cell) * ways + way
                for way, (delta, _) in enumerate(self.directions)
                for cell in product(*self._begins(delta))
            )
        )

    def _begins(self, delta: tuple[int, ...]) -> list[range]:
        """The coordinates along each side that the first cell of a line may have."""
        return [
            range(self.k - 1, side) if step < 0 else range(side - step * (self.k - 1))
            for step, side in zip(delta, self.shape, strict=True)
        ]


@lru_cache(maxsize=16)
def geometry_of(rules: Rules) -> Geometry:
    """The geometry of these rules; games of equal rules share it."""
    return Geometry(rules)


@lru_cache(maxsize=16)
def counted_of(rules: Rules) -> bytes | None:
    """For each number, 1 if it is of a line that can win; None if all lines can. Cost: O(lines)."""
    counts = VARIANTS[rules.variant].counts
    if counts is None:
        return None
    geometry = geometry_of(rules)
    counted = bytearray(rules.cells * len(geometry.directions))
    for line in geometry:
        counted[line] = counts(rules.shape, geometry.ends(line))
    return bytes(counted)


def symmetries(rules: Rules) -> Iterator[tuple[int, ...]]:
    """The symmetries of a board: every reflection and every exchange of equal sides.

    With gravity down stays down. Each is a tuple that gives, for every cell number, the cell that
    moves there; the first is the identity. A square has 8. They map lines to lines.
    """
    shape, strides = rules.shape, _strides(rules.shape)
    steps = [range(0, side * by, by) for side, by in zip(shape, strides, strict=True)]
    fixed = 1 if rules.gravity else 0  # how many axes stay as they are
    for order in permutations(range(fixed, len(shape))):
        axes = (*range(fixed), *order)
        if tuple(shape[axis] for axis in axes) == shape:
            # A side of one cell looks the same in the mirror.
            ways = [(steps[axis], steps[axis][::-1])[: shape[axis]] for axis in order]
            for way in product(*ways):
                yield tuple(map(sum, product(*steps[:fixed], *way)))


def automorphisms(rules: Rules) -> Iterator[tuple[int, ...]]:
    """The permutations of cells that map lines to lines, in the form of `symmetries`; these first.

    There are more where every line runs from side to side, as on 4×4×4 with k = 4: the coordinates
    may change places, the same way along every side, as long as opposite ones stay opposite. So
    4×4×4 has 192, not just the 48 of a cube. (R. Silver, *The group of automorphisms of the game
    of 3-dimensional ticktacktoe*, American Mathematical Monthly 74 (1967), 247–254.)
    """
    mirrored = list(symmetries(rules))
    if rules.gravity or set(rules.shape) != {rules.k}:
        yield from mirrored
        return
    for places in exchanges(rules.k):
        moved = [*map(sum, product(*([at * by for at in places] for by in _strides(rules.shape))))]
        yield from (tuple(moved[cell] for cell in image) for image in mirrored)


def exchanges(side: int) -> Iterator[list[int]]:
    """The permutations of a side's coordinates that keep opposite ones opposite.

    Of two that mirror each other only one is given; the first is the identity.

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
    """A bit for each cell, column by column from the lowest cell up, and a spare one above them.

    Lines have equal steps between their bits and never wrap around the board: where they could,
    there is a spare column.

    Returns:
        What a step along each side but the first adds to the number of a bit; how many bits there
        are.
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
    """The directions in which k cells fit, one of each opposite pair.

    Rows come before columns, columns before diagonals, diagonals before anti-diagonals. For k = 1
    every direction would give the same lines, the single cells: one is enough.
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
