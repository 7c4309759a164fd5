# cython: language_level=3, cdivision=True
"""The verdicts on the games: what they mean, and where they are written."""

from noughts.bulk.games cimport Integer, no_moves
from noughts.game.moves cimport GAME_OVER, LEGAL, OFF_BOARD

# The same order as in noughts.bulk.verdict.
cdef enum:
    PENDING = 0
    WON = 1
    DRAW = 2
    ILLEGAL = 3

cdef struct Verdicts:
    signed char* status
    signed char* winner
    int* ply
    signed char* code

# How a game stands after its legal moves.
cdef struct Standing:
    Py_ssize_t ply  # how many these are; -1 where memory is short
    int winner
    bint over
    int code  # of the next move, if it is illegal though the game is not over and the cell exists


cdef inline void write(
    Verdicts verdicts, Py_ssize_t game, signed char status, signed char winner, Py_ssize_t ply,
    signed char code,
) noexcept nogil:
    """Write the verdict on a game."""
    verdicts.status[game] = status
    verdicts.winner[game] = winner
    verdicts.ply[game] = <int> ply
    verdicts.code[game] = code


cdef inline void settle(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, bint padded, unsigned int limit,
    Standing stands, Verdicts verdicts, Py_ssize_t game,
) noexcept nogil:
    """Write the verdict on a game that stands like this; numbers from `limit` on are not cells."""
    cdef Py_ssize_t ply = stands.ply
    if ply < length and not (padded and no_moves(moves, step, ply, length)):
        if moves[ply * step] >= limit:
            write(verdicts, game, ILLEGAL, 0, ply, OFF_BOARD)
        else:
            write(verdicts, game, ILLEGAL, 0, ply, GAME_OVER if stands.over else stands.code)
    elif stands.winner:
        write(verdicts, game, WON, <signed char> stands.winner, ply, LEGAL)
    else:
        write(verdicts, game, DRAW if stands.over else PENDING, 0, ply, LEGAL)
