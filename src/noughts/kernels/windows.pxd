# cython: language_level=3, cdivision=True
"""Judging games on boards of some thousand cells, by any rules without fouls and early draws: from
what is on the board at the end.

Each player has an array of places, as `marks` has them, each with the ply at which its mark came; a
place without a mark of the player holds the largest number. A line was complete at the latest ply of
its k places, its *window*, and the game ended at the earliest of these. The latest of 2, 4, 8 …
places in a row are found for all windows at once by comparing an array with itself, some places
further on, which compilers do many places at a time.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from noughts.kernels.games cimport Integer
from noughts.kernels.geometry cimport Geometry
from noughts.kernels.marks cimport Marks
from noughts.kernels.variants cimport CARO, STANDARD, winner_by
from noughts.kernels.verdicts cimport CELL_TAKEN, FLOATING, Standing

cdef enum:
    WORTH = 100  # places compared in the time that a move takes by `marks`, times the bytes of one

ctypedef fused Ply:
    unsigned char
    unsigned short

cdef struct Windows:
    const Marks* board  # whose places these are
    int bytes  # of a ply: 1 or 2
    long long size  # places of a player's array, and of all arrays
    long long total
    long long lead  # places before the first and after the last array
    long long cost  # of a game, in moves by `marks`
    unsigned char* room  # what follows is in here
    unsigned char* plies
    unsigned char* latest
    unsigned char* wider
    unsigned char* others  # for each player, the earliest ply of anyone else; for caro only
    unsigned char* taken  # a byte a place; with gravity, what lies below the board is taken too
    unsigned char* blank  # `taken` on an empty board


cdef inline bint fit(const Marks* board) noexcept nogil:
    """Whether the board is one for this."""
    return board.place_of is not NULL and board.geometry.k > 1


cdef inline bint prepare(Windows* self, const Marks* board) noexcept nogil:
    """Make the arrays; False where memory is short. `free(self.room)` frees them either way."""
    cdef const Geometry* geometry = board.geometry
    cdef long long farthest = 0
    cdef long long cell, below, passes
    cdef int way
    for way in range(geometry.directions):
        farthest = max(farthest, board.steps[way])
    self.board = board
    self.bytes = 1 if geometry.cells < 0xFF else 2
    self.size = board.places + farthest
    self.total = self.size * geometry.players
    self.lead = farthest * (geometry.k + 1)
    passes = 2
    while 1 << passes < 2 * geometry.k:
        passes += 1
    self.cost = self.total * self.bytes * passes * geometry.directions // (16 * WORTH)
    cdef long long array = (self.total + 2 * self.lead) * self.bytes
    self.room = <unsigned char*> malloc(4 * array + 2 * self.size)
    if self.room is NULL:
        return False
    memset(self.room, 0xFF, 4 * array)
    self.plies = self.room + self.lead * self.bytes
    self.latest, self.wider = self.plies + array, self.plies + 2 * array
    self.others = self.plies + 3 * array
    self.taken = self.room + 4 * array
    self.blank = self.taken + self.size
    memset(self.blank, 0, self.size)
    for cell in range(geometry.cells - geometry.strides[0], geometry.cells):
        below = board.place_of[cell] + board.strides[0]
        self.blank[below] = 1
    return True


cdef inline Standing judge_windows(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, unsigned int limit, Windows* self, Ply* plies
) noexcept nogil:
    """Judge a game; `plies` are those of `self`, of the type that `self.bytes` asks for."""
    cdef const Geometry* geometry = self.board.geometry
    cdef const unsigned int* place_of = self.board.place_of
    cdef unsigned char* taken = self.taken
    cdef Ply* own = plies
    cdef Ply* end = plies + self.total
    cdef unsigned long long cell
    cdef long long down = self.board.strides[0]
    cdef Py_ssize_t ply = 0
    cdef unsigned int place
    cdef Ply last
    cdef Standing stands
    stands.winner, stands.over, stands.code = 0, False, 0
    memset(plies, 0xFF, self.total * sizeof(Ply))
    memcpy(taken, self.blank, self.size)
    while ply < length:
        cell = moves[ply * step]
        if cell >= limit:
            break
        place = place_of[cell]
        if taken[place]:
            stands.code = CELL_TAKEN
            break
        if geometry.gravity and not taken[place + down]:
            stands.code = FLOATING
            break
        taken[place] = 1
        own[place] = <Ply> ply
        ply += 1
        own += self.size
        if own == end:
            own = plies
    last = decided(self, plies)
    if last < ply:
        stands.winner = winner_by(geometry.variant, last % geometry.players + 1)
        ply = last + 1
    stands.ply = ply
    stands.over = stands.winner != 0 or ply == geometry.cells
    return stands


cdef inline Ply decided(Windows* self, const Ply* plies) noexcept nogil:
    """The ply that ended the game by a line; the largest number if none did."""
    cdef const Geometry* geometry = self.board.geometry
    cdef Ply* latest
    cdef Ply* wider  # not the same array, or compilers would not do many places at a time
    cdef Ply* others = <Ply*> self.others
    cdef long long count = self.total
    cdef long long lead, step, width
    cdef Ply earliest = <Ply> -1
    cdef Ply found
    cdef int way
    if geometry.variant == CARO:
        find_others(self, plies)
    for way in range(geometry.directions):
        step = self.board.steps[way]
        latest, wider = <Ply*> self.latest, <Ply*> self.wider
        latest_of_two(latest, plies, step, count + (geometry.k - 2) * step)
        width = 2
        while 2 * width <= geometry.k:
            latest_of_two(wider, latest, width * step, count + (geometry.k - 2 * width) * step)
            latest, wider = wider, latest
            width *= 2
        lead = (geometry.k - width) * step
        if geometry.variant == STANDARD:
            found = earliest_free(latest, plies, True, lead, step, geometry.k * step, count)
        elif geometry.variant == CARO:
            found = earliest_free(latest, others, False, lead, step, geometry.k * step, count)
        else:
            found = earliest_of(latest, lead, count)
        earliest = min(earliest, found)
    return earliest


cdef inline void latest_of_two(
    Ply* latest, const Ply* plies, long long lead, long long count
) noexcept nogil:
    """For each place, the later of what it holds and what a place so far ahead holds."""
    cdef long long i
    for i in range(count):
        latest[i] = max(plies[i], plies[i + lead])


cdef inline Ply earliest_of(const Ply* latest, long long lead, long long count) noexcept nogil:
    """The earliest ply at which a line was complete."""
    cdef Ply earliest = <Ply> -1
    cdef long long i
    for i in range(count):
        earliest = min(earliest, max(latest[i], latest[i + lead]))
    return earliest


cdef inline Ply earliest_free(
    const Ply* latest,
    const Ply* marks,
    bint both,
    long long lead,
    long long step,
    long long end,
    long long count,
) noexcept nogil:
    """The same for lines that were free then: next to one end, or to `both`, was none of these marks."""
    cdef Ply earliest = <Ply> -1
    cdef Ply complete, one, other, since
    cdef long long i
    for i in range(count):
        complete = max(latest[i], latest[i + lead])
        one, other = marks[i - step], marks[i + end]
        since = min(one, other) if both else max(one, other)
        earliest = min(earliest, complete | <Ply> -<int> (complete >= since))
    return earliest


cdef inline void find_others(Windows* self, const Ply* plies) noexcept nogil:
    """Find for each player the earliest ply of anyone else at each place."""
    cdef Ply* others = <Ply*> self.others
    cdef const Ply* other
    cdef int players = self.board.geometry.players
    cdef int player, ahead
    cdef long long i
    memset(others, 0xFF, self.total * sizeof(Ply))
    for player in range(players):
        for ahead in range(1, players):
            other = plies + (player + ahead) % players * self.size
            for i in range(self.size):
                others[player * self.size + i] = min(others[player * self.size + i], other[i])
