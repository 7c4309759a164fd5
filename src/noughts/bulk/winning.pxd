# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Search for the lines that the last moves of games completed."""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Resize
from libc.string cimport memcpy

from noughts.bulk.layout cimport Integer, Layout, Stretch, Verdicts, locate
from noughts.game.geometry cimport MAX_DIMENSIONS, Geometry, coordinates
from noughts.bulk.marks cimport Marks, Run, ends_game, put_mark, run_through, wipe
from noughts.bulk.rounds cimport judge_rounds
from noughts.bulk.three cimport Three, lines_won
from noughts.game.rules cimport winner_by

cdef enum:
    AT_ONCE = 1024  # games on the 3×3 board
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
    Integer* moves, Py_ssize_t step, const Layout* games, const Three* three, Verdicts given,
    long long* ends,
):
    """Find the lines of games on the 3×3 board for two players; `find_lines` takes 20 times as long.

    Returns None if a verdict belongs to another game: `find_lines` then raises the error.
    """
    cdef bytearray lines = bytearray()
    cdef char* to = NULL
    cdef Py_ssize_t begin = 0, end, count = 0, capacity = 0, width = 3 * sizeof(long long)
    cdef unsigned char[AT_ONCE] found
    cdef const unsigned char* chosen
    cdef bint right = True, known
    with nogil:
        while begin < games.count:
            end = min(begin + AT_ONCE, games.count)
            if count + 2 * AT_ONCE > capacity:
                capacity = max(games.count, 2 * capacity) + 2 * AT_ONCE
                with gil:
                    PyByteArray_Resize(lines, capacity * width)
                    to = PyByteArray_AS_STRING(lines)
            known = are_known(given, begin, end)
            right = known or completed(moves, step, games, three, given, begin, end, found)
            if not right:
                break
            chosen = given.lines + begin if known else found
            count = write_lines(to, count, ends + begin, chosen, end - begin, three)
            begin = end
    if not right:
        return None
    PyByteArray_Resize(lines, count * width)
    return lines


cdef inline bint are_known(Verdicts given, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Return whether the lines of these games are known: exactly the games with a winner have some."""
    cdef Py_ssize_t game
    cdef bint known = True
    if given.lines is NULL:
        return False
    for game in range(begin, end):  # no early exit, so that compilers vectorise the loop
        known &= (given.winner[game] == 0) == (given.lines[game] == 0)
    return known


cdef inline Py_ssize_t write_lines(
    char* to, Py_ssize_t count, long long* ends, const unsigned char* found, Py_ssize_t games,
    const Three* three,
) noexcept nogil:
    """Append the cells of these lines to `count` others; return the number of all.

    Two lines are written for each game, even if fewer count: a branch would be mispredicted too often.
    """
    cdef Py_ssize_t game, width = 3 * sizeof(long long)
    for game in range(games):
        memcpy(to + count * width, three.cells_of[found[game]], 2 * width)
        count += three.lines_counted[found[game]]
        ends[game] = count
    return count


cdef inline bint completed(
    Integer* moves, Py_ssize_t step, const Layout* games, const Three* three, Verdicts given,
    Py_ssize_t begin, Py_ssize_t end, unsigned char* found,
) noexcept nogil:
    """Find the lines of up to AT_ONCE games, a bit each; return whether the verdicts belong to them."""
    cdef signed char[AT_ONCE] status, winner, code, ended
    cdef int[AT_ONCE] ply
    cdef Verdicts here
    cdef Stretch stretch
    cdef Py_ssize_t done = 0, game, plies
    cdef signed char won
    cdef bint right = True
    here.status, here.winner, here.code, here.ended, here.ply = status, winner, code, ended, ply
    here.lines = found
    if sizeof(Integer) == 1:
        done = judge_rounds(<const unsigned char*> moves, games, begin, end, here)
    for game in range(done):
        right &= winner[game] == given.winner[begin + game] and ply[game] == given.ply[begin + game]
    for game in range(begin + done, end):
        stretch, plies, won = locate(games, game), given.ply[game], given.winner[game]
        found[game - begin] = 0
        if won == 0 and 0 <= plies <= stretch.length:
            continue
        if not 1 <= plies <= stretch.length or won != 2 - (plies & 1):
            return False
        found[game - begin] = lines_won(
            moves + stretch.begin + (plies - 1) * step, step, plies, three
        )
        right &= found[game - begin] != 0
    return right
