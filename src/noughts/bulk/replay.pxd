# cython: language_level=3, cdivision=True
"""Judging games move by move, on one of three kinds of boards."""

from libc.string cimport memset

from noughts.bulk.layout cimport Integer, Standing
from noughts.bulk.marks cimport Marks, Run, ends_game, holder_of, put_mark, run_through, wipe
from noughts.game.geometry cimport MAX_DIMENSIONS, Geometry, coordinates
from noughts.game.lines cimport Lines, holder, put_on_lines
from noughts.game.moves cimport CELL_TAKEN, FLOATING, LEGAL, is_stuck, refusal
from noughts.game.rules cimport winner_by
from noughts.game.tallies cimport (
    FULL, GOES_ON, LINE, NO_MEMORY, Tallies, finish, put, start, winnable,
)

# The lines of a board as bits, and all players' marks on them.
cdef struct MarkedLines:
    Lines lines
    unsigned char* marks

ctypedef Tallies* OnTallies  # for any rules: the board of `Game`, which tracks lines still open
ctypedef MarkedLines* OnLines  # faster, for rules that are `by_lines`
ctypedef Marks* OnMarks  # the same rules, in memory that grows with the number of moves

ctypedef fused Board:
    OnTallies
    OnLines
    OnMarks

ctypedef fused Untallied:
    OnLines
    OnMarks


cdef inline Standing judge_on(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, unsigned int limit,
    const Geometry* geometry, Board board,
) noexcept nogil:
    """Judge a game."""
    cdef unsigned long long cell
    cdef unsigned long long down = geometry.strides[0]
    cdef unsigned long long floor = geometry.cells - down  # the first cell of the last row
    cdef long long cells = geometry.cells
    cdef bint gravity = geometry.gravity
    cdef int players = geometry.players, player = 0
    cdef int answer
    cdef MarkedLines lines
    cdef Standing stands
    stands.ply, stands.winner, stands.over, stands.code = 0, 0, False, LEGAL
    if Board is OnLines:
        lines = board[0]  # a copy, which stays in registers
        board = &lines
    answer = begin(board, geometry)
    stands.over = answer != GOES_ON
    while stands.ply < length and not stands.over:
        cell = moves[stands.ply * step]
        if cell >= limit:
            break
        if Board is OnTallies:
            stands.code = refusal(board, cell)
            if stands.code != LEGAL:
                break
        elif is_held(board, cell):
            stands.code = CELL_TAKEN
            break
        elif gravity and cell < floor and not is_held(board, cell + down):
            stands.code = FLOATING
            break
        player = 1 if player == players else player + 1
        answer = place(board, cell, player)
        stands.ply += 1
        if answer == LINE:
            stands.winner = winner_by(&geometry.variant, player)
        stands.over = answer != GOES_ON or stands.ply == cells
    if answer == NO_MEMORY:
        stands.ply = -1
    return stands


cdef inline int begin(Board board, const Geometry* geometry) noexcept nogil:
    """Take all marks off the board; return GOES_ON, FULL for an early draw, or NO_MEMORY."""
    if Board is OnTallies:
        finish(board)
        if not start(board, geometry):
            return NO_MEMORY
        return FULL if geometry.early_draw and not winnable(board) else GOES_ON
    elif Board is OnLines:
        memset(board.marks, 0, board.lines.players * board.lines.size)
        return GOES_ON
    else:
        return GOES_ON if wipe(board) else NO_MEMORY


cdef inline bint is_held(Untallied board, long long cell) noexcept nogil:
    """Return whether a cell of the board has a mark."""
    if Untallied is OnLines:
        return holder(&board.lines, board.marks, board.lines.bits[cell * board.lines.ways]) != 0
    else:
        return holder_of(board, cell) != 0


cdef inline int place(Board board, long long cell, int player) noexcept nogil:
    """Put a mark on an empty cell; return LINE, FULL, GOES_ON or NO_MEMORY.

    The caller checks whether all cells are taken.
    """
    cdef long long[MAX_DIMENSIONS] at
    cdef Run run
    cdef int answer, way
    cdef long long line
    if Board is OnTallies:
        answer = put(board, cell)
        if answer != GOES_ON:
            return answer
        if is_stuck(board) or (board.geometry.early_draw and not winnable(board)):
            return FULL
        return GOES_ON
    elif Board is OnLines:
        return LINE if put_on_lines(&board.lines, board.marks, player, cell) else GOES_ON
    else:
        if not put_mark(board, cell, player):
            return NO_MEMORY
        coordinates(board.geometry, cell, at)
        for way in range(board.geometry.directions):
            run = run_through(board, way, cell, at)
            for line in range(run.behind + run.ahead + 2 - board.geometry.k):
                if ends_game(board.geometry, player, &run, line, way, cell):
                    return LINE
        return GOES_ON
