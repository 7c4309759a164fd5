# cython: language_level=3, cdivision=True
"""Judging on the 3×3 board, two players: nine bits a player and a table of all ways to hold them.

All nine plies are worked through without a branch, since a branch that depends on how a game went
is guessed wrong about once a game, which would take longer than all the rest.
"""

from noughts.kernels.games cimport Integer, Out, no_moves, settle, write

# Tables over sets of cells, a bit a cell; bit 9 stands for no move and bit 10 for a cell off the
# board.
cdef struct Three:
    unsigned int[256] bit_of  # the bit of a cell + 1; so large that any byte has its place
    unsigned char[2048] wins  # whether these cells hold a line
    unsigned char[2048] count_of  # how many cells these are
    unsigned short[2048] ends_of  # the plies left: a bit each, the last one's lowest


cdef inline void judge_three(
    Integer* moves,
    Py_ssize_t step,
    Py_ssize_t length,
    bint padded,
    const Three* three,
    Out out,
    Py_ssize_t game,
) noexcept nogil:
    """Judge a game; nine values can be read, whatever the game's length.

    A game is clean if all that is on the board comes first, no cell comes twice, nothing but
    missing moves comes after, and no line is complete before the last move.
    """
    cdef unsigned int crosses = 0
    cdef unsigned int noughts = 0
    cdef unsigned int ends = 0  # plies without a move and plies at which the mover holds a line:
    cdef unsigned int wins = 0  # a bit each, the last ply's is the lowest
    cdef unsigned int mark
    cdef int t
    for t in range(0, 8, 2):
        mark = mark_at(moves, step, t, length, padded, three)
        crosses |= mark
        ends = ends * 2 + (mark >> 9)
        wins = wins * 2 + three.wins[crosses]
        mark = mark_at(moves, step, t + 1, length, padded, three)
        noughts |= mark
        ends = ends * 2 + (mark >> 9)
        wins = wins * 2 + three.wins[noughts]
    mark = mark_at(moves, step, 8, length, padded, three)
    crosses |= mark
    ends = ends * 2 + (mark >> 9)
    wins = (wins * 2 + three.wins[crosses]) & ~ends
    cdef unsigned int ply = three.count_of[crosses | noughts]
    cdef bint won = wins != 0
    if (
        (ends == three.ends_of[crosses | noughts])
        & ((wins == 0) | (wins == ends + 1))
        & ((ply == length) | padded)
    ) and (not padded or length == 9 or no_moves(moves, step, 9, length)):
        write(out, game, won | ((ply == 9) & ~won) << 1, won << (~ply & 1), ply, 0)
    else:
        judge_three_slowly(moves, step, length, padded, three, out, game)


cdef inline unsigned int mark_at(
    Integer* moves, Py_ssize_t step, int t, Py_ssize_t length, bint padded, const Three* three
) noexcept nogil:
    """The bit of the cell played at ply t: bit 9 for no move, bit 10 for a cell off the board."""
    cdef unsigned long long cell = <unsigned long long> moves[t * step] + 1
    if sizeof(Integer) == 1:
        cell &= 255
    else:
        cell = cell if cell < 10 else 10
    if not padded:
        cell = cell if t < length else 0
    return three.bit_of[cell]


cdef inline void judge_three_slowly(
    Integer* moves,
    Py_ssize_t step,
    Py_ssize_t length,
    bint padded,
    const Three* three,
    Out out,
    Py_ssize_t game,
) noexcept nogil:
    """Judge a game move by move."""
    cdef unsigned int mine = 0
    cdef unsigned int theirs = 0
    cdef unsigned long long cell
    cdef Py_ssize_t ply = 0
    cdef long long winner = 0
    cdef bint over = False
    while ply < length and not over:
        cell = <unsigned long long> moves[ply * step]
        if cell >= 9 or (mine | theirs) >> cell & 1:
            break
        mine, theirs = theirs, mine | <unsigned int> 1 << cell
        ply += 1
        if three.wins[theirs]:
            winner = 2 - (ply & 1)
        over = winner != 0 or ply == 9
    settle(moves, step, length, padded, 9, ply, winner, over, out, game)
