# cython: language_level=3, cdivision=True
"""Symmetric positions: one of them represents all."""

from noughts.opponent.exact.exact cimport Cells, bit, lowest_bit, zeros

cdef struct Images:
    int count, cells
    Cells* bits  # for each symmetry, the bit that each cell becomes


cdef inline int make_images(Images* self, list symmetries) except -1:
    """Use these permutations of cell numbers, the identity first; the caller frees `bits`."""
    cdef int i, cell
    self.count, self.cells = len(symmetries), len(symmetries[0])
    self.bits = <Cells*> zeros(self.count * self.cells, sizeof(Cells))
    for i in range(self.count):
        for cell in range(self.cells):
            self.bits[i * self.cells + cell] = bit(symmetries[i][cell])
    return 0


cdef inline Cells image_of(const Images* self, int symmetry, Cells marks) noexcept nogil:
    """These cells under a symmetry."""
    cdef const Cells* bits = self.bits + symmetry * self.cells
    cdef Cells image = 0
    while marks:
        image |= bits[lowest_bit(marks)]
        marks &= marks - 1
    return image


cdef inline void take_least_image(const Images* self, Cells* marks) noexcept nogil:
    """Replace the marks of two players by the least of their images."""
    cdef Cells first = marks[0]
    cdef Cells second = marks[1]
    cdef Cells one, other
    cdef int i
    for i in range(1, self.count):
        one = image_of(self, i, first)
        if one <= marks[0]:
            other = image_of(self, i, second)
            if one < marks[0] or other < marks[1]:
                marks[0], marks[1] = one, other
