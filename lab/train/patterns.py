"""Patterns for `learner`: the cells around a cell in one direction."""

from __future__ import annotations

import numpy as np

REACH = 4
MOST = 20  # rows and columns
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def halves() -> list[tuple[int, ...]]:
    """Return all possible sides, nearest cell first: 0 is empty, 1 or 2 a mark, 3 off the board."""
    found = []
    for number in range(4**REACH):
        cells = tuple(number >> 2 * i & 3 for i in range(REACH))
        border = cells.index(3) if 3 in cells else REACH
        if all(cell == 3 for cell in cells[border:]):
            found.append(cells)
    return found


def keys() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the pattern of each key or -1, a key of each pattern, and each pattern swapped."""
    number_of = np.full(4 ** (2 * REACH), -1, np.int64)
    key_of: list[int] = []
    swapped = {0: 0, 1: 2, 2: 1, 3: 3}

    def key(behind: tuple[int, ...], ahead: tuple[int, ...]) -> int:
        cells = (*reversed(behind), *ahead)
        return sum(cell << 2 * i for i, cell in enumerate(cells))

    def swap(cells: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(swapped[cell] for cell in cells)

    sides = halves()
    pairs = []
    for behind in sides:
        for ahead in sides:
            here, there = key(behind, ahead), key(ahead, behind)
            if number_of[here] < 0:
                number_of[here] = number_of[there] = len(key_of)
                key_of.append(here)
                pairs.append((behind, ahead))
    swaps = [number_of[key(swap(behind), swap(ahead))] for behind, ahead in pairs]
    return number_of, np.array(key_of), np.array(swaps)


NUMBER_OF, KEY_OF, SWAPPED = keys()
CELLS = np.array([[key >> 2 * i & 3 for i in range(2 * REACH)] for key in KEY_OF])
MARKED = ((np.equal(CELLS, 1)) | (np.equal(CELLS, 2))).any(1)


def fives(player: int) -> np.ndarray:
    """Return which patterns are one mark short of five."""
    own = np.insert(np.equal(CELLS, player), REACH, True, axis=1)
    found: np.ndarray = np.any([own[:, at : at + 5].all(1) for at in range(REACH + 1)], axis=0)
    return found


FIVE = fives(1) | fives(2)


def code(own: int, closed: int) -> int:
    """Return the code of a pattern, as defined in `noughts.opponent.search.patterns`."""
    missing, lines, cells = nearest(own, closed)
    if not lines or not missing:
        return 15 if lines else 0
    return max(1, 15 - 2 * missing) + is_open(own, closed, missing, lines, cells)


def nearest(own: int, closed: int) -> tuple[int, int, int]:
    """Return the missing marks, the number and the empty cells of the most complete lines."""
    lines = [31 << first for first in range(REACH + 1) if not 31 << first & closed]
    missing = min((5 - (line & own).bit_count() for line in lines), default=9)
    lines = [line for line in lines if 5 - (line & own).bit_count() == missing]
    cells = 0
    for line in lines:
        cells |= line & ~own
    return missing, len(lines), cells


def is_open(own: int, closed: int, missing: int, lines: int, cells: int) -> bool:
    """Return whether these lines can be completed in more than one way."""
    if missing > 2:
        return lines > 1
    if missing == 1:
        return cells.bit_count() > 1
    for cell in (1 << i for i in range(2 * REACH + 1) if cells >> i & 1):
        then = nearest(own | cell, closed)
        if then[0] == 1 and is_open(own | cell, closed, *then):
            return True
    return False


def codes(player: int) -> np.ndarray:
    """Return the codes of all patterns for a player, one-hot."""
    bits = 1 << np.arange(2 * REACH + 1)
    own = np.insert(np.equal(CELLS, player), REACH, True, axis=1) @ bits
    closed = np.insert((player != CELLS) & (CELLS != 0), REACH, False, axis=1) @ bits
    return np.eye(16)[[code(*pair) for pair in zip(own.tolist(), closed.tolist(), strict=True)]]


def patterns_of(boards: np.ndarray) -> np.ndarray:
    """Return the pattern of each cell and direction: [board, row, column, way]."""
    count = len(boards)
    wide = np.full((count, MOST + 2 * REACH, MOST + 2 * REACH), 3, np.uint16)
    wide[:, REACH:-REACH, REACH:-REACH] = boards
    found = np.zeros((count, MOST, MOST, len(WAYS)), np.int16)
    for way, (dy, dx) in enumerate(WAYS):
        key = np.zeros((count, MOST, MOST), np.uint16)
        closed = np.zeros((count, MOST, MOST), bool)
        for side in (-1, 1):
            closed[:] = False
            for away in range(1, REACH + 1):
                y, x = REACH + side * away * dy, REACH + side * away * dx
                cell = wide[:, y : y + MOST, x : x + MOST]
                closed |= cell == 3
                i = REACH - away if side < 0 else REACH - 1 + away
                key |= np.where(closed, 3, cell).astype(np.uint16) << 2 * i
        found[..., way] = NUMBER_OF[key]
    return found


def near(boards: np.ndarray) -> np.ndarray:
    """Return which cells are within two steps of a mark, in one of the directions."""
    wide = np.zeros((len(boards), MOST + 4, MOST + 4), bool)
    wide[:, 2:-2, 2:-2] = (boards == 1) | (boards == 2)
    found = np.zeros(boards.shape, bool)
    for dy, dx in WAYS:
        for away in (-2, -1, 1, 2):
            y, x = 2 + away * dy, 2 + away * dx
            found |= wide[:, y : y + MOST, x : x + MOST]
    return found
