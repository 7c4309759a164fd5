# cython: language_level=3, cdivision=True
"""The planes of many games: what a player sees, a byte a cell.

A game has one for each player in turn, and then again for all but the last. So what a player sees,
their own plane first, is contiguous: one copy.
"""

from libc.stdlib cimport calloc
from libc.string cimport memcpy, memset

cdef struct Planes:
    int players
    Py_ssize_t cells, size  # of a plane, of all planes of a game
    signed char* marks  # 1 where the plane's player has one, game by game; the owner frees it


cdef inline bint spread(
    Planes* self, Py_ssize_t games, int players, Py_ssize_t cells
) noexcept nogil:
    """Get the memory, with empty boards; False if it is short."""
    self.players, self.cells, self.size = players, cells, (2 * players - 1) * cells
    self.marks = <signed char*> calloc(games, self.size)
    return self.marks is not NULL


cdef inline void wipe(Planes* self, Py_ssize_t game) noexcept nogil:
    """Empty the board."""
    memset(self.marks + game * self.size, 0, self.size)


cdef inline void show(
    signed char* planes, Py_ssize_t cells, int player, int again, Py_ssize_t cell
) noexcept nogil:
    """Put a mark on a game's planes. The player's second one is `again` planes on; 0 for the last."""
    planes[(player - 1) * cells + cell] = 1
    planes[(player - 1 + again) * cells + cell] = 1


cdef inline void see(
    const Planes* self, Py_ssize_t game, int player, signed char* target
) noexcept nogil:
    """Write what this player sees: a plane for each player, the own one first."""
    cdef const signed char* own = self.marks + game * self.size + (player - 1) * self.cells
    memcpy(target, own, self.players * self.cells)
