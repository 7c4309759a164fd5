# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Maker against Breaker: can one player get a mark on every line of the other?

If so, this player, Breaker, cannot lose. Only Maker's live lines matter, those without a mark of
Breaker. A position is the list of these lines, each with the cells that Maker lacks. All other cells
are ignored, so many positions of the game are the same here.

Most positions need no search. If each line has two cells of its own, Breaker takes one when Maker
takes the other (Hales and Jewett, see `noughts.opponent.exact.proofs`). A pair covers all lines with
both its cells, so neighbouring lines in one direction share a pair.

The search returns a *zone* with each result: the cells that the winner needs. Breaker holds even if
Maker has all empty cells outside; Maker wins even if Breaker has them. So a move outside the zone of
a sibling fails for the same reason, and only moves in the zones of all siblings so far are tried. (The
must-play region of Hex; relevance zones: I.-C. Wu and P.-H. Lin, Relevance-zone-oriented proof search
for Connect6, 2010. For k in a row with pairings: W.-Y. Hsu, C.-L. Ko, J.-C. Chen, T.-H. Wei,
C.-H. Hsueh and I.-C. Wu, On solving the 7,7,5-game and the 8,8,5-game, 2020.)

A win of Maker proves nothing about the game, because Breaker's own lines may win first.
"""

from libc.stdlib cimport free
from libc.string cimport memset

from itertools import islice

from noughts.game.geometry import Geometry, symmetries
from noughts.opponent.exact.bitboards cimport (
    MAX_CELLS, PAUSE, SYMMETRIC_PLIES, Cells, Images, bit, count_bits, free_images, image_of,
    lowest_bit, make_images, mix, original_of, plain, several, take_least_image, zeros,
)

cdef enum:
    MAX_SYMMETRIES = 48  # as many as a cube has; any others are not used
    PROMISING = 6  # Breaker's replies that are tested for pairs before any is searched
    NONE = -1  # no group has the cell; no reply holds the lines
    NO_CELL = -2  # an error, if a cell is returned

# A live line: all its cells and the cells that Maker lacks.
cdef struct Line:
    Cells cells, empty

# A known result with Maker to move. An unused entry has no empty cells.
cdef struct Entry:
    Cells marks, empty  # Maker's marks and the empty cells on live lines
    Cells zone
    bint won


cdef class Breaker:
    """A search for whether Breaker holds positions of one game.

    Args:
        rules: for two players and at most 64 cells.
        memory: size of the table in bytes; it has at least one entry.

    Raises:
        ValueError, TypeError: other rules. OverflowError, MemoryError: too much memory.
    """

    cdef readonly long long visited
    """Number of positions visited, over all questions so far."""
    cdef readonly long long discarded
    """Number of positions replaced in the table, over all questions so far."""
    cdef readonly unsigned long long entries
    """Number of positions that fit in the table."""

    cdef bint busy  # it answers one question at a time
    cdef int cells, lines
    cdef Cells* line_marks  # the cells of each line; neighbours in one direction are adjacent
    cdef Images images
    cdef double[MAX_CELLS + 1] worth  # of a line to Maker, by the number of cells that Maker lacks
    cdef double[MAX_CELLS + 1] harm  # the same, to Breaker
    cdef Entry* table

    cdef Line* stack  # the live lines at each ply
    cdef Cells* shared  # the cells shared by all lines of each group
    cdef int[MAX_CELLS] holder  # the group whose pair contains each cell
    cdef Cells asked  # cells tried for one group
    cdef Cells spared  # cells that pairs avoid if possible
    cdef long long pause  # number of nodes at the next call of `check`
    cdef object check

    def __cinit__(self, rules, unsigned long long memory):
        rules = plain(rules)
        if rules.players != 2 or rules.cells > MAX_CELLS:
            raise ValueError(f"a search is for 2 players and at most {MAX_CELLS} cells, not {rules}")
        geometry = Geometry(rules)
        lines = sorted(
            (geometry.numbers(line) for line in geometry),
            key=lambda line: (line.step, line.start % line.step, line.start),
        )
        cdef int i, cell
        self.cells, self.lines, self.pause = rules.cells, len(lines), PAUSE
        self.line_marks = <Cells*> zeros(self.lines, sizeof(Cells))
        self.stack = <Line*> zeros((self.cells + 2) * self.lines, sizeof(Line))
        self.shared = <Cells*> zeros(self.lines, sizeof(Cells))
        make_images(&self.images, list(islice(symmetries(rules), MAX_SYMMETRIES)))
        self.entries = max(1, min(memory // sizeof(Entry), 3 ** <object> self.cells))
        self.table = <Entry*> zeros(self.entries, sizeof(Entry))
        for i, line in enumerate(lines):
            for cell in line:
                self.line_marks[i] |= bit(cell)
        for i in range(MAX_CELLS + 1):
            self.worth[i], self.harm[i] = 2.0 ** -i, 1.2 ** -i

    def __dealloc__(self):
        free(self.line_marks)
        free(self.stack)
        free(self.shared)
        free_images(&self.images)
        free(self.table)

    def holds(self, int maker, Cells first, Cells second, check):
        """Return whether the other player can get a mark on every line of the maker.

        Args:
            maker: 0, who moves first, or 1.
            first: the cells of player 0, as bits of an integer.
            second: the cells of player 1, as many or one less. No line is complete.
            check: called every few milliseconds; an exception it raises ends the search.

        Raises:
            ValueError: maker is not 0 or 1.
            RuntimeError: another question is being answered, in another thread or in `check`.
        """
        cdef Cells zone
        cdef int count = self.set_up(maker, first, second)
        self.busy = True
        try:
            self.check = check
            if (count_bits(first) > count_bits(second)) == maker:
                return self.maker_wins(0, count, 0, &zone) == 0
            return count == 0 or self.reply_to(0, count, 0, &zone) != NONE
        finally:
            self.check = None
            self.busy = False

    def reply(self, int maker, Cells first, Cells second, Cells spared, check):
        """Return a reply after which Breaker, to move, still holds; None if Maker wins.

        Breaker's further replies avoid the cells `spared` if possible. The other arguments and the
        errors are those of `holds`.
        """
        cdef Cells zone
        cdef int count = self.set_up(maker, first, second)
        cdef int cell
        self.busy = True
        try:
            self.check = check
            cell = self.reply_to(0, count, spared, &zone)
            return None if cell == NONE else cell
        finally:
            self.check = None
            self.busy = False

    def pairs(self, int maker, Cells first, Cells second, Cells spared):
        """Return pairs of cells that cover all lines, with Maker to move; None if there are none.

        They avoid the cells `spared` if possible. The other arguments are those of `holds`.
        """
        cdef int count = self.set_up(maker, first, second)
        cdef Cells[MAX_CELLS] pairs
        cdef Cells used
        cdef int i
        if not self.pairs_all(self.stack, count, spared, &used):
            return None
        count = min(count, count_bits(used) >> 1)
        for i in range(count):
            pairs[i] = self.held_by(i)
        return [(lowest_bit(pairs[i]), lowest_bit(pairs[i] & (pairs[i] - 1))) for i in range(count)]

    cdef int set_up(self, int maker, Cells first, Cells second) except -1:
        """List the live lines, unless another position is being searched; return their number."""
        cdef Cells own, other
        cdef int count = 0
        cdef int i
        if maker not in (0, 1):
            raise ValueError(f"maker must be 0 or 1, not {maker}")
        if self.busy:
            raise RuntimeError("a search answers one question at a time")
        own, other = (second, first) if maker else (first, second)
        for i in range(self.lines):
            if not self.line_marks[i] & other:
                self.stack[count].cells = self.line_marks[i]
                self.stack[count].empty = self.line_marks[i] & ~own
                count += 1
        return count

    cdef int maker_wins(self, int ply, int count, Cells spared, Cells* zone) except -1:
        """Return 1 if Maker, to move, completes one of the lines of this ply, else 0; set the zone."""
        cdef Line* lines = self.stack + ply * self.lines
        cdef double[MAX_CELLS] weights
        cdef Cells[2] key
        cdef Cells used = 0, left, wide
        cdef Entry* entry
        cdef int symmetry, move, i
        cdef bint won = False
        self.count_visit()
        for i in range(count):
            if not several(lines[i].empty):
                zone[0] = lines[i].empty
                return 1
        symmetry = self.key_of(lines, count, key)
        entry = self.table + (mix(key[0], key[1]) >> 8) % self.entries
        if entry.marks == key[0] and entry.empty == key[1]:
            zone[0] = original_of(&self.images, symmetry, entry.zone)
            return entry.won
        if not self.pairs_all(lines, count, spared, &used):
            left = weigh(lines, count, self.worth, weights)
            while left and not won:
                move = heaviest(left, weights)
                left &= ~bit(move)
                i = take(lines, count, move, lines + self.lines)
                won = self.reply_to(ply + 1, i, left, &wide) == NONE
                used = wide | bit(move) if won else used | wide
                left &= wide
        self.discarded += entry.empty != 0
        entry.marks, entry.empty, entry.won = key[0], key[1], won
        entry.zone = image_of(&self.images, symmetry, used)
        zone[0] = used
        return won

    cdef int reply_to(self, int ply, int count, Cells spared, Cells* zone) except NO_CELL:
        """Return a reply after which Breaker holds these lines, or NONE if Maker wins; set the zone."""
        cdef Line* lines = self.stack + ply * self.lines
        cdef Line* after = lines + self.lines
        cdef double[MAX_CELLS] weights
        cdef Cells forced = 0, used = 0
        cdef Cells left
        cdef int reply, i
        self.count_visit()
        for i in range(count):
            if not several(lines[i].empty):
                forced |= lines[i].empty
        zone[0] = forced
        if several(forced):
            return NONE
        left = weigh(lines, count, self.harm, weights)
        if forced:
            left = used = forced
        else:
            reply = self.paired_reply(lines, count, left, weights, spared, zone)
            if reply != NONE:
                return reply
        while left:
            reply = heaviest(left, weights)
            i = block(lines, count, reply, after)
            if not self.maker_wins(ply + 1, i, spared, zone):
                zone[0] |= bit(reply)
                return reply
            used |= zone[0]
            left &= zone[0] & ~bit(reply)
        zone[0] = used
        return NONE

    cdef int paired_reply(
        self, const Line* lines, int count, Cells left, const double* weights, Cells spared, Cells* zone
    ) noexcept:
        """Return a promising reply of Breaker after which pairs suffice, or NONE; set the zone."""
        cdef Line* after = lines + self.lines
        cdef int tried, reply
        for tried in range(PROMISING):
            if left == 0:
                break
            reply = heaviest(left, weights)
            left &= ~bit(reply)
            if self.pairs_all(after, block(lines, count, reply, after), spared, zone):
                zone[0] |= bit(reply)
                return reply
        return NONE

    cdef bint pairs_all(self, const Line* lines, int count, Cells spared, Cells* used) noexcept:
        """Return whether each line can have a pair of its own, and set `used` to the cells.

        Each group of lines is given two cells that all of them share, by a matching of cells and groups.
        """
        cdef Cells* shared = self.shared
        cdef Cells cells = 0, group
        cdef int groups = 0
        cdef int i, j
        for i in range(count):
            cells |= lines[i].empty
            if groups and several(shared[groups - 1] & lines[i].empty):
                shared[groups - 1] &= lines[i].empty
            else:
                shared[groups] = lines[i].empty
                groups += 1
        if count_bits(cells) < 2 * groups:
            return False
        for i in range(1, groups):  # the hardest first
            group, j = shared[i], i
            while j > 0 and count_bits(shared[j - 1]) > count_bits(group):
                shared[j] = shared[j - 1]
                j -= 1
            shared[j] = group
        for i in range(self.cells):
            self.holder[i] = NONE
        self.spared = spared
        for i in range(2 * groups):
            self.asked = 0
            if not self.give_cell(i >> 1):
                return False
        used[0] = 0
        for i in range(groups):
            used[0] |= self.held_by(i)
        return True

    cdef Cells held_by(self, int group) noexcept:
        """Return the cells of the group's pair."""
        cdef Cells cells = 0
        cdef int cell
        for cell in range(self.cells):
            if self.holder[cell] == group:
                cells |= bit(cell)
        return cells

    cdef bint give_cell(self, int group) noexcept:
        """Give the group one more cell, possibly from a group that can replace it."""
        cdef Cells left = self.shared[group] & ~self.asked
        cdef int cell
        while left:
            cell = lowest_bit(left & ~self.spared if left & ~self.spared else left)
            self.asked |= bit(cell)
            if self.holder[cell] != group:
                if self.holder[cell] == NONE or self.give_cell(self.holder[cell]):
                    self.holder[cell] = group
                    return True
            left &= ~self.asked
        return False

    cdef int key_of(self, const Line* lines, int count, Cells* key) noexcept:
        """Set `key` to the least image of Maker's marks and the empty cells; return its symmetry."""
        cdef Cells empty = 0, cells = 0
        cdef int i
        for i in range(count):
            empty |= lines[i].empty
            cells |= lines[i].cells
        key[0], key[1] = cells & ~empty, empty
        if self.cells - count_bits(empty) > SYMMETRIC_PLIES:
            return 0
        return take_least_image(&self.images, key)

    cdef int count_visit(self) except -1:
        """Count a position and call `check` when it is due."""
        self.visited += 1
        if self.visited >= self.pause:
            self.pause = self.visited + PAUSE
            self.check()
        return 0


cdef inline int take(const Line* lines, int count, int cell, Line* after) noexcept:
    """Set `after` to the lines after a mark of Maker; return their number."""
    cdef int i
    for i in range(count):
        after[i].cells = lines[i].cells
        after[i].empty = lines[i].empty & ~bit(cell)
    return count


cdef inline int block(const Line* lines, int count, int cell, Line* after) noexcept:
    """Set `after` to the lines after a mark of Breaker; return their number."""
    cdef int left = 0
    cdef int i
    for i in range(count):
        if not lines[i].empty & bit(cell):
            after[left] = lines[i]
            left += 1
    return left


cdef inline Cells weigh(
    const Line* lines, int count, const double* weight, double* weights
) noexcept:
    """Weigh the cells on these lines and return them."""
    cdef Cells cells = 0
    cdef Cells left
    cdef int i
    memset(weights, 0, MAX_CELLS * sizeof(double))
    for i in range(count):
        left = lines[i].empty
        cells |= left
        while left:
            weights[lowest_bit(left)] += weight[count_bits(lines[i].empty)]
            left &= left - 1
    return cells


cdef inline int heaviest(Cells cells, const double* weights) noexcept:
    """Return the first of the heaviest of these cells."""
    cdef int best = lowest_bit(cells)
    while cells:
        if weights[lowest_bit(cells)] > weights[best]:
            best = lowest_bit(cells)
        cells &= cells - 1
    return best
