# cython: language_level=3, cdivision=True
"""A board of marks, made to be walked: in an array, or if it is vast and games are short, in a hash
table, so that memory follows the moves.

A cell lies at a *place*. Each row of places is one longer than the row of cells, and a margin lies
around them all, so that a step off the board leads to a place that never bears a mark.
"""

from cpython.mem cimport PyMem_RawFree
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from noughts.kernels.geometry cimport MAX_DIMENSIONS, Geometry
from noughts.kernels.table cimport (
    SMALLEST,
    Table,
    cleared,
    empty_hash_table,
    insert_slot,
    reserve,
    find_slot,
)

cdef extern from *:
    int trailing_zeros "__builtin_ctz"(unsigned int bits) noexcept nogil

cdef enum:
    SHORT = 3  # steps, all of which are looked at; with more it takes less to stop where a run ends
    SMALL_BOARD = 1 << 18  # places: 1 MiB
    FEW_CELLS = 1 << 12  # whose places are kept in a table, of 16 KiB
    MAX_STAMP = (1 << 28) - 1

# Marks in a row, through some place: how many there are before and behind it.
cdef struct Run:
    int way  # the direction
    long long behind
    long long ahead

cdef struct Marks:
    long long k
    int directions
    int dimensions
    unsigned int[MAX_DIMENSIONS] sides
    long long[MAX_DIMENSIONS] strides  # in places
    long long margin
    long long* steps  # of each direction, in places
    Run* runs  # room for one in each direction, and one more
    long long places
    unsigned int* place_of  # of each cell, if there are not many
    # At each place stamp << 4 | player. Marks with the stamp of an earlier game are no marks.
    unsigned int stamp
    unsigned int* array
    Table table  # where there is no array


cdef inline bint make(Marks* marks, const Geometry* geometry, long long longest) noexcept nogil:
    """Make an empty board for games of up to `longest` plies; False where memory is short.

    `unmake` frees it either way.
    """
    cdef int axis, way
    cdef unsigned int cell
    cdef long long places = 1
    memset(marks, 0, sizeof(Marks))
    marks.k, marks.dimensions = geometry.k, geometry.dimensions
    marks.directions = geometry.directions
    for axis in range(geometry.dimensions - 1, -1, -1):
        marks.sides[axis] = <unsigned int> geometry.sides[axis]
        marks.strides[axis] = places
        marks.margin += places * min(geometry.k, SHORT)  # what is looked at is no farther away
        places *= geometry.sides[axis] + 1
    marks.places = places + 2 * marks.margin
    marks.steps = <long long*> calloc(geometry.directions + 1, sizeof(long long))
    marks.runs = <Run*> calloc(geometry.directions + 1, sizeof(Run))
    if marks.steps is NULL or marks.runs is NULL:
        return False
    for way in range(geometry.directions):
        for axis in range(geometry.dimensions):
            marks.steps[way] += (
                geometry.deltas[way * geometry.dimensions + axis] * marks.strides[axis]
            )
    if marks.places > SMALL_BOARD and marks.places // 16 > longest:
        return empty_hash_table(&marks.table, SMALLEST)
    marks.array = <unsigned int*> calloc(marks.places, sizeof(unsigned int))
    if geometry.cells <= FEW_CELLS and marks.array is not NULL:
        marks.place_of = <unsigned int*> calloc(geometry.cells, sizeof(unsigned int))
        if marks.place_of is NULL:
            return False
        for cell in range(<unsigned int> geometry.cells):
            marks.place_of[cell] = <unsigned int> worked_out(marks, cell)
    return marks.array is not NULL


cdef inline void unmake(Marks* marks) noexcept nogil:
    """Free what the board holds."""
    free(marks.steps)
    free(marks.runs)
    free(marks.array)
    free(marks.place_of)
    PyMem_RawFree(marks.table.memory)


cdef inline bint wipe(Marks* marks) noexcept nogil:
    """Take all marks off the board; False where memory is short."""
    if marks.array is NULL:
        marks.stamp = 1
        return cleared(&marks.table)
    if marks.stamp == MAX_STAMP:
        memset(marks.array, 0, marks.places * sizeof(unsigned int))
        marks.stamp = 0
    marks.stamp += 1
    return True


cdef inline long long place(const Marks* marks, unsigned int cell) noexcept nogil:
    """The place of a cell of the board."""
    if marks.place_of is not NULL:
        return marks.place_of[cell]
    return worked_out(marks, cell)


cdef inline long long worked_out(const Marks* marks, unsigned int cell) noexcept nogil:
    """The same, where there is no table of places; it takes a division for each dimension."""
    cdef long long found = marks.margin
    cdef unsigned int rest
    cdef int axis = marks.dimensions - 1
    while axis > 0:
        rest = cell // marks.sides[axis]
        found += (cell - rest * marks.sides[axis]) * marks.strides[axis]
        cell = rest
        axis -= 1
    return found + cell * marks.strides[0]


cdef inline unsigned int mark_of(const Marks* marks, unsigned int player) noexcept nogil:
    """What a place holds that bears a mark of this player."""
    return marks.stamp << 4 | player


cdef inline unsigned int at(const Marks* marks, long long place) noexcept nogil:
    """What a place holds."""
    if marks.array is not NULL:
        return marks.array[place]
    return <unsigned int> marks.table.values[find_slot(&marks.table, place)]


cdef inline bint is_free(const Marks* marks, long long place) noexcept nogil:
    """Whether a place bears no mark."""
    return at(marks, place) >> 4 != marks.stamp


cdef inline bint put(Marks* marks, long long place, unsigned int mark) noexcept nogil:
    """Put a mark; False where memory is short."""
    if marks.array is not NULL:
        marks.array[place] = mark
        return True
    if not reserve(&marks.table, 1):
        return False
    marks.table.values[insert_slot(&marks.table, place)] = mark
    return True


cdef inline int runs_through(Marks* marks, long long here, unsigned int mark) noexcept nogil:
    """Find in `marks.runs` the runs through a place that are long enough to win; how many."""
    cdef long long most = marks.k - 1
    cdef long long step, farthest
    cdef unsigned int behind, ahead
    cdef int way
    cdef int found = 0
    cdef Run run
    for way in range(marks.directions):
        step = marks.steps[way]
        run.way = way
        if most > SHORT or marks.array is NULL:
            run.behind = walk(marks, here, -step, mark, most)
            run.ahead = walk(marks, here, step, mark, most)
        else:
            # How far a run goes is guessed wrong so often that it takes less to look at all places;
            # the farthest first, so that the next one's bit is the lowest.
            behind = ahead = 0
            farthest = most * step
            while farthest:
                behind = 2 * behind + (marks.array[here - farthest] == mark)
                ahead = 2 * ahead + (marks.array[here + farthest] == mark)
                farthest -= step
            run.behind, run.ahead = trailing_zeros(~behind), trailing_zeros(~ahead)
        marks.runs[found] = run
        found += run.behind + run.ahead >= most
    return found


cdef inline long long walk(
    const Marks* marks, long long here, long long step, unsigned int mark, long long most
) noexcept nogil:
    """How many places in a row bear the mark from the next one on; `most` at most."""
    cdef long long length = 0
    while length < most and at(marks, here + step) == mark:
        here += step
        length += 1
    return length
