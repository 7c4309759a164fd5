# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: nonecheck=True, auto_pickle=False, overflowcheck=False
# cython: binding=False, embedsignature=True, embedsignature.format=clinic
"""The hot part of a game: the marks on the board, the tallies of the lines, a move's checks.

One source in two forms. Compiled, numbers are 64 bits wide and tables are C arrays; as plain
Python, where no compiler was found, numbers are of any size and tables are dicts. What differs
stands behind `cython.compiled`. On a board whose lines outnumber 64 bits the compiled form falls
back on the plain one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython
else:  # compiled or not, Cython itself is not needed to run
    from noughts.kernels import standin as cython

from collections import defaultdict
from functools import lru_cache
from itertools import product
from math import prod
from types import FunctionType, GenericAlias

from noughts.errors import (
    CellTaken,
    GameOver,
    OffBoard,
    UnknownPlayer,
    WrongTurn,
    integer,
    shown,
)

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Free
    from cython.cimports.libc.string import memcpy
    from cython.cimports.noughts.kernels.table import (
        Table,
        empty,
        place_of,
        reserve,
        slot_of,
        take_after,
        zeros,
    )

# The state of a line is one number. 0: it bears no mark. Below SPOILT: it bears the marks of one
# player, `tally << 3 | player - 1`, and is live for that player. Each mark of anyone else adds
# SPOILT. Moves are taken back in reverse order, so the last mark on a spoilt line is a foreign
# one, and when no foreign mark is left the line is live again, as it was.
# The state of a cell is the player whose mark is on it.
SPOILT = cython.declare(cython.longlong, 1 << 32)
LONGEST = 1 << 28  # the longest k whose tallies stay below SPOILT
MOST = (1 << 63) - 1  # what the numbers of lines stay below

# What `Board.play` answers.
REFUSED = cython.declare(cython.int, -1)
GOES_ON = cython.declare(cython.int, 0)
LINE = cython.declare(cython.int, 1)
FULL = cython.declare(cython.int, 2)


def geometry(shape, k, deltas, lines):
    """The geometry of a board, in the form that holds its numbers.

    Args:
        shape: the sides of the board.
        k: how many cells make a line.
        deltas: the directions in which lines run: what each adds to a cell's coordinates.
        lines: how many lines there are.
    """
    beyond = (prod(shape) + sum(_strides(shape))) * len(deltas)  # the last line and a step
    if cython.compiled and (beyond >= MOST or k > LONGEST):
        return uncompiled().Geometry(shape, k, deltas, lines)
    return Geometry(shape, k, deltas, lines)


def _strides(shape):
    """What a step along each side adds to a cell's number."""
    return [prod(shape[axis + 1 :]) for axis in range(len(shape))]


@cython.cfunc
def _numbers(values) -> cython.p_longlong:
    """The numbers as an array; the caller frees it."""
    if not cython.compiled:
        return tuple(values)
    made: cython.p_longlong = zeros(len(values))
    i: cython.Py_ssize_t
    for i in range(len(values)):
        made[i] = values[i]
    return made


@lru_cache(maxsize=1)
def uncompiled():
    """This module as plain Python, under another name."""
    # Imported here, as hardly any program comes this way.
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    name, path = f"{__name__}_uncompiled", Path(__file__).with_name("position.py")
    spec = spec_from_file_location(name, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@lru_cache(maxsize=1)
def _vast_board():
    """The board of the uncompiled form, as a `Board` of this one."""
    functions = {
        name: value
        for name, value in vars(uncompiled().Board).items()
        if isinstance(value, FunctionType)
    }
    return type("VastBoard", (Board,), functions)


@cython.final
@cython.cclass
class Geometry:
    """Where the lines of a board run.

    A cell's number counts row-major; a line's number is ``first cell × directions + direction``.
    """

    _shape: tuple
    k: cython.longlong
    cells: cython.longlong
    lines: cython.longlong
    _dimensions: cython.Py_ssize_t
    _ways: cython.Py_ssize_t
    _sides: cython.p_longlong
    _strides: cython.p_longlong
    _deltas: cython.p_longlong
    _steps: cython.p_longlong
    _at: cython.p_longlong
    _spans: cython.p_longlong

    def __init__(self, shape, k, deltas, lines):
        strides = _strides(shape)
        steps = [sum(map(int.__mul__, delta, strides)) for delta in deltas]
        if len(deltas) and min(steps) < 1:
            raise ValueError("a direction leads back")
        if cython.compiled:
            if self._spans:
                raise TypeError("a geometry is made once")
            self._at = _numbers([0] * len(shape))
            self._spans = _numbers([0] * (2 + 3 * len(deltas)))
        else:
            self.spans = lru_cache(maxsize=4096)(self.spans)
        self._sides = _numbers(shape)
        self._strides = _numbers(strides)
        self._deltas = _numbers([step for delta in deltas for step in delta])
        self._steps = _numbers(steps)
        self._shape, self.k, self.lines, self.cells = tuple(shape), k, lines, prod(shape)
        self._dimensions = len(shape)
        self._ways = len(deltas)

    def __dealloc__(self):
        if cython.compiled:
            PyMem_Free(self._sides)
            PyMem_Free(self._strides)
            PyMem_Free(self._deltas)
            PyMem_Free(self._steps)
            PyMem_Free(self._at)
            PyMem_Free(self._spans)

    @property
    def shape(self):
        """The sides of the board."""
        return self._shape

    def through(self, cell):
        """The numbers of the lines through a cell of the board: a range for each direction."""
        number = self.number(cell)
        if number < 0:
            raise OffBoard.of(cell, self.shape)
        spans = self.spans(cell, number)
        return tuple(
            [
                range(spans[i], spans[i] + spans[i + 1] * spans[i + 2], spans[i + 2])
                for i in range(2, spans[0], 3)
            ]
        )

    @cython.cfunc
    @cython.exceptval(-2)
    def number(self, cell: tuple) -> cython.longlong:
        """The number of a cell; -1 where the board has no such cell."""
        if len(cell) != self._dimensions:
            return -1
        number: cython.longlong = 0
        at: cython.longlong
        axis: cython.Py_ssize_t
        try:
            for axis in range(self._dimensions):
                if cython.compiled and type(cell[axis]) is not int:
                    raise TypeError("a coordinate is an int")  # no code of the caller's runs here
                at = cell[axis]
                if at < 0 or at >= self._sides[axis]:
                    return -1
                number += at * self._strides[axis]
                if cython.compiled:
                    self._at[axis] = at
        except OverflowError:  # it is beyond 64 bits
            return -1
        return number

    @cython.cfunc
    @cython.exceptval(check=False)
    def spans(self, cell: tuple, number: cython.longlong) -> cython.p_longlong:
        """The lines through the cell whose number was asked for last.

        Returns:
            how far this list is filled, how many lines there are, and then three numbers for
            each direction: the first line, how many there are, the step from one to the next.
        """
        longest: cython.longlong = self.k - 1
        behind: cython.longlong
        ahead: cython.longlong
        before: cython.longlong
        after: cython.longlong
        delta: cython.longlong
        count: cython.longlong
        step: cython.longlong
        way: cython.Py_ssize_t
        axis: cython.Py_ssize_t
        end: cython.Py_ssize_t = 2
        ways: cython.Py_ssize_t = self._ways
        dimensions: cython.Py_ssize_t = self._dimensions
        spans: cython.p_longlong = self._spans if cython.compiled else [0] * (2 + 3 * ways)
        at: cython.p_longlong = self._at if cython.compiled else cell
        deltas: cython.p_longlong = self._deltas
        sides: cython.p_longlong = self._sides
        total: cython.longlong = 0
        for way in range(ways):
            behind = ahead = longest
            for axis in range(dimensions):
                delta = deltas[way * dimensions + axis]
                if delta:
                    before, after = at[axis], sides[axis] - 1 - at[axis]
                    if delta < 0:
                        before, after = after, before
                    if before < behind:
                        behind = before
                    if after < ahead:
                        ahead = after
            count = behind + ahead - longest + 1
            if count > 0:
                step = self._steps[way]
                spans[end] = (number - behind * step) * ways + way
                spans[end + 1] = count
                spans[end + 2] = step * ways
                end += 3
                total += count
        spans[0] = end
        spans[1] = total
        return spans if cython.compiled else spans[:end]


@cython.cclass
class Board:
    """The marks on a board and the tallies of its lines: legal moves, and back again."""

    _geometry: Geometry
    _players: cython.longlong
    _history: list
    _unmarked: cython.longlong  # lines that bear no mark, and so are live for everyone
    _counts: cython.p_longlong  # by the state of a live line: how many are in it
    _tallies: cython.longlong  # `_counts` has room for tallies below this, if compiled
    _states: Table  # of the lines, by number; of the cells, by ~number

    def __init__(self, geometry: Geometry, players):
        if cython.compiled:
            if self._geometry is not None:
                raise TypeError("a board is made once")
            if not 1 <= players <= 8:
                raise ValueError("there are 1 to 8 players")
            empty(cython.address(self._states), 32)
            self._reserve_tallies(3)
        else:
            self._counts = defaultdict(int)
            self._states = defaultdict(int)
        self._history = []
        self._players = players
        self._unmarked = geometry.lines
        self._geometry = geometry

    def __dealloc__(self):
        if cython.compiled:
            PyMem_Free(self._counts)
            PyMem_Free(self._states.keys)

    @cython.ccall
    @cython.exceptval(-2)
    def mark(self, cell: tuple) -> cython.int:
        """The player whose mark is on the cell, 0 if it is empty, -1 if there is no such cell."""
        number: cython.longlong = self._geometry.number(cell)
        if number < 0:
            return -1
        if cython.compiled:
            return self._states.values[slot_of(cython.address(self._states), ~number)]
        return self._states.get(~number, 0)

    @cython.ccall
    @cython.exceptval(-2)
    def play(self, cell: tuple) -> cython.int:
        """Put the next player's mark on a cell.

        Returns:
            REFUSED if the cell is taken or off the board; LINE if the mark completes a line;
            FULL if it fills the board; else GOES_ON.
        """
        geometry: Geometry = self._geometry
        number: cython.longlong = geometry.number(cell)
        if number < 0:
            return REFUSED
        spans: cython.p_longlong = geometry.spans(cell, number)
        ply: cython.longlong = len(self._history)
        player: cython.longlong = ply % self._players
        goal: cython.longlong = geometry.k << 3 | player
        end: cython.Py_ssize_t = spans[0]
        complete: cython.bint = False
        unmarked: cython.longlong = 0
        place: cython.longlong
        line: cython.longlong
        step: cython.longlong
        state: cython.longlong
        i: cython.Py_ssize_t
        _: cython.longlong
        if cython.compiled:
            table: cython.pointer[Table] = cython.address(self._states)
            reserve(table, spans[1] + 1)
            self._reserve_tallies(ply + 1 if ply < geometry.k else geometry.k)
        states: cython.p_longlong = table.values if cython.compiled else self._states
        counts: cython.p_longlong = self._counts
        place = place_of(table, ~number) if cython.compiled else ~number
        if states[place]:
            return REFUSED
        self._history.append(cell)
        states[place] = player + 1
        for i in range(2, end, 3):
            line, step = spans[i], spans[i + 2]
            for _ in range(spans[i + 1]):
                place = place_of(table, line) if cython.compiled else line
                state = states[place]
                if not state:
                    unmarked += 1
                    state = 8 | player
                    counts[state] += 1
                    complete |= state == goal
                elif state >= SPOILT:
                    state += SPOILT
                elif state & 7 == player:
                    counts[state] -= 1
                    state += 8
                    counts[state] += 1
                    complete |= state == goal
                else:
                    counts[state] -= 1
                    state += SPOILT
                states[place] = state
                line += step
        self._unmarked -= unmarked
        if complete:
            return LINE
        return FULL if ply + 1 == geometry.cells else GOES_ON

    @cython.ccall
    def undo(self) -> tuple:
        """Take the last mark back; its cell."""
        cell: tuple = self._history.pop()
        geometry: Geometry = self._geometry
        number: cython.longlong = geometry.number(cell)
        spans: cython.p_longlong = geometry.spans(cell, number)
        end: cython.Py_ssize_t = spans[0]
        unmarked: cython.longlong = 0
        place: cython.longlong
        line: cython.longlong
        step: cython.longlong
        state: cython.longlong
        i: cython.Py_ssize_t
        _: cython.longlong
        if cython.compiled:
            table: cython.pointer[Table] = cython.address(self._states)
        states: cython.p_longlong = table.values if cython.compiled else self._states
        counts: cython.p_longlong = self._counts
        if cython.compiled:
            states[place_of(table, ~number)] = 0
        else:
            del states[~number]
        for i in range(2, end, 3):
            line, step = spans[i], spans[i + 2]
            for _ in range(spans[i + 1]):
                place = place_of(table, line) if cython.compiled else line
                state = states[place]
                if state >= SPOILT:
                    state -= SPOILT
                    if state < SPOILT:
                        counts[state] += 1
                else:
                    counts[state] -= 1
                    state -= 8
                    if state >= 8:
                        counts[state] += 1
                    else:
                        unmarked += 1
                        state = 0
                states[place] = state
                if not cython.compiled and not state:
                    del states[place]
                line += step
        self._unmarked += unmarked
        return cell

    @cython.ccall
    @cython.exceptval(-1)
    def ply(self) -> cython.Py_ssize_t:
        """How many marks there are."""
        return len(self._history)

    @cython.ccall
    def history(self) -> tuple:
        """The cells in the order of play."""
        return tuple(self._history)

    @cython.ccall
    def key(self) -> bytes:
        """The marks, one byte a cell, row-major."""
        key = bytearray(self._geometry.cells)
        for ply, cell in enumerate(self._history):
            key[self._geometry.number(cell)] = ply % self._players + 1
        return bytes(key)

    @cython.ccall
    def live(self, player: cython.int):
        """How many lines are live for a player."""
        lines: cython.longlong = self._unmarked
        tally: cython.longlong
        for tally in range(1, self._top() + 1):
            lines += self._counts[tally << 3 | (player - 1)]
        return lines

    @cython.ccall
    def lines_lacking_one(self, player: cython.int) -> list:
        """The lines that a player would complete with one more mark, for k above 1."""
        tally: cython.longlong = self._geometry.k - 1
        wanted: cython.longlong = tally << 3 | (player - 1)
        if tally > self._top() or not self._counts[wanted]:
            return []
        if not cython.compiled:
            return [line for line, state in self._states.items() if state == wanted and line >= 0]
        return [
            self._states.keys[slot] - 1
            for slot in range(self._states.slots)
            if self._states.values[slot] == wanted and self._states.keys[slot] > 0
        ]

    @cython.ccall
    def lines_completed(self) -> tuple:
        """The complete lines through the last mark, by direction and from the first on."""
        last: cython.Py_ssize_t = len(self._history) - 1
        cell: tuple = self._history[last]
        goal: cython.longlong = self._geometry.k << 3 | last % self._players
        spans: cython.p_longlong = self._geometry.spans(cell, self._geometry.number(cell))
        if cython.compiled:
            table: cython.pointer[Table] = cython.address(self._states)
        states: cython.p_longlong = table.values if cython.compiled else self._states
        lines = []
        line: cython.longlong
        i: cython.Py_ssize_t
        _: cython.longlong
        for i in range(2, spans[0], 3):
            line = spans[i]
            for _ in range(spans[i + 1]):
                if states[slot_of(table, line) if cython.compiled else line] == goal:
                    lines.append(line)
                line += spans[i + 2]
        return tuple(lines)

    @cython.ccall
    @cython.exceptval(-1)
    def winnable(self) -> cython.bint:
        """Whether anyone can still complete a line in the moves that are left."""
        players: cython.longlong = self._players
        ply: cython.longlong = len(self._history)
        empty: cython.longlong = self._geometry.cells - ply
        wait: cython.longlong
        for wait in range(players):
            if self._completable((ply + wait) % players, (empty - wait + players - 1) // players):
                return True
        return False

    @cython.ccall
    def copy(self):
        """An independent copy."""
        history: list = self._history.copy()
        twin: Board = type(self).__new__(type(self))
        if cython.compiled:
            take_after(cython.address(twin._states), cython.address(self._states))
            twin._reserve_tallies(self._tallies - 1)
            memcpy(twin._counts, self._counts, 8 * self._tallies * cython.sizeof(cython.longlong))
        else:
            twin._counts, twin._states = self._counts.copy(), self._states.copy()
        twin._history, twin._players = history, self._players
        twin._unmarked, twin._geometry = self._unmarked, self._geometry
        return twin

    @cython.cfunc
    @cython.exceptval(-1)
    def _top(self) -> cython.longlong:
        """The highest tally that a live line may have."""
        return min(self._geometry.k, (len(self._history) + self._players - 1) // self._players)

    @cython.cfunc
    @cython.exceptval(-1)
    def _completable(self, player: cython.longlong, moves: cython.longlong) -> cython.bint:
        """Whether a line that is live for the player, from 0, has at most so many empty cells."""
        tally: cython.longlong = self._geometry.k - moves  # such a line has at least this
        if tally <= 0:
            if self._unmarked:
                return True
            tally = 1
        top: cython.longlong = self._top()
        while tally <= top:
            if self._counts[tally << 3 | player]:
                return True
            tally += 1
        return False

    if cython.compiled:

        @cython.cfunc
        @cython.inline
        @cython.exceptval(-1)
        def _reserve_tallies(self, highest: cython.longlong) -> cython.int:
            """Make room to count the lines with tallies up to this."""
            if highest >= self._tallies:
                self._add_tallies(highest)
            return 0

        @cython.cfunc
        @cython.exceptval(-1)
        def _add_tallies(self, highest: cython.longlong) -> cython.int:
            tallies: cython.longlong = max(highest + 1, 2 * self._tallies)
            counts: cython.p_longlong = zeros(8 * tallies)
            if self._tallies:
                memcpy(counts, self._counts, 8 * self._tallies * cython.sizeof(cython.longlong))
            PyMem_Free(self._counts)
            self._counts, self._tallies = counts, tallies
            return 0


@cython.cclass
class Position:
    """A position and how it came about: moves, each checked, and back again.

    What a game is to its players, rules and outcome, is for a subclass to say: it calls
    `__init__` and answers `_ending`.
    """

    _board: Board
    _geometry: object
    _players: cython.int
    _early_draw: cython.bint
    _outcome: object

    def __init__(self, geometry, players, early_draw):
        """Begin.

        Args:
            geometry: what the function `geometry` made.
            players: how many take turns.
            early_draw: end as soon as nobody can complete a line any more.
        """
        board: Board
        if not cython.compiled or isinstance(geometry, Geometry):
            board = Board(geometry, players)
        else:
            board = _vast_board()(geometry, players)
        self._board = board
        self._geometry = geometry
        self._players = players
        self._early_draw = early_draw
        self._outcome = None
        if early_draw and not board.winnable():
            self._outcome = self._ending((), 0)

    __class_getitem__ = classmethod(GenericAlias)  # the stub says what of

    def _ending(self, lines, player):
        """The outcome of the game that the last move ended.

        Args:
            lines: the numbers of the lines it completed, in the order of an outcome's.
            player: who made it.
        """
        raise NotImplementedError

    @property
    def outcome(self):
        """How the game ended, or None while it goes on."""
        return self._outcome

    @property
    def ply(self):
        """How many moves have been made."""
        return self._board.ply()

    @property
    def turn(self):
        """The player to move; after the end, the player who would be."""
        return self._turn()

    @property
    def history(self):
        """The cells in the order of play. Cost: O(ply), it is a snapshot."""
        return self._board.history()

    def play(self, cell, player=None):
        """Make a move for the player whose turn it is.

        Args:
            cell: a tuple of as many coordinates as the board has sides.
            player: who makes the move, where that is to be checked too.

        Returns:
            The outcome if this move ends the game, else None.

        Raises:
            IllegalMove: `why_illegal` says which. TypeError: the cell is not a tuple of integers.
            Whatever is raised, nothing has changed.
        """
        where: tuple = self._checked_cell(cell)
        if player is not None:
            player = integer(player, "player")
        board: Board = self._board
        done: cython.int = REFUSED
        if player is None and self._outcome is None:
            done = board.play(where)
        if done == REFUSED:
            error = self._refusal(where, player)
            if error is not None:
                raise error
            done = board.play(where)
        if done != GOES_ON or (self._early_draw and not board.winnable()):
            self._end(board, done)
        return self._outcome

    def undo(self):
        """Take the last move back and return its cell.

        Raises:
            IndexError: no move has been made.
        """
        board: Board = self._board
        if not board.ply():
            raise IndexError("no move to undo: none has been made")
        cell = board.undo()
        self._outcome = None
        return cell

    def mark(self, cell):
        """The player whose mark is on the cell, 0 if it is empty.

        Raises:
            OffBoard, TypeError: there is no such cell.
        """
        where: tuple = self._checked_cell(cell)
        mark: cython.int = self._board.mark(where)
        if mark < 0:
            raise OffBoard.of(where, self._geometry.shape)
        return mark

    def is_legal(self, cell, player=None):
        """Whether `play` would accept this move.

        Raises:
            TypeError: the cell is not a tuple of integers.
        """
        return self.why_illegal(cell, player) is None

    def why_illegal(self, cell, player=None):
        """The error that `play` would raise for this move, or None if it is legal.

        Raises:
            TypeError: the cell is not a tuple of integers.
        """
        where: tuple = self._checked_cell(cell)
        return self._refusal(where, player if player is None else integer(player, "player"))

    def live_lines(self, player):
        """How many lines `player` may still complete, as far as other players' marks go.

        Raises:
            UnknownPlayer, TypeError: there is no such player.
        """
        return self._board.live(self._checked_player(player))

    @property
    def winnable(self):
        """Whether anyone can still complete a line in the moves that are left.

        Exact: false as soon as no player has a line without other players' marks whose empty
        cells are at most that player's remaining moves. With E empty cells and P players, the
        side to move has ⌈E/P⌉ of them. True when a line is complete.
        """
        return self._board.winnable()

    def key(self):
        """The position as a key for transposition tables: one byte a cell, row-major.

        Positions of equal rules have equal keys exactly when every cell bears the same mark,
        however they came about. Cost: O(cells).
        """
        return self._board.key()

    def _lines_lacking_one(self, player):
        """The lines that a player would complete with one more mark, for k above 1."""
        return self._board.lines_lacking_one(self._checked_player(player))

    def _empty_cells(self):
        """The cells without marks, row by row."""
        for cell in product(*map(range, self._geometry.shape)):
            if not self._board.mark(cell):
                yield cell

    def _take_after(self, other: Position):
        """Become a copy of another position."""
        self._board = other._board.copy()
        self._geometry, self._players = other._geometry, other._players
        self._early_draw, self._outcome = other._early_draw, other._outcome

    @cython.cfunc
    def _end(self, board: Board, done: cython.int):
        """Note the outcome; where there is none, the move is taken back."""
        ply: cython.Py_ssize_t = board.ply()
        try:
            self._outcome = self._ending(
                board.lines_completed() if done == LINE else (), (ply - 1) % self._players + 1
            )
        except BaseException:
            if self._board is board and board.ply() == ply:
                board.undo()
            raise

    @cython.cfunc
    @cython.exceptval(-1)
    def _turn(self) -> cython.int:
        return self._board.ply() % self._players + 1

    @cython.cfunc
    def _refusal(self, cell: tuple, player):
        turn: cython.int = self._turn()
        if player is not None and not 1 <= player <= self._players:
            return UnknownPlayer.of(player, self._players, cell)
        mark: cython.int = self._board.mark(cell)
        if mark < 0:
            return OffBoard.of(cell, self._geometry.shape, player or turn)
        if self._outcome is not None:
            return GameOver.of(self._outcome.winner, cell, player or turn)
        if player is not None and player != turn:
            return WrongTurn.of(player, turn, cell)
        if mark:
            return CellTaken.of(cell, turn)
        return None

    @cython.cfunc
    def _checked_cell(self, cell) -> tuple:
        """The cell as a tuple of integers; after this, none of the caller's code runs."""
        if type(cell) is tuple:
            for at in cell:
                if type(at) is not int:
                    break
            else:
                return cell
        elif not isinstance(cell, (tuple, list)):
            sides = len(self._geometry.shape)
            raise TypeError(f"a cell is a tuple of {sides} integers, not {shown(cell)}")
        return tuple([integer(at, "a cell's coordinate") for at in cell])

    @cython.cfunc
    def _checked_player(self, player):
        player = integer(player, "player")
        if not 1 <= player <= self._players:
            raise UnknownPlayer.of(player, self._players)
        return player
