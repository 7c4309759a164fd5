# cython: language_level=3, cdivision=True
"""Marks as bits along every line, so that a run is measured at once; for many games of any rules
without fouls and early draws.

In each direction the cells are numbered along the board's longest lines, one line after another; a
bit that is never set lies between two lines. A player's marks are one string of such bits, for all
directions. The runs through a mark are then in one word around its bit, whatever the direction:
nothing has to be walked, and no branch depends on how far a run goes.
"""

from libc.stdlib cimport calloc
from libc.string cimport memcpy

from noughts.kernels.geometry cimport MAX_DIMENSIONS, Geometry, coordinates
from noughts.kernels.variants cimport decides

cdef extern from *:
    """
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define LOWEST_BYTE_FIRST(word) __builtin_bswap64(word)
    #else
    #define LOWEST_BYTE_FIRST(word) (word)
    #endif
    """
    unsigned long long swapped "LOWEST_BYTE_FIRST"(unsigned long long word) noexcept nogil
    int leading_zeros "__builtin_clzll"(unsigned long long bits) noexcept nogil
    int trailing_zeros "__builtin_ctzll"(unsigned long long bits) noexcept nogil

ctypedef unsigned long long Word

cdef enum:
    BEFORE = 3  # bytes of a word before the byte of the bit that matters

cdef struct Lines:
    int ways, players, variant
    long long k
    Py_ssize_t size  # of a player's bits, in bytes
    unsigned int* bits  # [cell, direction]


cdef inline bint number(Lines* self, const Geometry* geometry) noexcept nogil:
    """Number the bits; False where memory is short. `self.bits` is to be freed either way."""
    cdef long long[MAX_DIMENSIONS] at
    cdef unsigned long long bit = 8 * BEFORE
    cdef long long cell, along
    cdef int way
    self.ways, self.players, self.variant = geometry.directions, geometry.players, geometry.variant
    self.k = geometry.k
    self.bits = <unsigned int*> calloc(geometry.cells, self.ways * sizeof(int))
    if self.bits is NULL:
        return False
    for way in range(self.ways):
        for cell in range(geometry.cells):
            coordinates(geometry, cell, at)
            if step(geometry, way, -1, at):
                continue  # numbered with the line's first cell
            coordinates(geometry, cell, at)
            along = cell
            self.bits[along * self.ways + way] = <unsigned int> bit
            bit += 1
            while step(geometry, way, 1, at):
                along += geometry.steps[way]
                self.bits[along * self.ways + way] = <unsigned int> bit
                bit += 1
            bit += 1
    self.size = bit // 8 - BEFORE + sizeof(Word)
    return bit < <unsigned long long> 1 << 32


cdef inline bint step(
    const Geometry* geometry, int way, int sign, long long* at
) noexcept nogil:
    """Take a step along a direction; whether that leads to a cell of the board."""
    cdef bint stays = True
    cdef int axis
    for axis in range(geometry.dimensions):
        at[axis] += sign * geometry.deltas[way * geometry.dimensions + axis]
        stays &= 0 <= at[axis] < geometry.sides[axis]
    return stays


cdef inline bint put_on_lines(
    const Lines* self, unsigned char* marks, int player, long long cell
) noexcept nogil:
    """Put a mark on an empty cell; whether it ends the game. `marks` are those of all players."""
    cdef unsigned char* own = marks + (player - 1) * self.size
    cdef const unsigned int* bits = self.bits + cell * self.ways
    cdef unsigned char* around
    cdef Word word
    cdef long long behind, ahead
    cdef int way, bit
    cdef bint over = False
    for way in range(self.ways):
        around = own + (bits[way] >> 3) - BEFORE
        bit = 8 * BEFORE + (bits[way] & 7)
        memcpy(&word, around, sizeof(Word))
        word = swapped(word) | <Word> 1 << bit
        behind = leading_zeros(~(word << (64 - bit)))
        ahead = trailing_zeros(~(word >> (bit + 1)))
        word = swapped(word)
        memcpy(around, &word, sizeof(Word))
        if behind == bit or ahead == 63 - bit:  # the run may go on
            behind = beyond(own, bits[way], behind, -1)
            ahead = beyond(own, bits[way], ahead, 1)
        if behind + ahead + 1 >= self.k:
            over |= ends(self, marks, player, bits[way], behind, ahead)
    return over


cdef inline long long beyond(
    const unsigned char* own, long long bit, long long length, int sign
) noexcept nogil:
    """How far a run goes on one side of a bit, if it goes so far."""
    while is_set(own, bit + sign * (length + 1)):
        length += 1
    return length


cdef inline bint is_set(const unsigned char* bits, long long bit) noexcept nogil:
    """Whether a bit is set."""
    return (bits[bit >> 3] >> (bit & 7)) & 1


cdef inline bint ends(
    const Lines* self,
    const unsigned char* marks,
    int player,
    long long bit,
    long long behind,
    long long ahead,
) noexcept nogil:
    """Whether k or more marks in a row end the game."""
    if behind + ahead >= self.k:  # next to each of its lines is an own mark
        return decides(self.variant, player, player, player)
    return decides(
        self.variant,
        player,
        holder(self, marks, bit - behind - 1),
        holder(self, marks, bit + ahead + 1),
    )


cdef inline int holder(const Lines* self, const unsigned char* marks, long long bit) noexcept nogil:
    """The player who has set a bit, 0 if nobody has."""
    cdef int player
    for player in range(self.players):
        if is_set(marks + player * self.size, bit):
            return player + 1
    return 0
