# cython: language_level=3, cdivision=True
"""Judging on boards that fit in a machine word, where any line ends a game: freestyle and misère.

As any line counts, a line that was complete at any time is complete at the end. It is therefore enough
to check the final board, and only if it has a line search for the move that completed it.
"""

from noughts.bulk.layout cimport Integer, Standing
from noughts.game.bits cimport BitBoard, Bits, has_line
from noughts.game.moves cimport CELL_TAKEN, FLOATING, LEGAL
from noughts.game.rules cimport MAX_PLAYERS, Variant, winner_by


cdef inline Standing judge_bits(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, unsigned int limit, const Variant* variant,
    const BitBoard* self,
) noexcept nogil:
    """Judge a game."""
    cdef Bits[MAX_PLAYERS] marks
    cdef Bits taken = 0
    cdef Bits bit
    cdef unsigned long long cell
    cdef int player
    cdef Py_ssize_t last
    cdef Py_ssize_t ply = 0
    cdef Standing stands
    stands.winner, stands.code = 0, LEGAL
    for player in range(self.players):
        marks[player] = 0
    player = 0
    while ply < length:
        cell = moves[ply * step]
        if cell >= limit:
            break
        bit = self.bit_of[cell]
        if taken & bit:
            stands.code = CELL_TAKEN
            break
        if self.gravity and not (taken | self.floor) & bit << self.down:
            stands.code = FLOATING
            break
        taken |= bit
        marks[player] |= bit
        ply += 1
        player = 0 if player + 1 == self.players else player + 1
    last = first_line(moves, step, ply, limit, self, marks)
    if last >= 0:
        ply = last + 1
        stands.winner = winner_by(variant, last % self.players + 1)
    stands.ply = ply
    stands.over = last >= 0 or ply == self.cells
    return stands


cdef inline Py_ssize_t first_line(
    Integer* moves, Py_ssize_t step, Py_ssize_t ply, unsigned int limit, const BitBoard* self,
    Bits* marks,
) noexcept nogil:
    """Return the ply that first completed a line, or -1; undo the marks back to that ply."""
    cdef unsigned int holders = 0  # players with a line, one bit each
    cdef unsigned long long cell
    cdef Py_ssize_t first = -1
    cdef int player
    for player in range(self.players):
        holders |= <unsigned int> has_line(self, marks[player]) << player
    while holders and ply:
        ply -= 1
        cell = moves[ply * step]
        if cell >= limit:  # another thread has changed it
            break
        player = ply % self.players
        marks[player] &= ~self.bit_of[cell]
        if (holders >> player) & 1 and not has_line(self, marks[player]):
            holders ^= <unsigned int> 1 << player
            first = ply
    return first
