# cython: language_level=3, cdivision=True
"""The board on which `lines` and `runs` judge: a table of its places; if it is vast, a hash table.

Each place holds the player whose mark it bears and the stamp of the game in which it was put there.
"""

from libc.string cimport memset

from noughts.kernels.plan cimport Plan


cdef inline void clear_board(Plan* plan) noexcept nogil:
    """Take all marks and tallies off: a new stamp makes the older ones void."""
    plan.stamp += 1
    if plan.stamp == 1 << 28:
        plan.stamp = 1
        memset(plan.places, 0, (plan.mask + 1) * sizeof(unsigned int))
        if plan.lines:
            memset(plan.lines, 0, plan.line_count * sizeof(unsigned long long))


cdef inline long long place_of(Plan* plan, unsigned long long cell) noexcept nogil:
    """The place of a cell on the board; leaves its coordinates in `plan.at`."""
    cdef long long place = plan.margin
    cdef unsigned long long side
    cdef unsigned long long rest
    cdef Py_ssize_t axis = plan.sides - 1
    while axis > 0:
        side = plan.side[axis]
        rest = cell // side
        plan.at[axis] = cell - rest * side
        place += plan.at[axis] * plan.stride[axis]
        cell = rest
        axis -= 1
    plan.at[0] = cell
    return place + plan.at[0] * plan.stride[0]


cdef inline long long slot_of(Plan* plan, long long place) noexcept nogil:
    """Where the place is kept; in a hash table, where it is or where it would be.

    The table has room for twice as many marks as there are moves in the longest game.
    """
    cdef unsigned long long slot
    if plan.keys == NULL:
        return place
    slot = <unsigned long long> place * 0x9E3779B97F4A7C15ULL  # 2^64 / golden ratio, Knuth's
    slot = (slot ^ slot >> 32) & plan.mask
    while plan.places[slot] >> 4 == plan.stamp and plan.keys[slot] != place:
        slot = (slot + 1) & plan.mask
    return slot


cdef inline bint take(Plan* plan, long long place, long long player) noexcept nogil:
    """Mark the place for the player, unless it is taken."""
    cdef long long slot = slot_of(plan, place)
    if plan.places[slot] >> 4 == plan.stamp:
        return False
    plan.places[slot] = plan.stamp << 4 | <unsigned int> player
    if plan.keys != NULL:
        plan.keys[slot] = place
    return True
