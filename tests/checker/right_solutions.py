"""Right solutions of many designs, each with the complexity of a move and of its memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np


class SignedSums:
    """The classic optimal solution."""

    complexity = ("O(1)", "O(n)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows = [0] * n
        self.cols = [0] * n
        self.diagonal = self.anti = 0

    def move(self, row: int, col: int, player: int) -> int:
        sign = 1 if player == 1 else -1
        self.rows[row] += sign
        self.cols[col] += sign
        if row == col:
            self.diagonal += sign
        if row + col == self.n - 1:
            self.anti += sign
        sums = (self.rows[row], self.cols[col], self.diagonal, self.anti)
        return player if any(abs(each) == self.n for each in sums) else 0


class TalliesOfEach:
    """A list of tallies for each player."""

    complexity = ("O(1)", "O(n)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.tallies = [[0] * (2 * n + 2) for _ in range(2)]

    def move(self, row: int, col: int, player: int) -> int:
        n, mine = self.n, self.tallies[player - 1]
        lines = [row, n + col]
        if row == col:
            lines.append(2 * n)
        if row + col == n - 1:
            lines.append(2 * n + 1)
        won = False
        for line in lines:
            mine[line] += 1
            won = won or mine[line] == n
        return player if won else 0


class TalliesInDictionaries:
    complexity = ("O(1)", "O(n)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.tallies: defaultdict[Any, int] = defaultdict(int)

    def move(self, row: int, col: int, player: int) -> int:
        lines: list[Any] = [("row", row, player), ("col", col, player)]
        if row == col:
            lines.append(("diagonal", player))
        if row + col == self.n - 1:
            lines.append(("anti", player))
        for line in lines:
            self.tallies[line] += 1
        return player if max(self.tallies[line] for line in lines) == self.n else 0


class Counters:
    complexity = ("O(1)", "O(n)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.seen = {1: Counter[str](), 2: Counter[str]()}

    def move(self, row: int, col: int, player: int) -> int:
        keys = [f"r{row}", f"c{col}"]
        keys += ["d"] if row == col else []
        keys += ["a"] if row == self.n - 1 - col else []
        self.seen[player].update(keys)
        return player if any(self.seen[player][key] == self.n for key in keys) else 0


class BoardBesideSums:
    """Sums, beside a board that is never read."""

    complexity = ("O(1)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.board = [[0 for _ in range(n)] for _ in range(n)]
        self.sums = SignedSums(n)

    def move(self, row: int, col: int, player: int) -> int:
        self.board[row][col] = player
        return self.sums.move(row, col, player)


class WritesOfAllMoves:
    """Sums, and a list of all moves."""

    complexity = ("O(1)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.moves: list[tuple[int, int, int]] = []
        self.sums = SignedSums(n)

    def move(self, row: int, col: int, player: int) -> int:
        self.moves.append((row, col, player))
        return self.sums.move(row, col, player)


class NumPySums:
    complexity = ("O(1)", "O(n)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.sums = np.zeros((2, n), dtype=np.int64)
        self.diagonals = np.zeros(2, dtype=np.int64)

    def move(self, row: int, col: int, player: int) -> int:
        sign = 3 - 2 * player
        self.sums[0, row] += sign
        self.sums[1, col] += sign
        self.diagonals += (sign * (row == col), sign * (row + col == self.n - 1))
        full = self.n * sign
        won = full in (self.sums[0, row], self.sums[1, col]) or full in self.diagonals
        return player if won else 0


class ScanWithAll:
    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.board = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        n, board = self.n, self.board
        board[row][col] = player
        if all(board[row][i] == player for i in range(n)):
            return player
        if all(board[i][col] == player for i in range(n)):
            return player
        if row == col and all(board[i][i] == player for i in range(n)):
            return player
        if row + col == n - 1 and all(board[i][n - 1 - i] == player for i in range(n)):
            return player
        return 0


class ScanWithLoops:
    """Every loop stops at the first mark that is not the player's."""

    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.board = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        self.board[row][col] = player
        for r, c, down, right in ((row, 0, 0, 1), (0, col, 1, 0), (0, 0, 1, 1)):
            if self.holds(r, c, down, right, player):
                return player
        return player if self.holds(0, self.n - 1, 1, -1, player) else 0

    def holds(self, row: int, col: int, down: int, right: int, player: int) -> bool:
        for _ in range(self.n):
            if self.board[row][col] != player:
                return False
            row += down
            col += right
        return True


class ScanBackwards:
    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.board = [[""] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        n, board = self.n, self.board
        board[row][col] = "XO"[player - 1]
        lines = [
            [(row, i) for i in reversed(range(n))],
            [(i, col) for i in reversed(range(n))],
            [(i, i) for i in reversed(range(n))],
            [(i, n - 1 - i) for i in reversed(range(n))],
        ]
        for line in lines:
            for r, c in line:
                if board[r][c] != board[row][col]:
                    break
            else:
                return player
        return 0


class RowsByCountOfLists:
    """The built-in `count` loops in C; columns are lists too, so nothing loops in Python."""

    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows = [[0] * n for _ in range(n)]
        self.cols = [[0] * n for _ in range(n)]
        self.diagonals = [[0] * n, [0] * n]

    def move(self, row: int, col: int, player: int) -> int:
        n = self.n
        self.rows[row][col] = self.cols[col][row] = player
        lines = [self.rows[row], self.cols[col]]
        if row == col:
            self.diagonals[0][row] = player
            lines.append(self.diagonals[0])
        if row + col == n - 1:
            self.diagonals[1][row] = player
            lines.append(self.diagonals[1])
        return player if any(line.count(player) == n for line in lines) else 0


class ListsCompared:
    """Compares a slice with a list of the player's marks."""

    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.cells = [0] * (n * n)

    def move(self, row: int, col: int, player: int) -> int:
        n, cells = self.n, self.cells
        cells[row * n + col] = player
        full = [player] * n
        won = cells[row * n : row * n + n] == full or cells[col::n] == full
        won = won or (row == col and cells[:: n + 1] == full)
        if n == 1:
            return player
        won = won or (row + col == n - 1 and cells[n - 1 : n * n - 1 : n - 1] == full)
        return player if won else 0


class AllOfRows:
    """`all` over a list of truth values, and `in`, both in C."""

    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.held = [
            {kind: [[False] * n for _ in range(n)] for kind in "rc"}
            | {kind: [[False] * n] for kind in "da"}
            for _ in range(2)
        ]

    def move(self, row: int, col: int, player: int) -> int:
        held = self.held[player - 1]
        lines = [("r", row, col), ("c", col, row)]
        lines += [("d", 0, row)] if row == col else []
        lines += [("a", 0, row)] if row + col == self.n - 1 else []
        for kind, line, place in lines:
            held[kind][line][place] = True
        if any(all(held[kind][line]) for kind, line, _ in lines[:1]):
            return player
        return player if any(False not in held[kind][line] for kind, line, _ in lines[1:]) else 0


class BitMasks:
    """One bit per cell of each line, so an operation on n bits is not O(1)."""

    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.full = (1 << n) - 1
        self.lines = [[0] * (2 * n + 2) for _ in range(2)]

    def move(self, row: int, col: int, player: int) -> int:
        n, lines = self.n, self.lines[player - 1]
        lines[row] |= 1 << col
        lines[n + col] |= 1 << row
        won = lines[row] == self.full or lines[n + col] == self.full
        if row == col:
            lines[2 * n] |= 1 << row
            won = won or lines[2 * n] == self.full
        if row + col == n - 1:
            lines[2 * n + 1] |= 1 << row
            won = won or lines[2 * n + 1] == self.full
        return player if won else 0


class Strings:
    """One string per row, rewritten at each move."""

    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows = ["." * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        n, rows, mark = self.n, self.rows, "XO"[player - 1]
        rows[row] = rows[row][:col] + mark + rows[row][col + 1 :]
        lines = [rows[row], "".join(text[col] for text in rows)]
        if row == col:
            lines.append("".join(rows[i][i] for i in range(n)))
        if row + col == n - 1:
            lines.append("".join(rows[i][~i] for i in range(n)))
        return player if mark * n in lines else 0


class StringsOfLines:
    """One string per line, which only grows but is copied each time."""

    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.lines = ["." * n for _ in range(2 * n + 2)]

    def move(self, row: int, col: int, player: int) -> int:
        n, mark = self.n, "XO"[player - 1]
        places = [(row, col), (n + col, row)]
        places += [(2 * n, row)] if row == col else []
        places += [(2 * n + 1, row)] if row + col == n - 1 else []
        for line, at in places:
            text = self.lines[line]
            self.lines[line] = text[:at] + mark + text[at + 1 :]
        return player if any(self.lines[line] == mark * n for line, _ in places) else 0


class SetsOfCells:
    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.cells: dict[int, set[tuple[int, int]]] = {1: set(), 2: set()}

    def move(self, row: int, col: int, player: int) -> int:
        n, cells = self.n, self.cells[player]
        cells.add((row, col))
        lines = [{(row, i) for i in range(n)}, {(i, col) for i in range(n)}]
        lines += [{(i, i) for i in range(n)}, {(i, n - 1 - i) for i in range(n)}]
        return player if any(line <= cells for line in lines) else 0


class SetsThatShrink:
    """The cells that each player lacks in each line, stored when the line is first touched."""

    complexity = ("O(1)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.lacks = [[set(range(n)) for _ in range(2 * n + 2)] for _ in range(2)]

    def move(self, row: int, col: int, player: int) -> int:
        n, lacks = self.n, self.lacks[player - 1]
        places = [(row, col), (n + col, row)]
        places += [(2 * n, row)] if row == col else []
        places += [(2 * n + 1, row)] if row + col == n - 1 else []
        for line, at in places:
            lacks[line].discard(at)
        return player if any(not lacks[line] for line, _ in places) else 0


class Recursion:
    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.board = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        self.board[row][col] = player
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = self.run(row, col, down, right, player)
            run += self.run(row, col, -down, -right, player)
            if run - 1 == self.n:
                return player
        return 0

    def run(self, row: int, col: int, down: int, right: int, player: int) -> int:
        if not (0 <= row < self.n and 0 <= col < self.n) or self.board[row][col] != player:
            return 0
        return 1 + self.run(row + down, col + right, down, right, player)


class NumPyBoard:
    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.board = np.zeros((n, n), dtype=int)

    def move(self, row: int, col: int, player: int) -> int:
        held = self.board
        held[row, col] = player
        lines = [held[row], held[:, col], np.diagonal(held), np.diagonal(np.fliplr(held))]
        return player if any((line == player).all() for line in lines) else 0


class SumOfRows:
    """`sum` over stored lists, in C, for rows and columns."""

    complexity = ("O(n)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.rows = [[0] * n for _ in range(n)]
        self.cols = [[0] * n for _ in range(n)]
        self.diagonal = [0] * n
        self.anti = [0] * n

    def move(self, row: int, col: int, player: int) -> int:
        sign = 3 - 2 * player
        self.rows[row][col] = self.cols[col][row] = sign
        if row == col:
            self.diagonal[row] = sign
        if row + col == self.n - 1:
            self.anti[row] = sign
        lines = (self.rows[row], self.cols[col], self.diagonal, self.anti)
        return player if any(sum(line) == sign * self.n for line in lines) else 0


class WholeBoard:
    """Checks every line after every move."""

    complexity = ("O(n^2)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.board = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        n, board = self.n, self.board
        board[row][col] = player
        lines = [list(line) for line in board] + [list(line) for line in zip(*board, strict=True)]
        lines.append([board[i][i] for i in range(n)])
        lines.append([board[i][n - 1 - i] for i in range(n)])
        return player if [player] * n in lines else 0


class WholeBoardStopping:
    """Checks every line after every move, up to the first mark that is not the player's."""

    complexity = ("O(n^2)", "O(n^2)")

    def __init__(self, n: int) -> None:
        self.n = n
        self.board = [[0] * n for _ in range(n)]

    def move(self, row: int, col: int, player: int) -> int:
        n, board = self.n, self.board
        board[row][col] = player
        for i in range(n):
            if all(board[i][j] == player for j in range(n)):
                return player
            if all(board[j][i] == player for j in range(n)):
                return player
        if all(board[i][i] == player for i in range(n)):
            return player
        return player if all(board[i][n - 1 - i] == player for i in range(n)) else 0


RIGHT = [
    each
    for each in list(globals().values())
    if isinstance(each, type) and each.__module__ == __name__ and hasattr(each, "complexity")
]
