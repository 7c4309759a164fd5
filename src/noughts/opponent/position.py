"""A position as the opponent sees it: how far each player has come on each line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from noughts.errors import size
from noughts.game import Game
from noughts.geometry import Cell, geometry_of
from noughts.rules import Rules

MAX_CELLS = 1_000_000
MAX_CELLS_OF_LINES = 2_000_000  # summed over all lines; what a position's tables may hold


class LineTables(NamedTuple):
    """The cells and lines of a board in tables."""

    cells: tuple[Cell, ...]  # row-major
    lines: tuple[slice, ...]  # of the board, each the cells of a line
    through: tuple[list[int], ...]  # for each cell, the lines through it


class Position:
    """The marks of a game and the tallies of its lines, to think ahead in.

    Unlike `Game` it checks nothing, numbers cells row-major, and lets anyone move next: `turn` may
    be set. A line's state is one number, to which each mark adds the unit of its player; `having`
    has the lines of each state.

    Cost: O(lines · k) in C to make one; `play` and `undo` touch only the lines through the cell.
    """

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self.cells, self.lines, self.through = tables_of(rules)
        self.k, self.players, self.turn = rules.k, rules.players, game.turn
        # how far above a cell's number is that of the cell on which it stands; 0 without gravity
        self.falls = rules.cells // rules.shape[0] if rules.gravity else 0
        board = game.key()
        self.marks = bytearray(board)
        self._unit = [0, *((self.k + 1) ** player for player in range(self.players))]
        self.states = [0] * len(self.lines)
        for player in range(1, self.players + 1):
            unit, so_far = self._unit[player], zip(self.lines, self.states, strict=True)
            self.states = [state + unit * board[cells].count(player) for cells, state in so_far]
        self.having = defaultdict[int, set[int]](set)
        for line, state in enumerate(self.states):
            self.having[state].add(line)

    @property
    def empty(self) -> list[int]:
        """The empty cells in row-major order."""
        return [cell for cell, mark in enumerate(self.marks) if not mark]

    @property
    def open(self) -> list[int]:
        """The empty cells on which a mark stays, in row-major order."""
        return self.staying(self.empty)

    def staying(self, cells: Iterable[int]) -> list[int]:
        """Those of these cells on which a mark does not fall: all without gravity."""
        below, supported = self.falls, len(self.marks) - self.falls
        if not below:
            return list(cells)
        return [cell for cell in cells if cell >= supported or self.marks[cell + below]]

    def next_to(self, player: int) -> int:
        """The player who moves after `player`."""
        return player % self.players + 1

    def live(self, player: int) -> dict[int, int]:
        """The lines that bear no mark but the player's, each with how many of these."""
        unit = self._unit[player]
        return {
            line: tally for tally in range(self.k + 1) for line in self.having.get(tally * unit, ())
        }

    def lacking(self, missing: int, player: int) -> set[int]:
        """The player's live lines on which so many marks are missing."""
        return self.having[(self.k - missing) * self._unit[player]]

    def empty_on(self, line: int) -> list[int]:
        """The empty cells of a line."""
        cells = range(len(self.marks))[self.lines[line]]
        return [cell for cell in cells if not self.marks[cell]]

    def threats(self, player: int) -> list[int]:
        """The cells with which the player would complete a line now."""
        lines = self.lacking(1, player)
        return sorted(self.staying({cell for line in lines for cell in self.empty_on(line)}))

    def blocks(self) -> list[int]:
        """The cells to block: where the first of the others to move who can completes a line."""
        player = self.next_to(self.turn)
        while player != self.turn:
            if threats := self.threats(player):
                return threats
            player = self.next_to(player)
        return []

    def score(self, player: int) -> int:
        """What the player's live lines are worth: four times as much with each mark."""
        unit = self._unit[player]
        return sum(
            len(self.having.get(tally * unit, ())) << 2 * min(tally, 40)
            for tally in range(1, self.k)
        )

    def weights(self, *players: int) -> list[int]:
        """For each cell, the sum of 2^tally over the live lines through it of each of the players.

        Divided by 2^k that is the cell's share of a player's potential. Cells that bear a mark
        have numbers too; they mean nothing.
        """
        weights = [0] * len(self.marks)
        for player in players:
            for line, tally in self.live(player).items():
                cells, weight = self.lines[line], 1 << tally
                weights[cells] = [so_far + weight for so_far in weights[cells]]
        return weights

    def merits(self) -> list[int]:
        """How much each cell promises, as far as a glance at the lines tells.

        The weight of the mover's lines that it lengthens, twice, and of the others' that it blocks.
        """
        return self.weights(self.turn, *range(1, self.players + 1))

    def by_promise(self) -> list[int]:
        """The open cells, the most promising ones first."""
        merits = self.merits()
        return sorted(self.open, key=lambda cell: -merits[cell])

    def play(self, cell: int) -> None:
        """Put a mark of the player to move on an empty cell."""
        player = self.marks[cell] = self.turn
        self._add(cell, self._unit[player])
        self.turn = self.next_to(player)

    def undo(self, cell: int) -> None:
        """Take back the last move, which was made on this cell."""
        player = self.turn = self.marks[cell]
        self._add(cell, -self._unit[player])
        self.marks[cell] = 0

    def _add(self, cell: int, change: int) -> None:
        states, having = self.states, self.having
        for line in self.through[cell]:
            having[states[line]].remove(line)
            states[line] += change
            having[states[line]].add(line)


@lru_cache(maxsize=8)
def tables_of(rules: Rules) -> LineTables:
    """The tables for these rules, which all games of equal rules share.

    Raises:
        ValueError: the board is too large to hold its lines in tables.
    """
    geometry = geometry_of(rules)
    if rules.cells > MAX_CELLS or geometry.count * rules.k > MAX_CELLS_OF_LINES:
        raise ValueError(f"a {size(rules.shape)} board is too large for the opponent")
    lines = list(map(geometry.numbers, geometry))
    through: list[list[int]] = [[] for _ in range(rules.cells)]
    for line, cells in enumerate(lines):
        for cell in cells:
            through[cell].append(line)
    slices = (slice(cells.start, cells.stop, cells.step) for cells in lines)
    board = product(*map(range, rules.shape))
    return LineTables(tuple(board), tuple(slices), tuple(through))
