# cython: language_level=3, cdivision=True
"""Judging games on boards of a machine word's bits, where any line ends a game.

A cell is a bit; each row is one bit longer than the row of cells, so that a step off the board
leads to a bit that is never set. Bit p of ``marks & marks >> step`` tells whether two marks in a row
begin at p, and so on: lines are found for all cells at once. Any line counts, in freestyle and misère:
one that was complete at any time is complete at the end. So it is enough to look then, and if there is
one to ask when that was.
"""

from libc.stdlib cimport calloc

from noughts.kernels.games cimport Integer
from noughts.kernels.geometry cimport MAX_DIMENSIONS, Geometry, coordinates
from noughts.kernels.variants cimport winner_by
from noughts.kernels.verdicts cimport CELL_TAKEN, FLOATING, LEGAL, Standing

ctypedef unsigned long long Bits

cdef enum:
    WORD = 64
    MAX_PLAYERS = 8
    MAX_WAYS = 364  # with six sides; a board of more has no room in a word

cdef struct BitBoard:
    int players, variant, ways, k
    bint gravity
    int cells
    int down  # a step down
    Bits floor  # the bits below the last row
    int[MAX_WAYS] steps  # of each direction
    Bits[WORD] bit_of  # each cell


cdef inline bint lay_out(BitBoard* self, const Geometry* geometry, bint gravity) noexcept nogil:
    """Give each cell a bit; False if a word has too few.

    Args:
        gravity: whether a move that would fall is illegal.
    """
    cdef long long[MAX_DIMENSIONS] strides
    cdef long long[MAX_DIMENSIONS] at
    cdef long long places = 1
    cdef long long down = 1
    cdef long long place
    cdef int axis, way, cell
    for axis in range(geometry.dimensions - 1, -1, -1):
        strides[axis] = down = places
        places = min(places * (geometry.sides[axis] + (axis > 0)), WORD + 1)
    if places + gravity * down > WORD:
        return False
    if geometry.directions > MAX_WAYS:
        return False
    self.players, self.variant, self.gravity = geometry.players, geometry.variant, gravity
    self.ways, self.k = geometry.directions, <int> geometry.k
    self.cells, self.down = <int> geometry.cells, <int> down
    self.floor = ~<Bits> 0 << places if places < WORD else 0
    for way in range(geometry.directions):
        self.steps[way] = 0
        for axis in range(geometry.dimensions):
            self.steps[way] += <int> (
                geometry.deltas[way * geometry.dimensions + axis] * strides[axis]
            )
    for cell in range(self.cells):
        coordinates(geometry, cell, at)
        place = 0
        for axis in range(geometry.dimensions):
            place += at[axis] * strides[axis]
        self.bit_of[cell] = <Bits> 1 << place
    return True


cdef inline Standing judge_bits(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, unsigned int limit, const BitBoard* self
) noexcept nogil:
    """Judge a game."""
    cdef Bits[MAX_PLAYERS] marks
    cdef Bits taken = 0
    cdef Bits bit
    cdef unsigned long long cell
    cdef int player
    cdef Py_ssize_t last
    cdef Py_ssize_t ply = 0
    cdef Standing stands
    stands.winner, stands.code = 0, LEGAL
    for player in range(self.players):
        marks[player] = 0
    player = 0
    while ply < length:
        cell = moves[ply * step]
        if cell >= limit:
            break
        bit = self.bit_of[cell]
        if taken & bit:
            stands.code = CELL_TAKEN
            break
        if self.gravity and not (taken | self.floor) & bit << self.down:
            stands.code = FLOATING
            break
        taken |= bit
        marks[player] |= bit
        ply += 1
        player = 0 if player + 1 == self.players else player + 1
    last = first_line(moves, step, ply, limit, self, marks)
    if last >= 0:
        ply = last + 1
        stands.winner = winner_by(self.variant, last % self.players + 1)
    stands.ply = ply
    stands.over = last >= 0 or ply == self.cells
    return stands


cdef inline Py_ssize_t first_line(
    Integer* moves,
    Py_ssize_t step,
    Py_ssize_t ply,
    unsigned int limit,
    const BitBoard* self,
    Bits* marks,
) noexcept nogil:
    """The ply that first completed a line, or -1; the marks are taken back as far as that."""
    cdef unsigned int holders = 0  # of a line, a bit for each player
    cdef unsigned long long cell
    cdef Py_ssize_t first = -1
    cdef int player
    for player in range(self.players):
        holders |= <unsigned int> has_line(self, marks[player]) << player
    while holders and ply:
        ply -= 1
        cell = moves[ply * step]
        if cell >= limit:  # another thread has written it
            break
        player = ply % self.players
        marks[player] &= ~self.bit_of[cell]
        if (holders >> player) & 1 and not has_line(self, marks[player]):
            holders ^= <unsigned int> 1 << player
            first = ply
    return first


cdef inline bint has_line(const BitBoard* self, Bits marks) noexcept nogil:
    """Whether a player with these marks holds a line."""
    cdef Bits found = 0
    cdef int way
    for way in range(self.ways):
        found |= complete(marks, self.steps[way], self.k)
    return found != 0


cdef inline unsigned char* tabulate(const BitBoard* self) noexcept nogil:
    """Whether they hold a line, for all marks of a player; NULL where memory is short.

    There are twice as many as the bit of the last cell, which is the highest.
    """
    cdef Bits marks
    cdef Bits count = 2 * self.bit_of[self.cells - 1]
    cdef unsigned char* wins = <unsigned char*> calloc(count, 1)
    if wins is not NULL:
        for marks in range(count):
            wins[marks] = has_line(self, marks)
    return wins


cdef inline Bits complete(Bits marks, int step, int k) noexcept nogil:
    """The first bits of all lines of these marks in one direction."""
    cdef Bits found = marks
    cdef int width = 1
    if k == 4:  # which most such boards have
        found &= found >> step
        return found & found >> 2 * step
    if k == 3:
        return found & found >> step & found >> 2 * step
    while 2 * width <= k:
        found &= found >> width * step
        width *= 2
    return found & found >> (k - width) * step
