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

cimport cython

from noughts.game.geometry import Geometry, column_bits, symmetries
from noughts.game.bits cimport complete
from noughts.opponent.exact.bitboards cimport (
    BOUNDS, MOST, PAUSE, SYMMETRIC_PLIES, Cells, answered, bit, bounds_of, count_bits, goal_of,
    last_of, lowest_bit, plain, several, tightened, zeros,
)

cdef extern from *:
    int leading_zeros "__builtin_clzll"(unsigned long long bits) noexcept nogil
    void prefetch "__builtin_prefetch"(const void* address) noexcept nogil

cdef enum:
    MAX_COLUMNS = 32  # each has a cell and a spare bit
    MAX_SYMMETRIES = 48
    WORD = 64
    SLOTS = 4  # entries of a bucket
    DOUBLINGS = 8  # of a table until it takes all its memory
    GROWTH = 64  # a table doubles when one question has replaced all its entries this often
    # Bits of an entry in addition to the key: the bounds, and above them the work. An unused entry is
    # 0, less work than any position takes.
    DETAILS = BOUNDS + 6

# A bounded table of solved positions, with keys of at most 64 bits. It is exact: the number of the
# bucket and the bits of the entry together are the whole key. In a full bucket the position that took
# the least work is replaced. So little is lost that a small table, which the processor's cache holds,
# is better: with 256 MB at once, hard positions of Connect Four take more than twice as long.
cdef struct Bucket:
    Cells[SLOTS] entries

cdef struct SolvedTable:
    Bucket* buckets
    int bits  # of a key
    int rest  # bits of a key that are not in the bucket's number
    int least  # the same at full size
    long long discarded  # positions that were replaced at this size
    long long before  # the same before the question

# A move to try and the position after it.
cdef struct Move:
    Cells cell
    Cells replies  # replies that do not lose at once
    Cells hash  # of that position
    int promise


@cython.final
cdef class Prover:
    """A search for the winner of positions of one game with gravity.

    The rules are freestyle for two players, on a board of at most 64 bits. It raises the same errors
    as `noughts.opponent.exact._solver.Prover`. The transposition table grows to `memory` bytes, or
    takes what its keys need if that is more: 8 MB for 64 bits. `winner_of` is called for positions of
    at most `plies` plies, with the marks of each column from the bottom, True for player 1. It returns
    the number of the winner or 0 for a draw.
    """

    cdef readonly long long visited
    """Number of positions visited, over all questions so far."""
    cdef bint busy  # it answers one question at a time

    # the board
    cdef int cells, height, columns, k, ways
    cdef bint usual  # six rows and four in a row, as in Connect Four
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
    cdef object winner_of
    cdef int plies  # of positions with a known winner

    def __cinit__(self, rules, unsigned long long memory, winner_of=None, int plies=-1):
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
        self.winner_of, self.plies = winner_of, plies
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
        self.usual = self.k == 4 and sorted([self.steps[i] for i in range(self.ways)]) == [1, 6, 7, 8]
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
        return <Cells> SLOTS << (self.table.bits - self.table.least)

    @property
    def discarded(self):
        """Number of positions replaced in the table since it last grew."""
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
        cdef int goal = goal_of(player, self.cells, min(last, self.cells))
        if goal > MOST or last <= ply:
            return False
        if self.completing(marks[mover]) & (taken + self.feet) & self.board:
            return player == mover
        self.ask(player, goal)
        self.busy = True
        try:
            self.check = check
            won = self.at_once(
                marks[mover], taken, self.completing(marks[1 - mover]), ply, &moves
            )
            if won < 0:
                won = self.attacker_wins(
                    marks[mover], taken, moves, self.hash(marks[mover], taken, ply), ply
                )
            return won == 1
        finally:
            self.check = None
            self.busy = False

    def score(self, Cells first, Cells second, check, int low, int high):
        """Return the score of the player to move, and the number of a cell to play for it.

        A score of `low` or less counts as `low`, with the first cell of `moves`, and one above `high`
        as `high`. The game must not be over. Other arguments and errors are those of `wins`.

        Each question is a null window: is the score at least this? Wins that end soon come first,
        because these questions take the least time.
        """
        cdef Cells[2] marks
        cdef Move[MAX_COLUMNS] tried
        cdef int ply = self.set_up(first, second, marks)
        cdef int mover = ply & 1
        cdef int count = self.sort_moves(marks[mover], marks[0] | marks[1], tried)
        cdef bint halving = False
        cdef int aim, reached
        if not count:
            raise ValueError("the board must not be full")
        if self.completing(marks[mover]) & tried[0].cell:
            reached = goal_of(mover, self.cells, ply + 1)
            return max(low, min(high, reached)), self.number_of[lowest_bit(tried[0].cell)]
        low = max(low, -goal_of(1 - mover, self.cells, ply + 2) if ply + 2 <= self.cells else 0)
        high = min(high, goal_of(mover, self.cells, ply + 3) if ply + 3 <= self.cells else 0)
        self.busy = True
        try:
            self.check = check
            while low < high:
                if halving:
                    aim = low + (high - low + 1) // 2
                elif high > 0:
                    aim = max(max(low, 0) + 1, high - high // 4)
                else:
                    aim = min(high, low + 1 - low // 4)
                reached = self.reaches(aim, marks[mover], marks[0] | marks[1], ply, tried, count)
                if reached:
                    low = aim
                else:
                    high = aim - 1
                halving |= reached == (aim > 0)
            return low, self.number_of[lowest_bit(tried[0].cell)]
        finally:
            self.check = None
            self.busy = False

    def moves(self, Cells first, Cells second):
        """Return the playable cells, in the order of `sort_moves`; arguments as for `wins`."""
        cdef Cells[2] marks
        cdef Move[MAX_COLUMNS] tried
        cdef int ply = self.set_up(first, second, marks)
        cdef int count = self.sort_moves(marks[ply & 1], marks[0] | marks[1], tried)
        return [self.number_of[lowest_bit(tried[i].cell)] for i in range(count)]

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

    cdef void ask(self, int attacker, int goal) noexcept:
        """Set the question whether the attacker's score is at least the goal."""
        self.table.before = self.table.discarded
        self.attacker, self.goal = attacker, goal
        self.last = last_of(attacker, self.cells, goal)
        self.timely = self.board
        for _ in range(self.cells - self.last):
            self.timely &= self.timely >> 1

    cdef int sort_moves(self, Cells mine, Cells taken, Move* tried) noexcept:
        """List the legal moves and return their number.

        Those that complete a line come first, then those that block one, then the most promising.
        """
        cdef Cells left = (taken + self.feet) & self.board
        cdef Cells ends = self.completing(mine)
        cdef Cells blocks = self.completing(mine ^ taken)
        cdef Cells threats
        cdef Move move
        cdef int count = 0
        while left:
            move.cell = left & -left
            left ^= move.cell
            threats = self.completing(mine | move.cell) & ~(taken | move.cell)
            move.promise = self.promise(threats, move.cell)
            if ends & move.cell:
                move.promise += 2 << 16  # more than the promise of any move
            if blocks & move.cell:
                move.promise += 1 << 16
            insert(tried, count, &move)
            count += 1
        return count

    cdef int reaches(
        self, int aim, Cells mine, Cells taken, int ply, Move* tried, int count
    ) except -1:
        """Return whether the score of the player to move is at least `aim`, and put the move first."""
        cdef int mover = ply & 1
        cdef bint attacking = aim > 0
        cdef Cells theirs = mine ^ taken
        cdef Cells moves = self.board
        cdef Cells after, threats
        cdef Move move
        cdef int won, i
        if attacking:
            self.ask(mover, aim)
        else:
            self.ask(1 - mover, 1 - aim)
        won = self.at_once(mine, taken, self.completing(theirs), ply, &moves)
        if won == (not attacking):
            return False
        for i in range(count):
            move = tried[i]
            if not move.cell & moves:
                continue
            after = taken | move.cell
            threats = self.completing(mine | move.cell) & ~after
            won = self.at_once(theirs, after, threats, ply + 1, &move.replies)
            if won < 0:
                move.hash = self.hash(theirs, after, ply + 1)
                won = self.attacker_wins(theirs, after, move.replies, move.hash, ply + 1)
            if won == attacking:
                for i in range(i, 0, -1):
                    tried[i] = tried[i - 1]
                tried[0] = move
                return True
        return False

    cdef int attacker_wins(
        self, Cells mine, Cells taken, Cells moves, Cells hash, int ply
    ) except -1:
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
            if is_small(&self.table):
                grow(&self.table)
        won = known(&self.table, hash, self.attacker, self.goal)
        if won >= 0:
            return won
        while moves:
            move.cell = moves & -moves
            moves ^= move.cell
            threats = self.completing(mine | move.cell) & ~(taken | move.cell)
            won = self.at_once(theirs, taken | move.cell, threats, ply + 1, &move.replies)
            if won == attacking:
                remember(&self.table, hash, self.answer(won), self.visited - before)
                return won
            if won >= 0:
                continue
            move.hash = self.hash(theirs, taken | move.cell, ply + 1)
            move.promise = self.promise(threats, move.cell)
            insert(tried, count, &move)
            count += 1
        for i in range(count):
            if known(&self.table, tried[i].hash, self.attacker, self.goal) == attacking:
                remember(&self.table, hash, self.answer(attacking), self.visited - before)
                return attacking
        won = not attacking
        for i in range(count):
            won = self.attacker_wins(
                theirs, taken | tried[i].cell, tried[i].replies, tried[i].hash, ply + 1
            )
            if won == attacking:
                break
        remember(&self.table, hash, self.answer(won), self.visited - before)
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
        if self.usual:  # with constants here and in the next function, a search takes 0.7 of the time
            return (
                complete(marks, 1, 4) | complete(marks, 6, 4)
                | complete(marks, 7, 4) | complete(marks, 8, 4)
            ) != 0
        for i in range(self.ways):
            if complete(marks, self.steps[i], self.k):
                return True
        return False

    cdef Cells completing(self, Cells marks) noexcept:
        """Return the cells, taken or not, that complete a line with these marks."""
        cdef Cells found = 0
        cdef int i
        if self.usual:
            return self.board & (
                missing_of_four(marks, 1) | missing_of_four(marks, 6)
                | missing_of_four(marks, 7) | missing_of_four(marks, 8)
            )
        for i in range(self.ways):
            found |= missing(marks, self.steps[i], self.k)
        return found & self.board

    cdef int promise(self, Cells threats, Cells cell) noexcept:
        """Return the promise of a move: its threats first, then the lines through its cell."""
        return (count_bits(threats) << 8) + self.lines_of[lowest_bit(cell)]

    cdef Cells hash(self, Cells mine, Cells taken, int ply) except? 0:
        """Return the hash of a position, whose bucket is fetched meanwhile."""
        cdef Cells hash = hash_of(&self.table, self.key(mine, taken, ply))
        prefetch(bucket_of(&self.table, hash))
        if ply <= self.plies and not entry_of(&self.table, hash):
            self.look_up(mine if ply & 1 == 0 else mine ^ taken, taken, hash)
        return hash

    cdef int look_up(self, Cells first, Cells taken, Cells hash) except -1:
        """Store the bounds of a position of which the winner is known, as after the most work."""
        cdef Cells bounds
        columns = []
        for column in range(self.columns):
            cells = [bit(self.foot_of[column] + level) for level in range(self.height)]
            columns.append([first & cell != 0 for cell in cells if taken & cell])
        winner = self.winner_of(columns)
        if winner:
            bounds = bounds_of(winner - 1, 1, True)
        else:
            bounds = bounds_of(0, 1, False) | bounds_of(1, 1, False)
        remember(&self.table, hash, bounds, <Cells> 1 << (WORD - 2))
        return 0

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


cdef inline void insert(Move* tried, int count, const Move* move) noexcept:
    """Insert another move, the most promising first."""
    while count > 0 and tried[count - 1].promise < move.promise:
        tried[count] = tried[count - 1]
        count -= 1
    tried[count] = move[0]


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


cdef inline Cells missing_of_four(Cells marks, int step) noexcept:
    """Return the same for four in a row."""
    cdef Cells before = marks << step
    cdef Cells after = marks >> step
    return (
        after & after >> step & (before | after >> 2 * step)
        | before & before << step & (after | before << 2 * step)
    )


cdef inline int make_table(SolvedTable* table, int bits, Cells memory) except -1:
    """Create an empty table that grows to `memory` bytes, or more if its keys need more."""
    cdef int least = max(0, bits - (WORD - DETAILS))  # bits of a key in the bucket's number
    cdef int most = least
    while most < bits and most < 56 and <Cells> 2 * sizeof(Bucket) << most <= memory:
        most += 1
    table.bits, table.least = bits, bits - most
    return set_buckets(table, max(least, most - DOUBLINGS))


cdef inline int set_buckets(SolvedTable* table, int number) except -1:
    """Give the table this many empty buckets, as a power of 2."""
    table.buckets = <Bucket*> zeros(<size_t> 1 << number, sizeof(Bucket))
    table.rest = table.bits - number
    return 0


cdef inline bint is_small(const SolvedTable* table) noexcept:
    """Return whether a larger table would help with this question, and is allowed."""
    cdef long long discarded = table.discarded - table.before
    return table.rest > table.least and discarded >> (table.bits - table.rest) > GROWTH * SLOTS


cdef inline int grow(SolvedTable* table) except -1:
    """Double the table, if there is memory. Each bucket is split by the next bit of its keys."""
    cdef Cells count = <Cells> 1 << (table.bits - table.rest)
    cdef Bucket* buckets = table.buckets
    cdef Cells hash, number
    cdef Cells* entry
    cdef int i
    try:
        set_buckets(table, table.bits - table.rest + 1)
    except MemoryError:  # the search goes on until a small table is of no more use
        table.least = table.rest
        return 0
    table.discarded = table.before = 0
    for number in range(count):
        for i in range(SLOTS):
            if buckets[number].entries[i]:
                hash = number << (table.rest + 1) | buckets[number].entries[i] >> DETAILS
                entry = bucket_of(table, hash).entries
                while entry[0]:
                    entry += 1
                entry[0] = rest_of(table, hash) | buckets[number].entries[i] % (1 << DETAILS)
    free(buckets)
    return 0


cdef inline Cells hash_of(const SolvedTable* table, Cells key) noexcept:
    """Return a hash of a key, different for each, with the number of its bucket in the upper bits."""
    key *= 0x9E3779B97F4A7C15ULL  # 2^64 / golden ratio, Knuth's multiplier; odd, so nothing is lost
    return key & ((<Cells> 1 << table.bits) - 1) if table.bits < WORD else key


cdef inline Bucket* bucket_of(const SolvedTable* table, Cells hash) noexcept:
    """Return the bucket of a hash."""
    return table.buckets + (hash >> table.rest)


cdef inline Cells rest_of(const SolvedTable* table, Cells hash) noexcept:
    """Return the part of an entry that identifies the hash in its bucket."""
    return (hash & ((<Cells> 1 << table.rest) - 1)) << DETAILS


cdef inline bint holds(Cells entry, Cells rest) noexcept:
    """Return whether the entry is for the hash with this rest."""
    return entry >> DETAILS == rest >> DETAILS and entry != 0


cdef inline Cells entry_of(const SolvedTable* table, Cells hash) noexcept:
    """Return the entry of a hash, 0 if there is none."""
    cdef const Cells* entries = bucket_of(table, hash).entries
    cdef Cells rest = rest_of(table, hash)
    cdef int i
    for i in range(SLOTS):
        if holds(entries[i], rest):
            return entries[i]
    return 0


cdef inline int known(const SolvedTable* table, Cells hash, int attacker, int goal) noexcept:
    """Return 1 if the attacker is known to reach the goal, 0 if known not to, -1 if unknown."""
    cdef Cells entry = entry_of(table, hash)
    return answered(entry, attacker, goal) if entry else -1


cdef inline void remember(SolvedTable* table, Cells hash, Cells bounds, Cells work) noexcept:
    """Store the bounds and the number of positions visited for them."""
    cdef Cells* entries = bucket_of(table, hash).entries
    cdef Cells rest = rest_of(table, hash)
    cdef Cells most = (1 << BOUNDS) - 1
    cdef int least = 0
    cdef int i
    for i in range(SLOTS):
        if holds(entries[i], rest):
            entries[i] = entries[i] & ~most | tightened(entries[i] & most, bounds)
            return
        if entries[i] % (1 << DETAILS) >> BOUNDS < entries[least] % (1 << DETAILS) >> BOUNDS:
            least = i
    table.discarded += entries[least] != 0
    entries[least] = rest | <Cells> (WORD - leading_zeros(work | 1)) << BOUNDS | bounds
