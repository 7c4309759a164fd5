# cython: language_level=3, cdivision=True
"""Judging by any rules by a tally for each line, as `Game` does.

For early draws, and for games on squares that are much shorter than their board.
"""

from libc.string cimport memset

from noughts.kernels.places cimport clear_board, place_of, take
from noughts.kernels.games cimport Integer, Out, settle
from noughts.kernels.plan cimport Plan

cdef enum: SPOILT = 15  # the owner of a line that nobody can complete


cdef inline void judge_lines(
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
    cdef long long player = 0
    cdef long long winner = 0
    cdef Py_ssize_t ply = 0
    cdef bint over
    clear_board(plan)
    if plan.early_draw:
        clear_live(plan)
    over = plan.early_draw and not winnable(plan, 0)
    while ply < length and not over:
        cell = <unsigned long long> moves[ply * step]
        if cell >= plan.cells:
            break
        player = 1 if player == plan.players else player + 1
        if not take(plan, place_of(plan, cell), player):
            break
        ply += 1
        if add(plan, player):
            winner = player
        over = (
            winner != 0
            or <unsigned long long> ply == plan.cells
            or (plan.early_draw and not winnable(plan, ply))
        )
    settle(moves, step, length, padded, plan.cells, ply, winner, over, out, game)


cdef inline bint add(Plan* plan, long long player) noexcept nogil:
    """Count a mark at `plan.at` on every line through it; whether that completes one."""
    cdef bint complete = False
    cdef long long behind
    cdef long long ahead
    cdef long long below
    cdef long long above
    cdef long long line
    cdef long long delta
    cdef Py_ssize_t d
    cdef Py_ssize_t axis
    for d in range(plan.directions):
        behind = ahead = plan.k - 1
        line = plan.origin[d]
        for axis in range(plan.sides):
            line += plan.at[axis] * plan.weight[d * plan.sides + axis]
            delta = plan.delta[d * plan.sides + axis]
            if delta:
                below = plan.at[axis]
                above = plan.side[axis] - 1 - below
                behind = min(behind, below if delta > 0 else above)
                ahead = min(ahead, above if delta > 0 else below)
        line -= behind * plan.next_line[d]
        while behind + ahead >= plan.k - 1:
            complete |= count(plan, line, player)
            line += plan.next_line[d]
            behind -= 1
    return complete


cdef inline bint count(Plan* plan, long long line, long long player) noexcept nogil:
    """Count a mark on a line; whether that completes it."""
    cdef unsigned long long state = plan.lines[line]
    cdef unsigned long long fresh = <unsigned long long> plan.stamp << 32
    cdef unsigned long long mine = <unsigned long long> player
    cdef long long tally = 0
    if state >> 32 != plan.stamp:
        state = fresh
        plan.unmarked -= 1
    elif state & 15 == SPOILT:
        return False
    else:
        tally = <unsigned int> state >> 4
        if plan.early_draw:
            plan.live[((state & 15) - 1) * (plan.k + 1) + tally] -= 1
        if state & 15 != mine:
            plan.lines[line] = fresh | SPOILT
            return False
    tally += 1
    plan.lines[line] = fresh | <unsigned long long> tally << 4 | mine
    if plan.early_draw:
        plan.live[(player - 1) * (plan.k + 1) + tally] += 1
        plan.best[player - 1] = max(plan.best[player - 1], tally)
    return tally == plan.k


cdef inline void clear_live(Plan* plan) noexcept nogil:
    """No line bears a mark."""
    cdef long long player
    plan.unmarked = plan.line_count
    for player in range(plan.players):
        plan.best[player] = 0
    memset(plan.live, 0, plan.players * (plan.k + 1) * sizeof(long long))


cdef inline bint winnable(Plan* plan, long long ply) noexcept nogil:
    """`Game.winnable`: whether a player's best live line lacks no more than the moves they have.

    Lowering `best` costs no more in all than raising it did.
    """
    cdef long long empty = <long long> plan.cells - ply
    cdef long long wait
    cdef long long player
    cdef long long best
    for wait in range(plan.players):
        player = (ply + wait) % plan.players
        best = plan.best[player]
        while best > 0 and plan.live[player * (plan.k + 1) + best] == 0:
            best -= 1
        plan.best[player] = best
        if (best > 0 or plan.unmarked > 0) and plan.k - best <= (
            empty - wait + plan.players - 1
        ) // plan.players:
            return True
    return False
