# cython: language_level=3, cdivision=True
"""The geometry of a board as C arrays: what `noughts.geometry.Geometry` has worked out, copied once."""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree

cdef enum:
    MAX_DIMENSIONS = 8

cdef struct Geometry:
    int dimensions
    int directions
    long long k
    long long cells
    long long lines
    long long* sides  # of each dimension; all arrays are one block of memory
    long long* strides  # of each dimension: what a step along it adds to a cell's number
    long long* deltas  # [direction, dimension]: what a step adds to a coordinate
    long long* steps  # of each direction: what a step adds to a cell's number

# The lines through a cell in one direction. Their numbers are `first`, `first + step` and so on.
cdef struct Span:
    long long first
    long long count
    long long step


cdef inline int read(Geometry* geometry, object source) except -1:
    """Copy what `noughts.geometry.geometry_of` has made; `release` frees it."""
    cdef int dimensions = len(source.shape), directions = len(source.directions)
    cdef int axis, way
    geometry.sides = <long long*> PyMem_RawCalloc(
        2 * dimensions + directions * (dimensions + 1), sizeof(long long)
    )
    if geometry.sides is NULL:
        raise MemoryError
    geometry.strides = geometry.sides + dimensions
    geometry.deltas = geometry.strides + dimensions
    geometry.steps = geometry.deltas + directions * dimensions
    geometry.dimensions, geometry.directions = dimensions, directions
    geometry.k, geometry.lines = source.k, source.count
    geometry.cells = source.shape[0] * source.strides[0]
    for axis in range(dimensions):
        geometry.sides[axis], geometry.strides[axis] = source.shape[axis], source.strides[axis]
    for way in range(directions):
        delta, geometry.steps[way] = source.directions[way]
        for axis in range(dimensions):
            geometry.deltas[way * dimensions + axis] = delta[axis]
    return 0


cdef inline void release(Geometry* geometry) noexcept nogil:
    """Free what `read` has made."""
    PyMem_RawFree(geometry.sides)


cdef inline void coordinates(const Geometry* geometry, long long cell, long long* at) noexcept nogil:
    """The coordinates of a cell of the board."""
    cdef unsigned int rest = <unsigned int> cell  # a board has fewer than 2^31 cells
    cdef unsigned int stride
    cdef int axis
    for axis in range(geometry.dimensions - 1):
        stride = <unsigned int> geometry.strides[axis]
        at[axis] = rest // stride
        rest -= <unsigned int> at[axis] * stride
    at[geometry.dimensions - 1] = rest


cdef inline Span span(
    const Geometry* geometry, int way, long long cell, const long long* at
) noexcept nogil:
    """The lines in a direction through a cell, of which `at` are the coordinates."""
    cdef Span found
    cdef long long behind = geometry.k - 1
    cdef long long ahead = behind
    cdef long long before, after, delta
    cdef const long long* deltas = geometry.deltas + way * geometry.dimensions
    cdef int axis
    for axis in range(geometry.dimensions):
        delta = deltas[axis]
        if delta:
            before, after = at[axis], geometry.sides[axis] - 1 - at[axis]
            if delta < 0:
                before, after = after, before
            behind = min(behind, before)
            ahead = min(ahead, after)
    found.first = (cell - behind * geometry.steps[way]) * geometry.directions + way
    found.count = max(behind + ahead - geometry.k + 2, 0)
    found.step = geometry.steps[way] * geometry.directions
    return found
