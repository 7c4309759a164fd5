# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Exact search with gravity: does this player win this position? The counterpart of `_solver`.

Each column of the board has one bit per cell, the lowest first, and a spare bit above them. So adding
1 at the foot of a column finds its next free cell, no line can run from one column into the next, and
the sum of two sets of cells is a unique key of a position. Like `_solver`, the search is depth-first
and answers one yes-or-no question. It skips moves that lose at once, and tries moves with most threats
first and then those on many lines. (J. Tromp, The Fhourstones benchmark, 1996; P. Pons, Solving
Connect Four, 2015.)

**Follow-up.** Most games are decided by who must start a new column when the others are full (L. V.
Allis, A knowledge-based approach of Connect-Four, 1988). Let O be to move, with an even number of
empty cells. The other player, F, can always answer in the same column, or, if that column had an odd
number of empty cells, in another such column, as their number is even. Then O gets at most the next
cell of every column and the empty cells from which there is an even number of cells to the top,
including the cell itself. F gets all others. If O cannot complete a line with these cells, O does not
win; if F also completes one with the others, F wins. With an odd number of empty cells, the same holds
if F leaves aside one column with an odd number, where F would complete a line on a cell with an odd
number of empty cells below: O must fill these in the end, and loses. A line of O does not count if F,
by following up, completes one before all cells of O's line can be played.
"""

from libc.stdlib cimport free

from itertools import islice

from noughts.game.geometry import Geometry, column_bits, symmetries
from noughts.game.bits cimport complete
from noughts.opponent.exact.bitboards cimport (
    BOUNDS, MOST, PAUSE, SYMMETRIC_PLIES, Cells, answered, bit, bounds_of, count_bits, goal_of,
    lowest_bit, plain, several, tightened, zeros,
)

cdef extern from *:
    int leading_zeros "__builtin_clzll"(unsigned long long bits) noexcept nogil

cdef enum:
    MAX_COLUMNS = 32  # each has a cell and a spare bit
    MAX_SYMMETRIES = 48
    WORD = 64
    SLOTS = 4  # entries of a bucket
    # Bits of an entry in addition to the key: the bounds, and above them the work. An unused entry is
    # 0, less work than any position takes.
    DETAILS = BOUNDS + 6

# A bounded table of solved positions, with keys of at most 64 bits. It is exact: the number of the
# bucket and the bits of the entry together are the whole key. In a full bucket the position that took
# the least work is replaced.
cdef struct Bucket:
    Cells[SLOTS] entries

cdef struct SolvedTable:
    Bucket* buckets
    int bits  # of a key
    int rest  # bits of a key that are not in the bucket's number
    long long discarded  # positions that were replaced

# The bucket of a position and the rest of its key.
cdef struct Place:
    Bucket* bucket
    Cells rest

# A move to try and the position after it.
cdef struct Move:
    Cells cell
    Cells replies  # replies that do not lose at once
    Place place  # in the table
    int promise


cdef class Prover:
    """A search for the winner of positions of one game with gravity.

    The rules are freestyle for two players, on a board of at most 64 bits. It raises the same errors
    as `noughts.opponent.exact._solver.Prover`. The transposition table takes `memory` bytes, or up to
    32 KB if that is less.
    """

    cdef readonly long long visited
    """Number of positions visited, over all questions so far."""
    cdef bint busy  # it answers one question at a time

    # the board
    cdef int cells, height, columns, k, ways
    cdef Cells board, feet, tops  # tops are the cells with an even number of cells to the top, see above
    cdef int* steps  # of each direction
    cdef int[WORD] bit_of  # the bit of each cell, by its number
    cdef int[WORD] number_of  # the inverse
    cdef Cells[WORD] column_of  # the cells of each bit's column
    cdef int[MAX_COLUMNS] foot_of  # the lowest bit of each column
    cdef int[WORD] lines_of  # the number of lines through each bit's cell
    cdef int symmetries
    cdef int* image  # for each symmetry, the lowest bit of each column's image

    # the question
    cdef int attacker, last, goal  # whether its score is at least the goal, with the last mark allowed
    cdef Cells timely  # the cells with so many cells above them that a mark there is never too late
    cdef long long pause  # number of nodes at the next call of `check`
    cdef object check

    cdef SolvedTable table

    def __cinit__(self, rules, unsigned long long memory):
        rules = plain(rules)
        strides, bits = column_bits(rules)
        if not rules.gravity or rules.variant != "freestyle" or rules.players != 2 or bits > WORD:
            raise ValueError(
                f"a search is for 2 players, freestyle with gravity and {WORD} bits, not {rules}"
            )
        geometry = Geometry(rules)
        images = list(islice(symmetries(rules), MAX_SYMMETRIES))
        self.cells, self.height, self.k = rules.cells, rules.shape[0], rules.k
        self.columns = self.cells // self.height
        self.ways, self.symmetries = len(geometry.directions), len(images)
        self.pause = PAUSE
        self.steps = <int*> zeros(self.ways, sizeof(int))
        self.image = <int*> zeros(self.symmetries * self.columns, sizeof(int))
        self.lay_out(strides, geometry, images)
        make_table(&self.table, bits, memory)

    def __dealloc__(self):
        free(self.steps)
        free(self.image)
        free(self.table.buckets)

    cdef int lay_out(self, strides, geometry, images) except -1:
        """Give each cell its bit and compute the tables that are the same in all positions."""
        cdef int column, level, number, place, i
        for column in range(self.columns):
            cell = geometry.cell(column)  # in the highest row
            self.foot_of[column] = sum([at * by for at, by in zip(cell[1:], strides)])
            for level in range(self.height):
                number = column + (self.height - 1 - level) * self.columns
                place = self.foot_of[column] + level
                self.bit_of[number], self.number_of[place] = place, number
                self.board |= bit(place)
                if (self.height - level) % 2 == 0:
                    self.tops |= bit(place)
            place = self.foot_of[column]
            self.feet |= bit(place)
            for level in range(self.height):
                self.column_of[place + level] = (bit(self.height) - 1) << place
        for i, direction in enumerate(geometry.directions):
            steps = zip(direction.delta[1:], strides)
            self.steps[i] = abs(sum([at * by for at, by in steps]) - direction.delta[0])
        for line in geometry:
            for number in geometry.numbers(line):
                self.lines_of[self.bit_of[number]] += 1
        for i, symmetry in enumerate(images):
            for column in range(self.columns):
                number = symmetry[(self.height - 1) * self.columns + column]
                self.image[i * self.columns + column] = self.bit_of[number]
        return 0

    @property
    def entries(self):
        """The maximum number of positions in the table."""
        return entries_of(&self.table)

    @property
    def discarded(self):
        """Number of positions replaced in the table, over all questions so far."""
        return self.table.discarded

    def wins(self, int player, Cells first, Cells second, check, int last=WORD):
        """Return whether `player` wins, like `_solver`; ValueError also for an impossible position."""
        cdef Cells[2] marks
        cdef Cells moves = 0
        cdef Cells taken
        cdef int mover, won
        if player not in (0, 1):
            raise ValueError(f"player must be 0 or 1, not {player}")
        cdef int ply = self.set_up(first, second, marks)
        mover, taken = ply & 1, marks[0] | marks[1]
        self.attacker, self.last = player, min(last, self.cells)
        self.goal = goal_of(player, self.cells, self.last)
        if self.goal > MOST or self.last <= ply:
            return False
        if self.completing(marks[mover]) & (taken + self.feet) & self.board:
            return player == mover
        self.timely = self.board
        for _ in range(self.cells - self.last):
            self.timely &= self.timely >> 1
        self.busy = True
        try:
            self.check = check
            won = self.at_once(
                marks[mover], taken, self.completing(marks[1 - mover]), ply, &moves
            )
            if won < 0:
                won = self.attacker_wins(marks[mover], taken, moves, ply)
            return won == 1
        finally:
            self.check = None
            self.busy = False

    def moves(self, Cells first, Cells second):
        """Return the playable cells, the most promising first; arguments as for `wins`."""
        cdef Cells[2] marks
        cdef int ply = self.set_up(first, second, marks)
        cdef Cells taken = marks[0] | marks[1]
        cdef Cells left = (taken + self.feet) & self.board
        cdef Cells cell
        promising = []
        while left:
            cell = left & -left
            left ^= cell
            threats = self.completing(marks[ply & 1] | cell) & ~(taken | cell)
            promising.append((-self.promise(threats, cell), self.number_of[lowest_bit(cell)]))
        return [number for _, number in sorted(promising)]

    cdef int set_up(self, Cells first, Cells second, Cells* marks) except -1:
        """Set the bits of the position, unless another is being searched; return its number of marks."""
        cdef int number
        cdef Cells taken
        if self.busy:
            raise RuntimeError("a search answers one question at a time")
        marks[0] = marks[1] = 0
        for number in range(self.cells):
            if first & bit(number):
                marks[0] |= bit(self.bit_of[number])
            if second & bit(number):
                marks[1] |= bit(self.bit_of[number])
        taken = marks[0] | marks[1]
        cdef int mine = count_bits(marks[0])
        cdef int theirs = count_bits(marks[1])
        # a 1 added at the foot of a column is carried past all its marks only without gaps
        if marks[0] & marks[1] or (taken + self.feet) & taken or not 0 <= mine - theirs <= 1:
            raise ValueError("the marks must be stacked without gaps and the players must alternate")
        return mine + theirs

    cdef int attacker_wins(self, Cells mine, Cells taken, Cells moves, int ply) except -1:
        """Return 1 if the attacker wins, else 0, given the moves found by `at_once`."""
        cdef bint attacking = (ply & 1) == self.attacker
        cdef Cells theirs = mine ^ taken
        cdef Cells threats
        cdef long long before = self.visited
        cdef Move[MAX_COLUMNS] tried
        cdef Move move
        cdef int count = 0
        cdef int won, i
        self.visited += 1
        if self.visited >= self.pause:
            self.pause = self.visited + PAUSE
            self.check()
        cdef Place place = place_of(&self.table, self.key(mine, taken, ply))
        won = known(&place, self.attacker, self.goal)
        if won >= 0:
            return won
        while moves:
            move.cell = moves & -moves
            moves ^= move.cell
            threats = self.completing(mine | move.cell) & ~(taken | move.cell)
            won = self.at_once(theirs, taken | move.cell, threats, ply + 1, &move.replies)
            if won == attacking:
                remember(&self.table, &place, self.answer(won), self.visited - before)
                return won
            if won >= 0:
                continue
            move.place = place_of(&self.table, self.key(theirs, taken | move.cell, ply + 1))
            move.promise = self.promise(threats, move.cell)
            i = count
            while i > 0 and tried[i - 1].promise < move.promise:
                tried[i] = tried[i - 1]
                i -= 1
            tried[i] = move
            count += 1
        for i in range(count):
            if known(&tried[i].place, self.attacker, self.goal) == attacking:
                remember(&self.table, &place, self.answer(attacking), self.visited - before)
                return attacking
        won = not attacking
        for i in range(count):
            won = self.attacker_wins(theirs, taken | tried[i].cell, tried[i].replies, ply + 1)
            if won == attacking:
                break
        remember(&self.table, &place, self.answer(won), self.visited - before)
        return won

    cdef int at_once(
        self, Cells mine, Cells taken, Cells threats, int ply, Cells* moves
    ) noexcept:
        """Return 1 or 0 if the attacker clearly wins or does not, else -1 with the moves to try.

        The player to move, who has `mine`, cannot complete a line; the other could on `threats`.
        """
        cdef bint attacking = (ply & 1) == self.attacker
        cdef Cells free = self.board & ~taken
        cdef Cells next = (taken + self.feet) & self.board
        cdef Cells theirs = mine ^ taken
        cdef Cells block, gained, given, cell, column, below
        if ply + 2 + attacking > self.last:
            return 0
        threats &= free
        block = next & threats
        if several(block):
            return not attacking
        moves[0] = (block or next) & ~(threats >> 1)
        if not moves[0]:
            return not attacking
        if ply + 4 - attacking > self.last:
            return 0
        # follow-up: the cells that the player to move can get, and the cells of the other
        gained = free & self.tops | next
        given = free & ~(self.tops | next)
        if (self.cells - ply) & 1 == 0:
            if self.is_stopped(mine, gained, theirs, given, ply):
                if attacking:
                    return 0
                if self.has_line(theirs | given & self.timely):
                    return 1
        else:
            threats &= self.tops if attacking else self.tops & self.timely
            while threats:
                cell = threats & -threats
                column = self.column_of[lowest_bit(cell)]
                threats &= ~column
                below = free & column & (cell - 1)
                if next & column & ~self.tops and self.is_stopped(
                    mine, gained & ~column | below & ~self.tops, theirs,
                    given & ~column | below & self.tops, ply,
                ):
                    return not attacking
        if not self.has_line((mine if attacking else theirs) | free):
            return 0
        return -1

    cdef bint is_stopped(
        self, Cells mine, Cells gained, Cells theirs, Cells given, int ply
    ) noexcept:
        """Return whether follow-up stops every line of the player to move.

        It does if, before each line in `mine` and `gained`, the other player completes one of `theirs`
        and the `given` cells below those that the line lacks, or if it is too late for the line.
        """
        cdef Cells free = self.board & ~(mine | theirs)
        cdef Cells starts, line, cell, below
        cdef int i, j, step
        for i in range(self.ways):
            step = self.steps[i]
            starts = complete(mine | gained, step, self.k)
            while starts:
                line = starts & -starts
                starts ^= line
                for j in range(1, self.k):
                    line |= line << step
                line &= ~mine
                below = line
                while line:
                    cell = line & -line
                    line ^= cell
                    below |= self.column_of[lowest_bit(cell)] & (cell - 1)
                if ply + count_bits(below & free) > self.last:
                    continue
                if not self.has_line(theirs | given & below):
                    return False
        return True

    cdef Cells answer(self, bint won) noexcept:
        """Return the bounds after this answer to the question."""
        return bounds_of(self.attacker, self.goal, won)

    cdef bint has_line(self, Cells marks) noexcept:
        """Return whether these contain all cells of a line."""
        cdef int i
        for i in range(self.ways):
            if complete(marks, self.steps[i], self.k):
                return True
        return False

    cdef Cells completing(self, Cells marks) noexcept:
        """Return the cells, taken or not, that complete a line with these marks."""
        cdef Cells found = 0
        cdef int i
        for i in range(self.ways):
            found |= missing(marks, self.steps[i], self.k)
        return found & self.board

    cdef int promise(self, Cells threats, Cells cell) noexcept:
        """Return the promise of a move: its threats first, then the lines through its cell."""
        return (count_bits(threats) << 8) + self.lines_of[lowest_bit(cell)]

    cdef Cells key(self, Cells mine, Cells taken, int ply) noexcept:
        """Return a number shared only by the position and its images."""
        cdef Cells key = mine + taken, least = key
        cdef int i
        if ply <= SYMMETRIC_PLIES:
            for i in range(1, self.symmetries):
                least = min(least, self.turned(i, key))
        return least

    cdef Cells turned(self, int symmetry, Cells key) noexcept:
        """Return the image of a key or a set of cells under a symmetry."""
        cdef int* image = self.image + symmetry * self.columns
        cdef Cells field = bit(self.height + 1) - 1
        cdef Cells turned = 0
        cdef int column
        for column in range(self.columns):
            turned |= (key >> self.foot_of[column] & field) << image[column]
        return turned


cdef inline Cells missing(Cells marks, int step, int k) noexcept:
    """Return the cells that complete k in a row in one direction with k - 1 of these marks."""
    cdef Cells[WORD] ahead  # cells followed by i marks
    cdef Cells behind = ~<Cells> 0  # cells preceded by i marks
    cdef Cells found = 0
    cdef int i
    ahead[0] = behind
    for i in range(1, k):
        ahead[i] = (ahead[i - 1] & marks) >> step
    for i in range(k):
        found |= behind & ahead[k - 1 - i]
        behind = (behind & marks) << step
    return found


cdef inline int make_table(SolvedTable* table, int bits, Cells memory) except -1:
    """Create an empty table of about `memory` bytes, at most 32 KB more."""
    cdef int number = max(0, bits - (WORD - DETAILS))  # bits of a key in the bucket's number
    while number < bits and number < 56 and <Cells> 2 * sizeof(Bucket) << number <= memory:
        number += 1
    table.bits, table.rest, table.discarded = bits, bits - number, 0
    table.buckets = <Bucket*> zeros(<size_t> 1 << number, sizeof(Bucket))
    return 0


cdef inline Cells entries_of(const SolvedTable* table) noexcept:
    """Return the maximum number of positions in the table."""
    return <Cells> SLOTS << (table.bits - table.rest)


cdef inline Place place_of(const SolvedTable* table, Cells key) noexcept:
    """Return the place of this key."""
    cdef Place place
    key *= 0x9E3779B97F4A7C15ULL  # 2^64 / golden ratio, Knuth's multiplier; odd, so nothing is lost
    if table.bits < WORD:
        key &= (<Cells> 1 << table.bits) - 1
    place.bucket = table.buckets + (key >> table.rest)
    place.rest = (key & ((<Cells> 1 << table.rest) - 1)) << DETAILS
    return place


cdef inline bint holds(Cells entry, const Place* place) noexcept:
    """Return whether the entry is for the position of this place."""
    return entry >> DETAILS == place.rest >> DETAILS and entry != 0


cdef inline int known(const Place* place, int attacker, int goal) noexcept:
    """Return 1 if the attacker is known to reach the goal, 0 if known not to, -1 if unknown."""
    cdef int i
    for i in range(SLOTS):
        if holds(place.bucket.entries[i], place):
            return answered(place.bucket.entries[i], attacker, goal)
    return -1


cdef inline void remember(
    SolvedTable* table, const Place* place, Cells bounds, Cells work
) noexcept:
    """Store the bounds and the number of positions visited for them."""
    cdef Cells* entries = place.bucket.entries
    cdef Cells most = (1 << BOUNDS) - 1
    cdef int least = 0
    cdef int i
    for i in range(SLOTS):
        if holds(entries[i], place):
            entries[i] = entries[i] & ~most | tightened(entries[i] & most, bounds)
            return
        if entries[i] % (1 << DETAILS) >> BOUNDS < entries[least] % (1 << DETAILS) >> BOUNDS:
            least = i
    table.discarded += entries[least] != 0
    entries[least] = place.rest | <Cells> (WORD - leading_zeros(work | 1)) << BOUNDS | bounds
