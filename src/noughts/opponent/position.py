"""A position as the opponent sees it: how far each player has come on each line."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from noughts.errors import size
from noughts.game import Game
from noughts.geometry import Cell, geometry_of
from noughts.rules import Rules

MAX_CELLS = 1_000_000
MAX_CELLS_OF_LINES = 2_000_000  # summed over all lines; what a position's tables may hold


class LineTables(NamedTuple):
    """The lines of a board in tables. Cells are numbered row-major."""

    cells: tuple[Cell, ...]
    slices: tuple[slice, ...]  # each line's cells, as a slice of the board
    lines: tuple[range, ...]  # the same as numbers
    through: tuple[frozenset[int], ...]  # for each cell, the lines through it
    crossing: int  # the most lines through one cell


class Position:
    """The marks of a game and the tallies of its lines, to think ahead in.

    Unlike `Game` it checks nothing, numbers cells row-major, and keeps at hand the lines that are
    nearly complete. `line_worth` says what a live line counts in `score`, by its tally.

    Cost: O(lines · k) in C to make one; `play` and `undo` touch only the lines through the cell.
    """

    __slots__ = (
        "_worth",
        "k",
        "marks",
        "near",
        "players",
        "score",
        "tables",
        "tally",
        "total",
        "turn",
    )

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self.tables = tables_of(rules)
        self.k, self.players, self.turn = rules.k, rules.players, game.turn
        self.marks = bytearray(game.key())
        board = bytes(self.marks)
        lines = [board[line] for line in self.tables.slices]
        everyone = range(1, self.players + 1)
        self.tally = [[], *([line.count(player) for line in lines] for player in everyone)]
        self.total = [sum(tallies) for tallies in zip(*self.tally[1:], strict=True)]
        # near[player][m]: the player's live lines that lack m marks, 1 or 2
        self.near: list[tuple[set[int], set[int], set[int]]] = [
            (set(), set(), set()) for _ in range(self.players + 1)
        ]
        for player in everyone:
            for line, (own, all_) in enumerate(zip(self.tally[player], self.total, strict=True)):
                if own == all_ and 1 <= self.k - own <= 2:
                    self.near[player][self.k - own].add(line)
        self._worth = [0, *(4 ** min(tally, 40) for tally in range(self.k))]
        self.score = [0] * (self.players + 1)  # since this position; only differences matter

    @property
    def empty(self) -> list[int]:
        """The empty cells in row-major order."""
        return [cell for cell, mark in enumerate(self.marks) if not mark]

    def next_to(self, player: int) -> int:
        """The player who moves after `player`."""
        return player % self.players + 1

    def live(self, player: int) -> list[int]:
        """The lines that bear no mark but the player's."""
        pairs = zip(self.tally[player], self.total, strict=True)
        return [line for line, (own, all_) in enumerate(pairs) if own == all_]

    def empty_on(self, line: int) -> list[int]:
        """The empty cells of a line."""
        return [cell for cell in self.tables.lines[line] if not self.marks[cell]]

    def threats(self, player: int) -> set[int]:
        """The cells with which the player would complete a line now."""
        return {cell for line in self.near[player][1] for cell in self.empty_on(line)}

    def blocks(self) -> list[int]:
        """The cells to block: where the first of the others to move who can completes a line."""
        player = self.next_to(self.turn)
        while player != self.turn:
            if self.near[player][1]:
                return sorted(self.threats(player))
            player = self.next_to(player)
        return []

    def weights(self, player: int) -> list[int]:
        """For each cell, the sum of 2^tally over the player's live lines through it.

        Divided by 2^k that is the cell's share of the player's potential. Cells that bear a mark
        have numbers too; they mean nothing.
        """
        weights = [0] * len(self.marks)
        tally, slices = self.tally[player], self.tables.slices
        for line in self.live(player):
            cells, weight = slices[line], 1 << tally[line]
            weights[cells] = [so_far + weight for so_far in weights[cells]]
        return weights

    def play(self, cell: int) -> None:
        """Put a mark of the player to move on an empty cell."""
        player = self.turn
        self.marks[cell] = player
        for line in self.tables.through[cell]:
            self._leave(line)
            self.tally[player][line] += 1
            self.total[line] += 1
            self._enter(line)
        self.turn = self.next_to(player)

    def undo(self, cell: int) -> None:
        """Take back the last move, which was made on this cell."""
        player = self.turn = self.marks[cell]
        self.marks[cell] = 0
        for line in self.tables.through[cell]:
            self._leave(line)
            self.tally[player][line] -= 1
            self.total[line] -= 1
            self._enter(line)

    def _leave(self, line: int) -> None:
        """Forget what the line counts for before its tallies change."""
        all_ = self.total[line]
        missing = self.k - all_
        for player in range(1, self.players + 1):
            if self.tally[player][line] == all_:
                self.score[player] -= self._worth[all_]
                if 1 <= missing <= 2:
                    self.near[player][missing].discard(line)

    def _enter(self, line: int) -> None:
        """Count the line for whom it is live with its new tallies."""
        all_ = self.total[line]
        missing = self.k - all_
        for player in range(1, self.players + 1):
            if self.tally[player][line] == all_:
                self.score[player] += self._worth[all_]
                if 1 <= missing <= 2:
                    self.near[player][missing].add(line)


@lru_cache(maxsize=8)
def tables_of(rules: Rules) -> LineTables:
    """The tables for these rules, which all games of equal rules share.

    Raises:
        ValueError: the board is too large to hold its lines in tables.
    """
    lines = geometry_of(rules)
    if rules.cells > MAX_CELLS or lines.count * rules.k > MAX_CELLS_OF_LINES:
        raise ValueError(f"a {size(rules.shape)} board is too large for the opponent")
    slices = tuple(lines.slices())
    numbers = tuple(range(line.start, line.stop, line.step) for line in slices)
    through: list[list[int]] = [[] for _ in range(prod(rules.shape))]
    for line, cells in enumerate(numbers):
        for cell in cells:
            through[cell].append(line)
    return LineTables(
        tuple(product(*map(range, rules.shape))),
        slices,
        numbers,
        tuple(map(frozenset, through)),
        max(map(len, through)),
    )
