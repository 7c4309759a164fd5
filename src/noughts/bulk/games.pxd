# cython: language_level=3, cdivision=True
"""How the games are stored: as rows of a table, or as stretches of one array between offsets."""

# Moves are read as unsigned integers, whatever their type, so that four types serve for eight. A
# negative number is then larger than any cell's, as no more cells count as on the board than the type
# has positive numbers; -1 is all ones.
ctypedef fused Integer:
    unsigned char
    unsigned short
    unsigned int
    unsigned long long

cdef struct Layout:
    Py_ssize_t count  # games
    Py_ssize_t step  # from a move to the next; this and `row` in elements
    Py_ssize_t row  # from a game to the next, in a table
    Py_ssize_t width  # plies, in a table; else moves in all
    Py_ssize_t longest  # plies; no game has more
    bint padded  # whether trailing -1s are not moves
    const long long* offsets  # of the games; NULL where they are a table

# The moves of a game.
cdef struct Stretch:
    Py_ssize_t begin  # from the first value; in elements
    Py_ssize_t length  # in moves; -1 where the offsets are wrong
    Py_ssize_t readable  # how many values follow from `begin` on


cdef inline Stretch locate(const Layout* games, Py_ssize_t game) noexcept nogil:
    """Where a game is. Another thread may have changed the offsets since they were last checked."""
    cdef Stretch found
    cdef long long begin, end
    if games.offsets is NULL:
        found.begin = game * games.row
        found.length = found.readable = games.width
        return found
    begin, end = games.offsets[game], games.offsets[game + 1]
    found.begin = found.readable = 0
    found.length = -1
    if 0 <= begin <= end <= games.width and end - begin <= games.longest:
        found.begin = begin * games.step
        found.length = end - begin
        found.readable = games.width - begin
    return found


cdef inline bint no_moves(
    Integer* moves, Py_ssize_t step, Py_ssize_t begin, Py_ssize_t end
) noexcept nogil:
    """Whether there is nothing but -1 from ply `begin` to before `end`."""
    cdef Integer nothing = <Integer> -1, other = 0
    cdef Py_ssize_t t
    if begin < end and moves[begin * step] != nothing:
        return False
    for t in range(begin, end):  # without an early exit, compilers do many plies at a time
        other |= moves[t * step] ^ nothing
    return other == 0
