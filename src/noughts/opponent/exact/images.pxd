# cython: language_level=3, cdivision=True
"""Symmetric positions: one of them represents all."""

from libc.stdlib cimport free

from noughts.opponent.exact.exact cimport Cells, bit, lowest_bit, zeros

cdef struct Images:
    int count, cells
    Cells* bits  # for each symmetry, the bit that each cell becomes
    Cells* origins  # and the bit of the cell that becomes this one


cdef inline int make_images(Images* self, list symmetries) except -1:
    """Use these permutations of cell numbers, the identity first."""
    cdef int i, cell
    self.count, self.cells = len(symmetries), len(symmetries[0])
    self.bits = <Cells*> zeros(self.count * self.cells, sizeof(Cells))
    self.origins = <Cells*> zeros(self.count * self.cells, sizeof(Cells))
    for i in range(self.count):
        for cell in range(self.cells):
            self.bits[i * self.cells + cell] = bit(symmetries[i][cell])
            self.origins[i * self.cells + <int> symmetries[i][cell]] = bit(cell)
    return 0


cdef inline void free_images(Images* self) noexcept:
    """Free its memory."""
    free(self.bits)
    free(self.origins)


cdef inline Cells image_of(const Images* self, int symmetry, Cells marks) noexcept nogil:
    """These cells under a symmetry."""
    return mapped(self.bits + symmetry * self.cells, marks)


cdef inline Cells original_of(const Images* self, int symmetry, Cells image) noexcept nogil:
    """The cells that become these under a symmetry."""
    return mapped(self.origins + symmetry * self.cells, image)


cdef inline Cells mapped(const Cells* bits, Cells marks) noexcept nogil:
    """The bits for these cells."""
    cdef Cells image = 0
    while marks:
        image |= bits[lowest_bit(marks)]
        marks &= marks - 1
    return image


cdef inline int take_least_image(const Images* self, Cells* marks) noexcept nogil:
    """Replace the marks of two players by the least of their images; under which symmetry."""
    cdef Cells first = marks[0]
    cdef Cells second = marks[1]
    cdef Cells one, other
    cdef int least = 0
    cdef int i
    for i in range(1, self.count):
        one = image_of(self, i, first)
        if one <= marks[0]:
            other = image_of(self, i, second)
            if one < marks[0] or other < marks[1]:
                marks[0], marks[1] = one, other
                least = i
    return least
