# cython: language_level=3, cdivision=True
"""A board of marks, made to be walked, and judging by any rules without fouls and early draws: from
each mark, walk along the player's own marks.

A cell lies at a *place*. Each row of places is one longer than the row of cells, and a margin lies
around them all, so that a step off the board leads to a place that never bears a mark. The places
are an array, or if the board is vast and games are short, a hash table, so that memory follows the
moves.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from noughts.kernels.games cimport Integer
from noughts.kernels.geometry cimport MAX_DIMENSIONS, Geometry, coordinates
from noughts.kernels.table cimport (
    SMALLEST,
    Table,
    discard,
    empty_hash_table,
    find_slot,
    insert_slot,
    reserve,
)
from noughts.kernels.variants cimport FREESTYLE, decides, winner_by
from noughts.kernels.verdicts cimport CELL_TAKEN, FLOATING, Standing

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
    const Geometry* geometry
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
    cdef long long cell
    cdef long long places = 1
    marks.geometry = geometry
    for axis in range(geometry.dimensions - 1, -1, -1):
        marks.strides[axis] = places
        marks.margin += places * min(geometry.k, SHORT)  # what is looked at is no farther away
        places *= geometry.sides[axis] + 1
    marks.places = places + 2 * marks.margin
    marks.steps = <long long*> calloc(geometry.directions, sizeof(long long))
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
    if marks.array is NULL or geometry.cells > FEW_CELLS:
        return marks.array is not NULL
    cdef unsigned int* place_of = <unsigned int*> calloc(geometry.cells, sizeof(unsigned int))
    if place_of is not NULL:
        for cell in range(geometry.cells):
            place_of[cell] = <unsigned int> place(marks, cell)
    marks.place_of = place_of
    return place_of is not NULL


cdef inline void unmake(Marks* marks) noexcept nogil:
    """Free what the board holds."""
    free(marks.steps)
    free(marks.runs)
    free(marks.array)
    free(marks.place_of)
    discard(&marks.table)


cdef inline bint wipe(Marks* marks) noexcept nogil:
    """Take all marks off the board; False where memory is short."""
    if marks.array is NULL:
        marks.stamp = 1
        discard(&marks.table)
        return empty_hash_table(&marks.table, SMALLEST)
    if marks.stamp == MAX_STAMP:
        memset(marks.array, 0, marks.places * sizeof(unsigned int))
        marks.stamp = 0
    marks.stamp += 1
    return True


cdef inline long long place(const Marks* marks, long long cell) noexcept nogil:
    """The place of a cell of the board."""
    cdef long long[MAX_DIMENSIONS] at
    cdef long long found = marks.margin
    cdef int axis
    if marks.place_of is not NULL:
        return marks.place_of[cell]
    coordinates(marks.geometry, cell, at)
    for axis in range(marks.geometry.dimensions):
        found += at[axis] * marks.strides[axis]
    return found


cdef inline unsigned int mark_of(const Marks* marks, unsigned int player) noexcept nogil:
    """What a place holds that bears a mark of this player."""
    return marks.stamp << 4 | player


cdef inline unsigned int at(const Marks* marks, long long place) noexcept nogil:
    """What a place holds."""
    if marks.array is not NULL:
        return marks.array[place]
    return <unsigned int> marks.table.values[find_slot(&marks.table, place)]


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
    """Find in `marks.runs` the runs through a place that end the game; how many."""
    cdef long long most = marks.geometry.k - 1
    cdef long long step, farthest
    cdef unsigned int behind, ahead
    cdef int way
    cdef int found = 0
    cdef Run run
    cdef int ways = marks.geometry.directions
    for way in range(ways):
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
        found += run.behind + run.ahead >= most and (
            marks.geometry.variant == FREESTYLE or ends_game(marks, here, mark, run, step)
        )
    return found


cdef inline bint ends_game(
    const Marks* marks, long long here, unsigned int mark, Run run, long long step
) noexcept nogil:
    """Whether k or more marks in a row end the game."""
    cdef int player = mark & 15
    cdef int variant = marks.geometry.variant
    if run.behind + run.ahead >= marks.geometry.k:  # next to each of its lines is an own mark
        return decides(variant, player, player, player)
    return decides(
        variant,
        player,
        player_at(marks, here - (run.behind + 1) * step),
        player_at(marks, here + (run.ahead + 1) * step),
    )


cdef inline int player_at(const Marks* marks, long long place) noexcept nogil:
    """The player whose mark is at a place, 0 if there is none."""
    cdef unsigned int held = at(marks, place)
    return held & 15 if held >> 4 == marks.stamp else 0


cdef inline long long walk(
    const Marks* marks, long long here, long long step, unsigned int mark, long long most
) noexcept nogil:
    """How many places in a row bear the mark from the next one on; `most` at most."""
    cdef const unsigned int* array = marks.array
    cdef long long length = 0
    if array is not NULL:  # asked once, not at each place
        while length < most and array[here + step] == mark:
            here += step
            length += 1
        return length
    while length < most and at(marks, here + step) == mark:
        here += step
        length += 1
    return length


cdef inline Standing judge_runs(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, unsigned int limit, Marks* marks
) noexcept nogil:
    """Judge a game."""
    cdef const Geometry* geometry = marks.geometry
    cdef unsigned long long cell
    cdef long long here
    cdef unsigned int mark
    cdef int player = 0
    cdef unsigned long long last_row = geometry.cells - geometry.strides[0]
    cdef Standing stands
    stands.ply, stands.winner, stands.over, stands.code = 0, 0, False, 0
    if not wipe(marks):
        stands.ply = -1
        return stands
    while stands.ply < length and not stands.over:
        cell = moves[stands.ply * step]
        if cell >= limit:
            break
        here = place(marks, cell)
        if player_at(marks, here):
            stands.code = CELL_TAKEN
            break
        if geometry.gravity and cell < last_row and not player_at(marks, here + marks.strides[0]):
            stands.code = FLOATING
            break
        player = 1 if player == geometry.players else player + 1
        mark = mark_of(marks, player)
        if not put(marks, here, mark):
            stands.ply = -1
            return stands
        stands.ply += 1
        if runs_through(marks, here, mark):
            stands.winner = winner_by(geometry.variant, player)
        stands.over = stands.winner != 0 or stands.ply == geometry.cells
    return stands
