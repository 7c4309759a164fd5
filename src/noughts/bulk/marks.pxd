# cython: language_level=3, cdivision=True
"""Marks by cell, in memory that grows with their number; lines are found by walking along marks."""

from libc.string cimport memset

from noughts.game.geometry cimport Geometry, room
from noughts.game.table cimport Table, discard, empty, find_slot, insert_slot, reserve
from noughts.game.rules cimport decides

cdef struct Marks:
    const Geometry* geometry
    Table players  # maps a cell to the player whose mark it holds

# A run of a player's marks: the numbers of marks behind and ahead of one of them, up to k - 1, and, if
# the run is long enough for a line, the players whose marks are next to it.
cdef struct Run:
    long long behind
    long long ahead
    int before
    int after


cdef inline bint wipe(Marks* self) noexcept nogil:
    """Take all marks off the board; return False if memory is short."""
    if self.players.values is not NULL and self.players.keys is NULL:
        memset(self.players.values, 0, self.players.slots * sizeof(long long))
        return True
    discard(&self.players)
    return empty(&self.players, self.geometry.cells)


cdef inline int holder_of(const Marks* self, long long cell) noexcept nogil:
    """Return the player whose mark is on a cell of the board, or 0 if it is empty."""
    return <int> self.players.values[find_slot(&self.players, cell)]


cdef inline bint put_mark(Marks* self, long long cell, int player) noexcept nogil:
    """Put a mark; return False if memory is short."""
    if not reserve(&self.players, 1):
        return False
    self.players.values[insert_slot(&self.players, cell)] = player
    return True


cdef inline Run run_through(
    const Marks* self, int way, long long cell, const long long* at
) noexcept nogil:
    """Return the run through a marked cell in one direction; `at` holds the cell's coordinates."""
    cdef const Geometry* geometry = self.geometry
    cdef long long step = geometry.steps[way]
    cdef long long behind, ahead  # steps on the board
    cdef int player = holder_of(self, cell)
    cdef Run run
    room(geometry, way, at, geometry.k, &behind, &ahead)
    run.behind = walk(self, cell, -step, player, min(behind, geometry.k - 1))
    run.ahead = walk(self, cell, step, player, min(ahead, geometry.k - 1))
    run.before = run.after = 0
    if run.behind + run.ahead < geometry.k - 1:
        return run  # too short for a line
    if run.behind < behind:
        run.before = holder_of(self, cell - (run.behind + 1) * step)
    if run.ahead < ahead:
        run.after = holder_of(self, cell + (run.ahead + 1) * step)
    return run


cdef inline bint ends_game(
    const Geometry* geometry, int player, const Run* run, long long line, int way, long long cell
) noexcept nogil:
    """Return whether a line of the run through a cell ends the game; lines are counted from 0."""
    cdef long long first = cell + (line - run.behind) * geometry.steps[way]
    if geometry.counted is not NULL and not geometry.counted[first * geometry.directions + way]:
        return False
    cdef int before = player if line else run.before
    cdef int after = player if line < run.behind + run.ahead + 1 - geometry.k else run.after
    return decides(&geometry.variant, player, 0, before, after)


cdef inline long long walk(
    const Marks* self, long long cell, long long step, int player, long long most
) noexcept nogil:
    """Count the player's marks in a row after this cell, up to `most`."""
    cdef long long length = 0
    while length < most and holder_of(self, cell + (length + 1) * step) == player:
        length += 1
    return length
