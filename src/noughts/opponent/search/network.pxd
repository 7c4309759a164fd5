# cython: language_level=3, cdivision=True
"""The network: a trained evaluation for five in a row on two-dimensional boards.

Each pattern, the key of a cell in one direction, has a row of numbers from the view of player 1 and
another from the view of player 2. At each empty cell the rows of four directions are added up and
clipped; the sums over the board, the mover's first, go through two hidden layers to one number, the
value. The first hidden layer also takes *facts*: the number of cells of each level for each player,
and the number of marks. It also weights the numbers of a cell in its policy. A mark only changes the
rows of the cells on its lines. If the players have different rules, as in renju, each has its own
table.

Incrementally updated sums are the idea of Y. Nasu's NNUE (2018); patterns as rows of a table come from
Rapfi (Z. Jin, H. Duan and Z. Hang, 2025). All numbers are integers, so every machine computes the same
values; a mark costs about 32 cells of 32 numbers each.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from noughts.opponent.search.patterns cimport Bits
from noughts.opponent.search.position cimport LEVELS, THREE, WINS, Position

cdef enum:
    REACH = 4
    KEYS = 1 << 4 * REACH
    SEEN = 16  # numbers of a pattern from the view of one player
    ROW = 2 * SEEN
    HIDDEN = 64
    DEEP = 32  # the second hidden layer
    SHOWN = 5  # bits by which sums are shifted
    WEIGHT = 10  # fractional bits of a weight
    POINT = 7  # fractional bits of the inputs of a layer
    MOST_TRUSTED = 3000  # limit of the estimate by the codes
    SCALE = 250  # the score at odds of e to 1
    PATTERNS = 7381  # none is the mirror image of another
    FACTS = 2 * (WINS - THREE + 1) + 1
    FACT_VALUES = 8  # from 0 on; the last one includes all higher values
    EARLY = 4  # number of marks before the phases of a game
    PHASE = 8  # number of marks per phase

cdef extern from *:
    """
    static inline short noughts_clip(short number) {
        return number < 0 ? 0 : number > 512 ? 512 : number;
    }

    /* Add the change of a cell by these rows to `gain` and, if `kept`, to the cell. */
    static inline void noughts_turn(
        short* restrict cell, const short* restrict new, const short* restrict old,
        short* restrict gain, int kept
    ) {
        short after[32];
        for (int i = 0; i < 32; i++) {
            after[i] = cell[i] + new[i] - old[i];
            gain[i] += noughts_clip(after[i]) - noughts_clip(cell[i]);
        }
        if (kept)
            for (int i = 0; i < 32; i++) cell[i] = after[i];
    }

    static inline int noughts_product(
        const short* restrict one, const short* restrict other, int count
    ) {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += one[i] * other[i];
        return sum;
    }

    static inline void noughts_add(short* restrict sums, const short* restrict row) {
        for (int i = 0; i < 64; i++) sums[i] += row[i];
    }

    static inline int noughts_policy(const short* restrict cell, const short* restrict weights) {
        int sum = 0;
        for (int i = 0; i < 32; i++) sum += noughts_clip(cell[i]) * weights[i];
        return sum;
    }
    """
    short clip "noughts_clip"(short number) noexcept nogil
    void turn "noughts_turn"(short* cell, const short* new, const short* old, short* gain, bint kept) noexcept nogil
    int product "noughts_product"(const short* one, const short* other, int count) noexcept nogil
    void add_fact "noughts_add"(short* sums, const short* row) noexcept nogil
    int product_of_clipped "noughts_policy"(const short* cell, const short* weights) noexcept nogil

# The part after the rows of patterns in a file; the numbers for the player to move come first.
cdef struct Layers:
    int[2][HIDDEN] bias  # by the player to move
    int[DEEP] deep_bias
    int[2] value
    int trust  # the weight of the estimate by the codes
    short[HIDDEN][ROW] first
    short[DEEP][HIDDEN] deep
    short[DEEP] third
    short[HIDDEN] second  # from the first hidden layer directly to the value
    short[ROW] direct  # from the sums directly to the value
    short[2][ROW] policy
    short[ROW][HIDDEN] context  # how the first hidden layer changes the weight of each number in the policy
    short[FACTS][FACT_VALUES][HIDDEN] facts  # terms of the first hidden layer
    short[LEVELS][LEVELS] levels  # a term of the policy, by the levels for the player to move and the other

# The trained weights, which never change.
cdef struct Weights:
    short* rows  # by key
    Layers layers

# A cell in the network.
cdef struct Spot:
    short[ROW] numbers  # the sum of the rows of its patterns
    unsigned short[4] keys
    bint marked

# A mark in the network and the sums before it.
cdef struct Step:
    int[ROW] sums
    int cell
    int player

cdef struct Network:
    const Weights* weights  # NULL without a network for these rules
    int ply  # number of marks of the position that are in the network so far
    Spot* spots
    Step* steps
    short[ROW] policy  # the weights of the numbers of a cell, first for player 1
    Bits about  # the position and player to move that `policy` is for


cdef inline bint unfold(Weights* weights, const short* numbers, int tables) noexcept nogil:
    """Give each key its row from the file; return False if memory is short.

    The file contains the keys that occur, but only one of two mirror images; a row per key, in one
    table or one per player; and the layers.
    """
    cdef const short* row
    cdef int key, player, i
    weights.rows = <short*> calloc(KEYS * ROW, sizeof(short))
    if weights.rows is NULL:
        return False
    for player in range(2):
        row = numbers + PATTERNS * (1 + SEEN * player * (tables - 1))
        for i in range(PATTERNS):
            key = <unsigned short> numbers[i]
            if player:  # 1 becomes 2 and 2 becomes 1, while 0 and 3 stay
                key ^= 3 * ((key ^ key >> 1) & 0x5555)
            memcpy(weights.rows + ROW * key + SEEN * player, row, SEEN * sizeof(short))
            memcpy(weights.rows + ROW * mirrored(key) + SEEN * player, row, SEEN * sizeof(short))
            row += SEEN
    memcpy(&weights.layers, row, sizeof(Layers))
    return True


cdef inline int mirrored(int key) noexcept nogil:
    """Return the key of the same cells in reverse order."""
    cdef int found = 0
    cdef int i
    for i in range(2 * REACH):
        found = found << 2 | (key >> 2 * i & 3)
    return found


cdef inline bint begin(
    Network* network, const Weights* weights, const Position* position
) noexcept nogil:
    """Set up the empty position; return False if memory is short. `finish` frees it."""
    cdef int cell, way, i, key
    cdef int beyond = 2 * (position.patterns.reach - REACH)  # bits that the network ignores
    finish(network)
    network.weights, network.ply, network.about = weights, 0, ~<Bits> 0
    if weights is NULL:
        return True
    network.spots = <Spot*> calloc(position.cells, sizeof(Spot))
    network.steps = <Step*> calloc(position.cells + 1, sizeof(Step))
    if network.spots is NULL or network.steps is NULL:
        return False
    for cell in range(position.cells):
        for way in range(4):
            key = <unsigned short> (position.keys[4 * cell + way] >> beyond)
            network.spots[cell].keys[way] = <unsigned short> key
            for i in range(ROW):  # negative without a mark, so that the sums are 0
                network.spots[cell].numbers[i] += weights.rows[ROW * key + i]
    return True


cdef inline void finish(Network* network) noexcept nogil:
    """Free what the network holds."""
    free(network.spots)
    free(network.steps)
    network.spots, network.steps = NULL, NULL


cdef inline void turn_around(
    Network* network, const Position* position, int cell, int player, short* gain, bint kept
) noexcept nogil:
    """Add the effect of adding or removing a mark on the cells around it to `gain`.

    The cells themselves only change if `kept`.
    """
    cdef const unsigned char* room = position.room + 8 * cell
    cdef const short* rows = network.weights.rows
    cdef Spot* spot
    cdef int way, side, step, away, shift, key, after
    for way in range(4):
        for side in range(2):
            step = <int> position.geometry.steps[way] * (2 * side - 1)
            shift = 2 * (REACH - side)
            spot = network.spots + cell
            for away in range(min(REACH, room[2 * way + side])):
                spot += step
                key = spot.keys[way]
                after = key ^ (player + 1) << shift
                if kept:
                    spot.keys[way] = <unsigned short> after
                if not spot.marked:
                    turn(spot.numbers, rows + ROW * after, rows + ROW * key, gain, kept)
                shift += 2 - 4 * side


cdef inline void lose(const Network* network, int cell, short* gain) noexcept nogil:
    """Start a gain by subtracting a cell from the sums, which exclude marked cells."""
    cdef int i
    for i in range(ROW):
        gain[i] = -clip(network.spots[cell].numbers[i])


cdef inline void follow(Network* network, Position* position, int ply) noexcept nogil:
    """Update the network to the position after `ply` plies."""
    cdef short[ROW] gain
    cdef Step* step
    cdef int i
    cdef int common = min(position.common, ply)
    memset(gain, 0, sizeof(gain))
    while network.ply > common:
        network.ply -= 1
        step = network.steps + network.ply
        network.spots[step.cell].marked = False
        turn_around(network, position, step.cell, step.player, gain, True)
    while network.ply < ply:
        step = network.steps + network.ply
        step.cell = position.history[network.ply]
        step.player = <int> position.marks[step.cell] - 1
        lose(network, step.cell, gain)
        turn_around(network, position, step.cell, step.player, gain, True)
        network.spots[step.cell].marked = True
        network.ply += 1
        for i in range(ROW):
            network.steps[network.ply].sums[i] = step.sums[i] + gain[i]
    position.common = ply


cdef inline void show(
    const Network* network, const Position* position, const short* gain, short* seen, short* hidden
) noexcept nogil:
    """Compute the shifted sums with this gain, for the player to move, and the first hidden layer."""
    cdef const Layers* layers = &network.weights.layers
    cdef const int* sums = network.steps[network.ply].sums
    cdef const int* bias = layers.bias[position.to_move]
    cdef int other = SEEN * position.to_move
    cdef short[HIDDEN] known
    cdef int i
    for i in range(ROW):
        seen[i] = <short> min(32767, sums[other ^ i] + gain[other ^ i] >> SHOWN)
    look_up(layers, position, known)
    for i in range(HIDDEN):
        hidden[i] = shortened(product(layers.first[i], seen, ROW) + bias[i] + known[i] * (1 << POINT))


cdef inline void look_up(const Layers* layers, const Position* position, short* known) noexcept nogil:
    """Compute the terms of the first hidden layer from the facts, the mover's first."""
    cdef int me = position.to_move
    cdef int number = 1
    cdef int who, level
    cdef int phase = max(0, min((position.ply - EARLY) // PHASE, FACT_VALUES - 1))
    memcpy(known, layers.facts[0][phase], HIDDEN * sizeof(short))
    for who in range(2):
        for level in range(THREE, WINS + 1):
            add_fact(known, layers.facts[number][min(position.now.count[who ^ me][level], FACT_VALUES - 1)])
            number += 1


cdef inline short shortened(int found) noexcept nogil:
    """Return the output of a hidden layer."""
    return <short> max(0, min(found >> WEIGHT, 32767))


cdef inline int value_of(Network* network, Position* position, int estimate) noexcept nogil:
    """Return the score for the player to move in hundredths, given the estimate by the codes."""
    cdef const Layers* layers = &network.weights.layers
    cdef short[ROW] gain
    cdef short[ROW] seen
    cdef short[HIDDEN] hidden
    cdef short[DEEP] deep
    cdef int i, found, cell
    if position.ply <= min(network.ply, position.common):
        follow(network, position, position.ply)
        memset(gain, 0, sizeof(gain))
    else:  # do not add the last mark to the network, as at a leaf it is undone at once
        follow(network, position, position.ply - 1)
        cell = position.history[position.ply - 1]
        lose(network, cell, gain)
        turn_around(network, position, cell, <int> position.marks[cell] - 1, gain, False)
    show(network, position, gain, seen, hidden)
    for i in range(DEEP):
        deep[i] = shortened(product(layers.deep[i], hidden, HIDDEN) + layers.deep_bias[i])
    found = layers.value[position.to_move] + product(layers.third, deep, DEEP)
    found += product(layers.second, hidden, HIDDEN) + product(layers.direct, seen, ROW)
    estimate = max(-MOST_TRUSTED, min(estimate, MOST_TRUSTED))
    return <int> (<long long> found * SCALE >> WEIGHT + POINT) + (estimate * layers.trust >> WEIGHT)


cdef inline void prefer(Network* network, Position* position) noexcept nogil:
    """Update the network to the position and compute the weights of its policy."""
    cdef const Layers* layers = &network.weights.layers
    cdef Bits about = position.hash ^ position.to_move
    cdef short[ROW] gain
    cdef short[ROW] seen
    cdef short[HIDDEN] hidden
    cdef int other = SEEN * position.to_move
    cdef int i, counts
    follow(network, position, position.ply)
    if network.about == about:
        return
    network.about = about
    memset(gain, 0, sizeof(gain))
    show(network, position, gain, seen, hidden)
    for i in range(ROW):
        counts = product(layers.context[i], hidden, HIDDEN) >> POINT + 2
        counts += layers.policy[position.to_move][i]
        network.policy[other ^ i] = <short> max(-32768, min(counts, 32767))


cdef inline int policy_of(const Network* network, int cell, int mine, int other) noexcept nogil:
    """Return the log-probability, in 1/64, that the player chooses a cell with these levels.

    `prefer` must be called first.
    """
    cdef int found = product_of_clipped(network.spots[cell].numbers, network.policy) >> 10
    return found + network.weights.layers.levels[mine][other]
