# cython: language_level=3, cdivision=True
"""Threats: wins that leave the other player little or no choice. A win found here is a proof.

A *four* lacks one mark, so there is a single reply; a series of fours is searched deep. A *three*
threatens such a series; `threes` tries every reply that could prevent it.
(L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, *Go-Moku and threat-space search*, 1993.)
Gravity and misère are excluded, because there an unanswered move can help the other player.
"""

from libc.stdlib cimport calloc, free
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from noughts.opponent.search.patterns cimport CARO, COMPLETES, MAX_REACH, MISERE, RENJU, Bits
from noughts.opponent.search.position cimport (
    MAKES_FOUR, WINS, WINS_NEXT, Position, code_of, is_legal, make, unmake,
)

cdef extern from *:
    int trailing_zeros "__builtin_ctzll"(Bits bits) noexcept nogil

cdef enum:
    MAX_WAYS = 13  # directions of a board of three dimensions
    MAX_REPLIES = 512  # a three with more replies is not searched; a four always has fewer
    FOURS = 12  # moves of the attacker in a series of fours
    LINE = 2 * FOURS + 4  # plies of such a series
    SLOTS = 1 << 16
    PLACES = 1 << 17  # of the table of threes
    LACKS_TWO = 11  # a code
    ANY = 0  # the least code
    PAUSE = 256  # nodes between two readings of the clock

ctypedef bint (*Ask)(void*) noexcept nogil

# The limits of a search, which regularly asks whether it must stop.
cdef struct Budget:
    long long nodes
    long long limit
    long long deadline  # nanoseconds
    long long asks  # time of the next such question
    bint stopped
    Ask ask
    void* whom

# How far a position is from a proof, see `threes`.
cdef struct Known:
    Bits asked
    unsigned int proof
    unsigned int disproof
    int move
    int plies

cdef struct Threats:
    Budget* budget
    long long left  # nodes left for the current search
    int least  # the minimum code of a four in a second direction
    Bits* failed  # positions without such a series, with the depth in the lowest bits
    Known* known  # positions in which threes were searched
    unsigned int* stamps  # by cell: the last list of replies that contains it
    unsigned int stamp


cdef inline int winning_cells(const Position* position, int player, int* cells) noexcept nogil:
    """Find up to two cells that win at once for a player, and return their number."""
    cdef int found = 0
    cdef int i, cell
    if not position.now.count[player][WINS] or position.variant == MISERE:
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
    cell = next_four(position, player, 0)
    while cell < position.cells:
        if position.level[player][cell] == WINS:
            cells[found] = cell
            found += 1
            if found == 2 or found == position.now.count[player][WINS]:
                break
        cell = next_four(position, player, cell + 1)
    return found


cdef inline int next_four(const Position* position, int player, int cell) noexcept nogil:
    """Return the first empty cell from this one on with a level of at least MAKES_FOUR, or `cells`."""
    cdef const unsigned char* level = position.level[player]
    cdef Bits word
    while cell < position.cells and cell & 7:
        if level[cell] >= MAKES_FOUR:
            return cell
        cell += 1
    while cell < position.cells:  # eight at a time; only these levels have the bit 4
        word = (<const Bits*> (level + cell))[0] & 0x0404040404040404ULL
        if word:
            return cell + (trailing_zeros(word) >> 3)
        cell += 8
    return position.cells


cdef inline int replies_to(
    Position* position, const int* wins, int found, int* replies
) noexcept nogil:
    """Find all cells that stop the other player, who wins on these 1 or 2; return their number."""
    cdef int count, way, side, step, cell, away
    if position.variant != CARO:
        replies[0] = wins[0]
        return found == 1 and is_legal(position, wins[0])
    count = add_if_it_stops(position, wins[0], replies, 0)
    for way in range(position.ways):
        for side in range(2):
            step = <int> position.geometry.steps[way] * (2 * side - 1)
            cell = wins[0]
            for away in range(position.room[2 * (cell * position.ways + way) + side]):
                cell += step
                count = add_if_it_stops(position, cell, replies, count)
    return count


cdef inline int add_if_it_stops(
    Position* position, int cell, int* replies, int count
) noexcept nogil:
    """Add a cell to the replies if a mark there leaves no immediate win; return their number."""
    cdef int[2] still
    if position.marks[cell]:
        return count
    if position.gravity and position.landing[cell % position.below] != cell:
        return count
    make(position, cell)
    if not winning_cells(position, position.to_move, still):
        replies[count] = cell
        count += 1
    unmake(position)
    return count


cdef inline long long now() noexcept nogil:
    """Return the nanoseconds of a monotonic clock."""
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return <long long> time.tv_sec * 1000000000 + time.tv_nsec


cdef inline bint spend(Budget* budget) noexcept nogil:
    """Count a node; return False if the search must stop."""
    cdef long long time
    budget.nodes += 1
    if budget.nodes >= budget.limit:
        budget.stopped = True
    elif budget.nodes % PAUSE == 0:
        time = now()
        budget.stopped |= time >= budget.deadline
        if time >= budget.asks:
            budget.asks = time + 20000000
            budget.stopped |= budget.ask(budget.whom)
    return not budget.stopped


cdef inline bint prepare(Threats* threats, Budget* budget, int cells) noexcept nogil:
    """Allocate the memory; return False if it is short. `end` frees it either way."""
    threats.budget, threats.stamp = budget, 0
    threats.failed = <Bits*> calloc(SLOTS, sizeof(Bits))
    threats.known = <Known*> calloc(PLACES, sizeof(Known))
    threats.stamps = <unsigned int*> calloc(cells, sizeof(int))
    return threats.failed is not NULL and threats.known is not NULL and threats.stamps is not NULL


cdef inline void end(Threats* threats) noexcept nogil:
    """Free the memory."""
    free(threats.failed)
    free(threats.known)
    free(threats.stamps)


cdef inline Bits question(Bits hash, int player, int kind) noexcept nogil:
    """Return a key for a kind of question about a position and player; six bits are free."""
    cdef Bits bits = hash ^ <Bits> (2 * kind + player + 1) << 58
    return (bits ^ bits >> 32) * 0x9E3779B97F4A7C15ULL & ~<Bits> 63


cdef inline bint has_failed(const Threats* threats, Bits asked, int depth) noexcept nogil:
    """Return whether a search at least this deep has found nothing."""
    cdef Bits known = threats.failed[asked >> 48]
    return known & ~<Bits> 63 == asked and <int> (known & 63) >= depth


cdef inline int win_by_fours(
    Position* position, Threats* threats, int depth, long long nodes, int least, int* line
) noexcept nogil:
    """Search `fours` with its own limit of nodes and least code in a second direction."""
    cdef long long left = threats.left
    cdef int plies
    threats.left, threats.least = nodes, least
    plies = fours(position, threats, depth, line)
    threats.left = left - (nodes - threats.left)
    return plies


cdef inline int fours(Position* position, Threats* threats, int depth, int* line) noexcept nogil:
    """Return in how many plies the player to move wins by at most `depth` fours, or 0.

    `line`, of at least LINE moves, is set to the moves of both players, up to the last relevant one.
    """
    cdef int me = position.to_move
    cdef int[2] wins, dangers
    cdef int danger, cell, plies
    cdef int least = MAKES_FOUR
    cdef Bits asked
    cdef const unsigned char* level = position.level[me]
    if winning_cells(position, me, wins):
        line[0] = wins[0]
        return 1
    danger = winning_cells(position, 1 - me, dangers)
    if danger > 1 or (danger and position.variant == CARO):
        return 0
    if not depth or position.now.count[me][4] + position.now.count[me][5] + position.now.count[me][6] == 0:
        return 0
    asked = question(position.hash, me, 2 if threats.least else 0)
    if has_failed(threats, asked, depth):
        return 0
    if position.now.count[me][WINS_NEXT] and not danger and (position.variant != RENJU or me):
        least = WINS_NEXT  # shorter than any series
    cell = -1
    while True:
        cell = next_four(position, me, cell + 1)
        if cell == position.cells:
            break
        if level[cell] < least or (danger and cell != dangers[0]):
            continue
        if threats.least and not danger and level[cell] == MAKES_FOUR and not leads_on(position, threats, cell):
            continue
        if not is_legal(position, cell):
            continue
        threats.left -= 1
        if threats.left < 0 or not spend(threats.budget):
            return 0
        make(position, cell)
        plies = after_four(position, threats, depth, line)
        unmake(position)
        if plies:
            line[0] = cell
            return plies
    if threats.left >= 0 and not threats.budget.stopped:
        threats.failed[asked >> 48] = asked | depth
    return 0


cdef inline bint leads_on(const Position* position, const Threats* threats, int cell) noexcept nogil:
    """Return whether a four of the player to move on this cell makes `least` in two directions."""
    cdef int found = 0
    cdef int way
    for way in range(position.ways):
        found += code_of(position, cell, way, position.to_move) >= threats.least
    return found > 1


cdef inline int after_four(
    Position* position, Threats* threats, int depth, int* line
) noexcept nogil:
    """Continue `fours` after the first four, which the caller puts into `line[0]`."""
    cdef int attacker = 1 - position.to_move
    cdef int[2] wins
    cdef int[2 * MAX_REACH * MAX_WAYS + 1] replies
    cdef int found = winning_cells(position, attacker, wins)
    cdef int longest = 0
    cdef int count, i, plies
    if not found or winning_cells(position, position.to_move, replies):
        return 0
    line[1], line[2] = wins[0], wins[found - 1]
    count = replies_to(position, wins, found, replies)
    if not count:
        return 3
    for i in range(count):
        make(position, replies[i])
        plies = fours(position, threats, depth - 1, line + 2)
        unmake(position)
        if not plies:
            return 0
        line[1] = replies[i]
        longest = max(longest, plies)
    return longest + 2


cdef inline int defences(
    Position* position, Threats* threats, const int* line, int plies, int* replies
) noexcept nogil:
    """Find every cell that could stop a series of fours; return their number, -1 if too many.

    They are the cells of the series, the defender's fours, and cells that could make a four with the
    replies of the series. In renju and caro, where marks matter in other ways, all cells are returned.
    """
    cdef int me = position.to_move
    cdef int shown = min(plies, LINE) if plies > 1 else 1
    cdef int least = max(1, COMPLETES - 2 * (shown // 2 + 2))
    cdef int count = 0
    cdef int i, cell, way, side, away, step
    threats.stamp += 1
    if position.variant == RENJU or position.variant == CARO:
        if position.cells > MAX_REPLIES:
            return -1
        for cell in range(position.cells):
            if not position.marks[cell]:
                replies[count] = cell
                count += 1
        return count
    for i in range(shown):
        if not add(position, threats, line[i], replies, &count):
            return -1
    cell = next_four(position, me, 0)
    while cell < position.cells:
        if not add(position, threats, cell, replies, &count):
            return -1
        cell = next_four(position, me, cell + 1)
    for i in range(1, shown):
        for way in range(position.ways):
            for side in range(2):
                step = <int> position.geometry.steps[way] * (2 * side - 1)
                cell = line[i]
                for away in range(position.room[2 * (line[i] * position.ways + way) + side]):
                    cell += step
                    if not position.marks[cell] and code_of(position, cell, way, me) >= least:
                        if not add(position, threats, cell, replies, &count):
                            return -1
    return count


cdef inline bint add(
    const Position* position, Threats* threats, int cell, int* replies, int* count
) noexcept nogil:
    """Add an empty cell to the replies once; return False if the list is full."""
    if position.marks[cell] or threats.stamps[cell] == threats.stamp:
        return True
    if count[0] == MAX_REPLIES:
        return False
    threats.stamps[cell] = threats.stamp
    replies[count[0]] = cell
    count[0] += 1
    return True
