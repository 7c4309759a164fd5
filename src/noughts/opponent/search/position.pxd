# cython: language_level=3, cdivision=True
"""A position for the search: for every empty cell, the pattern that each player would make there.

`make` and `unmake` only visit the cells near the mark. Nothing here checks moves, calls Python or
needs the GIL.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from noughts.opponent.search.evaluation cimport Evaluation, Scores, gain_of, worth_of
from noughts.game.fouls cimport foul
from noughts.game.geometry cimport MAX_DIMENSIONS, Geometry, coordinates, room
from noughts.opponent.search.patterns cimport RENJU, Bits, Patterns, codes_of, prepare
from noughts.game.tallies cimport Tallies

cdef enum:
    NEAR = 2  # steps from a mark within which quiet moves are considered
    NEARBY = 1 << 16  # counts marks within NEAR, in the upper bits of `touched`
    EXACT = 32  # cells; up to this size the hash of a position is the position itself
    SMALL = 64  # cells; up to this size all are considered
    LEVELS = 8
    UNDOABLE = 256  # marks at most, more than any search makes
    MAX_MOVES = 64

# The level of a cell for a player: the result of a mark in all directions together.
cdef enum:
    NOTHING = 0
    THREE = 2  # can become a straight four
    TWO_THREES = 3
    MAKES_FOUR = 4  # a reply is forced
    FOUR_AND_THREE = 5
    WINS_NEXT = 6  # no single reply helps
    WINS = 7

cdef extern from *:
    """
    /* By code: its worth in move ordering, and its place among the shapes. */
    static const int WORTH[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 8, 8, 24, 26, 60, 100};
    static const unsigned long long SHAPE[16] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1 << 4, 1 << 8, 1 << 12};
    """
    const int* WORTH
    const Bits* SHAPE

# Moves to try, the most promising first.
cdef struct Moves:
    int count
    int[MAX_MOVES] cell
    int[MAX_MOVES] order

# A change caused by a mark: the previous state of a cell, in one direction and as a whole.
cdef struct Change:
    Bits sums
    int cell
    unsigned char way
    unsigned char code
    unsigned char[2] level

# The totals before a mark.
cdef struct Totals:
    Scores score
    int[2][LEVELS] count
    int actives
    int changes

cdef struct Position:
    const Geometry* geometry
    Patterns patterns
    int variant
    bint gravity
    int cells
    int ways
    int below  # from a cell's number to the number of the cell below; also the number of columns
    int ply
    int to_move  # 0 or 1
    Bits hash
    long long* marks  # by cell: 0, or the player from 1
    Tallies board  # for the fouls of renju; it shares `marks`
    Bits* keys  # [cell, way]
    unsigned char* codes  # [cell, way]
    unsigned char* room  # [cell, way, behind or ahead]: number of cells within reach
    unsigned int* touched  # number of marks within reach of each cell
    int* active  # the cells that were ever within reach of a mark, in that order
    int* landing  # by column, with gravity: where the next mark lands; negative if it is full
    # By cell, four sums of 16 bits over its codes: the promise for player 1 and for player 2, and the
    # number of codes of each kind, in four bits per kind, for player 1 and for player 2.
    Bits* sums
    Bits sum_of[256]  # by the codes of both players, as in `codes`: the terms of `sums`
    const Evaluation* evaluation  # for the variant
    unsigned char* level[2]  # by cell; NOTHING if it has a mark
    Totals now  # over the empty cells: the number of each level, and the scores of their codes
    Totals* before  # before each mark from ply `base` on
    Change* changes  # by these marks
    int base  # the ply down to which marks can be undone
    int common  # the fewest plies since the network was last updated
    int* history
    char* memory


cdef inline void dispose(Position* position) noexcept nogil:
    """Free what the position holds."""
    free(position.memory)
    free(position.patterns.table)
    position.memory, position.patterns.table = NULL, NULL


cdef inline char* part(char** rest, size_t size) noexcept nogil:
    """Return the next bytes of a block, aligned to eight bytes."""
    cdef char* here = rest[0]
    rest[0] += size + 7 & ~<size_t> 7
    return here


cdef inline size_t lay_out(Position* position, char* block) noexcept nogil:
    """Assign each array its part of the block, and return the size of the block."""
    cdef size_t cells = position.cells
    cdef size_t each = cells * position.ways
    cdef size_t most = 1 + 2 * position.patterns.reach * position.ways  # changes per mark
    cdef char* rest = block
    cdef int player
    position.marks = <long long*> part(&rest, cells * sizeof(long long))
    position.keys = <Bits*> part(&rest, each * sizeof(Bits))
    position.codes = <unsigned char*> part(&rest, each)
    position.room = <unsigned char*> part(&rest, 2 * each)
    position.touched = <unsigned int*> part(&rest, cells * sizeof(int))
    position.active = <int*> part(&rest, cells * sizeof(int))
    position.landing = <int*> part(&rest, position.below * sizeof(int))
    position.history = <int*> part(&rest, cells * sizeof(int))
    position.before = <Totals*> part(&rest, UNDOABLE * sizeof(Totals))
    position.changes = <Change*> part(&rest, UNDOABLE * most * sizeof(Change))
    position.sums = <Bits*> part(&rest, cells * sizeof(Bits))
    for player in range(2):
        position.level[player] = <unsigned char*> part(&rest, cells)  # in whole words
    return rest - block


cdef inline bint set_up(
    Position* position, const Geometry* geometry, const Evaluation* evaluation, int variant
) noexcept nogil:
    """Set up the empty position; return False if memory is short. `dispose` frees it either way."""
    cdef int way, cell, player
    memset(position, 0, sizeof(Position))
    position.geometry, position.evaluation = geometry, evaluation
    position.variant, position.gravity = variant, geometry.gravity
    position.cells, position.ways = <int> geometry.cells, geometry.directions
    position.below = <int> geometry.strides[0]
    if not prepare(&position.patterns, <int> geometry.k, variant):
        return False
    position.memory = <char*> calloc(lay_out(position, NULL), 1)
    if position.memory is NULL:
        return False
    lay_out(position, position.memory)
    position.board.geometry, position.board.states.values = geometry, position.marks
    for way in range(256):
        position.sum_of[way] = SHAPE[way & 15] << 32 | SHAPE[way >> 4] << 48
        position.sum_of[way] |= WORTH[way & 15] | <Bits> WORTH[way >> 4] << 16
    for cell in range(position.below):
        position.landing[cell] = position.cells - position.below + cell
    for player in range(2):
        position.now.count[player][NOTHING] = position.cells
    for cell in range(position.cells):
        look_around(position, cell)
        if position.cells <= SMALL:
            position.touched[cell] = 1 + NEARBY
            position.active[position.now.actives] = cell
            position.now.actives += 1
    return True


cdef inline void look_around(Position* position, int cell) noexcept nogil:
    """Initialise a cell of the empty board from the borders around it."""
    cdef long long[MAX_DIMENSIONS] at
    cdef long long[2] steps  # behind and ahead
    cdef int reach = position.patterns.reach
    cdef int way, side, step, place
    cdef Bits key
    coordinates(position.geometry, cell, at)
    for way in range(position.ways):
        place = cell * position.ways + way
        key = 0
        room(position.geometry, way, at, reach, &steps[0], &steps[1])
        for side in range(2):
            position.room[2 * place + side] = <unsigned char> steps[side]
            for step in range(<int> steps[side], reach):
                key |= <Bits> 3 << 2 * (reach + step if side else reach - 1 - step)
        position.keys[place] = key
        weigh(position, cell, place, codes_of(&position.patterns, key), &position.now.score)


cdef inline void weigh(
    Position* position, int cell, int place, int code, Scores* score
) noexcept nogil:
    """Give an empty cell a new code in the direction of this place."""
    cdef int before = position.codes[place]
    cdef Bits old = position.sums[cell]
    cdef Bits new = old + position.sum_of[code] - position.sum_of[before]
    cdef const unsigned char* codes = position.codes + cell * position.ways
    score[0] += gain_of(position.evaluation, codes, position.ways, place - cell * position.ways, code)
    position.codes[place] = <unsigned char> code
    position.sums[cell] = new
    if (old ^ new) >> 32 & 0xFFFF:
        relevel(position, cell, 0)
    if (old ^ new) >> 48:
        relevel(position, cell, 1)


cdef inline void relevel(Position* position, int cell, int player) noexcept nogil:
    """Update the level of an empty cell and its counts."""
    cdef int level = level_of(position, player, position.sums[cell] >> 32 + 16 * player & 0xFFFF)
    position.now.count[player][position.level[player][cell]] -= 1
    position.now.count[player][level] += 1
    position.level[player][cell] = <unsigned char> level


cdef inline int worth_to(const Position* position, int cell, int player) noexcept nogil:
    """Return the promise of an empty cell for a player."""
    return <int> (position.sums[cell] >> 16 * player & 0xFFFF)


cdef inline int level_of(const Position* position, int player, Bits shapes) noexcept nogil:
    """Return the level of these shapes of a player together."""
    cdef Bits threes, fours, straight
    if not shapes:
        return NOTHING
    threes = shapes & 15
    fours = shapes >> 4 & 15
    straight = shapes >> 8 & 15
    if shapes >> 12:
        return WINS
    if position.variant == RENJU and player == 0 and (fours + straight > 1 or threes > 1):
        return NOTHING  # possibly a foul, which `is_legal` decides
    if straight or fours > 1:
        return WINS_NEXT
    if fours:
        return FOUR_AND_THREE if threes else MAKES_FOUR
    return TWO_THREES if threes > 1 else THREE


cdef inline Bits hash_of(Bits cell, Bits player) noexcept nogil:
    """Return a well-distributed hash of a mark (splitmix64, by S. Vigna)."""
    cdef Bits bits = (2 * cell + player + 1) * 0x9E3779B97F4A7C15ULL
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9ULL
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBULL
    return bits ^ bits >> 31


cdef inline void make(Position* position, int cell) noexcept nogil:
    """Put a mark of the player to move on an empty cell, at most UNDOABLE since `forget_changes`."""
    cdef Totals* before = position.before + (position.ply - position.base)
    cdef const unsigned char* codes = position.codes + cell * position.ways
    cdef int player
    before[0] = position.now
    note_change(position, cell, 0)
    for player in range(2):
        position.now.count[player][position.level[player][cell]] -= 1
        position.now.count[player][NOTHING] += 1
        position.level[player][cell] = NOTHING
    position.now.score -= worth_of(position.evaluation, codes, position.ways)
    position.marks[cell] = position.to_move + 1
    if position.gravity:
        position.landing[cell % position.below] -= position.below
    position.history[position.ply] = cell
    position.hash = hash_with(position, cell, position.to_move)
    add_mark(position, cell, position.to_move)
    position.ply += 1
    position.to_move = 1 - position.to_move


cdef inline void unmake(Position* position) noexcept nogil:
    """Undo the last mark."""
    cdef const Totals* before
    cdef const Change* change
    cdef int cell, i, player
    position.ply -= 1
    position.common = min(position.common, position.ply)
    position.to_move = 1 - position.to_move
    cell = position.history[position.ply]
    before = position.before + (position.ply - position.base)
    for i in range(before.changes, position.now.changes):
        change = position.changes + i
        position.codes[change.cell * position.ways + change.way] = change.code
        position.sums[change.cell] = change.sums
        for player in range(2):
            position.level[player][change.cell] = change.level[player]
    position.now = before[0]
    if position.gravity:
        position.landing[cell % position.below] += position.below
    position.marks[cell] = 0
    position.hash = hash_with(position, cell, position.to_move)
    remove_mark(position, cell, position.to_move)


cdef inline void forget_changes(Position* position) noexcept nogil:
    """Make the marks so far permanent, so that they need no memory."""
    position.base, position.now.changes = position.ply, 0


cdef inline void note_change(Position* position, int cell, int way) noexcept nogil:
    """Save the state of a cell that a mark is about to change."""
    cdef Change* change = position.changes + position.now.changes
    position.now.changes += 1
    change.sums, change.cell, change.way = position.sums[cell], cell, <unsigned char> way
    change.code = position.codes[cell * position.ways + way]
    change.level[0], change.level[1] = position.level[0][cell], position.level[1][cell]


cdef inline void pass_move(Position* position) noexcept nogil:
    """Let the other player move; a second call undoes it."""
    position.to_move = 1 - position.to_move


cdef inline Bits hash_with(const Position* position, int cell, int player) noexcept nogil:
    """Return the hash after a player's mark is added or removed."""
    if position.cells <= EXACT:
        return position.hash ^ <Bits> (player + 1) << 2 * cell
    return position.hash ^ hash_of(cell, player)


cdef inline void add_mark(Position* position, int cell, int player) noexcept nogil:
    """Add a mark to the keys of the cells around it and update their codes."""
    cdef Scores score = position.now.score  # a local, as the compiler would store the field each time
    cdef const unsigned char* room = position.room + 2 * cell * position.ways
    cdef const long long* marks = position.marks
    cdef const unsigned char* codes = position.codes
    cdef unsigned int* touched = position.touched
    cdef Bits* keys = position.keys
    cdef int ways = position.ways
    cdef int way, side, step, away, other, shift, place, code
    cdef Bits mark = player + 1
    for way in range(ways):
        for side in range(2):
            step = <int> position.geometry.steps[way] * (2 * side - 1)
            shift = 2 * (position.patterns.reach - side)
            other = cell
            for away in range(room[2 * way + side]):
                other += step
                place = other * ways + way
                keys[place] ^= mark << shift
                shift += 2 - 4 * side
                if not touched[other]:
                    position.active[position.now.actives] = other
                    position.now.actives += 1
                touched[other] += 1 + NEARBY * (away < NEAR)
                if not marks[other]:
                    code = codes_of(&position.patterns, keys[place])
                    if code != codes[place]:
                        note_change(position, other, way)
                        weigh(position, other, place, code, &score)
    position.now.score = score


cdef inline void remove_mark(Position* position, int cell, int player) noexcept nogil:
    """Remove a mark from the keys of the cells around it."""
    cdef const unsigned char* room = position.room + 2 * cell * position.ways
    cdef unsigned int* touched = position.touched
    cdef Bits* keys = position.keys
    cdef int ways = position.ways
    cdef int way, side, step, away, other, shift
    cdef Bits mark = player + 1
    for way in range(ways):
        for side in range(2):
            step = <int> position.geometry.steps[way] * (2 * side - 1)
            shift = 2 * (position.patterns.reach - side)
            other = cell
            for away in range(room[2 * way + side]):
                other += step
                keys[other * ways + way] ^= mark << shift
                shift += 2 - 4 * side
                touched[other] -= 1 + NEARBY * (away < NEAR)


cdef inline void insert(Moves* moves, int cell, int order) noexcept nogil:
    """Insert a move in order; the list must not be full."""
    cdef int here = moves.count
    moves.count += 1
    while here and moves.order[here - 1] < order:
        moves.cell[here], moves.order[here] = moves.cell[here - 1], moves.order[here - 1]
        here -= 1
    moves.cell[here], moves.order[here] = cell, order


cdef inline int middle_of(const Position* position) noexcept nogil:
    """Return the cell in the middle of the board, or one next to it."""
    return position.cells // 2 + position.below // 2 * (position.below % 2 == 0)


cdef inline bint is_legal(const Position* position, int cell) noexcept nogil:
    """Return whether the player to move may play an empty cell, apart from gravity."""
    return position.variant != RENJU or position.to_move or not foul(&position.board, cell)


cdef inline int code_of(const Position* position, int cell, int way, int player) noexcept nogil:
    """Return a player's code of an empty cell in one direction."""
    return position.codes[cell * position.ways + way] >> 4 * player & 15
