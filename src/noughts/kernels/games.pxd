# cython: language_level=3, cdivision=True
"""Where the games are, and where the verdicts on them go."""

ctypedef fused Integer:
    signed char
    unsigned char
    short
    unsigned short
    int
    unsigned int
    long long
    unsigned long long

# Rows of a table, or stretches of one array between two offsets.
cdef struct Games:
    Py_ssize_t count
    Py_ssize_t step  # from a move to the next; this and the other strides in elements
    Py_ssize_t row  # from a game to the next, in a table
    Py_ssize_t width  # plies, in a table; else moves in all
    bint padded  # whether trailing -1s are no moves
    bint ragged
    char* offsets
    Py_ssize_t offset_step  # in bytes
    int offset_kind
    Py_ssize_t longest

cdef struct Place:
    Py_ssize_t begin  # from the first value; this one in elements
    Py_ssize_t length  # in moves; -1 where the offsets lie
    Py_ssize_t readable  # how many values there are from there on

# What stands in the arrays of verdicts; the same order as in noughts.bulk.arrays.
cdef enum:
    PENDING = 0
    WON = 1
    DRAW = 2
    ILLEGAL = 3

cdef enum:
    NONE = 0
    OFF_BOARD = 1
    CELL_TAKEN = 2
    GAME_OVER = 3

cdef struct Out:
    signed char* status
    signed char* winner
    int* ply
    signed char* code


cdef inline long long offset(const Games* games, Py_ssize_t i) noexcept nogil:
    """One offset; one too large for the return type comes out negative, and so as a lie."""
    cdef char* data = games.offsets + i * games.offset_step
    if games.offset_kind == -4:
        return (<int*> data)[0]
    if games.offset_kind == -8:
        return (<long long*> data)[0]
    if games.offset_kind == 4:
        return (<unsigned int*> data)[0]
    if games.offset_kind == 8:
        return <long long> (<unsigned long long*> data)[0]
    if games.offset_kind == -2:
        return (<short*> data)[0]
    if games.offset_kind == 2:
        return (<unsigned short*> data)[0]
    if games.offset_kind == -1:
        return (<signed char*> data)[0]
    return (<unsigned char*> data)[0]


cdef inline Place locate(const Games* games, Py_ssize_t game) noexcept nogil:
    """Where a game is. All offsets were looked at before, but may have been changed since."""
    cdef Place place
    cdef long long begin, end
    if not games.ragged:
        place.begin = game * games.row
        place.length = place.readable = games.width
        return place
    begin, end = offset(games, game), offset(games, game + 1)
    place.begin = place.readable = 0
    place.length = -1
    if 0 <= begin <= end <= games.width and end - begin <= games.longest:
        place.begin = begin * games.step
        place.length = end - begin
        place.readable = games.width - begin
    return place


cdef inline void write(
    Out out,
    Py_ssize_t game,
    signed char status,
    signed char winner,
    Py_ssize_t ply,
    signed char code,
) noexcept nogil:
    """Write the verdict on a game."""
    out.status[game] = status
    out.winner[game] = winner
    out.ply[game] = <int> ply
    out.code[game] = code


cdef inline void settle(
    Integer* moves,
    Py_ssize_t step,
    Py_ssize_t length,
    bint padded,
    unsigned long long cells,
    Py_ssize_t ply,
    long long winner,
    bint over,
    Out out,
    Py_ssize_t game,
) noexcept nogil:
    """Write the verdict on a game whose legal moves are the first `ply`."""
    cdef signed char code
    if ply < length and not (padded and no_moves(moves, step, ply, length)):
        if <unsigned long long> moves[ply * step] >= cells:
            code = OFF_BOARD
        else:
            code = GAME_OVER if over else CELL_TAKEN
        write(out, game, ILLEGAL, 0, ply, code)
    elif winner:
        write(out, game, WON, <signed char> winner, ply, NONE)
    else:
        write(out, game, DRAW if over else PENDING, 0, ply, NONE)


cdef inline bint no_moves(
    Integer* moves, Py_ssize_t step, Py_ssize_t begin, Py_ssize_t end
) noexcept nogil:
    """Whether there is nothing but -1 from ply `begin` to before `end`."""
    cdef unsigned long long nothing = <unsigned long long> -1
    cdef unsigned long long other = 0
    cdef Py_ssize_t t
    if begin < end and <unsigned long long> moves[begin * step] != nothing:
        return False
    for t in range(begin, end):  # without a way out in the middle it is done many plies at a time
        other |= <unsigned long long> moves[t * step] ^ nothing
    return other == 0
