# cython: language_level=3, cdivision=True
"""Judging on the 3×3 board, two players: nine bits a player and a table of all ways to hold them.

All nine plies are worked through without a branch, since a branch that depends on how a game went
is guessed wrong about once a game, which would take longer than all the rest.
"""

from libc.string cimport memcpy

from noughts.kernels.games cimport Integer, Out, no_moves, settle, write

# Tables over sets of cells, a bit a cell, and over plies.
cdef struct Three:
    unsigned short[256] bit_of  # of a cell's number; 0 for all others that fit in a byte
    unsigned char[512] wins  # whether these cells hold a line
    unsigned char[512] count_of  # how many cells these are
    unsigned char[10][9] since  # [ply][t]: all bits set from that ply on, none before it


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

    A game is clean if it took as many cells as it has moves, and no line was complete before the
    last one: no cell then came twice and none was off the board.
    """
    cdef unsigned char cells[9]  # of each ply; all bits are set where there is no move
    cdef unsigned int crosses = 0
    cdef unsigned int noughts = 0
    cdef unsigned int wins = 0  # whether the mover holds a line: a bit a ply, the last one's lowest
    cdef Py_ssize_t plies = length if length < 9 else 9
    cdef int t
    for t in range(9):
        cells[t] = in_a_byte(moves[t * step])
    if not padded:
        for t in range(9):
            cells[t] |= three.since[plies][t]
    for t in range(0, 8, 2):
        crosses |= three.bit_of[cells[t]]
        wins = wins * 2 + three.wins[crosses] if t >= 4 else 0
        noughts |= three.bit_of[cells[t + 1]]
        wins = wins * 2 + three.wins[noughts] if t >= 4 else 0
    crosses |= three.bit_of[cells[8]]
    wins = wins * 2 + three.wins[crosses]
    cdef unsigned int ply = three.count_of[crosses | noughts]
    wins >>= 9 - ply
    if ((nothing_since(cells, three.since[ply]) if padded else ply == length) & (wins <= 1)) and (
        not padded or length == 9 or no_moves(moves, step, 9, length)
    ):
        write(out, game, wins | ((ply == 9) & ~wins) << 1, wins << (~ply & 1), ply, 0)
    else:
        judge_three_slowly(moves, step, length, padded, three, out, game)


cdef inline unsigned char in_a_byte(Integer move) noexcept nogil:
    """A cell's number; 255 for -1, and some other number for all other cells off the board."""
    if sizeof(Integer) == 1:
        return <unsigned char> move
    return <unsigned char> (move if <unsigned long long> move + 1 < 10 else 9)


cdef inline bint nothing_since(const unsigned char* cells, const unsigned char* since) noexcept nogil:
    """Whether the nine cells have all bits where `since` has; eight are looked at in one go."""
    cdef unsigned long long eight
    cdef unsigned long long wanted
    memcpy(&eight, cells, 8)
    memcpy(&wanted, since, 8)
    return ((wanted & ~eight) | (since[8] & ~cells[8])) == 0


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
