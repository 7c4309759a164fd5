# cython: language_level=3, cdivision=True
"""Judging on the 3×3 board, two players: nine bits a player and a table of all sets of cells.

All nine plies are done without a branch: one that depends on the game is mispredicted about once a
game, which would take longer than all the rest.
"""

from noughts.bulk.games cimport Integer, no_moves
from noughts.bulk.verdicts cimport Verdicts, write

# Tables by sets of cells, a bit for each, and by plies. A ply is a byte, its cell's number, or 255 for
# no move.
cdef struct Three:
    unsigned int[65536] marks_of  # two plies' marks: the first one's in the lower half of the bits
    unsigned char[512] wins  # whether these cells hold a line
    unsigned char[512] count_of  # how many cells these are
    unsigned char[10] half_of  # where the marks of the last player to move begin, by the plies made
    unsigned long long[10] since  # eight plies: 255 from this one on, 0 before it
    unsigned char[10] ninth_since  # the same for the ninth ply


cdef inline bint judge_three(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, bint padded, const Three* three,
    Verdicts verdicts, Py_ssize_t game,
) noexcept nogil:
    """Judge a game if it is clean; whether it is. Nine values can be read, whatever its length.

    It is clean if as many cells are taken as it has moves, since then none was played twice or off
    the board, and if no line was complete before the last move.
    """
    cdef unsigned long long eight = 0  # plies, the first one's byte lowest
    cdef unsigned int ninth = in_a_byte(moves[8 * step])
    cdef Py_ssize_t plies = min(length, 9)
    cdef int t
    for t in range(8):  # one access if the moves are bytes side by side, as compilers see
        eight |= <unsigned long long> in_a_byte(moves[t * step]) << 8 * t
    if not padded:
        eight |= three.since[plies]
        ninth |= three.ninth_since[plies]
    cdef unsigned int marks = (
        three.marks_of[eight & 65535]
        | three.marks_of[eight >> 16 & 65535]
        | three.marks_of[eight >> 32 & 65535]
        | three.marks_of[eight >> 48]
        | three.marks_of[ninth | 255 << 8]
    )
    cdef unsigned int ply = three.count_of[(marks | marks >> 16) & 511]
    cdef unsigned int last = in_a_byte(moves[(ply - (ply != 0)) * step])
    cdef unsigned int half = three.half_of[ply]
    cdef unsigned int mover = marks >> half & 511
    cdef unsigned int other = marks >> (16 - half) & 511
    cdef unsigned int won = three.wins[mover]
    cdef bint clean = (
        ((three.since[ply] & ~eight) == 0)
        & ((three.ninth_since[ply] & ~ninth) == 0)
        & ((ply == length) | padded)
        & ((three.wins[mover & ~(<unsigned int> 1 << (last & 15))] | three.wins[other]) == 0)
    ) and (not padded or length == 9 or no_moves(moves, step, 9, length))
    if clean:
        write(verdicts, game, won | ((ply == 9) & ~won) << 1, won << (~ply & 1), ply, 0)
    return clean


cdef inline unsigned char in_a_byte(Integer move) noexcept nogil:
    """A cell's number; 255 for -1, another number for all other cells off the board."""
    if sizeof(Integer) == 1:
        return <unsigned char> move
    return <unsigned char> (move if <Integer> (move + 1) < 10 else 9)


cdef inline void fill(Three* three) noexcept:
    """Fill the tables."""
    cdef unsigned int[8] lines = [0o700, 0o070, 0o007, 0o444, 0o222, 0o111, 0o421, 0o124]
    cdef unsigned int bits, first, second
    cdef int i
    for first in range(9):
        three.marks_of[first | 255 << 8] = 1 << first
        for second in range(9):
            three.marks_of[first | second << 8] = 1 << first | 1 << 16 + second
    for bits in range(1, 512):
        three.count_of[bits] = three.count_of[bits >> 1] + (bits & 1)
        for i in range(8):
            three.wins[bits] |= bits & lines[i] == lines[i]
    for i in range(10):
        three.half_of[i] = 0 if i & 1 else 16
        three.since[i] = ~<unsigned long long> 0 << 8 * i if i < 8 else 0
        three.ninth_since[i] = 255 if i < 9 else 0
