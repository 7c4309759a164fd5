"""Positions with the live lines of each player, for the opponent."""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from noughts.errors import size
from noughts.game.game import Game
from noughts.game.geometry import Cell, geometry_of
from noughts.game.rules import Rules

MAX_CELLS = 1_000_000
MAX_CELLS_OF_LINES = 2_000_000  # summed over all lines, for the size of the tables


class LineTables(NamedTuple):
    """Tables of a board's cells and lines."""

    cells: tuple[Cell, ...]  # row-major
    lines: tuple[slice, ...]  # of the board, each the cells of a line
    through: tuple[list[int], ...]  # for each cell, the lines through it


class Position:
    """The lines of a game and the value of each cell for them. Cells are numbered row-major.

    Attributes:
        live: for each player, counted from 1, their live lines and the number of their marks on
            each; a line is live for a player while no other player has a mark on it.

    Cost: creating one takes O(lines · k) in C.
    """

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self.marks: bytes = game.key()
        tables = tables_of(rules)
        self.cells: tuple[Cell, ...] = tables.cells
        self.lines: tuple[slice, ...] = tables.lines
        self.through: tuple[list[int], ...] = tables.through
        self.k: int = rules.k
        self.players: int = rules.players
        self.turn: int = game.turn
        on_lines = [self.marks[cells] for cells in self.lines]
        empty = [marks.count(0) for marks in on_lines]
        self.live: dict[int, dict[int, int]] = {}
        for player in range(1, self.players + 1):
            tallies = enumerate(marks.count(player) for marks in on_lines)
            self.live[player] = {line: own for line, own in tallies if own + empty[line] == self.k}

    @property
    def empty(self) -> list[int]:
        """The empty cells in row-major order."""
        return [cell for cell, mark in enumerate(self.marks) if not mark]

    def empty_on(self, line: int) -> list[int]:
        """Return the empty cells of a line."""
        cells = range(len(self.marks))[self.lines[line]]
        return [cell for cell in cells if not self.marks[cell]]

    def weights(self, *players: int) -> list[int]:
        """Return for each cell the sum of 2^tally over these players' live lines through it.

        Divided by 2^k, it is the cell's share of a player's potential. The numbers of marked cells
        are meaningless.
        """
        weights = [0] * len(self.marks)
        for player in players:
            for line, tally in self.live[player].items():
                cells, weight = self.lines[line], 1 << tally
                weights[cells] = [so_far + weight for so_far in weights[cells]]
        return weights

    def merits(self) -> list[int]:
        """Return the merit of each cell: its weight for all players, counting the mover twice."""
        return self.weights(self.turn, *range(1, self.players + 1))


def by_promise(game: Game) -> list[Cell]:
    """Return the legal moves, the most promising first."""
    position = Position(game)
    merit = dict(zip(position.cells, position.merits(), strict=True))
    return sorted(game.legal_moves, key=lambda cell: -merit[cell])


@lru_cache(maxsize=8)
def tables_of(rules: Rules) -> LineTables:
    """Return the tables for these rules. Raises ValueError if the board is too large for them."""
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
