# cython: language_level=3, cdivision=True
"""The geometry of a board as C arrays: what `noughts.geometry.Geometry` says, copied once.

Nothing is worked out here that `Geometry` has worked out; `read` checks it, so that no array leads
compiled code astray.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from cpython.number cimport PyNumber_Index

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
    """Copy a `noughts.geometry.Geometry`; `release` frees it.

    Raises:
        ValueError: the numbers describe no board.
        AttributeError, TypeError, OverflowError: they are no numbers.
    """
    cdef tuple shape = tuple([PyNumber_Index(side) for side in source.shape])
    cdef tuple strides = tuple(source.strides)
    cdef tuple directions = tuple(source.directions)
    cdef long long cells = 1
    cdef long long step
    cdef int axis, way, dimensions = <int> len(shape), ways = <int> len(directions)
    if not (1 <= len(shape) <= MAX_DIMENSIONS and len(strides) == len(shape)):
        raise ValueError(f"a board has 1 to {MAX_DIMENSIONS} sides, each with a stride")
    if len(directions) > 3280:  # (3^8 - 1) / 2
        raise ValueError(f"a board has at most 3280 directions, not {len(directions)}")
    geometry.sides = <long long*> PyMem_RawCalloc(
        2 * dimensions + ways * (dimensions + 1) + 1, sizeof(long long)
    )
    if geometry.sides is NULL:
        raise MemoryError
    geometry.strides = geometry.sides + dimensions
    geometry.deltas = geometry.strides + dimensions
    geometry.steps = geometry.deltas + ways * dimensions
    geometry.dimensions, geometry.directions = dimensions, ways
    geometry.k, geometry.lines = PyNumber_Index(source.k), source.count
    for axis in range(dimensions - 1, -1, -1):
        geometry.sides[axis], geometry.strides[axis] = shape[axis], strides[axis]
        if geometry.sides[axis] < 1 or geometry.strides[axis] != cells:
            raise ValueError(f"sides {shape} and strides {strides} are of no board")
        if geometry.sides[axis] > 0x7FFFFFFF // cells:
            raise ValueError(f"a board of {shape} has too many cells")
        cells *= geometry.sides[axis]
    geometry.cells = cells
    if not 1 <= geometry.k <= max(shape) or geometry.lines < 0:
        raise ValueError(f"there are no lines of {source.k} cells")
    for way in range(ways):
        delta = tuple(directions[way].delta)
        if len(delta) != dimensions:
            raise ValueError(f"a direction has {dimensions} steps, not {len(delta)}")
        step = 0
        for axis in range(dimensions):
            geometry.deltas[way * dimensions + axis] = delta[axis]
            if not -1 <= geometry.deltas[way * dimensions + axis] <= 1:
                raise ValueError(f"a step is -1, 0 or 1, not {delta[axis]}")
            step += geometry.deltas[way * dimensions + axis] * geometry.strides[axis]
        if step < 1:
            raise ValueError(f"direction {delta} leads back")
        geometry.steps[way] = step
    return 0


cdef inline void release(Geometry* geometry) noexcept nogil:
    """Free what `read` has made."""
    PyMem_RawFree(geometry.sides)
    geometry.sides = NULL


cdef inline void coordinates(const Geometry* geometry, long long cell, long long* at) noexcept nogil:
    """The coordinates of a cell of the board."""
    cdef unsigned int rest = <unsigned int> cell  # a board has fewer than 2^31 cells
    cdef unsigned int stride
    cdef int axis
    for axis in range(geometry.dimensions):
        stride = <unsigned int> geometry.strides[axis]
        at[axis] = rest // stride
        rest -= <unsigned int> at[axis] * stride


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
