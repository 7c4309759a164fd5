# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: auto_pickle=False, binding=False, embedsignature=True, embedsignature.format=clinic
"""The compiled `noughts.game.board.Board`: the same methods, described there, many times as fast.

The caller's code and other threads can run at two moments: while arguments are converted
(``__index__``) and while results are built (garbage collector callbacks). So a method first converts
its arguments, then reads or changes the tables, and finally builds its result from copies. In between
nothing else runs: the GIL is held, and no object is created that the collector tracks.
"""

from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from noughts.game.fouls cimport foul
from noughts.game.geometry cimport (
    MAX_DIMENSIONS, Geometry, Span, coordinates, keep_spans, read, release,
)
from noughts.game.moves cimport FOUL, LEGAL, REFUSED, play, refusal, stays
from noughts.game.table cimport Table, find_slot, key_at
from noughts.game.tallies cimport (
    FULL, GOES_ON, LINE, NO_MEMORY, ONE_MARK, Tallies, copy, ends_game, find_spans, finish,
    highest_tally, live, mark, start, undo, winnable,
)
from noughts.game.rules cimport winner_by

cimport cython

from functools import lru_cache

from noughts.arguments import known_player, integer, plain_cell
from noughts.errors import REFUSALS, Foul, GameOver, OffBoard, UnknownPlayer, WrongTurn
from noughts.game.geometry import geometry_of
from noughts.game.outcome import FULL_BOARD, NO_WIN_LEFT, won


cdef class Arrays:
    """Rules and their geometry as C arrays, shared by boards of equal rules."""

    cdef Geometry geometry

    def __cinit__(self, rules):
        read(&self.geometry, rules)
        keep_spans(&self.geometry)

    def __dealloc__(self):
        release(&self.geometry)


arrays_of = lru_cache(maxsize=16, typed=True)(Arrays)  # typed: a subclass that lies affects only itself

FOULS = (None, "overline", "double_four", "double_three")  # by the result of `foul`

# The rules, arrays and geometry of the latest board, since successive games often have equal rules.
cdef tuple latest = (object(), None, None)

cdef enum:
    NO_CELL = -1
    HOPELESS = 3  # a further result of `play`: no player can win, under early draws


@cython.final  # so that calls of its methods are inlined
@cython.no_gc  # it cannot be part of a reference cycle
cdef class Board:
    """Board(rules)\n--\n\nThe marks on a board and the tallies of its lines; see `noughts.game.board`."""

    cdef Tallies tallies
    cdef Arrays arrays
    cdef object rules
    cdef readonly object geometry
    cdef int ending  # the result of the last move: GOES_ON, LINE, FULL or HOPELESS
    cdef object known_outcome  # cached
    cdef long long changes  # the number of moves and undos

    def __cinit__(self, rules):
        global latest
        cdef tuple known = latest  # another thread can replace it
        if rules is not known[0]:
            known = latest = rules, arrays_of(rules), geometry_of(rules)
        self.rules, self.arrays, self.geometry = known
        if not start(&self.tallies, &self.arrays.geometry):
            raise MemoryError
        if self.arrays.geometry.early_draw and not winnable(&self.tallies):
            self.ending = HOPELESS

    def __dealloc__(self):
        finish(&self.tallies)

    @property
    def ply(self):
        return self.tallies.ply

    @property
    def turn(self):
        return self.tallies.ply % self.arrays.geometry.players + 1

    @property
    def history(self):
        cdef list numbers = []  # filling it does not run the caller's code
        cdef Py_ssize_t ply
        for ply in range(self.tallies.ply):
            numbers.append(self.tallies.history[ply])
        return tuple([self.cell(number) for number in numbers])

    @property
    def outcome(self):
        if self.known_outcome is not None or self.ending == GOES_ON:
            return self.known_outcome
        cdef long long changes = self.changes
        outcome = FULL_BOARD if self.ending == FULL else NO_WIN_LEFT
        if self.ending == LINE:
            outcome = won(self.geometry, self.winner(), self.completed_lines())
        if self.changes == changes:
            self.known_outcome = outcome
        return outcome

    @property
    def winnable(self):
        return self.ending == LINE or winnable(&self.tallies)

    def play(self, cell, player=None):
        cdef int done = REFUSED
        cell = self.plain(cell)
        if player is not None:
            player = integer(player, "player")
        cdef long long number = self.number(cell)
        # From here on no other code runs until the mark is on the board and its result is known.
        if (
            number != NO_CELL
            and self.ending == GOES_ON
            and (player is None or player == self.turn)
        ):
            done = play(&self.tallies, number)
        if done == NO_MEMORY:
            raise MemoryError("no room for another mark")
        if done == REFUSED:
            raise self.why(number, cell, player)
        if done == GOES_ON and self.arrays.geometry.early_draw and not winnable(&self.tallies):
            done = HOPELESS
        self.ending = done
        self.changes += 1
        if done == GOES_ON:
            return None
        cdef long long changes = self.changes
        try:
            return self.outcome
        except BaseException:  # such as an interrupt
            if self.changes == changes:
                self.undo()
            raise

    def undo(self):
        if not self.tallies.ply:
            raise IndexError("no move to undo: none has been made")
        cdef long long number = undo(&self.tallies)
        self.ending = GOES_ON
        self.changes += 1
        self.known_outcome = None
        return self.cell(number)

    def mark(self, cell):
        cell = self.plain(cell)
        cdef long long number = self.number(cell)
        if number == NO_CELL:
            raise OffBoard.of(cell, self.rules.shape)
        return mark(&self.tallies, number)

    def stays(self, cell):
        cdef long long number = self.number(self.plain(cell))
        return number != NO_CELL and stays(&self.tallies, number)

    def why_illegal(self, cell, player=None):
        cell = self.plain(cell)
        if player is not None:
            player = integer(player, "player")
        return self.why(self.number(cell), cell, player)

    def live_lines(self, player):
        cdef long long number = known_player(player, self.arrays.geometry.players)
        return live(&self.tallies, number - 1)

    def live_tallies(self, player):
        cdef long long number = known_player(player, self.arrays.geometry.players)
        cdef long long tally
        return [self.tallies.unmarked] + [
            self.tallies.counts[tally * ONE_MARK + number - 1]
            for tally in range(1, highest_tally(&self.tallies) + 1)
        ]

    def lines_lacking_one(self, player):
        cdef long long number = known_player(player, self.arrays.geometry.players)
        cdef const Table* table = &self.tallies.states
        cdef long long tally = self.arrays.geometry.k - 1
        cdef long long wanted = tally * ONE_MARK + number - 1
        if not 1 <= tally <= highest_tally(&self.tallies):
            return []
        cdef list found = []  # filling it does not run the caller's code
        cdef Py_ssize_t slot
        cdef long long line
        for slot in range(table.slots):
            if table.values[slot] == wanted:
                line = key_at(table, slot) - self.tallies.geometry.cells
                if line >= 0 and ends_game(&self.tallies, line, <int> number):
                    found.append(line)
        return found

    def key(self):
        cdef bytearray key = bytearray(self.arrays.geometry.cells)
        cdef Py_ssize_t ply
        for ply in range(self.tallies.ply):
            key[self.tallies.history[ply]] = ply % self.arrays.geometry.players + 1
        return bytes(key)

    def copy(self):
        cdef Board twin = Board(self.rules)
        finish(&twin.tallies)
        if not copy(&twin.tallies, &self.tallies):
            raise MemoryError
        twin.arrays, twin.geometry = self.arrays, self.geometry
        twin.ending, twin.known_outcome = self.ending, self.known_outcome
        return twin

    __copy__ = copy

    cdef object winner(self):
        """Return the player who won with the last move, or None."""
        cdef const Geometry* geometry = &self.arrays.geometry
        if self.ending == LINE:
            return winner_by(&geometry.variant, (self.tallies.ply - 1) % geometry.players + 1)
        return None

    cdef tuple completed_lines(self):
        """Return the decisive lines through the last mark in ascending order per direction."""
        cdef Tallies* board = &self.tallies
        cdef int player = <int> ((board.ply - 1) % board.geometry.players)
        cdef long long goal = board.geometry.k * ONE_MARK + player
        cdef long long count = find_spans(board, board.history[board.ply - 1])
        # Collected in plain memory, since creating a list can run the caller's code; a bytearray would
        # make the winning move a twelfth slower.
        cdef long long* lines = <long long*> PyMem_RawMalloc(count * sizeof(long long))
        cdef long long line, _
        if lines is NULL:
            raise MemoryError
        cdef int way
        cdef Span through
        count = 0
        for way in range(board.geometry.directions):
            through = board.spans[way]
            line = board.geometry.cells + through.first
            for _ in range(through.count):
                if board.states.values[find_slot(&board.states, line)] == goal:
                    lines[count] = line - board.geometry.cells
                    count += ends_game(board, lines[count], player + 1)
                line += through.step
        try:
            return tuple([lines[_] for _ in range(count)])
        finally:
            PyMem_RawFree(lines)

    cdef tuple plain(self, cell):
        """Return the cell as a tuple of ints; converting other types can run the caller's code."""
        if type(cell) is tuple:
            for at in <tuple> cell:
                if type(at) is not int:
                    break
            else:
                return cell
        return plain_cell(cell, self.arrays.geometry.dimensions)

    cdef long long number(self, tuple cell) noexcept:
        """Return the number of a cell of ints, or NO_CELL."""
        cdef const Geometry* geometry = &self.arrays.geometry
        cdef long long number = 0
        cdef long long at
        cdef int overflow = 0
        cdef Py_ssize_t axis
        if len(cell) != geometry.dimensions:
            return NO_CELL
        for axis in range(geometry.dimensions):
            at = PyLong_AsLongLongAndOverflow(cell[axis], &overflow)  # -1 on overflow, off the board
            if not 0 <= at < geometry.sides[axis]:
                return NO_CELL
            number += at * geometry.strides[axis]
        return number

    cdef tuple cell(self, long long number):
        """Return the cell with this number."""
        cdef long long[MAX_DIMENSIONS] at
        cdef int axis
        coordinates(&self.arrays.geometry, number, at)
        return tuple([at[axis] for axis in range(self.arrays.geometry.dimensions)])

    cdef object why(self, long long number, tuple cell, player):
        """Return the error for a move, in the order of `noughts.errors`, or None."""
        turn = self.turn
        if player is not None and not 1 <= player <= self.arrays.geometry.players:
            return UnknownPlayer.of(player, self.arrays.geometry.players, cell)
        if number == NO_CELL:
            return OffBoard.of(cell, self.rules.shape, player or turn)
        if self.ending != GOES_ON:
            return GameOver.of(self.winner(), cell, player or turn)
        if player is not None and player != turn:
            return WrongTurn.of(player, turn, cell)
        reason = refusal(&self.tallies, number)
        if reason == FOUL:
            return Foul.of(FOULS[foul(&self.tallies, number)], cell, turn)
        return REFUSALS[reason - 1].of(cell, turn) if reason != LEGAL else None
