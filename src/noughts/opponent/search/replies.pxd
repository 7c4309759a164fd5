# cython: language_level=3, cdivision=True
"""Cells that win at once and the replies that can stop such a win."""

from noughts.opponent.search.patterns cimport CARO, MISERE, Bits
from noughts.opponent.search.position cimport MAKES_FOUR, WINS, Position, is_legal, make, unmake

cdef extern from *:
    int trailing_zeros "__builtin_ctzll"(Bits bits) noexcept nogil


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
