# cython: language_level=3, cdivision=True
"""Judging by any rules without early draws: from each mark, walk along the player's own marks."""

from noughts.kernels.games cimport Integer
from noughts.kernels.marks cimport Marks, is_free, mark_of, place, put, runs_through, wipe
from noughts.kernels.verdicts cimport Verdicts, settle


cdef inline bint judge_runs(
    Integer* moves,
    Py_ssize_t step,
    Py_ssize_t length,
    bint padded,
    unsigned int limit,
    Py_ssize_t cells,
    int players,
    Marks* marks,
    Verdicts verdicts,
    Py_ssize_t game,
) noexcept nogil:
    """Judge a game; False where memory is short."""
    cdef unsigned long long cell
    cdef long long here
    cdef unsigned int mark
    cdef int player = 0
    cdef int winner = 0
    cdef Py_ssize_t ply = 0
    cdef bint over = False
    if not wipe(marks):
        return False
    while ply < length and not over:
        cell = moves[ply * step]
        if cell >= limit:
            break
        here = place(marks, <unsigned int> cell)
        if not is_free(marks, here):
            break
        player = 1 if player == players else player + 1
        mark = mark_of(marks, player)
        if not put(marks, here, mark):
            return False
        ply += 1
        if runs_through(marks, here, mark):
            winner = player
        over = winner != 0 or ply == cells
    settle(moves, step, length, padded, limit, ply, winner, over, verdicts, game)
    return True
