# cython: language_level=3, cdivision=True
"""Marks as the bits of one machine word, for small boards where any line ends the game.

Each cell is a bit. Rows have one spare bit, so that a step off the board leads to a bit that is never
set. Bit p of ``marks & marks >> step`` is set if two marks in a row start at p, and so on, which finds
the lines of all cells at once.
"""

from libc.stdlib cimport calloc

from noughts.game.geometry cimport MAX_DIMENSIONS, Geometry, coordinates

ctypedef unsigned long long Bits

cdef enum:
    WORD = 64
    MAX_WAYS = 364  # in six dimensions; boards of more do not fit in a word

cdef struct BitBoard:
    int players, ways, k
    bint gravity
    int cells
    int down  # a step down
    Bits floor  # the bits below the last row
    int[MAX_WAYS] steps  # of each direction
    Bits[WORD] bit_of  # each cell


cdef inline bint lay_out(BitBoard* self, const Geometry* geometry, bint gravity) noexcept nogil:
    """Assign a bit to each cell; return False if a word is too small.

    With `gravity`, moves must not fall.
    """
    cdef long long[MAX_DIMENSIONS] strides
    cdef long long[MAX_DIMENSIONS] at
    cdef long long places = 1, down = 1
    cdef long long place
    cdef int axis, way, cell
    for axis in range(geometry.dimensions - 1, -1, -1):
        strides[axis] = down = places
        places = min(places * (geometry.sides[axis] + (axis > 0)), WORD + 1)
    if places + gravity * down > WORD or geometry.directions > MAX_WAYS:
        return False
    self.players, self.gravity = geometry.players, gravity
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


cdef inline bint has_line(const BitBoard* self, Bits marks) noexcept nogil:
    """Return whether these marks contain a line."""
    if self.ways == 4 and self.k == 4:  # with constants, a step takes a twentieth less
        return any_line(self, marks, 4, 4)
    return any_line(self, marks, self.ways, self.k)


cdef inline bint any_line(const BitBoard* self, Bits marks, int ways, int k) noexcept nogil:
    """Return the same for this number of directions, and of marks in a line."""
    cdef Bits found = 0
    cdef int way
    for way in range(ways):
        found |= complete(marks, self.steps[way], k)
    return found != 0


cdef inline unsigned char* tabulate(const BitBoard* self) noexcept nogil:
    """Return a table of which sets of marks contain a line; NULL if memory runs out."""
    cdef Bits marks
    cdef bint three = self.ways == 4 and self.k == 3  # constants halve the time
    cdef Bits count = 2 * self.bit_of[self.cells - 1]  # the last cell has the highest bit
    cdef unsigned char* wins = <unsigned char*> calloc(count, 1)
    if wins is not NULL:
        for marks in range(count):
            wins[marks] = any_line(self, marks, 4, 3) if three else has_line(self, marks)
    return wins


cdef inline Bits complete(Bits marks, int step, int k) noexcept nogil:
    """Return the first bits of all lines of these marks in one direction."""
    cdef Bits found = marks
    cdef int width = 1
    if k == 4:  # the most common case
        found &= found >> step
        return found & found >> 2 * step
    if k == 3:
        return found & found >> step & found >> 2 * step
    while 2 * width <= k:
        found &= found >> width * step
        width *= 2
    return found & found >> (k - width) * step
