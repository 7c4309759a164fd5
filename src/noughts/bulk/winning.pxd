# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Search for the lines that the last moves of games completed."""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Resize
from libc.string cimport memcpy

from noughts.bulk.layout cimport Integer, Layout, Stretch, Verdicts, locate
from noughts.game.geometry cimport MAX_DIMENSIONS, Geometry, coordinates
from noughts.bulk.marks cimport Marks, Run, ends_game, put_mark, run_through, wipe
from noughts.bulk.three cimport Three, lines_won
from noughts.game.rules cimport winner_by

cdef extern from *:
    int lowest_bit "__builtin_ctz"(unsigned int bits) noexcept nogil

cdef enum:
    LISTED = 10_000  # cells of a game's lines; see `MAX_LISTED` in `noughts.bulk.verdict`


cdef inline bytearray find_lines(
    Integer* moves, const Layout* games, unsigned int limit, Marks* marks, Verdicts verdicts,
    long long* ends,
):
    """Find the lines of all games: put the relevant marks, and walk from the last one.

    See `winning_lines` for the result and the errors. Numbers from `limit` on are not cells.
    """
    OTHER_GAMES = "the verdicts do not belong to these games"
    NO_ROOM = "not enough memory for the marks of a game"
    cdef const Geometry* board = marks.geometry
    cdef int players = board.players
    cdef int back = players if board.variant.any_line else 1  # if 1, other players' marks count, too
    cdef bytearray lines = bytearray()
    cdef char* found = NULL
    cdef Py_ssize_t width = board.k * sizeof(long long)
    cdef Py_ssize_t count = 0, capacity = 0, most  # of lines: found, allocated, allowed
    cdef Stretch stretch
    cdef Run run
    cdef long long[MAX_DIMENSIONS] at
    cdef Py_ssize_t game, ply
    cdef unsigned long long cell, last
    cdef int mover, way
    cdef signed char winner
    cdef long long first, j
    cdef long long* line
    with nogil:
        for game in range(games.count):
            ends[game] = count
            stretch, ply = locate(games, game), verdicts.ply[game]
            winner = verdicts.winner[game]
            if winner <= 0 and 0 <= ply <= stretch.length:
                continue
            if not 1 <= ply <= stretch.length:
                with gil:
                    raise ValueError(f"{OTHER_GAMES}: game {game} has no move {ply}")
            if not wipe(marks):
                with gil:
                    raise MemoryError(NO_ROOM)
            mover, last = (ply - 1) % players + 1, limit
            while ply > 0:
                cell = moves[stretch.begin + (ply - 1) * games.step]
                if cell >= limit:
                    with gil:
                        raise ValueError(f"{OTHER_GAMES}: game {game} was played on another board")
                last = cell if last == limit else last
                if not put_mark(marks, cell, (ply - 1) % players + 1):
                    with gil:
                        raise MemoryError(NO_ROOM)
                ply -= back
            most = count + max(1, LISTED // board.k)
            coordinates(board, last, at)
            for way in range(board.directions):
                run = run_through(marks, way, last, at)
                for first in range(run.behind + run.ahead + 2 - board.k):
                    if count == most or not ends_game(board, mover, &run, first, way, last):
                        continue
                    if count == capacity:
                        capacity = 2 * capacity + 16
                        with gil:
                            PyByteArray_Resize(lines, capacity * width)
                            found = PyByteArray_AS_STRING(lines)
                    line = <long long*> (found + count * width)
                    for j in range(board.k):
                        line[j] = <long long> last + (first + j - run.behind) * board.steps[way]
                    count += 1
            if count == ends[game] or winner != winner_by(&board.variant, mover):
                with gil:
                    raise ValueError(
                        f"{OTHER_GAMES}: the last move of game {game} completes no line"
                    )
            ends[game] = count
    PyByteArray_Resize(lines, count * width)
    return lines


cdef inline bytearray find_threes(
    Integer* moves, const Layout* games, const Three* three, Verdicts verdicts, long long* ends
):
    """Find the lines of games on the 3×3 board for two players; `find_lines` takes 20 times as long.

    Returns None if a verdict belongs to another game: `find_lines` then raises the error.
    """
    cdef bytearray lines = bytearray()
    cdef Py_ssize_t game, ply, won = 0, count = 0
    cdef Stretch stretch
    cdef unsigned int found
    cdef int line
    cdef bint right = True
    cdef Py_ssize_t width = sizeof(three.cells_of[0])
    for game in range(games.count):
        won += verdicts.winner[game] != 0
    PyByteArray_Resize(lines, 2 * won * width)  # no move completes more than two
    cdef char* to = PyByteArray_AS_STRING(lines)
    with nogil:
        for game in range(games.count):
            stretch, ply, found = locate(games, game), verdicts.ply[game], 0
            right = 0 <= ply <= stretch.length
            if right and verdicts.winner[game]:
                right = ply > 0 and won > 0 and verdicts.winner[game] == 2 - (ply & 1)
                found = lines_won(moves + stretch.begin, games.step, ply, three) if right else 0
                right = found != 0
                won -= 1
            if not right:
                break
            while found:
                line = lowest_bit(found)
                memcpy(to + count * width, three.cells_of[line], width)
                count += 1
                found &= found - 1
            ends[game] = count
    if not right:
        return None
    PyByteArray_Resize(lines, count * width)
    return lines
