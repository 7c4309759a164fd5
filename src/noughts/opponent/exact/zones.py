"""Wins against every reply and their zones. All of this depends on lines only, not on a search.

The **zone** of a win contains the empty cells where further marks of the other player could prevent
it. With up to `spare` such marks outside it, which complete no line, the same moves win. It has

- each cell that the win needs, to play on or to complete a line;
- after each move, the empty cells of each line without the player's marks that the other player
  could complete next with `spare` further marks.

Thus, after a move that wins if the other player passes, only some replies need an answer. Let the
win after the pass have a zone for one more spare mark. After a reply outside that zone, which is
this mark, the same moves win. Each reply inside needs its own answer.

(The idea is from T. Thomsen, *Lambda-search in game trees*, 2000, and I-C. Wu and P.-H. Lin,
*Relevance-zone-oriented proof search for Connect6*, 2010.)
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from noughts.game.game import Game
from noughts.game.geometry import geometry_of
from noughts.game.rules import Rules
from noughts.picture import cell_name


class WrongStep(Exception):
    """The reason why a step is wrong, and its line unless it is the last line read."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Step:
    """A move and the numbers of the steps that follow. Cells are bits.

    Attributes:
        move: the cell; 0 if the other player is to move.
        replies: the step after each reply.
        passed: the step after a pass, which answers all unlisted replies; None if there is none.
        plan: a plan that holds after the move, instead of replies; such a step does not win.
    """

    move: int
    replies: Mapping[int, int]
    passed: int | None = None
    plan: int | None = None


class Zones:
    """A checker of wins in one game. Sets of cells are bits of integers.

    Args:
        rules: freestyle rules for two players without gravity.
        step_of: returns a step by its number. Steps must not form a cycle.

    Attributes:
        lines: the cells of each line.
    """

    def __init__(self, rules: Rules, step_of: Callable[[int], Step]) -> None:
        geometry = geometry_of(rules)
        self._step_of, self._k, self._geometry = step_of, rules.k, geometry
        self.lines = [sum(1 << cell for cell in geometry.numbers(line)) for line in geometry]
        self._everywhere = (1 << rules.cells) - 1
        self._zones: dict[tuple[int, int, int, int], int] = {}  # by the arguments of `zone`

    def zone(self, number: int, own: int, other: int, spare: int = 0) -> int:
        """Return the zone of a win by this step, given the marks of its player and the other.

        Raises WrongStep if the step does not win.

        Cost: O(lines) for each position that a step reaches, once for each number of spare marks.
        """
        asked = number, own, other, spare
        if asked not in self._zones:
            self._zones[asked] = self._zone(*asked)
        return self._zones[asked]

    def ends(self, own: int, other: int) -> int:
        """Return the cells that complete a line of `own`."""
        ends = 0
        for line in self.lines:
            if not line & other and not (lacking := line & ~own) & (lacking - 1):
                ends |= lacking
        return ends

    def live(self, own: int, other: int) -> int:
        """Return the empty cells on live lines with a mark in `own`."""
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
            raise WrongStep("the game is over after it without a win", number)
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
    """Return the cells of each player, in a game of two, as bits."""
    numbers = list(map(geometry_of(game.rules).number, game.history))
    return sum(1 << cell for cell in numbers[::2]), sum(1 << cell for cell in numbers[1::2])


def bits(cells: int) -> Iterator[int]:
    """Yield each of these cells."""
    while cells:
        cell = cells & -cells
        yield cell
        cells ^= cell
