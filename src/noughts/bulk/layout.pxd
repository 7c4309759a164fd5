# cython: language_level=3, cdivision=True
"""Layout of games and verdicts in memory: games are rows of a table, or slices between offsets."""

from noughts.game.moves cimport GAME_OVER, LEGAL, OFF_BOARD

# Moves of every type are read as unsigned integers, so that four types serve for eight. A negative
# number then exceeds every cell's, as cells count as on the board only up to the largest positive
# number of the type; -1 is all ones.
ctypedef fused Integer:
    unsigned char
    unsigned short
    unsigned int
    unsigned long long

cdef struct Layout:
    Py_ssize_t count  # of games
    Py_ssize_t step  # from one move to the next; like `row`, in elements
    Py_ssize_t row  # from one game to the next, in a table
    Py_ssize_t width  # plies in a table; otherwise the total number of moves
    Py_ssize_t longest  # upper bound of the plies of a game
    bint padded  # whether trailing -1s are padding
    const long long* offsets  # of the games; NULL for a table

# The moves of one game.
cdef struct Stretch:
    Py_ssize_t begin  # from the first value, in elements
    Py_ssize_t length  # in moves; -1 if the offsets are wrong
    Py_ssize_t readable  # number of values from `begin` to the end

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
    signed char* ended  # who had won, if a move after that is why the game is illegal
    # The lines that a winner completed, as in `Three.lines_in`; 0 if there are none or they are not
    # known. NULL if they are not wanted.
    unsigned char* lines

# The state of a game after its legal moves.
cdef struct Standing:
    Py_ssize_t ply  # number of legal moves; -1 if memory is short
    int winner
    bint over
    int code  # of the next move, if it is illegal although the game goes on and the cell exists


cdef inline Stretch locate(const Layout* games, Py_ssize_t game) noexcept nogil:
    """Locate a game. Offsets are checked again: another thread may have changed them since."""
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
    """Return whether all values from ply `begin` to before `end` are -1."""
    cdef Integer nothing = <Integer> -1, other = 0
    cdef Py_ssize_t t
    if begin < end and moves[begin * step] != nothing:
        return False
    for t in range(begin, end):  # no early exit, so that compilers vectorise the loop
        other |= moves[t * step] ^ nothing
    return other == 0


cdef inline void write(
    Verdicts verdicts, Py_ssize_t game, signed char status, signed char winner, Py_ssize_t ply,
    signed char code,
) noexcept nogil:
    """Write the verdict on a game."""
    verdicts.status[game] = status
    verdicts.winner[game] = winner
    verdicts.ply[game] = <int> ply
    verdicts.code[game] = code
    verdicts.ended[game] = 0


cdef inline void settle(
    Integer* moves, Py_ssize_t step, Py_ssize_t length, bint padded, unsigned int limit,
    Standing stands, Verdicts verdicts, Py_ssize_t game,
) noexcept nogil:
    """Write the verdict on a game in this state; numbers from `limit` on are not cells."""
    cdef Py_ssize_t ply = stands.ply
    if ply < length and not (padded and no_moves(moves, step, ply, length)):
        if moves[ply * step] >= limit:
            write(verdicts, game, ILLEGAL, 0, ply, OFF_BOARD)
        else:
            write(verdicts, game, ILLEGAL, 0, ply, GAME_OVER if stands.over else stands.code)
            verdicts.ended[game] = <signed char> stands.winner
    elif stands.winner:
        write(verdicts, game, WON, <signed char> stands.winner, ply, LEGAL)
    else:
        write(verdicts, game, DRAW if stands.over else PENDING, 0, ply, LEGAL)
