# cython: language_level=3, cdivision=True
"""Judging on square boards where a whole side wins; for games not much shorter than their board.

Marks are never taken off the board, so a line that is complete at any time is complete at the last.
It is enough to place the marks, look at the lines once, and only if one is complete to ask when
that was.
"""

from libc.string cimport memset

from noughts.kernels.games cimport Integer, Out, settle
from noughts.kernels.plan cimport Plan


cdef inline void judge_square(
    Integer* moves,
    Py_ssize_t step,
    Py_ssize_t length,
    bint padded,
    Plan* plan,
    Out out,
    Py_ssize_t game,
) noexcept nogil:
    """Judge a game."""
    cdef unsigned long long cells = plan.cells
    cdef unsigned char* marks = plan.marks
    cdef unsigned int last = 1 << (plan.players - 1)
    cdef unsigned int mark = 1
    cdef unsigned long long cell
    cdef Py_ssize_t ply = 0
    cdef Py_ssize_t limit = length
    cdef long long winner = 0
    if <unsigned long long> limit > cells:
        limit = cells
    memset(marks, 0, cells)
    marks[cells] = 1  # stands for every cell off the board, and is taken
    while ply < limit:
        cell = <unsigned long long> moves[ply * step]
        cell = cell if cell < cells else cells
        if marks[cell]:
            break
        marks[cell] = mark
        mark = 1 if mark == last else mark << 1
        ply += 1
    if ply > (plan.k - 1) * plan.players:
        ply = first_win(moves, step, plan, ply, &winner)
    cdef bint over = winner != 0 or <unsigned long long> ply == cells
    settle(moves, step, length, padded, cells, ply, winner, over, out, game)


cdef inline Py_ssize_t first_win(
    Integer* moves, Py_ssize_t step, Plan* plan, Py_ssize_t plies, long long* winner
) noexcept nogil:
    """After how many of these plies, all of them marked, the first line was complete.

    Returns `plies` and sets no winner if none is.
    """
    cdef Py_ssize_t n = plan.k
    cdef unsigned char* row = plan.marks
    cdef unsigned char* rows = plan.rows
    cdef unsigned char* cols = plan.cols
    cdef unsigned char diagonal = 255
    cdef unsigned char anti_diagonal = 255
    cdef unsigned char held
    cdef Py_ssize_t r
    cdef Py_ssize_t c
    cdef Py_ssize_t complete = 0
    memset(cols, 255, n)
    for r in range(n):
        held = 255
        for c in range(n):
            held &= row[c]
        for c in range(n):
            cols[c] &= row[c]
        rows[r] = held
        complete += held != 0
        diagonal &= row[r]
        anti_diagonal &= row[n - 1 - r]
        row += n
    for c in range(n):
        complete += cols[c] != 0
    complete += (diagonal != 0) + (anti_diagonal != 0)
    if complete == 0:
        return plies
    # Backwards, the first move met on a line is the one that completed it. In a game that ends
    # with its win this is the very last.
    cdef Py_ssize_t t = plies
    cdef Py_ssize_t first = plies
    cdef unsigned long long cell
    cdef Py_ssize_t found
    while complete > 0 and t > 0:
        t -= 1
        cell = <unsigned long long> moves[t * step]
        if cell >= plan.cells:
            continue  # it was not when it was marked: someone is writing to the moves
        r = cell // <unsigned long long> n
        c = cell - r * n
        found = (rows[r] != 0) + (cols[c] != 0)
        rows[r] = cols[c] = 0
        if r == c and diagonal:
            found += 1
            diagonal = 0
        if r + c == n - 1 and anti_diagonal:
            found += 1
            anti_diagonal = 0
        if found:
            first = t
            complete -= found
    winner[0] = first % plan.players + 1
    return first + 1
