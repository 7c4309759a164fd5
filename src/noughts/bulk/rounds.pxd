# cython: language_level=3
"""Judging 16 to 64 games of bytes on the 3×3 board at a time."""

from noughts.bulk.layout cimport Layout, Verdicts

cdef extern from "three_games.h":
    ctypedef struct ThreeGames:
        const unsigned char* moves
        Py_ssize_t count, row, width
        bint padded
        const long long* offsets
        signed char* status
        signed char* winner
        signed char* code
        signed char* ended
        int* ply
        unsigned char* lines

cdef extern from "three_avx512.h":
    bint has_avx512() noexcept nogil
    Py_ssize_t judge_with_avx512(const ThreeGames* games) noexcept nogil

cdef extern from "three_avx2.h":
    bint has_avx2() noexcept nogil
    Py_ssize_t judge_with_avx2(const ThreeGames* games, Py_ssize_t done) noexcept nogil

cdef extern from "three_vectors.h":
    Py_ssize_t judge_with_vectors(const ThreeGames* games, Py_ssize_t done) noexcept nogil


cdef inline Py_ssize_t judge_rounds(
    const unsigned char* moves, const Layout* given, Py_ssize_t begin, Py_ssize_t end, Verdicts out
) noexcept nogil:
    """Judge games from `begin` on, as many before `end` as possible; return their number.

    Verdicts are written from index 0.
    """
    cdef ThreeGames games
    cdef bint table = given.offsets is NULL
    cdef Py_ssize_t done = 0
    if given.step != 1 or table and (given.width != 9 or given.row < 9):
        return 0
    games.moves = moves + begin * given.row if table else moves
    games.offsets = NULL if table else given.offsets + begin
    games.count, games.row, games.width = end - begin, given.row, given.width
    games.padded, games.lines = given.padded, out.lines
    games.status, games.winner, games.code, games.ended = out.status, out.winner, out.code, out.ended
    games.ply = out.ply
    if table and given.row == 9 and has_avx512():
        done = judge_with_avx512(&games)
    if has_avx2():
        done = judge_with_avx2(&games, done)
    return judge_with_vectors(&games, done)
