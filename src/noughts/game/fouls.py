"""The moves that renju forbids to Black, who is player 1. This is the readable definition.

`fouls.pxd` is the same in C, for the compiled board and for judging many games.

The terms follow The International Rules of Renju, Renju International Federation, chapters 3 and 9
(https://www.renju.net/rifrules/), in our words:

- A *five* is a run of exactly five black marks, an *overline* a longer one. A move that makes a
  five is never a foul.
- A *four* is four marks in a line that one more mark turns into a five. The same four marks count
  once, so ``.XXXX.`` is one four, a *straight* one: a run of four marks that a mark at either end
  turns into a five. ``X.XXX.X`` is two fours.
- A *three* is three marks in a line that one more mark, the *fourth*, turns into a straight four,
  without making a five elsewhere or a foul. The fourth is judged as if the move itself were on the
  board; its own threes depend on further fourths, to any depth.

The federation (9.3) allows a double-three if at most one of the threes can become a straight four
by a mark that makes (a) neither an overline nor a double-four, or (b) no forbidden double-three.
With three threes, one of which fails by (a) and another by (b), this can be read in two ways. Here
each three is judged on its own, as in other programs, so that the move is allowed.
"""

from collections.abc import Mapping

from noughts.game.geometry import Cell

EMPTY, BLACK, OFF_BOARD = 0, 1, -1
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
REACH = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)  # steps from a mark; cells farther away do not matter

# Beyond these limits a three counts without judging its fourth. No position of 500 sample games
# needed more than four fourths; a contrived one could need exponentially many.
DEPTH = 32  # hypothetical fourths on the board at the same time
SUPPOSED = 1000  # hypothetical fourths per call


def foul(marks: Mapping[Cell, int], shape: tuple[int, ...], cell: Cell) -> str | None:
    """Return the foul that Black would commit with a mark on an empty cell, or None.

    If several apply, it is the first of ``"overline"``, ``"double_four"``, ``"double_three"``.

    Args:
        marks: the player on each cell that has a mark.
        shape: the rows and columns of the board.
        cell: an empty cell of the board.

    Cost: O(1). It reads five cells to each side, and the same around each hypothetical fourth.
    """
    made = _Trial(marks, shape).makes(cell)
    return None if made == "five" else made


class _Trial:
    """A position with hypothetical further black marks."""

    def __init__(self, marks: Mapping[Cell, int], shape: tuple[int, ...]) -> None:
        self.marks = marks
        self.rows, self.columns = shape
        self.supposed: list[Cell] = []
        self.left = SUPPOSED

    def makes(self, cell: Cell) -> str | None:
        """Return what a black mark on an empty cell makes: ``"five"``, a kind of foul, or None."""
        self.supposed.append(cell)
        made = self.made(cell, [way for way in WAYS if self.in_reach(cell, way) > 1])
        self.supposed.pop()
        return made

    def in_reach(self, cell: Cell, way: Cell) -> int:
        """Count the black marks up to five steps along a way; threes and more need two."""
        (row, column), (down, right) = cell, way
        return sum(self.mark((row + n * down, column + n * right)) == BLACK for n in REACH)

    def made(self, cell: Cell, ways: list[Cell]) -> str | None:
        """Return what the hypothetical mark on `cell` makes along these ways, as `makes`."""
        runs = [self.run(cell, way) for way in ways]
        if 5 in runs:
            return "five"
        if 6 in runs:
            return "overline"
        if sum(self.fours(cell, way) for way in ways) > 1:
            return "double_four"
        return "double_three" if self.is_double_three(cell, ways) else None

    def fours(self, cell: Cell, way: Cell) -> int:
        """Count the fours along a way that the hypothetical mark belongs to."""
        fives = sum(self.run(end, way) == 5 for end in self.ends(cell, way))
        return min(fives, 1) if self.run(cell, way) == 4 else fives

    def is_double_three(self, cell: Cell, ways: list[Cell]) -> bool:
        """Return whether the hypothetical mark belongs to two threes or more."""
        shapes = [fourths for way in ways if (fourths := self.fourths(cell, way))]
        threes = 0
        for left, fourths in zip(range(len(shapes), 0, -1), shapes, strict=True):
            if threes + left < 2:
                break
            threes += any(map(self.is_allowed, fourths))
        return threes > 1

    def fourths(self, cell: Cell, way: Cell) -> list[Cell]:
        """Return the cells where one more mark makes a straight four with the hypothetical one."""
        return [end for end in self.ends(cell, way) if self.makes_straight_four(end, way)]

    def makes_straight_four(self, cell: Cell, way: Cell) -> bool:
        """Return whether a mark on an empty cell makes a straight four along a way."""
        if self.run(cell, way) != 4:
            return False
        self.supposed.append(cell)
        fives = sum(self.run(end, way) == 5 for end in self.ends(cell, way))
        self.supposed.pop()
        return fives == 2

    def is_allowed(self, cell: Cell) -> bool:
        """Return whether a fourth makes neither a five nor a foul; True beyond the limits."""
        if not self.left or len(self.supposed) > DEPTH:
            return True
        self.left -= 1
        return not self.makes(cell)

    def ends(self, cell: Cell, way: Cell) -> list[Cell]:
        """Return the empty cells at the ends of the run along a way that contains `cell`."""
        return [end for _, end in self.sides(cell, way) if self.mark(end) == EMPTY]

    def run(self, cell: Cell, way: Cell) -> int:
        """Return the length of the black run along a way that contains `cell`, up to six."""
        return min(1 + sum(length for length, _ in self.sides(cell, way)), 6)

    def sides(self, cell: Cell, way: Cell) -> list[tuple[int, Cell]]:
        """Return what `walk` finds on both sides of a cell."""
        return [self.walk(cell, step) for step in ((-way[0], -way[1]), way)]

    def walk(self, cell: Cell, step: Cell) -> tuple[int, Cell]:
        """Count the black marks after a cell, up to five; return also the cell after them."""
        row, column = cell
        for length in range(6):
            row, column = row + step[0], column + step[1]
            if length == 5 or self.mark((row, column)) != BLACK:
                break
        return length, (row, column)

    def mark(self, cell: Cell) -> int:
        """Return the mark on a cell: a player, 0 if it is empty, or -1 if it is off the board."""
        if cell in self.supposed:
            return BLACK
        if cell in self.marks:
            return self.marks[cell]
        return EMPTY if 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns else OFF_BOARD
