# cython: language_level=3, cdivision=True
"""Judging on the 3×3 board for two players: nine bits per player, and tables of all sets of cells.

All nine plies are judged without branches. A branch that depends on the game would be mispredicted
about once per game, which takes longer than everything else.
"""

from noughts.bulk.layout cimport Integer, Standing, Verdicts, no_moves, write
from noughts.game.moves cimport CELL_TAKEN

# Tables indexed by sets of cells, one bit per cell, and by plies. A ply is one byte: the number of its
# cell, or 255 for no move.
cdef struct Three:
    unsigned int[65536] marks_of  # the marks of two plies, the first in the lower half of the bits
    unsigned char[512] wins  # whether these cells contain a line
    unsigned char[512] count_of  # number of cells
    unsigned char[10] half_of  # first bit of the last mover's marks, by number of plies
    unsigned long long[10] since  # eight plies: 255 from this one on, 0 before it
    unsigned char[10] ninth_since  # the same for the ninth ply
    unsigned char[512] lines_in  # the lines among these cells, one bit each, in the order of directions
    unsigned char[9] lines_through  # the lines through each cell
    # By such bits, the cells of the lines, and their number. No move completes more than two.
    long long[256][6] cells_of
    unsigned char[256] lines_counted


cdef inline bint judge_three(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, bint padded, const Three* three,
    Verdicts verdicts, Py_ssize_t game,
) noexcept nogil:
    """Judge a clean game; return whether the game is clean.

    Nine values must be readable, whatever the game's length. A game is clean if it takes one cell per
    move, so that no move repeats a cell or is off the board, and if no line was complete before the
    last move.
    """
    cdef unsigned long long eight = 0  # plies, the first one's byte lowest
    cdef unsigned int ninth = in_a_byte(moves[8 * step])
    cdef Py_ssize_t plies = min(length, 9)
    cdef int t
    for t in range(8):  # compilers reduce this to one read if the moves are adjacent bytes
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
        if verdicts.lines is not NULL:
            verdicts.lines[game] = three.lines_in[mover]
    return clean


cdef inline Standing replay_three(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, const Three* three
) noexcept nogil:
    """Judge any game, move by move."""
    cdef unsigned int[2] marks
    cdef unsigned int bit
    cdef unsigned long long cell
    cdef Standing stands
    stands.ply = stands.winner = stands.over = 0
    stands.code = CELL_TAKEN
    marks[0] = marks[1] = 0
    while stands.ply < length and not stands.over:
        cell = moves[stands.ply * step]
        bit = 1 << (cell & 15)
        if cell > 8 or (marks[0] | marks[1]) & bit:
            break
        marks[stands.ply & 1] |= bit
        if three.wins[marks[stands.ply & 1]]:
            stands.winner = 1 + (stands.ply & 1)
        stands.ply += 1
        stands.over = stands.winner > 0 or stands.ply == 9
    return stands


cdef inline unsigned int lines_won(
    Integer* last, Py_ssize_t step, Py_ssize_t ply, const Three* three
) noexcept nogil:
    """Return the lines of the last mover through the last of `ply` moves, 0 if any is not a cell.

    A fixed number of steps, since a loop over the plies would be mispredicted in most games.
    """
    cdef Integer a = last[0]
    cdef Integer b = last[-2 * step if ply > 2 else 0]
    cdef Integer c = last[-4 * step if ply > 4 else 0]
    cdef Integer d = last[-6 * step if ply > 6 else 0]
    cdef Integer e = last[-8 * step if ply > 8 else 0]
    if max(max(a, b), max(c, d), e) > 8 or ply > 9:
        return 0
    return three.lines_through[a] & three.lines_in[
        <unsigned int> 1 << a | <unsigned int> 1 << b | <unsigned int> 1 << c
        | <unsigned int> 1 << d | <unsigned int> 1 << e
    ]


cdef inline unsigned char in_a_byte(Integer move) noexcept nogil:
    """Return a cell's number, 255 for -1, and another number for all other cells off the board."""
    if sizeof(Integer) == 1:
        return <unsigned char> move
    return <unsigned char> (move if <Integer> (move + 1) < 10 else 9)


cdef inline void fill(Three* three) noexcept:
    """Fill the tables."""
    cdef unsigned int[8] lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]
    cdef unsigned int bits, first, second
    cdef int i, j
    for i in range(8):
        for first in range(9):
            three.lines_through[first] |= (lines[i] >> first & 1) << i
    for first in range(9):
        three.marks_of[first | 255 << 8] = 1 << first
        for second in range(9):
            three.marks_of[first | second << 8] = 1 << first | 1 << 16 + second
    for bits in range(1, 512):
        three.count_of[bits] = three.count_of[bits >> 1] + (bits & 1)
        for i in range(8):
            three.lines_in[bits] |= (bits & lines[i] == lines[i]) << i
        three.wins[bits] = three.lines_in[bits] != 0
    for bits in range(256):
        j = 0
        for i in range(8):
            if bits >> i & 1 and three.lines_counted[bits] < 2:
                three.lines_counted[bits] += 1
                for first in range(9):
                    if lines[i] >> first & 1:
                        three.cells_of[bits][j] = first
                        j += 1
    for i in range(10):
        three.half_of[i] = 0 if i & 1 else 16
        three.since[i] = ~<unsigned long long> 0 << 8 * i if i < 8 else 0
        three.ninth_since[i] = 255 if i < 9 else 0
