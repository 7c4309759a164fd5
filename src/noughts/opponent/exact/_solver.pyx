# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Exact search: does this player win this position? Used by `noughts.opponent.exact.solver`.

A position is a pair of bitboards, the cells of each of two players. The search answers one yes-or-no
question: does the attacker complete a line before the defender does, whatever the defender plays? This
is far cheaper than finding one of three values, because draws and losses are the same and one good
reply decides. A question may add by which mark of the game the line must be complete; several such
questions find the distance to the end. The search is depth-first and stops at a position

* in which the player to move completes a line;
* in which the other player threatens to complete lines on two different cells;
* from which it is too late for the attacker;
* in which the attacker's potential proves that the defender can stop every line (Erdős and Selfridge,
  On a combinatorial game, 1973; see `Prover.cannot_win`);
* that was solved before, up to the board's symmetries.

After a single threat there is only one move. Otherwise moves are ordered by the weight of the live
lines through their cell. Cells on no live line are skipped, because a mark there changes nothing and
a mark elsewhere can only help its player.

The transposition table is bounded. It compares whole positions, not just their hashes, so that its
values are proofs. When it is full, the position nearer to the end of the game is replaced, as it took
less work.
"""

from libc.stdlib cimport free
from libc.string cimport memset

from itertools import islice

from noughts.game.geometry import Geometry, symmetries
from noughts.opponent.exact.bitboards cimport (
    BOUNDS, MAX_CELLS, MOST, PAUSE, SYMMETRIC_PLIES, Cells, Images, answered, bit, bounds_of,
    free_images, goal_of, lowest_bit, make_images, mix, plain, several, take_least_image, tightened,
    zeros,
)

cdef enum:
    MAX_SYMMETRIES = 48  # as many as a cube has; any others are not used
    # Lines with more empty cells weigh as if they had this many, so that the sum over all lines fits
    # in 64 bits. A mark still at most doubles a line's weight, as the theorem requires.
    LIGHTEST = 40

# The known results of a position. `known` has the bounds of the score and above them the number of
# empty cells. An unused entry is 0, as if nearest to the end.
cdef struct Entry:
    Cells[2] marks
    unsigned long long known

# A position may be in either entry of its bucket.
cdef struct Bucket:
    Entry[2] entries


cdef class Prover:
    """A search for the winner of positions of one game.

    Args:
        rules: freestyle rules for two players without gravity, on at most 64 cells.
        memory: size of the transposition table in bytes; it has at least one bucket.

    Raises:
        ValueError, TypeError: other rules. OverflowError, MemoryError: too much memory.
    """

    cdef readonly long long visited
    """Number of positions visited, over all questions so far."""
    cdef readonly long long discarded
    """Number of positions replaced in the table, over all questions so far."""

    cdef bint busy  # it answers one question at a time

    # the board
    cdef int cells, lines, k
    cdef Cells everywhere
    cdef Cells* line_marks  # the cells of each line
    cdef unsigned char* line_cells  # the same, k numbers per line
    cdef int* through  # the lines through each cell, cell after cell
    cdef int[MAX_CELLS + 1] through_from  # where the lines of each cell start, and the end of all
    cdef long long[MAX_CELLS + 1] weight  # of a live line, by its tally
    cdef long long complete  # the weight of a complete line: 1 in the theorem
    cdef Images images

    # the position and the question
    cdef int attacker, ply
    cdef int last, goal  # whether its score is at least the goal, with the last mark allowed
    cdef Cells[2] marks  # each player's cells
    cdef int* tally  # each player's marks on each line
    cdef long long[2] potential  # the weight of each player's live lines
    cdef Cells[2] threats  # cells of live lines that lack one mark, even if taken since
    cdef unsigned char[MAX_CELLS + 1][MAX_CELLS] order  # the moves to try at each ply
    cdef long long[MAX_CELLS] worth  # how promising each cell is
    cdef long long pause  # number of nodes at the next call of `check`
    cdef object check

    cdef unsigned long long buckets
    cdef Bucket* table

    def __cinit__(self, rules, unsigned long long memory):
        rules = plain(rules)
        if rules.gravity or rules.variant != "freestyle":
            raise ValueError(f"a search is for freestyle without gravity, not {rules}")
        if rules.players != 2 or rules.cells > MAX_CELLS:
            raise ValueError(f"a search is for 2 players and at most {MAX_CELLS} cells, not {rules}")
        geometry = Geometry(rules)
        lines = [geometry.numbers(line) for line in geometry]
        images = list(islice(symmetries(rules), MAX_SYMMETRIES))
        self.cells, self.lines, self.k = rules.cells, len(lines), rules.k
        self.pause = PAUSE
        self.line_marks = <Cells*> zeros(self.lines, sizeof(Cells))
        self.line_cells = <unsigned char*> zeros(self.lines * self.k, 1)
        self.through = <int*> zeros(self.lines * self.k, sizeof(int))
        self.tally = <int*> zeros(2 * self.lines, sizeof(int))
        make_images(&self.images, images)
        self.buckets = max(1, min(memory // sizeof(Bucket), 3 ** <object> self.cells))
        self.table = <Bucket*> zeros(self.buckets, sizeof(Bucket))
        self.lay_out(lines)

    def __dealloc__(self):
        free(self.line_marks)
        free(self.line_cells)
        free(self.through)
        free(self.tally)
        free_images(&self.images)
        free(self.table)

    cdef int lay_out(self, lines) except -1:
        """Compute the tables that are the same in all positions."""
        cdef int lightest = min(self.k, LIGHTEST)
        cdef int i, cell, had, count = 0
        self.everywhere = bit(self.cells) - 1 if self.cells < MAX_CELLS else ~<Cells> 0
        for i, line in enumerate(lines):
            for had, cell in enumerate(line):
                self.line_marks[i] |= bit(cell)
                self.line_cells[i * self.k + had] = cell
        for cell in range(self.cells):
            for i in range(self.lines):
                if self.line_marks[i] & bit(cell):
                    self.through[count] = i
                    count += 1
            self.through_from[cell + 1] = count
        for had in range(self.k + 1):
            self.weight[had] = 1LL << max(0, lightest - self.k + had)
        self.complete = 1LL << lightest
        return 0

    @property
    def entries(self):
        """The maximum number of positions in the table."""
        return 2 * self.buckets

    def wins(self, int player, Cells first, Cells second, check, int last=MAX_CELLS):
        """Return whether `player` wins the position with best play; False for a draw, too.

        Args:
            player: 0, who moves first, or 1.
            first: the cells of player 0, as bits of an integer.
            second: the cells of player 1, as many or one less. No line is complete.
            check: called every few milliseconds; an exception it raises ends the search.
            last: the number of marks on the board with which the line must be complete.

        Raises:
            ValueError: player is not 0 or 1.
            RuntimeError: another question is being answered, in another thread or in `check`.
        """
        if player not in (0, 1):
            raise ValueError(f"player must be 0 or 1, not {player}")
        self.set_up(first, second)
        self.attacker, self.last = player, min(last, self.cells)
        self.goal = goal_of(player, self.cells, self.last)
        if self.goal > MOST:
            return False
        self.busy = True
        try:
            self.check = check
            return self.attacker_wins() == 1
        finally:
            self.check = None
            self.busy = False

    def moves(self, Cells first, Cells second):
        """Return the empty cells on live lines, the most promising first; arguments as for `wins`."""
        cdef list cells = []  # creating it may run code of the caller; filling it does not
        cdef int i
        self.set_up(first, second)
        self.attacker, self.last = self.ply & 1, self.cells
        self.weigh()
        for i in range(self.sort()):
            cells.append(self.order[self.ply][i])
        return cells

    cdef int set_up(self, Cells first, Cells second) except -1:
        """Set up the position, unless another is being searched."""
        cdef int player, cell
        if self.busy:
            raise RuntimeError("a search answers one question at a time")
        self.ply = 0
        memset(self.tally, 0, 2 * self.lines * sizeof(int))
        for player in range(2):
            self.marks[player] = 0
            self.potential[player] = self.weight[0] * self.lines
            self.threats[player] = self.everywhere if self.k == 1 else 0
        for cell in range(self.cells):
            if first & bit(cell):
                self.play(0, cell)
            elif second & bit(cell):
                self.play(1, cell)
        return 0

    cdef int attacker_wins(self) except -1:
        """Return 1 if the attacker wins the position, else 0; the position is restored."""
        cdef int mover = self.ply & 1, other = 1 - mover
        cdef bint attacking = mover == self.attacker
        cdef Cells empty = self.everywhere & ~(self.marks[0] | self.marks[1])
        cdef Cells block = self.threats[other] & empty
        cdef int won, i
        self.visited += 1
        if self.visited >= self.pause:
            self.pause = self.visited + PAUSE
            self.check()
        if self.ply + 2 - attacking > self.last:
            return 0
        if self.threats[mover] & empty:
            return attacking
        if block:
            if several(block):
                return not attacking
            return self.attacker_wins_after(lowest_bit(block))
        if self.ply + 4 - attacking > self.last or self.cannot_win(attacking):
            return 0
        won = self.known()
        if won >= 0:
            return won
        won = 0
        if self.weigh():
            for i in range(self.sort()):
                won = self.attacker_wins_after(self.order[self.ply][i])
                if won == attacking:
                    break
        self.remember(won)
        return won

    cdef int attacker_wins_after(self, int cell) except -1:
        """Return the result of `attacker_wins` after this move, and undo the move."""
        cdef int mover = self.ply & 1
        cdef Cells threats = self.threats[mover]
        cdef long long first = self.potential[0], second = self.potential[1]
        self.play(mover, cell)
        cdef int won = self.attacker_wins()
        self.undo(mover, cell)
        self.threats[mover] = threats
        self.potential[0], self.potential[1] = first, second
        return won

    cdef bint cannot_win(self, bint attacking) noexcept:
        """Return whether the attacker's potential proves that the defender can stop every line.

        See `noughts.opponent.exact.proofs`. If the defender is to move, P < 1 is enough; otherwise it
        takes P + w < 1, with w bounded by P here; `weigh` is exact.
        """
        return (self.potential[self.attacker] << attacking) < self.complete

    cdef void play(self, int player, int cell) noexcept:
        """Add a mark and count it on the lines through the cell."""
        cdef int* mine = self.tally + player * self.lines
        cdef int* theirs = self.tally + (1 - player) * self.lines
        cdef int line, had, i
        for i in range(self.through_from[cell], self.through_from[cell + 1]):
            line = self.through[i]
            had = mine[line]
            mine[line] = had + 1
            if theirs[line] == 0:
                self.potential[player] += self.weight[had + 1] - self.weight[had]
                if had + 2 == self.k:
                    self.threats[player] |= self.line_marks[line]
            if had == 0:
                self.potential[1 - player] -= self.weight[theirs[line]]
        self.marks[player] |= bit(cell)
        self.ply += 1

    cdef void undo(self, int player, int cell) noexcept:
        """Undo `play`, except for the threats and the potentials."""
        cdef int* mine = self.tally + player * self.lines
        cdef int i
        for i in range(self.through_from[cell], self.through_from[cell + 1]):
            mine[self.through[i]] -= 1
        self.marks[player] &= ~bit(cell)
        self.ply -= 1

    cdef bint weigh(self) noexcept:
        """Weigh every cell; False if the attacker cannot win (see `cannot_win`).

        Lines that lack more marks than the attacker can make in time count for the defender only.
        """
        cdef int* mine = self.tally + self.attacker * self.lines
        cdef int* theirs = self.tally + (1 - self.attacker) * self.lines
        cdef long long[MAX_CELLS] gain  # the gain of the attacker by each cell
        cdef Cells taken = self.marks[0] | self.marks[1]
        cdef bint attacking = (self.ply & 1) == self.attacker
        cdef int needed = self.k - (self.last - self.ply + attacking) // 2  # marks that a line must have
        cdef long long potential = 0, most = 0
        cdef int line, cell, i
        for cell in range(self.cells):
            gain[cell] = self.worth[cell] = 0
        for line in range(self.lines):
            if theirs[line] == 0 and mine[line] >= needed:
                potential += self.weight[mine[line]]
                for i in range(self.k * line, self.k * line + self.k):
                    gain[self.line_cells[i]] += self.weight[mine[line]]
            if mine[line] == 0:
                for i in range(self.k * line, self.k * line + self.k):
                    self.worth[self.line_cells[i]] += self.weight[theirs[line]]
        for cell in range(self.cells):
            self.worth[cell] += 2 * gain[cell]
            if not taken & bit(cell):
                most = max(most, gain[cell])
        return potential + attacking * most >= self.complete

    cdef int sort(self) noexcept:
        """Sort the empty cells with a weight, the heaviest first, and return their number."""
        cdef unsigned char* order = self.order[self.ply]
        cdef Cells taken = self.marks[0] | self.marks[1]
        cdef int count = 0
        cdef int cell, i
        for cell in range(self.cells):
            if self.worth[cell] == 0 or taken & bit(cell):
                continue
            i = count
            while i > 0 and self.worth[order[i - 1]] < self.worth[cell]:
                order[i] = order[i - 1]
                i -= 1
            order[i] = cell
            count += 1
        return count

    cdef int known(self) noexcept:
        """Return 1 if the attacker is known to reach the goal, 0 if known not to, -1 if unknown."""
        cdef Cells[2] key
        cdef Entry* entry = self.find(key)
        if not holds(entry, key):
            return -1
        return answered(entry.known, self.attacker, self.goal)

    cdef void remember(self, bint won) noexcept:
        """Store the answer in the table."""
        cdef Cells[2] key
        cdef Entry* entry = self.find(key)
        cdef unsigned long long known = bounds_of(self.attacker, self.goal, won)
        cdef unsigned long long before = entry.known & (1 << BOUNDS) - 1
        if holds(entry, key):
            entry.known += tightened(before, known) - before
            return
        self.discarded += entry.known != 0
        entry.marks[0], entry.marks[1] = key[0], key[1]
        entry.known = <unsigned long long> (self.cells - self.ply) << BOUNDS | known

    cdef Entry* find(self, Cells* key) noexcept:
        """Return the position's entry, or the one to replace; `key` becomes its least image."""
        key[0], key[1] = self.marks[0], self.marks[1]
        if self.ply <= SYMMETRIC_PLIES:
            take_least_image(&self.images, key)
        cdef Entry* entries = self.table[(mix(key[0], key[1]) >> 16) % self.buckets].entries
        if holds(entries, key):
            return entries
        if holds(entries + 1, key) or entries[0].known > entries[1].known:
            return entries + 1
        return entries


cdef inline bint holds(const Entry* entry, const Cells* key) noexcept:
    """Return whether the entry is for this position."""
    return entry.marks[0] == key[0] and entry.marks[1] == key[1] and entry.known != 0
