# cython: language_level=3, cdivision=True
"""Moves on a board in C: which are legal, and which end the game."""

from noughts.game.fouls cimport foul
from noughts.game.tallies cimport FULL, GOES_ON, LINE, NO_MEMORY, Tallies, mark, put, winnable

# Why a move is illegal, in the order of `REFUSALS` in noughts.errors.
cdef enum:
    LEGAL = 0
    OFF_BOARD = 1
    CELL_TAKEN = 2
    GAME_OVER = 3
    FLOATING = 4
    FOUL = 5

cdef enum:
    REFUSED = -1  # beyond the results of `put`


cdef inline int play(Tallies* board, long long cell) noexcept nogil:
    """Make the next player's move on a cell of the board.

    Returns:
        REFUSED if the move is illegal; LINE if it completes a line that ends the game; FULL if it
        does not but leaves no legal move; NO_MEMORY if memory runs out; otherwise GOES_ON.
    """
    cdef int answer
    if refusal(board, cell) != LEGAL:
        return REFUSED
    answer = put(board, cell)
    return FULL if answer == GOES_ON and is_stuck(board) else answer


cdef inline int play_and_mark(Tallies* board, long long cell, unsigned char* legal) noexcept nogil:
    """Make a legal move, with early draws; in renju record which moves are legal next."""
    cdef int answer = put(board, cell)
    if answer == GOES_ON and board.geometry.early_draw and not winnable(board):
        return FULL
    if answer != GOES_ON or not board.geometry.variant.fouls:
        return answer
    answer = FULL
    for cell in range(board.geometry.cells):
        legal[cell] = refusal(board, cell) == LEGAL
        if legal[cell]:
            answer = GOES_ON
    return answer


cdef inline int refusal(const Tallies* board, long long cell) noexcept nogil:
    """Return why the next player must not play a cell of the board, or LEGAL."""
    if mark(board, cell):
        return CELL_TAKEN
    if not stays(board, cell):
        return FLOATING
    if may_foul(board) and foul(board, cell):
        return FOUL
    return LEGAL


cdef inline bint stays(const Tallies* board, long long cell) noexcept nogil:
    """Return whether a mark on a cell of the board would not fall."""
    cdef long long below = cell + board.geometry.strides[0]
    return not board.geometry.gravity or below >= board.geometry.cells or mark(board, below) != 0


cdef inline bint may_foul(const Tallies* board) noexcept nogil:
    """Return whether the next player's moves can be fouls."""
    return board.geometry.variant.fouls and board.ply % 2 == 0


cdef inline bint is_stuck(const Tallies* board) noexcept nogil:
    """Return whether every move of the next player would be a foul."""
    cdef long long cell
    if not may_foul(board):
        return False
    for cell in range(board.geometry.cells):
        if refusal(board, cell) == LEGAL:
            return False
    return True
