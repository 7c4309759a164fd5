# cython: language_level=3, cdivision=True
"""The moves that renju forbids to Black, in C. `noughts.game.fouls` is the definition of all terms.

Nothing here changes the board, calls Python, needs the GIL or allocates memory. Hypothetical marks are
stored in the frames of the recursion, up to `DEPTH` + 1 of them: about 14 KB of the C stack.
"""

from noughts.game.tallies cimport Tallies, mark

cdef extern from *:
    int zeros "__builtin_ctz"(unsigned int bits) noexcept nogil

# The results of `foul`: the first of these that applies.
cdef enum Foul:
    ALLOWED = 0
    OVERLINE = 1
    DOUBLE_FOUR = 2
    DOUBLE_THREE = 3
    FIVE = 4  # only within this file

cdef enum:
    BLACK = 1
    REACH = 5  # steps from a mark; cells farther away do not matter
    DEPTH = 32  # both limits as in `noughts.game.fouls`, for equal results
    SUPPOSED = 1000

# A hypothetical black mark: the move itself, then fourths.
cdef struct Supposed:
    long long row
    long long column
    const Supposed* before
    int depth

cdef struct Trial:
    const Tallies* board
    int left  # the number of further hypothetical fourths

# One side of a mark in a line: bit n is for the cell n + 1 steps away.
cdef struct Side:
    unsigned int black  # Black's marks
    unsigned int free  # the empty cells
    int run  # the number of black marks next to the mark
    int beyond  # the number of black marks behind the empty cell after the run; -1 if not empty


cdef inline Foul foul(const Tallies* board, long long cell) noexcept nogil:
    """Return the foul that Black would commit with a mark on an empty cell, or ALLOWED."""
    cdef Trial trial
    cdef Supposed move
    cdef Foul made
    trial.board, trial.left = board, SUPPOSED
    move.row = <unsigned int> cell // <unsigned int> board.geometry.strides[0]
    move.column = cell - move.row * board.geometry.strides[0]
    move.before, move.depth = NULL, 1
    made = makes(&trial, &move)
    return ALLOWED if made == FIVE else made


cdef inline Foul makes(Trial* trial, const Supposed* move) noexcept nogil:
    """Return what the hypothetical mark makes: FIVE, a foul, or ALLOWED for neither."""
    cdef Side[4] back, ahead
    cdef int[4] downs, rights  # one step along each relevant way
    cdef int[4] behind, before  # steps to the fourths of each way, or 0
    cdef unsigned int black
    cdef int way, run, down, right
    cdef int ways = 0, fours = 0, shapes = 0, threes = 0
    cdef bint overline = False
    for way in range(4):  # row, column, diagonal, anti-diagonal
        down, right = way != 0, 0 if way == 1 else -1 if way == 3 else 1
        back[ways] = look(trial.board, move, -down, -right)
        ahead[ways] = look(trial.board, move, down, right)
        black = back[ways].black << REACH | ahead[ways].black
        if black & (black - 1):  # at least two marks; a three or more needs them
            downs[ways], rights[ways] = down, right
            ways += 1
    for way in range(ways):
        run = measure(&back[way]) + 1 + measure(&ahead[way])
        if run == 5:
            return FIVE
        overline |= run > 5
        if run == 4:
            fours += back[way].beyond == 0 or ahead[way].beyond == 0
        else:
            fours += run + 1 + back[way].beyond == 5
            fours += run + 1 + ahead[way].beyond == 5
        behind[shapes] = -straight_four(&back[way], &ahead[way], run)
        before[shapes] = straight_four(&ahead[way], &back[way], run)
        downs[shapes], rights[shapes] = downs[way], rights[way]
        shapes += behind[shapes] != 0 or before[shapes] != 0
    if overline:
        return OVERLINE
    if fours > 1:
        return DOUBLE_FOUR
    for way in range(shapes):
        if threes + shapes - way < 2:
            break
        threes += is_allowed(trial, move, behind[way], downs[way], rights[way]) or is_allowed(
            trial, move, before[way], downs[way], rights[way]
        )
    return DOUBLE_THREE if threes > 1 else ALLOWED


cdef inline bint is_allowed(
    Trial* trial, const Supposed* before, int steps, int down, int right
) noexcept nogil:
    """Return whether a fourth this many steps away is neither a five nor a foul.

    Beyond the limits it is True.
    """
    cdef Supposed move
    if not steps:
        return False
    if not trial.left or before.depth > DEPTH:
        return True
    trial.left -= 1
    move.row, move.column = before.row + steps * down, before.column + steps * right
    move.before, move.depth = before, before.depth + 1
    return makes(trial, &move) == ALLOWED


cdef inline int straight_four(const Side* side, const Side* other, int run) noexcept nogil:
    """Return the steps to the fourth on this side that makes a straight four, or 0."""
    cdef int end = side.run + 1 + side.beyond  # the bit of the cell behind the four
    if run + 1 + side.beyond != 4 or side.beyond < 0 or other.beyond:
        return 0
    return side.run + 1 if (side.free >> end) & 1 and not (side.black >> end + 1) & 1 else 0


cdef inline int measure(Side* side) noexcept nogil:
    """Measure the run of a side and what is beyond it; return the length of the run."""
    side.run = zeros(~side.black)
    side.beyond = -1
    if (side.free >> side.run) & 1:
        side.beyond = zeros(~(side.black >> side.run + 1))
    return side.run


cdef inline Side look(
    const Tallies* board, const Supposed* move, int down, int right
) noexcept nogil:
    """Read the cells on one side of a mark; cells off the board are neither empty nor black."""
    cdef Side side
    cdef const Supposed* other = move.before
    cdef long long cell = move.row * board.geometry.strides[0] + move.column
    cdef long long steps = REACH
    cdef long long away
    cdef int step, player
    cdef int empty = 0  # cells after the one behind the second empty cell do not matter
    if down:
        steps = min(steps, board.geometry.sides[0] - 1 - move.row if down > 0 else move.row)
    if right:
        steps = min(steps, board.geometry.sides[1] - 1 - move.column if right > 0 else move.column)
    side.black = side.free = 0
    side.run, side.beyond = 0, -1  # until `measure` finds them
    for step in range(<int> steps):
        cell += down * board.geometry.strides[0] + right
        player = mark(board, cell)
        side.black |= <unsigned int> (player == BLACK) << step
        side.free |= <unsigned int> (player == 0) << step
        if player > BLACK or empty > 1:
            break
        empty += player == 0 and other is NULL
    while other is not NULL:
        away = (other.row - move.row) * down if down else (other.column - move.column) * right
        if (
            1 <= away <= steps
            and other.row == move.row + away * down
            and other.column == move.column + away * right
        ):
            side.black |= <unsigned int> 1 << away - 1
            side.free &= ~(<unsigned int> 1 << away - 1)
        other = other.before
    return side
