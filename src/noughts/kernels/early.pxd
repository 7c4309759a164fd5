# cython: language_level=3, cdivision=True
"""Judging with early draws: on the board of `Game`, which knows what can still be won."""

from noughts.kernels.games cimport Integer
from noughts.kernels.tallies cimport GOES_ON, LINE, NO_MEMORY, TAKEN, Tallies, clear, play, winnable
from noughts.kernels.verdicts cimport Verdicts, settle


cdef inline bint judge_early(
    Integer* moves,
    Py_ssize_t step,
    Py_ssize_t length,
    bint padded,
    unsigned int limit,
    Tallies* board,
    Verdicts verdicts,
    Py_ssize_t game,
) noexcept nogil:
    """Judge a game; False where memory is short."""
    cdef unsigned long long cell
    cdef Py_ssize_t ply = 0
    cdef int answer = GOES_ON
    cdef int winner = 0
    cdef bint over
    if not clear(board):
        return False
    over = not winnable(board)
    while ply < length and not over:
        cell = moves[ply * step]
        if cell >= limit:
            break
        answer = play(board, cell)
        if answer == NO_MEMORY:
            return False
        if answer == TAKEN:
            break
        ply += 1
        over = answer != GOES_ON or not winnable(board)
    if answer == LINE:
        winner = (ply - 1) % board.players + 1
    settle(moves, step, length, padded, limit, ply, winner, over, verdicts, game)
    return True
