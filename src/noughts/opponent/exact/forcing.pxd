# cython: language_level=3, cdivision=True
"""Wins by threats only: each mark leaves a line that lacks one cell, so the reply is forced.

The attacker is to move and wins by completing a line or by threatening to complete one on two cells.
If a reply is itself a threat, it forces the attacker's next mark, which must threaten again. As every
reply is forced, such wins are cheap to find and to check, however long they are.

Lines are bits of a word, so that one operation counts a mark on all lines through its cell: a line's
tally is a binary number with one digit in each plane.
"""

from libc.string cimport memset

from noughts.opponent.exact.bitboards cimport MAX_CELLS, Cells, bit, count_bits, lowest_bit, mix, several

cdef extern from *:
    """
    typedef unsigned __int128 noughts_lines;
    """
    # for Cython; C uses 128 bits
    ctypedef unsigned long long Lines "noughts_lines"  # a set of lines, one bit each

cdef enum:
    MAX_LINES = 128
    PLANES = 3
    MAX_K = 8  # so that the tally of an incomplete line fits in three planes
    MAX_MOVES = 32  # of each player
    PATIENCE = 20000  # positions per search at most; few searches visit a tenth
    ATTACKER = 0
    DEFENDER = 1
    NONE = 255  # no reply can stop the win

cdef struct Position:
    Cells[2] marks
    Lines[2][PLANES] tally

# The attacker's marks and the reply to each.
cdef struct Sequence:
    int length
    unsigned char[MAX_MOVES] moves
    unsigned char[MAX_MOVES] replies

cdef struct Forcing:
    int k
    Cells everywhere
    Cells[MAX_LINES] line  # the cells of each line
    Lines[MAX_CELLS] through  # the lines through a cell
    Cells* failed  # a hash table of positions without such a win, the marks of both players each
    Cells failures  # its size, a power of two
    long long visited, patience
    Sequence found


cdef inline void put(const Forcing* self, Position* position, int player, int cell) noexcept nogil:
    """Add a mark and count it on the lines through the cell."""
    cdef Lines carry = self.through[cell]
    cdef Lines both
    cdef int plane
    for plane in range(PLANES):
        both = position.tally[player][plane] & carry
        position.tally[player][plane] ^= carry
        carry = both
    position.marks[player] |= bit(cell)


cdef inline Position position_of(const Forcing* self, const Cells* marks) noexcept nogil:
    """Return the position with these marks."""
    cdef Position position
    cdef Cells left
    cdef int player
    memset(&position, 0, sizeof(Position))
    for player in range(2):
        left = marks[player]
        while left:
            put(self, &position, player, lowest_bit(left))
            left &= left - 1
    return position


cdef inline Lines live(const Position* position, int player, int tally) noexcept nogil:
    """Return the lines with exactly `tally` marks of the player, at least 1, and none of the other."""
    cdef const Lines* own = position.tally[player]
    cdef const Lines* others = position.tally[1 - player]
    cdef Lines lines = ~(others[0] | others[1] | others[2])
    cdef int plane
    for plane in range(PLANES):
        lines &= own[plane] if tally >> plane & 1 else ~own[plane]
    return lines


cdef inline int lowest_line(Lines lines) noexcept nogil:
    """Return the first of these lines."""
    cdef Cells low = <Cells> lines
    return lowest_bit(low) if low else 64 + lowest_bit(<Cells> (lines >> 64))


cdef inline int count_lines(Lines lines) noexcept nogil:
    """Return the number of lines."""
    return count_bits(<Cells> lines) + count_bits(<Cells> (lines >> 64))


cdef inline Cells empty_of(const Forcing* self, const Position* position) noexcept nogil:
    """Return the empty cells."""
    return self.everywhere & ~(position.marks[0] | position.marks[1])


cdef inline Cells empty_on(
    const Forcing* self, Lines lines, const Position* position
) noexcept nogil:
    """Return the empty cells on these lines."""
    cdef Cells cells = 0
    while lines:
        cells |= self.line[lowest_line(lines)]
        lines &= lines - 1
    return cells & empty_of(self, position)


cdef inline Cells threats(const Forcing* self, const Position* position, int player) noexcept nogil:
    """Return the cells that complete a line of this player."""
    return empty_on(self, live(position, player, self.k - 1), position)


cdef inline Cells threats_after(
    const Forcing* self, const Position* position, int move
) noexcept nogil:
    """Return the cells that complete a line of the attacker after this mark."""
    cdef Position after = position[0]
    put(self, &after, ATTACKER, move)
    return threats(self, &after, ATTACKER)


cdef inline Cells* failed_at(const Forcing* self, const Position* position) noexcept nogil:
    """Return the place of this position in the table."""
    return self.failed + 2 * (mix(position.marks[0], position.marks[1]) >> 32 & (self.failures - 1))


cdef inline bint wins_by_threats(Forcing* self, const Position* position) noexcept nogil:
    """Search for a win of the attacker, to move, and put it in `found`; False proves nothing."""
    self.patience = self.visited + PATIENCE
    self.found.length = 0
    return wins_from(self, position, 0)


cdef inline bint ends(Forcing* self, int ply, Cells winning) noexcept nogil:
    """Record that the attacker's mark on one of these cells wins at once."""
    self.found.moves[ply], self.found.replies[ply] = lowest_bit(winning), NONE
    self.found.length = ply + 1
    return True


cdef inline bint wins_on(
    Forcing* self, const Position* position, int ply, int move, int reply
) noexcept nogil:
    """Return whether the attacker wins with this mark, which forces this reply."""
    cdef Position after = position[0]
    put(self, &after, ATTACKER, move)
    put(self, &after, DEFENDER, reply)
    self.found.moves[ply], self.found.replies[ply] = move, reply
    return wins_from(self, &after, ply + 1)


cdef inline bint wins_from(Forcing* self, const Position* position, int ply) noexcept nogil:
    """Continue `wins_by_threats` after this many moves of a sequence."""
    cdef Cells winning = threats(self, position, ATTACKER)
    cdef Cells block = threats(self, position, DEFENDER)
    cdef Cells once = 0, twice = 0
    cdef Cells both
    cdef Lines short, lines
    cdef Cells* failed
    cdef unsigned char[2 * MAX_LINES] moves
    cdef unsigned char[2 * MAX_LINES] replies
    cdef int[2 * MAX_LINES] promise
    cdef int count, i
    self.visited += 1
    if self.visited > self.patience:
        return False
    if winning:
        return ends(self, ply, winning)
    if several(block):
        return False
    if block:
        winning = threats_after(self, position, lowest_bit(block))
        if several(winning):
            return ends(self, ply, block)
        return winning and wins_on(self, position, ply, lowest_bit(block), lowest_bit(winning))
    short = live(position, ATTACKER, self.k - 2)
    lines = short
    while lines:
        both = self.line[lowest_line(lines)]
        twice |= once & both
        once |= both
        lines &= lines - 1
    # a cell on two such lines threatens twice, unless both lack the same two cells
    twice &= empty_of(self, position)
    while twice:
        if several(threats_after(self, position, lowest_bit(twice))):
            return ends(self, ply, twice)
        twice &= twice - 1
    failed = failed_at(self, position)
    if failed[0] == position.marks[0] and failed[1] == position.marks[1]:
        return False
    count = promising(self, position, short, moves, replies, promise)
    for i in range(count):
        if wins_on(self, position, ply, moves[i], replies[i]):
            return True
        if self.visited > self.patience:
            return False
    failed[0], failed[1] = position.marks[0], position.marks[1]
    return False


cdef inline int promising(
    const Forcing* self, const Position* position, Lines short, unsigned char* moves,
    unsigned char* replies, int* promise,
) noexcept nogil:
    """List the threats on these lines, those that advance most other lines first; return the count."""
    cdef Lines mine = live(position, ATTACKER, self.k - 3) if self.k > 3 else 0
    cdef Lines theirs = live(position, DEFENDER, self.k - 2)
    cdef Cells pair
    cdef int count = 0
    cdef int first, second, turn, worth, i
    while short:
        pair = self.line[lowest_line(short)] & empty_of(self, position)
        short &= short - 1
        first, second = lowest_bit(pair), lowest_bit(pair & (pair - 1))
        for turn in range(2):
            worth = 4 * count_lines(self.through[first] & mine)
            worth -= 2 * count_lines(self.through[second] & mine)
            if self.through[second] & theirs & ~self.through[first]:
                worth -= 16
            i = count
            while i > 0 and promise[i - 1] < worth:
                moves[i], replies[i], promise[i] = moves[i - 1], replies[i - 1], promise[i - 1]
                i -= 1
            moves[i], replies[i], promise[i] = first, second, worth
            count += 1
            first, second = second, first
    return count


cdef inline bint still_wins(
    const Forcing* self, const Position* start, const Sequence* sequence
) noexcept nogil:
    """Return whether this sequence of threats wins for the attacker, who is to move."""
    cdef Position position = start[0]
    cdef Cells move, forced
    cdef int ply
    for ply in range(sequence.length):
        move = bit(sequence.moves[ply])
        if not empty_of(self, &position) & move:
            return False
        if threats(self, &position, ATTACKER):
            return True
        if threats(self, &position, DEFENDER) & ~move:
            return False
        put(self, &position, ATTACKER, sequence.moves[ply])
        forced = threats(self, &position, ATTACKER)
        if several(forced):
            return True
        if sequence.replies[ply] == NONE or forced != bit(sequence.replies[ply]):
            return False
        put(self, &position, DEFENDER, sequence.replies[ply])
    return False
