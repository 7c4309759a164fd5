# cython: language_level=3, cdivision=True
"""Marks as bits along every line, for many games of rules that are `by_lines`.

In each direction the cells are numbered along the board's longest lines, one line after another,
with a spare bit between two lines that is never set. A player's marks in all directions are one
string of such bits. So one word holds the marks around a mark in any direction, and a few shifts
show whether enough of them are in a row to check further.
"""

from libc.stdlib cimport calloc
from libc.string cimport memcpy

from noughts.game.geometry cimport MAX_DIMENSIONS, Geometry, coordinates
from noughts.game.rules cimport Variant, decides

cdef extern from *:
    """
    #if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    #define LOWEST_BYTE_FIRST(word) __builtin_bswap64(word)
    #else
    #define LOWEST_BYTE_FIRST(word) (word)
    #endif
    """
    unsigned long long swapped "LOWEST_BYTE_FIRST"(unsigned long long word) noexcept nogil

ctypedef unsigned long long Word

cdef enum:
    BEFORE = 3  # bytes of a word before the byte with the mark's own bit
    FEW = 8  # a word shows up to this many marks in a row around that bit

cdef struct Lines:
    const Variant* variant
    int ways, players
    long long k
    int[3] shifts  # that find marks in a row
    Py_ssize_t size  # of a player's bits, in bytes
    unsigned int* bits  # [cell, direction]


cdef inline bint number(Lines* self, const Geometry* geometry) noexcept nogil:
    """Number the bits; return False if memory runs out. The caller always frees `self.bits`."""
    cdef long long[MAX_DIMENSIONS] at
    cdef unsigned long long bit = 8 * BEFORE
    cdef long long cell, along
    cdef int way
    cdef int found = 1  # marks in a row
    self.ways, self.players, self.variant = geometry.directions, geometry.players, &geometry.variant
    self.k = geometry.k
    for way in range(3):
        self.shifts[way] = min(1 << way, <int> min(self.k, FEW) - found)
        found += self.shifts[way]
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
    """Take a step along a direction; return whether it stays on the board."""
    cdef bint stays = True
    cdef int axis
    for axis in range(geometry.dimensions):
        at[axis] += sign * geometry.deltas[way * geometry.dimensions + axis]
        stays &= 0 <= at[axis] < geometry.sides[axis]
    return stays


cdef inline bint put_on_lines(
    const Lines* self, unsigned char* marks, int player, long long cell
) noexcept nogil:
    """Put a mark on an empty cell; return whether it ends the game. `marks` has all players'."""
    cdef unsigned char* own = marks + (player - 1) * self.size
    cdef const unsigned int* bits = self.bits + cell * self.ways
    if self.ways == 4:  # in two dimensions; a constant makes a move an eighth faster
        return put(self, 4, own, bits) and ends(self, marks, player, bits)
    return put(self, self.ways, own, bits) and ends(self, marks, player, bits)


cdef inline bint put(
    const Lines* self, int ways, unsigned char* own, const unsigned int* bits
) noexcept nogil:
    """Set these bits of a player; return whether any can be in a line."""
    cdef unsigned char* around
    cdef Word word
    cdef Word rows = 0  # the first bits of some marks in a row
    cdef int way
    for way in range(ways):
        around = own + (bits[way] >> 3) - BEFORE
        memcpy(&word, around, sizeof(Word))
        word = swapped(word) | <Word> 1 << 8 * BEFORE + (bits[way] & 7)
        rows |= in_a_row(self, word)
        word = swapped(word)
        memcpy(around, &word, sizeof(Word))
    return rows != 0


cdef inline Word in_a_row(const Lines* self, Word marks) noexcept nogil:
    """Return the first bits of min(`FEW`, k) marks in a row."""
    marks &= marks >> self.shifts[0]
    marks &= marks >> self.shifts[1]
    return marks & marks >> self.shifts[2]


cdef inline bint ends(
    const Lines* self, const unsigned char* marks, int player, const unsigned int* bits
) noexcept nogil:
    """Return whether the player's mark with these bits completes a line that ends the game."""
    cdef const unsigned char* own = marks + (player - 1) * self.size
    cdef long long before, after  # the bits around a run
    cdef long long above  # its length minus k
    cdef int way
    for way in range(self.ways):
        before, after = <long long> bits[way] - 1, <long long> bits[way] + 1
        while is_set(own, before):
            before -= 1
        while is_set(own, after):
            after += 1
        above = after - before - 1 - self.k
        if above >= 0 and decides(
            self.variant, player, <int> min(above, 2), holder(self, marks, before),
            holder(self, marks, after),
        ):
            return True
    return False


cdef inline bint is_set(const unsigned char* bits, long long bit) noexcept nogil:
    """Return whether a bit is set."""
    return (bits[bit >> 3] >> (bit & 7)) & 1


cdef inline int holder(const Lines* self, const unsigned char* marks, long long bit) noexcept nogil:
    """Return the player who has set a bit, or 0."""
    cdef int player
    cdef int found = 0
    for player in range(self.players):  # without branches
        found |= is_set(marks + player * self.size, bit) * (player + 1)
    return found
