# cython: language_level=3, cdivision=True
"""The marks on a board and the tallies of its lines in C; `noughts.game.board` is the definition.

No function here calls Python or needs the GIL. A function that fails changes nothing.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.string cimport memcpy, memset

from noughts.game.geometry cimport MAX_DIMENSIONS, Geometry, Span, coordinates, span
from noughts.game.table cimport Table, discard, duplicate, empty, find_slot, insert_slot, reserve
from noughts.game.rules cimport MAX_PLAYERS, decides

# The state of a line is one number. It is 0 without marks. Below SPOILT, the line has marks of one
# player only, is live for that player, and has the state `tally * ONE_MARK + player`, with players
# counted from 0. Each mark of another player adds SPOILT. Moves are undone in reverse order, so the
# last mark on a spoilt line is another player's, and without such marks the line is live again, as
# before. Tallies are below 2^31, like the number of cells, hence SPOILT = 2^(31 + 3); plies are below
# MAX_PLIES, so that no state overflows.
# The state of a cell is the player whose mark is on it, counted from 1.
cdef enum:
    ONE_MARK = 8
    PLAYER = 7  # the bits that hold the player
    PAGE = 16

cdef extern from *:
    """
    #define SPOILT (1LL << 34)     /* an enum is only an int */
    #define MAX_PLIES (1LL << 29)  /* with tables of about 30 GB */
    """
    const long long SPOILT
    const long long MAX_PLIES

# The results of a move; `moves.pxd` adds REFUSED.
cdef enum:
    NO_MEMORY = -2
    GOES_ON = 0
    LINE = 1
    FULL = 2

cdef struct Tallies:
    const Geometry* geometry
    long long ply
    unsigned int* history  # the cell of each ply
    long long pages  # of `history`, of PAGE cells each
    long long unmarked  # the number of lines without marks, live for every player
    long long* counts  # by state of live lines: the number of lines in it
    long long room  # `counts` covers tallies below this
    const Span* spans  # of the current cell, one for each direction
    Span* own_spans  # where these are computed if the geometry does not keep them
    Table states  # of the cells, by number; then of the lines, whose keys begin at `cells`


cdef inline bint start(Tallies* board, const Geometry* geometry) noexcept nogil:
    """Create an empty board; return False if memory runs out. `finish` always frees it."""
    memset(board, 0, sizeof(Tallies))
    board.geometry = geometry
    board.unmarked = geometry.lines
    if geometry.spans is NULL:
        board.own_spans = <Span*> PyMem_RawCalloc(geometry.directions, sizeof(Span))
    return (
        (geometry.spans is not NULL or board.own_spans is not NULL)
        and empty(&board.states, geometry.cells * (1 + geometry.directions))
        and reserve_tallies(board, 3)
    )


cdef inline void finish(Tallies* board) noexcept nogil:
    """Free the contents of the board."""
    PyMem_RawFree(board.history)
    PyMem_RawFree(board.counts)
    PyMem_RawFree(board.own_spans)
    discard(&board.states)
    board.history, board.counts, board.own_spans = NULL, NULL, NULL


cdef inline bint copy(Tallies* twin, const Tallies* board) noexcept nogil:
    """Create a board in the same state; return False if memory runs out. `finish` always frees it."""
    cdef size_t counts = MAX_PLAYERS * board.room * sizeof(long long)
    cdef size_t spans = board.geometry.directions * sizeof(Span)
    cdef size_t history = board.pages * PAGE * sizeof(int)
    twin[0] = board[0]
    twin.spans = NULL  # those of the other board may not stay
    twin.history = <unsigned int*> PyMem_RawMalloc(history)
    twin.counts = <long long*> PyMem_RawMalloc(counts)
    if board.own_spans is not NULL:
        twin.own_spans = <Span*> PyMem_RawMalloc(spans)
    if not duplicate(&twin.states, &board.states) or twin.history is NULL:
        return False
    if twin.counts is NULL or (board.own_spans is not NULL and twin.own_spans is NULL):
        return False
    if board.ply:  # otherwise there can be no history yet
        memcpy(twin.history, board.history, board.ply * sizeof(int))
    memcpy(twin.counts, board.counts, counts)
    return True


cdef inline int mark(const Tallies* board, long long cell) noexcept nogil:
    """Return the player whose mark is on a cell of the board, 0 if it is empty."""
    return <int> board.states.values[find_slot(&board.states, cell)]


cdef inline bint ends_game(const Tallies* board, long long line, int player) noexcept nogil:
    """Return whether a line completed by a player, counted from 1, ends the game."""
    cdef const Geometry* geometry = board.geometry
    cdef long long[MAX_DIMENSIONS] at
    cdef int way = <int> (line % geometry.directions)
    if geometry.variant.any_line:
        return True
    if geometry.counted is not NULL and not geometry.counted[line]:
        return False
    coordinates(geometry, line // geometry.directions, at)
    return decides(
        &geometry.variant, player, 0, mark_at(board, at, way, -1),
        mark_at(board, at, way, geometry.k),
    )


cdef inline int mark_at(
    const Tallies* board, const long long* at, int way, long long steps
) noexcept nogil:
    """Return the player whose mark is this many steps from a cell; 0 if none or off the board."""
    cdef const Geometry* geometry = board.geometry
    cdef const long long* delta = geometry.deltas + way * geometry.dimensions
    cdef long long coordinate
    cdef long long number = 0
    cdef int axis
    for axis in range(geometry.dimensions):
        coordinate = at[axis] + steps * delta[axis]
        if not 0 <= coordinate < geometry.sides[axis]:
            return 0
        number += coordinate * geometry.strides[axis]
    return mark(board, number)


cdef inline int put(Tallies* board, long long cell) noexcept nogil:
    """Put the next player's mark on an empty cell; return LINE, FULL, GOES_ON or NO_MEMORY."""
    cdef const Geometry* geometry = board.geometry
    cdef Table* table = &board.states
    cdef long long player = <unsigned int> board.ply % <unsigned int> geometry.players
    cdef long long goal = geometry.k * ONE_MARK + player
    cdef long long lines = find_spans(board, cell)
    cdef long long line, state
    cdef Py_ssize_t slot
    cdef bint complete = False
    cdef int way
    cdef long long _
    cdef Span through
    if (
        board.ply == MAX_PLIES
        or not reserve_ply(board)
        or not reserve(table, lines + 1)
        or not reserve_tallies(board, min(board.ply + 1, geometry.k))
    ):
        return NO_MEMORY
    cdef long long* states = table.values  # after `reserve`, which can move them
    cdef long long* counts = board.counts
    cdef bint is_array = table.keys is NULL  # for the compiler, which cannot know that it stays
    states[insert_slot(table, cell)] = player + 1
    board.history[board.ply] = <unsigned int> cell
    board.ply += 1
    for way in range(geometry.directions):
        through = board.spans[way]
        line = geometry.cells + through.first
        for _ in range(through.count):
            slot = line if is_array else insert_slot(table, line)
            state = states[slot]
            if not state:
                board.unmarked -= 1
                state = ONE_MARK + player
                counts[state] += 1
                complete |= state == goal
            elif state >= SPOILT:
                state += SPOILT
            elif state & PLAYER == player:
                counts[state] -= 1
                state += ONE_MARK
                counts[state] += 1
                complete |= state == goal
            else:
                counts[state] -= 1
                state += SPOILT
            states[slot] = state
            line += through.step
    if complete and (geometry.variant.any_line or any_ends_game(board, goal)):
        return LINE
    return FULL if board.ply == geometry.cells else GOES_ON


cdef inline bint any_ends_game(const Tallies* board, long long goal) noexcept nogil:
    """Return whether any line through the current cell in this state ends the game."""
    cdef const Table* table = &board.states
    cdef long long line
    cdef int way
    cdef long long _
    cdef Span through
    for way in range(board.geometry.directions):
        through = board.spans[way]
        line = board.geometry.cells + through.first
        for _ in range(through.count):
            if table.values[find_slot(table, line)] == goal and ends_game(
                board, line - board.geometry.cells, <int> (goal & PLAYER) + 1
            ):
                return True
            line += through.step
    return False


cdef inline long long undo(Tallies* board) noexcept nogil:
    """Remove the last mark, of which there must be one, and return its cell."""
    cdef long long cell = board.history[board.ply - 1]
    cdef Table* table = &board.states
    cdef long long* states = table.values
    cdef long long* counts = board.counts
    cdef long long line, state
    cdef Py_ssize_t slot
    cdef int way
    cdef long long _
    cdef Span through
    find_spans(board, cell)
    states[find_slot(table, cell)] = 0
    board.ply -= 1
    for way in range(board.geometry.directions):
        through = board.spans[way]
        line = board.geometry.cells + through.first
        for _ in range(through.count):
            slot = find_slot(table, line)
            state = states[slot]
            if state >= SPOILT:
                state -= SPOILT
                if state < SPOILT:
                    counts[state] += 1
            else:
                counts[state] -= 1
                state -= ONE_MARK
                if state >= ONE_MARK:
                    counts[state] += 1
                else:
                    board.unmarked += 1
                    state = 0
            states[slot] = state
            line += through.step
    return cell


cdef inline long long live(const Tallies* board, long long player) noexcept nogil:
    """Return the number of lines without marks of other players; players count from 0."""
    cdef long long lines = board.unmarked
    cdef long long tally
    for tally in range(1, highest_tally(board) + 1):
        lines += board.counts[tally * ONE_MARK + player]
    return lines


cdef inline bint winnable(const Tallies* board) noexcept nogil:
    """Return whether any player can still complete a line in the remaining moves."""
    cdef long long players = board.geometry.players
    cdef long long left = board.geometry.cells - board.ply
    cdef long long wait
    for wait in range(players):
        if completable(board, (board.ply + wait) % players, (left - wait + players - 1) // players):
            return True
    return False


cdef inline bint completable(const Tallies* board, long long player, long long moves) noexcept nogil:
    """Return whether a player, counted from 0, can complete a live line with `moves` marks."""
    cdef long long tally = board.geometry.k - moves  # the least tally of such a line
    cdef long long top = min(highest_tally(board), board.geometry.k - 1)
    if tally <= 0:
        if board.unmarked:
            return True
        tally = 1
    while tally <= top:
        if board.counts[tally * ONE_MARK + player]:
            return True
        tally += 1
    return False


cdef inline long long highest_tally(const Tallies* board) noexcept nogil:
    """Return an upper bound of the tallies of live lines."""
    cdef int players = board.geometry.players
    return min(board.geometry.k, (board.ply + players - 1) // players)


cdef inline long long find_spans(Tallies* board, long long cell) noexcept nogil:
    """Make a cell the current one: find the lines through it, and return their number."""
    cdef const Geometry* geometry = board.geometry
    cdef long long[MAX_DIMENSIONS] at
    cdef long long lines = 0
    cdef int way
    if geometry.spans is not NULL:
        board.spans = geometry.spans + cell * geometry.directions
    else:
        coordinates(geometry, cell, at)
        for way in range(geometry.directions):
            board.own_spans[way] = span(geometry, way, cell, at)
        board.spans = board.own_spans
    for way in range(geometry.directions):
        lines += board.spans[way].count
    return lines


cdef inline bint reserve_ply(Tallies* board) noexcept nogil:
    """Make room for another ply in the history; return False if memory runs out."""
    cdef long long pages
    cdef unsigned int* history
    if board.ply < board.pages * PAGE:
        return True
    pages = 2 * board.pages + 1
    history = <unsigned int*> PyMem_RawRealloc(board.history, pages * PAGE * sizeof(int))
    if history is NULL:
        return False
    board.history, board.pages = history, pages
    return True


cdef inline bint reserve_tallies(Tallies* board, long long highest) noexcept nogil:
    """Make room to count lines with tallies up to this; return False if memory runs out."""
    cdef long long room
    cdef long long* counts
    if highest < board.room:
        return True
    room = max(highest + 1, 2 * board.room)
    counts = <long long*> PyMem_RawCalloc(MAX_PLAYERS * room, sizeof(long long))
    if counts is NULL:
        return False
    if board.room:
        memcpy(counts, board.counts, MAX_PLAYERS * board.room * sizeof(long long))
    PyMem_RawFree(board.counts)
    board.counts, board.room = counts, room
    return True
