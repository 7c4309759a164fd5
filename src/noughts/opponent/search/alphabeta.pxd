# cython: language_level=3, cdivision=True
"""Alpha-beta over the relevant moves, on `position` and `threats`.

Principal variation search with iterative deepening; a transposition table; move ordering by the
table, killers, history, answers and the worth of a cell; late move reductions by logarithms; forced
replies do not cost depth; and at the leaves a search for wins by fours.
"""

from libc.math cimport log
from libc.stdlib cimport abs
from libc.string cimport memcpy, memmove

from noughts.opponent.search.evaluation cimport TEMPO, score_for
from noughts.game.moves cimport is_stuck
from noughts.opponent.search.network cimport Network, policy_of, prefer, value_of
from noughts.opponent.search.patterns cimport MAX_REACH, MISERE, RENJU, Bits
from noughts.opponent.search.position cimport (
    MAKES_FOUR, MAX_MOVES, NEARBY, THREE, WINS, WINS_NEXT, Moves, Position, insert, is_legal, make,
    middle_of, unmake, worth_to,
)
from noughts.opponent.search.threats cimport (
    LACKS_TWO, LINE, MAX_WAYS, Budget, Threats, replies_to, spend, win_by_fours, winning_cells,
)

cdef enum:
    WIN = 30000  # minus the plies to the win
    SURE = 29000  # higher scores are wins, scores below -SURE are losses
    MAX_PLY = 96
    NO_MOVE = -1
    EXACT_SCORE = 1
    AT_LEAST = 2
    AT_MOST = 3
    LEAF_FOURS = 6
    LEAF_NODES = 10
    ANSWERS = 4  # moves tried against a threat at a leaf
    ANSWERED = 1 << 17  # size of the table of answers
    LEAVES = 4  # kept for training
    LINES = 4096  # size of the table of variations
    ANSWER_SHARE = 16  # divides the worth of an answer in move ordering
    HISTORY = 4096  # maximum of a history score

cdef extern from *:
    """
    /* By level: a move's bonus in move ordering, for making the level and for preventing it. */
    static const int OWN[8] = {0, 0, 100, 700, 100, 1500, 4000, 4000};
    static const int OTHER[8] = {0, 0, 0, 300, 0, 500, 1000, 1000};
    /* Without a network and with one: the divisor of late move reductions, and the margin above beta
       per remaining ply at which a position is cut off. Together +70 Elo [+19, +125] with a network,
       0.2 s, and in caro without one -24 [-62, +14], 0.05 s. */
    static const double REDUCED_BY[2] = {1.4, 1.1};
    static const int MARGIN[2] = {90, 200};
    """
    const int* OWN
    const int* OTHER
    const double* REDUCED_BY
    const int* MARGIN

# Threads share entries without locks: an entry that two of them wrote at once matches neither key
# (R. Hyatt and T. Mann, *A lockless transposition table implementation for parallel search*, 2002).
cdef struct Entry:
    Bits key  # the position's hash XOR `rest`
    int move
    short score
    signed char depth
    unsigned char bound  # 0 if unused

# A variation. The transposition table only has one move per position, which other searches replace.
cdef struct Line:
    Bits key  # of the position in which it begins
    short score, depth  # as in its entry of the transposition table
    int length
    int[MAX_PLY] cells

cdef struct Search:
    Position position
    Network network
    Budget budget
    Threats threats
    Entry* table
    Line* lines  # principal variations with an exact score, by the position's hash
    Line[MAX_PLY] variation  # the best one found from each ply on
    int shift  # 64 minus the bits of an entry's number
    int* history[2]  # [player][cell]: how good a move was
    short* answers  # by a hash of last cell, player and cell: how good an answer was
    int killers[MAX_PLY][2]
    unsigned char reductions[32][32]  # of late moves, by [depth][number]
    bint tactical  # threats must be answered: neither gravity nor misère
    bint full  # every move is tried at every node
    bint guessed  # set when a score is an estimate
    int every  # one leaf in this many is kept; 0 keeps none
    int met
    int[LEAVES][1 + MAX_PLY] leaves  # for each, the number of plies from the root, then the moves
    long long begun, half  # the start and the middle of the time
    double optimum  # nanoseconds for an average move
    int follows  # the deepest ply at which forced replies do not cost depth


cdef inline void fill_reductions(Search* search, bint has_network) noexcept nogil:
    """Compute the reductions of late moves from the logarithms of the depth and move number."""
    cdef double by = REDUCED_BY[has_network]
    cdef int depth, i
    for depth in range(1, 32):
        for i in range(1, 32):
            search.reductions[depth][i] = <unsigned char> (1 + log(depth) * log(i) / by)


cdef inline Entry* place_of(const Search* search) noexcept nogil:
    """Return the place of the position in the transposition table."""
    cdef Bits key = search.position.hash ^ search.position.to_move
    return search.table + (key * 0x9E3779B97F4A7C15ULL >> search.shift)


cdef inline Bits rest(const Entry* entry) noexcept nogil:
    """Return an entry without its key as a number."""
    cdef Bits bits
    memcpy(&bits, <const char*> entry + sizeof(Bits), sizeof(Bits))
    return bits


cdef inline bint recall(const Search* search, Entry* known) noexcept nogil:
    """Look up the position in the transposition table; return whether it is there."""
    known[0] = place_of(search)[0]
    return known.bound and known.key ^ rest(known) == search.position.hash


cdef inline Line* line_of(const Search* search, const Entry* known) noexcept nogil:
    """Return the place of the variation of an exact entry, which may contain another one."""
    cdef Bits key = search.position.hash ^ search.position.to_move ^ <Bits> known.depth << 32
    return search.lines + (key * 0x9E3779B97F4A7C15ULL >> 32) % LINES


cdef inline void recall_line(Search* search, const Entry* known, int ply) noexcept nogil:
    """Take the variation of an exact entry that ends the search of this position."""
    cdef const Line* line = line_of(search, known)
    if line.key == search.position.hash and line.depth == known.depth and line.score == known.score:
        search.variation[ply] = line[0]


cdef inline void keep_line(Search* search, const Entry* known, int ply) noexcept nogil:
    """Store the variation from this ply on for `recall_line`."""
    cdef Line* line = &search.variation[ply]
    line.key, line.score, line.depth = search.position.hash, known.score, known.depth
    line_of(search, known)[0] = line[0]


cdef inline void prepend(Search* search, int cell, int ply) noexcept nogil:
    """Make this move and the variation after it the best variation at this ply."""
    cdef Line* line = &search.variation[ply]
    cdef const Line* after = &search.variation[ply + 1]
    line.length, line.cells[0] = min(after.length + 1, MAX_PLY), cell
    memcpy(line.cells + 1, after.cells, (line.length - 1) * sizeof(int))


cdef inline int evaluate(Search* search) noexcept nogil:
    """Return an estimate for the player to move."""
    cdef Position* position = &search.position
    cdef int score = (TEMPO + score_for(position.now.score, position.to_move)) // 16
    if position.variant == MISERE:
        score = -score
    if search.network.weights is not NULL:
        score = value_of(&search.network, position, score)
    return max(-SURE // 2, min(SURE // 2, score))


cdef inline int promise(Search* search, int cell) noexcept nogil:
    """Return how promising a cell is for the player to move, for move ordering."""
    cdef Position* position = &search.position
    cdef int me = position.to_move
    cdef int mine = position.level[me][cell]
    cdef int other = position.level[1 - me][cell]
    if search.network.weights is not NULL:
        prefer(&search.network, position)
        return (
            policy_of(&search.network, cell, mine, other)
            + 4000 * (mine >= WINS_NEXT) + 1000 * (other >= WINS_NEXT)
        )
    if position.variant == MISERE:
        return -2 * worth_to(position, cell, me) - worth_to(position, cell, 1 - me) - 10000 * (mine == WINS)
    return (
        2 * worth_to(position, cell, me) + worth_to(position, cell, 1 - me) + OWN[mine] + OTHER[other]
    )


cdef inline void consider(Search* search, Moves* moves, int cell, int order, int width) noexcept nogil:
    """Insert a move in order if it is among the best `width`."""
    if moves.count == width:
        search.guessed = True  # a move is left out
        if moves.order[width - 1] >= order:
            return
        moves.count -= 1
    insert(moves, cell, order)


cdef inline void generate(Search* search, Moves* moves, int best, int ply, int width) noexcept nogil:
    """List the moves to try, `best` first and then the most promising."""
    cdef Position* position = &search.position
    cdef int me = position.to_move
    cdef bint defend = search.tactical and not search.full and position.now.count[1 - me][WINS_NEXT] > 0
    cdef int i, cell
    moves.count = 0
    if position.gravity:
        for i in range(position.below):
            if position.landing[i] >= 0:
                cell = position.landing[i]
                consider(search, moves, cell, rank(search, cell, best, ply), width)
        return
    for i in range(position.now.actives):
        cell = position.active[i]
        if position.marks[cell]:
            continue
        if defend:
            if position.level[me][cell] < MAKES_FOUR and position.level[1 - me][cell] < MAKES_FOUR:
                continue
        elif position.touched[cell] < NEARBY:
            continue
        consider(search, moves, cell, rank(search, cell, best, ply), width)
    if defend or not moves.count:
        search.guessed = True
    if not moves.count:
        for i in range(position.cells):  # from the centre on
            cell = (middle_of(position) + i) % position.cells
            if not position.marks[cell] and moves.count < width and is_legal(position, cell):
                consider(search, moves, cell, 0, width)
                if not search.full and position.variant != MISERE:
                    break


cdef inline int rank(Search* search, int cell, int best, int ply) noexcept nogil:
    """Return `promise` adjusted by the results of other positions."""
    cdef int order
    if cell == best:
        return 1 << 30
    order = promise(search, cell) + search.history[search.position.to_move][cell] // 16
    order += answer(search, cell)[0] // ANSWER_SHARE
    if cell == search.killers[ply][0] or cell == search.killers[ply][1]:
        order += 60
    return order


cdef inline short* answer(const Search* search, int cell) noexcept nogil:
    """Return the place of a cell's score as an answer to the last move."""
    cdef const Position* position = &search.position
    cdef int last = position.history[position.ply - 1] if position.ply else 0
    cdef unsigned int place = (<unsigned int> last * 2 + position.to_move) * position.cells + cell
    return search.answers + place % ANSWERED


cdef inline int width_of(const Search* search, int depth) noexcept nogil:
    """Return the number of moves to try."""
    if search.full:
        return MAX_MOVES
    return 8 if depth <= 1 else 12 if depth <= 3 else 18 if depth <= 6 else 24


cdef inline int value(Search* search, int alpha, int beta, int depth, int ply) noexcept nogil:
    """Return the score of the position for the player to move, exact between alpha and beta."""
    cdef Position* position = &search.position
    cdef int me = position.to_move
    cdef int[2 * MAX_REACH * MAX_WAYS + 1] replies
    cdef int[LINE] line
    cdef int[2] wins
    cdef Moves moves
    cdef Entry entry
    cdef int found, i, cell, score, reduced, tried
    cdef int best = -WIN, best_cell = NO_MOVE, first = alpha
    cdef bint forced = False, answering = False
    search.variation[ply].length = 0
    if not spend(&search.budget):
        return 0
    if position.ply == position.cells:
        return 0
    if position.variant == MISERE:
        if position.now.count[me][WINS] == position.cells - position.ply:
            return ply + 1 - WIN
    else:
        if winning_cells(position, me, wins):
            return WIN - ply - 1
        found = winning_cells(position, 1 - me, wins)
        if found:
            moves.count = replies_to(position, wins, found, replies)
            if not moves.count:
                return ply + 2 - WIN
            forced = True
            if moves.count > MAX_MOVES:
                search.guessed, moves.count = True, MAX_MOVES
            for i in range(moves.count):
                moves.cell[i] = replies[i]
            depth += moves.count == 1 and ply < search.follows
        elif search.tactical and position.now.count[me][WINS_NEXT] and (
            position.variant != RENJU or me
        ):
            return WIN - ply - 3
    if ply >= MAX_PLY - 1:
        search.guessed = True
        return evaluate(search)
    if depth <= 0 and not forced:
        if search.tactical:
            found = win_by_fours(position, &search.threats, LEAF_FOURS, LEAF_NODES, LACKS_TWO, line)
            if found:
                return WIN - ply - found
            if position.now.count[1 - me][WINS_NEXT] and ply < search.follows:
                depth, answering = 1, True  # a threat must be answered first
        if depth <= 0:
            search.guessed = True
            if search.every:
                keep_leaf(search, ply)
            return evaluate(search)
    if recall(search, &entry):
        best_cell = entry.move
        score = entry.score
        if score > SURE:
            score -= ply
        elif score < -SURE:
            score += ply
        if entry.depth >= depth and (
            entry.bound == EXACT_SCORE
            or (entry.bound == AT_LEAST and score >= beta)
            or (entry.bound == AT_MOST and score <= alpha)
        ):
            if entry.bound == EXACT_SCORE and beta - alpha > 1:
                recall_line(search, &entry, ply)
            return score
    if not forced:
        if search.tactical:
            found = win_by_fours(position, &search.threats, LEAF_FOURS, LEAF_NODES, LACKS_TWO, line)
            if found:
                return WIN - ply - found
            if not search.full and depth <= 3 and beta < SURE and not position.now.count[1 - me][WINS_NEXT]:
                score = evaluate(search)
                if score - MARGIN[search.network.weights is not NULL] * depth >= beta:
                    # the position is so good that the reply hardly matters
                    search.guessed = True
                    return score
        generate(search, &moves, best_cell, ply, ANSWERS if answering else width_of(search, depth))
    best_cell, tried = NO_MOVE, 0
    for i in range(moves.count):
        cell = moves.cell[i]
        if position.variant == MISERE and position.level[me][cell] == WINS:
            score = ply + 1 - WIN
            search.variation[ply + 1].length = 0
        elif not is_legal(position, cell):
            continue
        else:
            reduced = 0
            if not search.full and depth >= 2 and i >= 2:
                reduced = search.reductions[min(depth, 31)][min(i, 31)]
                reduced -= position.level[me][cell] >= THREE or beta - alpha > 1
            make(position, cell)
            if not tried:
                score = -value(search, -beta, -alpha, depth - 1, ply + 1)
            else:
                score = -value(search, -alpha - 1, -alpha, depth - 1 - reduced, ply + 1)
                if score > alpha and reduced:
                    score = -value(search, -alpha - 1, -alpha, depth - 1, ply + 1)
                if alpha < score < beta:
                    score = -value(search, -beta, -alpha, depth - 1, ply + 1)
            unmake(position)
            if search.budget.stopped:
                return 0
        tried += 1
        if score > best:
            best, best_cell = score, cell
            if alpha < score < beta:
                prepend(search, cell, ply)
            alpha = max(alpha, score)
            if alpha >= beta:
                if not forced:
                    learn(search, &moves, i, depth, ply)
                break
    if not tried:
        if forced:
            return ply + 2 - WIN
        position.board.ply = me
        if is_stuck(&position.board):
            return 0
        search.guessed = True
        return evaluate(search)
    entry.move, entry.depth = best_cell, <signed char> max(-1, min(depth, 120))
    entry.bound = AT_MOST if best <= first else AT_LEAST if best >= beta else EXACT_SCORE
    entry.score = <short> (best + ply if best > SURE else best - ply if best < -SURE else best)
    entry.key = position.hash ^ rest(&entry)
    place_of(search)[0] = entry
    if entry.bound == EXACT_SCORE:
        keep_line(search, &entry, ply)
    return best


cdef inline void keep_leaf(Search* search, int ply) noexcept nogil:
    """Keep this leaf for training if it is one of the first."""
    cdef int number = search.met // search.every
    search.met += 1
    if search.met % search.every == 0 and number < LEAVES:
        search.leaves[number][0] = ply
        memcpy(
            &search.leaves[number][1], search.position.history + search.position.ply - ply,
            ply * sizeof(int),
        )


cdef inline void learn(
    Search* search, const Moves* moves, int good, int depth, int ply
) noexcept nogil:
    """Reward a move that refuted the last one, and penalise the moves tried before it."""
    cdef int* history = search.history[search.position.to_move]
    cdef int cell = moves.cell[good]
    cdef int gain = min(depth * depth, 400)
    cdef int i
    cdef short* entry
    if search.killers[ply][0] != cell:
        search.killers[ply][1] = search.killers[ply][0]
        search.killers[ply][0] = cell
    for i in range(good + 1):
        cell = moves.cell[i]
        if i == good:
            gain = -gain
        history[cell] -= gain + history[cell] * abs(gain) // HISTORY
        entry = answer(search, cell)
        entry[0] -= <short> (gain + entry[0] * abs(gain) // HISTORY)


cdef inline int best_of(
    Search* search, int* moves, int count, int depth, int* chosen
) noexcept nogil:
    """Move the best of these moves to the front and return its score.

    `chosen` is set to the number of moves that were searched.
    """
    cdef Position* position = &search.position
    cdef int me = position.to_move, best = -WIN
    cdef int i, cell, score
    chosen[0] = 0
    for i in range(count):
        cell = moves[i]
        if position.level[me][cell] == WINS:
            score = 1 - WIN if position.variant == MISERE else WIN - 1
            search.variation[1].length = 0
        else:
            make(position, cell)
            if not i:
                score = -value(search, -WIN, WIN, depth - 1, 1)
            else:
                score = -value(search, -best - 1, -best, depth - 1 - (not search.full and i > 5), 1)
                if score > best and not search.budget.stopped:
                    score = -value(search, -WIN, -best, depth - 1, 1)
            unmake(position)
            if search.budget.stopped:
                return best
        chosen[0] += 1
        if score > best:
            best = score
            prepend(search, cell, 0)
            memmove(moves + 1, moves, i * sizeof(int))
            moves[0] = cell
    return best
