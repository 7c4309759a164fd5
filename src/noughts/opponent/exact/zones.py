"""Wins against every reply, and their zones. This knows lines of k cells, and nothing of a search.

The **zone** of a win has the empty cells where further marks of the other player's could prevent
it. With up to `spare` such marks outside it, which complete no line, the same moves win. It has

- each cell that the win needs: those of its moves, and those that complete its lines;
- after each move, the empty cells of each line without the player's marks that the other player
  could complete next with so many further marks.

So a move that threatens a win, but only after a pass, need not be answered everywhere. Let the win
after the pass have a zone for one spare mark more. A reply outside that zone is this mark, and the
same moves win. The replies inside need answers of their own.

(The idea is that of T. Thomsen, *Lambda-search in game trees*, 2000, and of I-C. Wu and P.-H. Lin,
*Relevance-zone-oriented proof search for Connect6*, 2010.)
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from noughts.game.game import Game
from noughts.game.geometry import geometry_of
from noughts.game.rules import Rules
from noughts.picture import cell_name


class WrongStep(Exception):
    """Why steps prove nothing; the line, if it is not the last that was read."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Step:
    """A move, and the numbers of the steps that follow. Cells are bits.

    Attributes:
        move: the cell; 0 if the other player is to move.
        replies: the step after each reply.
        passed: the step after a pass, which answers the replies that are not listed; None if there
            is no such step.
        plan: a plan that holds from then on, instead of replies; with one, it does not win.
    """

    move: int
    replies: Mapping[int, int]
    passed: int | None = None
    plan: int | None = None


class Zones:
    """Checks wins of one game. Sets of cells are the bits of integers.

    Args:
        rules: for two players, without fouls and gravity; every line of k marks or more wins.
        step_of: a step by its number. Steps must not lead back to themselves.

    Attributes:
        lines: the cells of each line.
    """

    def __init__(self, rules: Rules, step_of: Callable[[int], Step]) -> None:
        geometry = geometry_of(rules)
        self._step_of, self._k, self._geometry = step_of, rules.k, geometry
        self.lines = [sum(1 << cell for cell in geometry.numbers(line)) for line in geometry]
        self._everywhere = (1 << rules.cells) - 1
        self._zones: dict[tuple[int, int, int, int], int] = {}  # by what they were asked for

    def zone(self, number: int, own: int, other: int, spare: int = 0) -> int:
        """The zone of a win by this step, from the marks of its player and of the other.

        Raises:
            WrongStep: it does not win.

        Cost: O(lines) for each position that a step meets, once for each number of spare marks.
        """
        asked = number, own, other, spare
        if asked not in self._zones:
            self._zones[asked] = self._zone(*asked)
        return self._zones[asked]

    def ends(self, own: int, other: int) -> int:
        """The cells that complete a line of the first player's."""
        ends = 0
        for line in self.lines:
            if not line & other and not (lacking := line & ~own) & (lacking - 1):
                ends |= lacking
        return ends

    def live(self, own: int, other: int) -> int:
        """The empty cells on live lines with a mark of the first player's."""
        live = 0
        for line in self.lines:
            if line & own and not line & other:
                live |= line
        return live & ~own

    def _zone(self, number: int, own: int, other: int, spare: int) -> int:
        step = self._step_of(number)
        if step.move & (own | other):
            raise WrongStep(f"{self._name(step.move)} is taken", number)
        zone, ends, lost = step.move, 0, False
        own |= step.move
        for line in self.lines:
            if not line & other and not (lacking := line & ~own) & (lacking - 1):
                if not lacking:
                    return zone
                ends |= lacking
            if not line & own and (marks := (line & other).bit_count()) + spare >= self._k - 1:
                lost |= marks == self._k - 1
                zone |= line & ~other
        if lost:
            raise WrongStep("the other player completes a line after it", number)
        if ends & (ends - 1):
            return zone | ends
        left = self._everywhere & ~(own | other)
        if not left:
            raise WrongStep("the game is over after it, and not won", number)
        needed = ends
        if not ends and step.passed is not None:
            needed = self.zone(step.passed, own, other, spare + 1)
        for reply in bits(needed or left):
            if reply not in step.replies:
                raise WrongStep(f"it has no answer to {self._name(reply)}", number)
            zone |= self.zone(step.replies[reply], own, other | reply, spare)
        return zone | needed

    def _name(self, cell: int) -> str:
        return cell_name(self._geometry.cell(cell.bit_length() - 1))


def marks_of(game: Game) -> tuple[int, int]:
    """The cells of each player of a game of two."""
    numbers = list(map(geometry_of(game.rules).number, game.history))
    return sum(1 << cell for cell in numbers[::2]), sum(1 << cell for cell in numbers[1::2])


def bits(cells: int) -> Iterator[int]:
    """Each of these cells."""
    while cells:
        cell = cells & -cells
        yield cell
        cells ^= cell
