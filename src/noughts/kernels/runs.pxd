# cython: language_level=3, cdivision=True
"""Judging by any rules without early draws: from each mark, walk along the player's own marks."""

from noughts.kernels.places cimport clear_board, place_of, slot_of, take
from noughts.kernels.games cimport Integer, Out, settle
from noughts.kernels.plan cimport Plan


cdef inline void judge_runs(
    Integer* moves,
    Py_ssize_t step,
    Py_ssize_t length,
    bint padded,
    Plan* plan,
    Out out,
    Py_ssize_t game,
) noexcept nogil:
    """Judge a game."""
    cdef unsigned long long cell
    cdef long long place
    cdef unsigned int mark
    cdef long long run
    cdef long long player = 0
    cdef long long winner = 0
    cdef Py_ssize_t ply = 0
    cdef Py_ssize_t d
    cdef bint over = False
    clear_board(plan)
    while ply < length and not over:
        cell = <unsigned long long> moves[ply * step]
        if cell >= plan.cells:
            break
        place = place_of(plan, cell)
        player = 1 if player == plan.players else player + 1
        if not take(plan, place, player):
            break
        ply += 1
        mark = plan.stamp << 4 | <unsigned int> player
        for d in range(plan.directions):
            run = 1 + run_from(plan, place, plan.reach[d], mark, plan.k - 1)
            run += run_from(plan, place, -plan.reach[d], mark, plan.k - run)
            if run >= plan.k:
                winner = player
                break
        over = winner != 0 or <unsigned long long> ply == plan.cells
    settle(moves, step, length, padded, plan.cells, ply, winner, over, out, game)


cdef inline long long run_from(
    Plan* plan, long long place, long long step, unsigned int mark, long long most
) noexcept nogil:
    """How many places beyond this one bear the mark, going this way; `most` at most."""
    cdef long long length = 0
    while length < most:
        place += step
        if plan.places[slot_of(plan, place)] != mark:
            break
        length += 1
    return length
