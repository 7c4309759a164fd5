# cython: language_level=3, cdivision=True
"""Judging on square boards where k is the side, for games not much shorter than their board.

A complete line stays complete. It is therefore enough to put all marks, check the lines once, and
only if one is complete search for the move that completed it.
"""

from libc.string cimport memset

from noughts.bulk.layout cimport Integer, Standing
from noughts.game.moves cimport CELL_TAKEN

cdef struct Square:
    unsigned int n
    unsigned int limit  # numbers from here on are not cells
    int players
    # The players who hold a cell, or all of a row or column, as one bit each. The AND of a line's
    # cells gives the player who holds the line.
    unsigned char* marks
    unsigned char* rows
    unsigned char* cols


cdef inline Standing judge_square(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, Square* square
) noexcept nogil:
    """Judge a game."""
    cdef unsigned int cells = square.n * square.n
    cdef unsigned int limit = square.limit
    cdef unsigned char* marks = square.marks
    cdef unsigned int last = 1 << (square.players - 1)
    cdef unsigned int mark = 1
    cdef unsigned long long cell
    cdef Py_ssize_t ply = 0
    cdef Py_ssize_t last_ply = min(length, <Py_ssize_t> cells)
    cdef Standing stands
    memset(marks, 0, cells)
    marks[limit] = 1  # stands for all cells off the board, and counts as taken
    while ply < last_ply:
        cell = moves[ply * step]
        cell = cell if cell < limit else limit
        if marks[cell]:
            break
        marks[cell] = mark
        mark = 1 if mark == last else mark << 1
        ply += 1
    marks[limit] = 0
    stands.ply, stands.winner, stands.over = ply, 0, ply == <Py_ssize_t> cells
    stands.code = CELL_TAKEN
    if ply > <Py_ssize_t> (square.n - 1) * square.players:
        return first_win(moves, step, square, stands)
    return stands


cdef inline Standing first_win(
    Integer* moves, Py_ssize_t step, Square* square, Standing stands
) noexcept nogil:
    """Return the state when the first line was completed; unchanged if no line is complete."""
    cdef Py_ssize_t n = square.n
    cdef unsigned char* row = square.marks
    cdef unsigned char* rows = square.rows
    cdef unsigned char* cols = square.cols
    cdef unsigned char diagonal = 255
    cdef unsigned char anti_diagonal = 255
    cdef unsigned char held
    cdef unsigned long long cell
    cdef Py_ssize_t r, c, found, ply = stands.ply
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
        return stands
    # Going backwards, the first move found on a line is the one that completed it: in most games the
    # last move.
    while complete and ply:
        ply -= 1
        cell = moves[ply * step]
        if cell >= square.limit:
            continue  # another thread has changed it since
        r = <unsigned int> cell // square.n
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
            complete -= found
            stands.ply, stands.over = ply + 1, True
    stands.winner = (stands.ply - 1) % square.players + 1
    return stands
