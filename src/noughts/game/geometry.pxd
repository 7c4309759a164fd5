# cython: language_level=3, cdivision=True
"""The rules of a game in C, with everything that `noughts.game.geometry.Geometry` computes."""

from libc.string cimport memcpy
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree

from noughts.game.rules cimport Variant, describe

cdef enum:
    MAX_SPANS = 4096  # of all cells together; on larger boards each move computes its own
    MAX_DIMENSIONS = 8
    MAX_DIRECTIONS = 3280  # (3**8 - 1) / 2
    MAX_CELLS = 0x7FFFFFFF

# The lines through a cell in one direction. Their numbers are `first`, `first + step` and so on.
cdef struct Span:
    long long first
    long long count
    long long step

cdef struct Geometry:
    int players
    Variant variant
    bint gravity
    bint early_draw
    int dimensions
    int directions
    long long k
    long long cells
    long long lines
    long long* sides  # of each dimension; all arrays are one block of memory
    long long* strides  # of each dimension: the change of a cell's number per step along it
    long long* deltas  # [direction, dimension]: the change of a coordinate per step
    long long* steps  # of each direction: the change of a cell's number per step
    unsigned char* counted  # by line: whether it can win; NULL if all can
    Span* spans  # [cell, direction]; NULL unless `keep_spans` has computed them


cdef inline int read(Geometry* geometry, object rules) except -1:
    """Copy these rules and their geometry; `release` frees the copy.

    An error is raised unless the copy describes some game, whatever a subclass of `Rules` claims.
    """
    from noughts.game.geometry import geometry_of
    from noughts.game.rules import MAX_PLAYERS, Rules

    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules, not {rules!r}")
    source = geometry_of(rules)
    cdef long long players = rules.players
    if not 2 <= players <= MAX_PLAYERS:
        raise ValueError(f"no game has {players} players")
    geometry.players = players
    describe(&geometry.variant, rules, geometry.players)
    geometry.gravity, geometry.early_draw = rules.gravity, rules.early_draw
    cdef tuple shape = tuple(source.shape)
    cdef list deltas = [tuple(along) for along, _ in source.directions]
    if not 1 <= len(shape) <= MAX_DIMENSIONS or len(deltas) > MAX_DIRECTIONS:
        raise ValueError(f"no board has the shape {shape} and {len(deltas)} directions")
    cdef int dimensions = len(shape), directions = len(deltas)
    cdef int axis, way
    cdef long long delta, found
    geometry.sides = <long long*> PyMem_RawCalloc(
        2 * dimensions + directions * (dimensions + 1), sizeof(long long)
    )
    if geometry.sides is NULL:
        raise MemoryError
    geometry.strides = geometry.sides + dimensions
    geometry.deltas = geometry.strides + dimensions
    geometry.steps = geometry.deltas + directions * dimensions
    geometry.dimensions, geometry.directions = dimensions, directions
    geometry.k, geometry.lines, geometry.cells = source.k, source.count, 1
    for axis in range(dimensions - 1, -1, -1):
        geometry.sides[axis], geometry.strides[axis] = shape[axis], geometry.cells
        if not 1 <= geometry.sides[axis] <= MAX_CELLS // geometry.cells:
            raise ValueError(f"no board has the shape {shape}")
        geometry.cells *= geometry.sides[axis]
    if not 1 <= geometry.k <= MAX_CELLS:
        raise ValueError(f"no line has {geometry.k} cells")
    for way, each in enumerate(deltas):
        found = 0
        if len(<tuple> each) != dimensions:
            raise ValueError(f"no line of a board of {dimensions} sides runs along {each}")
        for axis in range(dimensions):
            delta = each[axis]
            if not -1 <= delta <= 1:
                raise ValueError(f"no line runs along {each}")
            geometry.deltas[way * dimensions + axis] = delta
            geometry.steps[way] += delta * geometry.strides[axis]
            found |= delta
        if not found:
            raise ValueError(f"no line runs along {each}")
    if geometry.variant.fouls and (players != 2 or dimensions != 2 or geometry.gravity):
        raise ValueError(f"{rules!r} cannot have fouls")
    count(geometry, rules)
    return 0


cdef inline int count(Geometry* geometry, object rules) except -1:
    """Record which lines can win, if not all can in this variant."""
    from noughts.game.geometry import counted_of

    cdef bytes counted = counted_of(rules)
    if counted is None:
        return 0
    if len(counted) != geometry.cells * geometry.directions:
        raise ValueError(f"no board has {len(counted)} numbers of lines")
    geometry.counted = <unsigned char*> PyMem_RawCalloc(len(counted), 1)
    if geometry.counted is NULL:
        raise MemoryError
    memcpy(geometry.counted, <const unsigned char*> counted, len(counted))
    return 0


cdef inline int keep_spans(Geometry* geometry) except -1:
    """Compute the spans of all cells in advance, unless there are too many.

    `Game.play` on 3×3 then takes a tenth less time (`script/bench --only game`).
    """
    cdef long long[MAX_DIMENSIONS] at
    cdef long long cell
    cdef int way
    if geometry.cells * geometry.directions > MAX_SPANS:
        return 0
    geometry.spans = <Span*> PyMem_RawCalloc(geometry.cells * geometry.directions, sizeof(Span))
    if geometry.spans is NULL:
        raise MemoryError
    for cell in range(geometry.cells):
        coordinates(geometry, cell, at)
        for way in range(geometry.directions):
            geometry.spans[cell * geometry.directions + way] = span(geometry, way, cell, at)
    return 0


cdef inline bint by_lines(const Geometry* geometry) noexcept nogil:
    """Return whether only the marks on a line and next to its ends, or a full board, end a game.

    Otherwise, as under early draws and with fouls, a board with tallies is needed.
    """
    return not geometry.early_draw and not geometry.variant.fouls and geometry.counted is NULL


cdef inline void release(Geometry* geometry) noexcept nogil:
    """Free what `read` allocated."""
    PyMem_RawFree(geometry.sides)
    PyMem_RawFree(geometry.counted)
    PyMem_RawFree(geometry.spans)


cdef inline void coordinates(const Geometry* geometry, long long cell, long long* at) noexcept nogil:
    """Compute the coordinates of a cell of the board."""
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
    """Return the lines in a direction through a cell with the coordinates `at`."""
    cdef Span found
    cdef long long behind, ahead
    room(geometry, way, at, geometry.k - 1, &behind, &ahead)
    found.first = (cell - behind * geometry.steps[way]) * geometry.directions + way
    found.count = max(behind + ahead - geometry.k + 2, 0)
    found.step = geometry.steps[way] * geometry.directions
    return found


cdef inline void room(
    const Geometry* geometry, int way, const long long* at, long long most, long long* behind,
    long long* ahead,
) noexcept nogil:
    """Compute how many steps back and ahead in a direction stay on the board, up to `most`."""
    cdef long long before, after, delta
    cdef const long long* deltas = geometry.deltas + way * geometry.dimensions
    cdef int axis
    behind[0] = ahead[0] = most
    for axis in range(geometry.dimensions):
        delta = deltas[axis]
        if delta:
            before, after = at[axis], geometry.sides[axis] - 1 - at[axis]
            if delta < 0:
                before, after = after, before
            behind[0] = min(behind[0], before)
            ahead[0] = min(ahead[0], after)
