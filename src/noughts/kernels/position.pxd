# cython: language_level=3, cdivision=True
"""A position to search in: for every empty cell what each of two players would make there.

`make` and `unmake` look at the cells near the mark alone. Nothing here checks a move, calls Python
or needs the GIL.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from noughts.kernels.fouls cimport foul
from noughts.kernels.geometry cimport MAX_DIMENSIONS, Geometry, coordinates
from noughts.kernels.patterns cimport Bits, Patterns, codes_of, prepare
from noughts.kernels.tallies cimport Tallies
from noughts.kernels.variants cimport CARO, MISERE, RENJU

cdef enum:
    NEAR = 2  # steps from a mark within which quiet moves are considered
    NEARBY = 1 << 16  # in `touched`, beside the marks within reach, those within NEAR
    EXACT = 32  # cells: the hash of so small a position is the position
    SMALL = 64  # cells: on such a board all are considered
    LEVELS = 8

# What a mark makes in all directions together: the level of a cell for a player.
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
    /* By code: what it is worth where moves are put in order; what it adds to the score, in
       sixteenths, for the player to move and for the other; its place in `shapes`. */
    static const int WORTH[16] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 8, 8, 24, 26, 60, 100};
    static const int MINE[16] = {
        0, 0, 0, 0, 0, 0, 0, -62, -58, 60, 87, 411, 110, 686, 0, 0};
    static const int OTHERS[16] = {
        0, 0, 0, 0, 0, 0, 0, -68, -59, 58, 78, 390, 140, 670, -1540, 0};
    static const unsigned long long SHAPE[16] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1 << 8, 1 << 16, 1 << 24};
    """
    const int* WORTH
    const int* MINE
    const int* OTHERS
    const Bits* SHAPE

cdef struct Position:
    const Geometry* geometry
    Patterns patterns
    int variant
    bint gravity
    int cells
    int ways
    int below  # what is to be added to a cell's number for the one below; also the columns
    int ply
    int to_move  # 0 or 1
    Bits hash
    long long* marks  # of each cell: 0, or the player from 1
    Tallies board  # as the fouls of renju want it; it has `marks`
    Bits* keys  # [cell, way]
    unsigned char* codes  # [cell, way]
    unsigned char* room  # [cell, way, behind or ahead]: cells of the board within reach
    unsigned int* touched  # marks within reach of each cell
    int* active  # the cells that were within reach of a mark, as they came
    int actives
    int* landing  # of each column with gravity: where the next mark comes to lie; below 0: full
    Bits* shapes  # of each cell: how often each kind of code, four of eight bits for each player
    Bits* worth  # of each cell: for player 1, and in the upper half for player 2
    unsigned char* level[2]  # of each cell
    int count[2][LEVELS]  # of the empty cells of each level
    int score[2]  # of the codes of all empty cells, for each player if it were to move
    Bits shape_of[256]  # by the codes of both players, as `codes` has them: see `shapes`,
    Bits worth_of[256]  # `worth`
    int score_of[2][256]  # and `score`
    int* history
    char* memory


cdef inline void dispose(Position* position) noexcept nogil:
    """Free what the position holds."""
    free(position.memory)
    free(position.patterns.table)
    position.memory, position.patterns.table = NULL, NULL


cdef inline char* part(char** rest, size_t size) noexcept nogil:
    """The next so many bytes of a block, at an address for numbers of eight bytes."""
    cdef char* here = rest[0]
    rest[0] += size + 7 & ~<size_t> 7
    return here


cdef inline size_t lay_out(Position* position, char* block) noexcept nogil:
    """Give each array its part of the block; how large it has to be."""
    cdef size_t cells = position.cells
    cdef size_t each = cells * position.ways
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
    position.shapes = <Bits*> part(&rest, cells * sizeof(Bits))
    position.worth = <Bits*> part(&rest, cells * sizeof(Bits))
    for player in range(2):
        position.level[player] = <unsigned char*> part(&rest, cells)
    return rest - block


cdef inline bint set_up(
    Position* position, const Geometry* geometry, int variant, bint gravity
) noexcept nogil:
    """Make the empty position; False where memory is short. `dispose` frees it either way."""
    cdef long long[MAX_DIMENSIONS] at
    cdef const long long* delta
    cdef int cell, way, axis, side, step, player, room, reach
    cdef Bits key
    memset(position, 0, sizeof(Position))
    position.geometry, position.variant, position.gravity = geometry, variant, gravity
    position.cells, position.ways = <int> geometry.cells, geometry.directions
    position.below = <int> geometry.strides[0]
    if not prepare(&position.patterns, <int> geometry.k, variant):
        return False
    position.memory = <char*> calloc(lay_out(position, NULL), 1)
    if position.memory is NULL:
        return False
    lay_out(position, position.memory)
    position.board.geometry, position.board.states.values = geometry, position.marks
    position.board.variant = variant
    reach = position.patterns.reach
    position.count[0][NOTHING] = position.count[1][NOTHING] = position.cells
    for way in range(256):
        position.shape_of[way] = SHAPE[way & 15] | SHAPE[way >> 4] << 32
        position.worth_of[way] = <Bits> WORTH[way & 15] | <Bits> WORTH[way >> 4] << 32
        position.score_of[0][way] = MINE[way & 15] - OTHERS[way >> 4]
        position.score_of[1][way] = MINE[way >> 4] - OTHERS[way & 15]
    for cell in range(position.below):
        position.landing[cell] = position.cells - position.below + cell
    for cell in range(position.cells):
        coordinates(geometry, cell, at)
        for way in range(position.ways):
            delta = geometry.deltas + way * geometry.dimensions
            key = 0
            for side in range(2):
                room = reach
                for axis in range(geometry.dimensions):
                    if delta[axis]:
                        step = <int> at[axis]
                        if (delta[axis] > 0) == side:
                            step = <int> (geometry.sides[axis] - 1 - at[axis])
                        room = min(room, step)
                position.room[2 * (cell * position.ways + way) + side] = <unsigned char> room
                for step in range(room, reach):
                    key |= <Bits> 3 << 2 * (reach + step if side else reach - 1 - step)
            position.keys[cell * position.ways + way] = key
            weigh(position, cell, way)
        if position.cells <= SMALL:
            position.touched[cell] = 1 + NEARBY
            position.active[position.actives] = cell
            position.actives += 1
    return True


cdef inline void weigh(Position* position, int cell, int way) noexcept nogil:
    """Note what the key of an empty cell in a direction says now."""
    cdef int place = cell * position.ways + way
    cdef int before = position.codes[place]
    cdef int after = codes_of(&position.patterns, position.keys[place])
    cdef int player, level
    cdef Bits shapes
    if before == after:
        return
    position.codes[place] = <unsigned char> after
    position.worth[cell] += position.worth_of[after] - position.worth_of[before]
    for player in range(2):
        position.score[player] += position.score_of[player][after] - position.score_of[player][before]
    if position.shape_of[after] == position.shape_of[before]:
        return  # nothing urgent
    shapes = position.shapes[cell] + position.shape_of[after] - position.shape_of[before]
    position.shapes[cell] = shapes
    for player in range(2):
        level = level_of(position, player, shapes >> 32 * player & <Bits> 0xFFFFFFFF)
        position.count[player][position.level[player][cell]] -= 1
        position.count[player][level] += 1
        position.level[player][cell] = <unsigned char> level


cdef inline int worth_to(const Position* position, int cell, int player) noexcept nogil:
    """What an empty cell promises a player."""
    return <int> (position.worth[cell] >> 32 * player & <Bits> 0xFFFFFFFF)


cdef inline int level_of(const Position* position, int player, Bits shapes) noexcept nogil:
    """What these shapes of a player are together."""
    cdef Bits threes, fours, straight
    if not shapes:
        return NOTHING
    threes = shapes & 255
    fours = shapes >> 8 & 255
    straight = shapes >> 16 & 255
    if shapes >> 24:
        return WINS
    if position.variant == RENJU and player == 0 and (fours + straight > 1 or threes > 1):
        return NOTHING  # a foul, or nearly: `is_legal` knows
    if straight or fours > 1:
        return WINS_NEXT
    if fours:
        return FOUR_AND_THREE if threes else MAKES_FOUR
    return TWO_THREES if threes > 1 else THREE


cdef inline Bits hash_of(Bits cell, Bits player) noexcept nogil:
    """A number for a mark, well spread (splitmix64, by S. Vigna)."""
    cdef Bits bits = (2 * cell + player + 1) * 0x9E3779B97F4A7C15ULL
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9ULL
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBULL
    return bits ^ bits >> 31


cdef inline void make(Position* position, int cell) noexcept nogil:
    """Put a mark of the player to move on an empty cell."""
    count_cell(position, cell, -1)
    position.marks[cell] = position.to_move + 1
    if position.gravity:
        position.landing[cell % position.below] -= position.below
    position.history[position.ply] = cell
    turn_marks(position, cell, position.to_move, 1)
    position.ply += 1
    position.to_move = 1 - position.to_move


cdef inline void unmake(Position* position) noexcept nogil:
    """Take back the last mark."""
    cdef int cell
    position.ply -= 1
    position.to_move = 1 - position.to_move
    cell = position.history[position.ply]
    turn_marks(position, cell, position.to_move, -1)
    if position.gravity:
        position.landing[cell % position.below] += position.below
    position.marks[cell] = 0
    count_cell(position, cell, 1)


cdef inline void count_cell(Position* position, int cell, int by) noexcept nogil:
    """Count an empty cell once more, or once less."""
    cdef const unsigned char* codes = position.codes + cell * position.ways
    cdef int player, way
    for player in range(2):
        position.count[player][position.level[player][cell]] += by
        for way in range(position.ways):
            position.score[player] += by * position.score_of[player][codes[way]]


cdef inline void pass_move(Position* position) noexcept nogil:
    """Let the other player move; a second time takes it back."""
    position.to_move = 1 - position.to_move


cdef inline void turn_marks(Position* position, int cell, int player, int by) noexcept nogil:
    """Put a mark into the keys of the cells around it (`by` 1), or take it out (-1)."""
    cdef int reach = position.patterns.reach
    cdef const unsigned char* room = position.room + 2 * cell * position.ways
    cdef int way, step, away, other
    cdef Bits mark = player + 1
    if position.cells <= EXACT:
        position.hash ^= mark << 2 * cell
    else:
        position.hash ^= hash_of(cell, player)
    for way in range(position.ways):
        step = <int> position.geometry.steps[way]
        other = cell
        for away in range(room[2 * way]):
            other -= step
            position.keys[other * position.ways + way] ^= mark << 2 * (reach + away)
            touch(position, other, way, away, by)
        other = cell
        for away in range(room[2 * way + 1]):
            other += step
            position.keys[other * position.ways + way] ^= mark << 2 * (reach - 1 - away)
            touch(position, other, way, away, by)


cdef inline void touch(Position* position, int cell, int way, int away, int by) noexcept nogil:
    """Note a mark that has come or gone near a cell."""
    cdef int change = 1 + NEARBY if away < NEAR else 1
    if by > 0:
        if not position.touched[cell]:
            position.active[position.actives] = cell
            position.actives += 1
        position.touched[cell] += change
    else:
        position.touched[cell] -= change
        if not position.touched[cell]:  # marks go in reverse order, so the last came last
            position.actives -= 1
    if not position.marks[cell]:
        weigh(position, cell, way)


cdef inline bint is_legal(const Position* position, int cell) noexcept nogil:
    """Whether the player to move may play an empty cell on which a mark stays."""
    return position.variant != RENJU or position.to_move or not foul(&position.board, cell)


cdef inline int code_of(const Position* position, int cell, int way, int player) noexcept nogil:
    """A player's code of an empty cell in one direction."""
    return position.codes[cell * position.ways + way] >> 4 * player & 15


cdef inline int winning_cells(const Position* position, int player, int* cells) noexcept nogil:
    """Put one or two of the cells with which a player wins at once into `cells`; how many."""
    cdef int found = 0
    cdef int i, cell
    if not position.count[player][WINS] or position.variant == MISERE:
        return 0
    if position.gravity:
        for i in range(position.below):
            cell = position.landing[i]
            if cell >= 0 and position.level[player][cell] == WINS:
                cells[found] = cell
                found += 1
                if found == 2:
                    break
        return found
    for i in range(position.actives - 1, -1, -1):
        cell = position.active[i]
        if not position.marks[cell] and position.level[player][cell] == WINS:
            cells[found] = cell
            found += 1
            if found == 2 or found == position.count[player][WINS]:
                break
    return found


cdef inline int replies_to(
    Position* position, const int* wins, int found, int* replies
) noexcept nogil:
    """The only cells that can stop the other player, who wins at `wins`, of which there are 1 or 2.

    Where there is none, nothing helps. There is room for 2 * MAX_REACH * ways + 1 replies.
    """
    cdef int reach = position.patterns.reach
    cdef int other = 1 - position.to_move
    cdef int count = 0
    cdef int way, away, cell, step, side
    cdef int[2] still
    if position.variant != CARO:
        if found == 1 and is_legal(position, wins[0]):
            replies[0] = wins[0]
            count = 1
        return count
    replies[0] = wins[0]
    for way in range(-1, position.ways):
        for side in range(2 if way >= 0 else 1):
            step = <int> position.geometry.steps[way] * (2 * side - 1) if way >= 0 else 0
            cell = wins[0]
            for away in range(
                position.room[2 * (cell * position.ways + way) + side] if way >= 0 else 1
            ):
                cell += step
                if position.marks[cell]:
                    continue
                if position.gravity and position.landing[cell % position.below] != cell:
                    continue
                make(position, cell)
                if not winning_cells(position, other, still):
                    replies[count] = cell
                    count += 1
                unmake(position)
    return count
