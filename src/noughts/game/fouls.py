"""The moves that renju forbids to Black, who is player 1: the definition, to be read.

`fouls.pxd` is the same in C, for the compiled board and for judging many games.

The terms are those of The International Rules of Renju, Renju International Federation, chapters 3
and 9 (https://www.renju.net/rifrules/), here in our words:

- A *five* is a run of exactly five of Black's marks, an *overline* a longer one. A move that makes
  a five is never a foul.
- A *four* is four marks in a line to which one more mark makes a five. The same four marks count
  once, so ``.XXXX.`` is one four, a *straight* one: its run has four marks and either end makes a
  five. ``X.XXX.X`` is two fours.
- A *three* is three marks in a line to which one more mark, the *fourth*, makes a straight four, no
  five anywhere, and no foul. To judge the fourth, the move itself is supposed to be on the board;
  its own threes depend on fourths in turn, to any depth.

The federation (9.3) lets a double-three pass if at most one of the threes can become a straight
four by a mark that makes (a) neither overline nor double-four, or (b) no forbidden double-three.
With three threes, one of which fails by (a) and another by (b), this can be read in two ways. Here
each three is judged on its own, as other programs do: the move passes.
"""

from collections.abc import Mapping

from noughts.game.geometry import Cell

EMPTY, BLACK, OFF_BOARD = 0, 1, -1
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
REACH = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)  # steps from a mark; what is farther does not count

# Beyond these bounds a three counts without a look at its fourth. No position of 500 games tried
# needed more than four fourths; one made on purpose could need exponentially many.
DEPTH = 32  # fourths supposed to be on the board at the same time
SUPPOSED = 1000  # fourths supposed for one answer


def foul(marks: Mapping[Cell, int], shape: tuple[int, int], cell: Cell) -> str | None:
    """The foul that Black would commit with a mark on an empty cell; None if it is not a foul.

    Where several apply, the first of these: ``"overline"``, ``"double_four"``, ``"double_three"``.

    Args:
        marks: the player on each cell that has a mark.
        shape: the rows and columns of the board.
        cell: an empty cell of the board.

    Cost: O(1). It reads five cells to each side, and as many around each supposed fourth.
    """
    made = _Trial(marks, shape).makes(cell)
    return None if made == "five" else made


class _Trial:
    """A position, with further marks of Black's that are supposed to be on it."""

    def __init__(self, marks: Mapping[Cell, int], shape: tuple[int, int]) -> None:
        self.marks = marks
        self.rows, self.columns = shape
        self.supposed: list[Cell] = []
        self.left = SUPPOSED

    def makes(self, cell: Cell) -> str | None:
        """What a mark of Black's on an empty cell makes: ``"five"``, a kind of foul, or None."""
        self.supposed.append(cell)
        made = self.made(cell, [way for way in WAYS if self.in_reach(cell, way) > 1])
        self.supposed.pop()
        return made

    def in_reach(self, cell: Cell, way: Cell) -> int:
        """How many marks of Black's are up to five steps along a way; three and more need two."""
        (row, column), (down, right) = cell, way
        return sum(self.mark((row + n * down, column + n * right)) == BLACK for n in REACH)

    def made(self, cell: Cell, ways: list[Cell]) -> str | None:
        """What the supposed mark makes, in these ways."""
        runs = [self.run(cell, way) for way in ways]
        if 5 in runs:
            return "five"
        if 6 in runs:
            return "overline"
        if sum(self.fours(cell, way) for way in ways) > 1:
            return "double_four"
        return "double_three" if self.is_double_three(cell, ways) else None

    def fours(self, cell: Cell, way: Cell) -> int:
        """How many fours of a line the supposed mark is in."""
        fives = sum(self.run(end, way) == 5 for end in self.ends(cell, way))
        return min(fives, 1) if self.run(cell, way) == 4 else fives

    def is_double_three(self, cell: Cell, ways: list[Cell]) -> bool:
        """Whether the supposed mark is in two threes or more."""
        shapes = [fourths for way in ways if (fourths := self.fourths(cell, way))]
        threes = 0
        for left, fourths in zip(range(len(shapes), 0, -1), shapes, strict=True):
            if threes + left < 2:
                break
            threes += any(map(self.is_allowed, fourths))
        return threes > 1

    def fourths(self, cell: Cell, way: Cell) -> list[Cell]:
        """The cells of a line where one more mark makes a straight four of the supposed one's."""
        return [end for end in self.ends(cell, way) if self.makes_straight_four(end, way)]

    def makes_straight_four(self, cell: Cell, way: Cell) -> bool:
        """Whether a mark on an empty cell makes a straight four of a line."""
        if self.run(cell, way) != 4:
            return False
        self.supposed.append(cell)
        fives = sum(self.run(end, way) == 5 for end in self.ends(cell, way))
        self.supposed.pop()
        return fives == 2

    def is_allowed(self, cell: Cell) -> bool:
        """Whether a fourth makes neither a five nor a foul; True beyond the bounds."""
        if not self.left or len(self.supposed) > DEPTH:
            return True
        self.left -= 1
        return not self.makes(cell)

    def ends(self, cell: Cell, way: Cell) -> list[Cell]:
        """The empty cells next to the run of a line that a mark here is in."""
        both = (self.walk(cell, step)[1] for step in _senses(way))
        return [end for end in both if self.mark(end) == EMPTY]

    def run(self, cell: Cell, way: Cell) -> int:
        """How many marks of Black's are in a row where one is here; six for more."""
        return min(1 + sum(self.walk(cell, step)[0] for step in _senses(way)), 6)

    def walk(self, cell: Cell, step: Cell) -> tuple[int, Cell]:
        """How many marks of Black's follow a cell, up to five; and the cell after them."""
        row, column = cell
        for length in range(6):
            row, column = row + step[0], column + step[1]
            if length == 5 or self.mark((row, column)) != BLACK:
                break
        return length, (row, column)

    def mark(self, cell: Cell) -> int:
        """The mark on a cell: the player, 0 for none, or -1 where the board has no such cell."""
        if cell in self.supposed:
            return BLACK
        if cell in self.marks:
            return self.marks[cell]
        return EMPTY if 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns else OFF_BOARD


def _senses(way: Cell) -> tuple[Cell, Cell]:
    """The two steps along a way: back and ahead."""
    return (-way[0], -way[1]), (way[0], way[1])
