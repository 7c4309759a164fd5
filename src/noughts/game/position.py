"""A position as text, and the moves that lead to it.

`Game.to_text` describes the text. Since a game consists of moves, reading a position means finding
moves that lead to it. Marks are removed one by one, starting with one of the last player's, and
only where no earlier game end is left. Marks that no game can have are detected this way under any
rules.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from noughts.compiled import accelerated
from noughts.errors import InvalidPosition, InvalidRules, short_repr
from noughts.game.fouls import foul
from noughts.game.geometry import Cell, Line, geometry_of
from noughts.game.rules import VARIANTS, Rules
from noughts.picture.cells import cell_name

if TYPE_CHECKING:  # types come from the definition
    from noughts.game.board import Board
else:
    Board = accelerated("noughts.game.board").Board

LETTERS = "XOCDEFGH"
MAX_TRIES = 20_000  # failed removals of a mark
PATIENCE = 1_000  # of these before the search restarts in another order

# What needs no escaping in any part of a URL (RFC 3986, 2.3).
ESCAPED = str.maketrans(",=", ".~")
PLAIN = str.maketrans(".~", ",=")


def position_text(rules: Rules, cells: Sequence[Cell]) -> str:
    """Return the position after these cells have been played as text; see `Game.to_text`."""
    number = geometry_of(rules).number
    parts, empty_from = [], 0
    for at, ply in sorted((number(cell), ply) for ply, cell in enumerate(cells)):
        parts.append(f"{at - empty_from or ''}{LETTERS[ply % rules.players]}")
        empty_from = at + 1
    parts.append(f"{rules.cells - empty_from or ''}")
    return f"{str(rules).translate(ESCAPED)}_{''.join(parts)}"


def read_position(text: str) -> tuple[Rules, list[Cell]]:
    """Return the rules of a position and cells that lead to it when played in this order.

    Raises:
        InvalidPosition, TypeError: see `Game.from_text`.
    """
    if not isinstance(text, str):
        raise TypeError(f"a position must be a string, not {short_repr(text)}")
    name, separator, board = text.partition("_")
    if not separator:
        raise InvalidPosition(f"{short_repr(text)} is not a position such as '3x3_X3O4'")
    try:
        rules = Rules.parse(name.translate(PLAIN))
    except InvalidRules as error:
        raise InvalidPosition(
            f"the rules {short_repr(name)} before '_' are invalid: {error}"
        ) from None
    cells = cells_of_marks(rules, _read_marks(rules, board, len(name) + 1))
    if (written := position_text(rules, cells)) != text:
        raise InvalidPosition(f"{short_repr(text)} must be written {short_repr(written)}")
    return rules, cells


def cells_of_marks(rules: Rules, marks: dict[Cell, int]) -> list[Cell]:
    """Return cells that lead to these marks when played in this order.

    Args:
        rules: the rules of the game.
        marks: the player on each marked cell; it is left empty.

    Raises:
        InvalidPosition: no game reaches these marks, or the search for one ran out of tries.
    """
    _check_marks(rules, marks)
    return _Retraction(rules, marks).cells()


def _read_marks(rules: Rules, board: str, begin: int) -> dict[Cell, int]:
    """Return the player on each marked cell; the board starts `begin` characters into the text."""
    marks, number, cell = {}, 0, geometry_of(rules).cell
    for item in re.finditer(r"[0-9]{1,10}|.", board, re.DOTALL):
        place = f"at character {begin + item.start() + 1}"
        if item[0].isascii() and item[0].isdigit():
            number += int(item[0])
        elif (player := LETTERS.find(item[0]) + 1) in range(1, rules.players + 1):
            marks[cell(number)] = player
            number += 1
        else:
            expected = f"{', '.join(LETTERS[: rules.players])} or a number of empty cells"
            raise InvalidPosition(f"{short_repr(item[0])} {place} is not {expected}")
        if number > rules.cells:
            raise InvalidPosition(
                f"the board has {rules.cells} cells: {short_repr(item[0])} {place} goes beyond"
            )
    if number < rules.cells:
        cells = "cell" if number == 1 else "cells"
        raise InvalidPosition(
            f"the text describes {number} {cells}, but the board has {rules.cells}"
        )
    return marks


def _check_marks(rules: Rules, marks: dict[Cell, int]) -> None:
    """Raise an error if the numbers of marks do not fit or a mark would fall."""
    owners = list(marks.values())
    for player in range(1, rules.players + 1):
        has, due = owners.count(player), (len(marks) + rules.players - player) // rules.players
        if has != due:
            raise InvalidPosition(
                f"player {player} must have {due} of {len(marks)} marks, got {has}: player 1 moves "
                "first"
            )
    for cell in marks if rules.gravity else ():
        below = (cell[0] + 1, *cell[1:])
        if below[0] < rules.shape[0] and below not in marks:
            raise InvalidPosition(
                f"a mark on {cell_name(cell)} would fall: {cell_name(below)} is empty", cell
            )


class _Retraction:
    """The search for moves that lead to some marks, by undoing moves from the last one back.

    A mark can be removed if it was not a foul and the remaining marks have no line that ends the
    game. Usually any such mark will do. With gravity, fouls, or lines that count only without a
    neighbour, the search can reach a dead end; then it backtracks and tries another mark.
    """

    def __init__(self, rules: Rules, marks: dict[Cell, int]) -> None:
        self.rules, self.variant, self.geometry = rules, VARIANTS[rules.variant], geometry_of(rules)
        self.marks = marks
        self.bits = {cell: 1 << place for place, cell in enumerate(marks)}
        self.left = (1 << len(marks)) - 1  # the bits of the remaining marks
        self.hopeless: set[int] = set()  # sets of marks that no moves lead to
        self.tries = len(marks) + MAX_TRIES
        self.random: Random | None = None  # if set, marks are tried in random order

    def cells(self) -> list[Cell]:
        """Return the cells in an order of play that leads to the marks."""
        if not self.marks:
            return []
        lasts = deque(cell for cell in self._last_moves() if self._may_take(cell))
        while lasts:
            last = lasts.popleft()
            player, before = self._take(last), self.left
            taken = self._undo_all()
            cells = [cell for cell, _ in reversed(taken)]
            board = Board(self.rules)
            # Early draws can end the game too soon.
            if not self.marks and not board.outcome and not any(map(board.play, cells)):
                return [*cells, last]
            if self.marks and before not in self.hopeless:
                lasts.append(last)
                self.random = self.random or Random(0)  # seeded, so that the result repeats
            for cell, owner in [(last, player), *taken]:
                self._put(cell, owner)
        raise InvalidPosition("no order of play leads to these marks")

    def _last_moves(self) -> list[Cell]:
        """Return the cells that can have been played last, given the complete lines."""
        mover = (len(self.marks) - 1) % self.rules.players + 1
        lines = [line for cell in self.marks for line in self._ending_lines(cell, 0)]
        if len(owners := sorted({self.marks[line[0]] for line in lines})) > 1:
            raise InvalidPosition(
                f"players {' and '.join(map(str, owners))} both have a line, but a game ends with "
                "the first",
                lines[0][0],
            )
        common: set[Cell] | None = None
        for cells in lines:
            where = f"{cell_name(cells[0])} to {cell_name(cells[-1])}"
            if owners != [mover]:
                raise InvalidPosition(
                    f"player {owners[0]} completed {where}, but player {mover} made the last move",
                    cells[0],
                )
            common = set(cells) if common is None else common & set(cells)
            if not common:
                raise InvalidPosition(
                    f"player {mover} completed lines with more than one move: no cell of "
                    f"{where} is in all of them",
                    cells[0],
                )
        return [cell for cell in self._own_cells() if common is None or cell in common]

    def _undo_all(self) -> list[tuple[Cell, int]]:
        """Remove all marks, or as many as `PATIENCE` allows; return their cells and players."""
        taken: list[tuple[Cell, int]] = []
        ways = [iter(self._own_cells())]
        enough = self.tries - len(self.marks) - PATIENCE
        while self.marks and ways and self.tries > enough:
            for cell in ways[-1]:
                after = self.left ^ self.bits[cell]
                if after not in self.hopeless and self._may_take(cell):
                    taken.append((cell, self._take(cell)))
                    ways.append(iter(self._own_cells()))
                    break
            else:
                self.hopeless.add(self.left)
                ways.pop()
                if taken:
                    self._put(*taken.pop())
        return taken

    def _own_cells(self) -> list[Cell]:
        """Return the cells of the player who moved last; with gravity, the highest first."""
        mover = (len(self.marks) - 1) % self.rules.players + 1
        own = (cell for cell, player in self.marks.items() if player == mover)
        cells = sorted(own, reverse=not self.rules.gravity)
        if self.random:
            self.random.shuffle(cells)
        return sorted(cells, key=lambda cell: cell[0]) if self.rules.gravity else cells

    def _may_take(self, cell: Cell) -> bool:
        """Return whether the mark on this cell can have been the last move."""
        self.tries -= 1
        if self.tries < 0:
            raise InvalidPosition(
                f"found no order of play that leads to these marks in {MAX_TRIES:,} tries"
            )
        if self.rules.gravity and (cell[0] - 1, *cell[1:]) in self.marks:
            return False
        player = self._take(cell)
        over = any(self._ending_lines(cell, 1)) or any(self._ending_lines(cell, -self.rules.k))
        may_foul = self.variant.fouls and player == 1
        allowed = not over and not (may_foul and foul(self.marks, self.rules.shape, cell))
        self._put(cell, player)
        return allowed

    def _ending_lines(self, cell: Cell, step: int) -> Iterator[Line]:
        """Yield the complete lines that end the game and start `step` steps from the cell."""
        k, marks = self.rules.k, self.marks
        for delta, _ in self.geometry.directions:
            first = _moved(cell, delta, step)
            player = marks.get(first)
            if player and all(marks.get(_moved(first, delta, at)) == player for at in range(1, k)):
                ends = _moved(first, delta, -1), _moved(first, delta, k)
                beside = (marks.get(end, 0) for end in ends)
                counts = self.variant.counts
                if (not counts or counts(self.rules.shape, ends)) and self.variant.decides(
                    player, *beside
                ):
                    yield tuple(_moved(first, delta, at) for at in range(k))

    def _take(self, cell: Cell) -> int:
        """Remove the mark from a cell and return its player."""
        self.left ^= self.bits[cell]
        return self.marks.pop(cell)

    def _put(self, cell: Cell, player: int) -> None:
        self.left ^= self.bits[cell]
        self.marks[cell] = player


def _moved(cell: Cell, delta: tuple[int, ...], steps: int) -> Cell:
    """Return the cell `steps` steps away, which can be off the board."""
    return tuple(at + steps * by for at, by in zip(cell, delta, strict=True))
