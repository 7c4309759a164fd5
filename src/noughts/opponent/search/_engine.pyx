# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The engine: a search for the best move in games of two players. Used by `noughts.opponent`.

It supports every variant, with or without gravity, on boards of one to three dimensions.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport abs, calloc, free
from libc.string cimport memset

from noughts.opponent.search.evaluation cimport Evaluation, fill
from noughts.game.geometry cimport Geometry, read, release
from noughts.opponent.search.network cimport PATTERNS, SEEN, Layers, Weights, begin, finish, unfold
from noughts.opponent.search.patterns cimport MAX_REACH, MISERE, UNKNOWN, reach_of, variant_of
from noughts.opponent.search.position cimport (
    EXACT, MAKES_FOUR, MAX_MOVES, NEARBY, WINS, Moves, Position, dispose, is_legal, make, middle_of,
    forget_changes, pass_move, set_up, unmake,
)
from noughts.opponent.search.alphabeta cimport (
    ANSWERED, LEAVES, LINES, SURE, WIN, Entry, Line, Search, best_of, consider, evaluate, fill_reductions, promise,
)
from noughts.opponent.search.threats cimport (
    ANY, FOURS, LINE, MAX_REPLIES, after_four, end, now, prepare, win_by_fours, winning_cells,
)
from noughts.opponent.search.threes cimport win_by_threes

cdef enum:
    MAX_CELLS = 1000000
    FULL_CELLS = 25  # up to this size every move is tried
    FULL_COLUMNS = 24  # the same with gravity
    ROOT = 40  # moves considered at the root of larger boards
    MAX_DEPTH = 80  # plies
    LEAST_SIDE = 10  # of boards that a network can evaluate
    MOST_SIDE = 30
    FIRST_LOOK = 200  # positions, in the first search for the other player's wins by threats
    MOST_LOOKED = 1 << 16  # positions, in the last such search
    FALL = 200  # a fall of the score in two depths that counts like a new best move
    NEVER = 1000000000  # seconds


def plays(rules):
    """Return whether the engine supports these rules."""
    return (
        rules.players == 2
        and rules.cells <= MAX_CELLS
        and len(rules.shape) <= 3
        and variant_of(rules) != UNKNOWN
        and reach_of(min(rules.k, 100), variant_of(rules)) <= MAX_REACH
    )


def can_learn(rules):
    """Return whether a network can be trained for these rules and size of board."""
    kind = rules.k, rules.players, len(rules.shape), rules.gravity
    return kind == (5, 2, 2, False) and plays(rules) and (
        LEAST_SIDE <= min(rules.shape) and max(rules.shape) <= MOST_SIDE
    )


cdef class Network:
    """Network(numbers)\n--\n\nTrained weights, unfolded for engines; see `noughts.opponent.search.network`."""

    cdef Weights weights

    def __cinit__(self, bytes numbers):
        cdef int tables
        sizes = [PATTERNS * (1 + SEEN * i) * sizeof(short) + sizeof(Layers) for i in (1, 2)]
        if len(numbers) not in sizes:
            raise ValueError(f"a network cannot have {len(numbers)} bytes")
        tables = 1 + sizes.index(len(numbers))
        if not unfold(&self.weights, <const short*> <const char*> numbers, tables):
            raise MemoryError("cannot allocate the network")

    def __dealloc__(self):
        free(self.weights.rows)


cdef class Engine:
    """Engine(rules, table, network=None, partner=None)\n--\n\nAn engine for the positions of one game.

    It thinks about one position at a time and remembers its results, so that it sees further in the
    next position.

    Args:
        rules: rules that it `plays`.
        table: size of the transposition table in bytes; it has at least one entry.
        network: evaluates positions; it must fit the rules, see `can_learn`.
        partner: an engine with the same rules, whose table it shares unless they are `full`.

    Raises:
        TypeError, ValueError: the rules are not supported or differ from the partner's.
        MemoryError: the memory cannot be allocated.
    """

    cdef Search search
    cdef Geometry geometry
    cdef Evaluation evaluation
    cdef int variant
    cdef bint busy
    cdef object error
    cdef Network network
    cdef readonly bint full  # every move is tried, so that a result can be a proof
    cdef object rules
    cdef Engine partner  # keeps the table alive unless this engine owns one
    cdef bint owns
    cdef object halted  # set while it helps its partner

    def __cinit__(self, rules, unsigned long long table, Network network=None, Engine partner=None):
        cdef int player
        cdef bint made
        read(&self.geometry, rules)
        if not plays(rules):
            raise ValueError(f"the engine does not support {rules!r}")
        self.search.shift = 63
        while self.search.shift > 36 and <unsigned long long> 2 << (64 - self.search.shift) <= (
            table // sizeof(Entry)
        ):
            self.search.shift -= 1
        self.search.full = self.full = self.geometry.cells <= FULL_CELLS or (
            self.geometry.gravity and self.geometry.strides[0] <= FULL_COLUMNS
        )
        self.rules, self.partner, self.owns = rules, partner, partner is None or self.full
        if partner is not None and partner.rules != rules:
            raise ValueError(f"the partner has the rules {partner.rules!r}, not {rules!r}")
        if not self.owns:
            self.search.table, self.search.shift = partner.search.table, partner.search.shift
        else:
            self.search.table = <Entry*> calloc(<size_t> 1 << (64 - self.search.shift), sizeof(Entry))
        self.search.budget.ask, self.search.budget.whom = ask, <void*> self
        self.variant = variant_of(rules)
        if network is not None and not can_learn(rules):
            raise ValueError(f"the network was not trained for {rules!r}")
        self.network = network
        fill(&self.evaluation, self.variant)
        fill_reductions(&self.search, network is not None)
        made = prepare(&self.search.threats, &self.search.budget, <int> self.geometry.cells)
        self.search.answers = <short*> calloc(ANSWERED, sizeof(short))
        self.search.lines = <Line*> calloc(LINES, sizeof(Line))
        made &= self.search.answers is not NULL and self.search.lines is not NULL
        for player in range(2):
            self.search.history[player] = <int*> calloc(self.geometry.cells, sizeof(int))
            made &= self.search.history[player] is not NULL
        if not made or self.search.table is NULL:
            raise MemoryError("cannot allocate the engine")
        self.search.tactical = not self.geometry.gravity and self.variant != MISERE

    def __dealloc__(self):
        dispose(&self.search.position)
        finish(&self.search.network)
        end(&self.search.threats)
        if self.owns:
            free(self.search.table)
        free(self.search.answers)
        free(self.search.lines)
        free(self.search.history[0])
        free(self.search.history[1])
        release(&self.geometry)

    def think(
        self, moves, double seconds, long long nodes=0, int depth=0, halted=None, double optimum=NEVER
    ):
        """Search a position.

        Args:
            moves: the numbers of the cells played so far, -1 for a pass. All moves are legal, and the
                game is not over.
            seconds, nodes, depth: limits in time, positions and plies; 0 positions or plies mean no
                limit.
            halted: a `threading.Event` that ends the search. With one, the engine helps its partner: it
                starts at depth 2 and skips the search for wins by threats.
            optimum: time for an average move, in seconds. After half of it no new depth starts as long
                as the best move stays the same; if it changes or its score falls, the search continues
                for up to `seconds`.

        Returns:
            A tuple: the cell; the score in hundredths; the plies to the win it sees, negative for a
            loss, or 0; whether that is proved, with 0 plies a draw; the depth; the number of positions
            visited; and the principal variation, whose last position has this score.

        Raises:
            ValueError: a move is illegal or the game is over.
            RuntimeError: it is already thinking.
            BaseException: a signal handler has raised it.
        """
        cdef list played = list(moves)
        self.start(seconds)
        self.halted = halted
        try:
            return self.thought(played, seconds, nodes, depth, optimum)
        finally:
            self.busy, self.error, self.halted = False, None, None

    def leaves(self, moves, long long nodes, int every):
        """Search a position and return the result with the moves to some of the leaves.

        Args:
            moves, nodes: as for `think`; so are the errors.
            every: one of this many leaves is returned, up to a maximum.
        """
        cdef Search* search = &self.search
        search.every, search.met = every, 0
        try:
            thought = self.think(moves, 1e6, nodes)
        finally:
            search.every = 0
        kept = min(LEAVES, search.met // every)
        return thought, [
            [search.leaves[leaf][i + 1] for i in range(search.leaves[leaf][0])]
            for leaf in range(kept)
        ]

    def estimate(self, moves):
        """Evaluate a position without a search, for training networks.

        Args:
            moves: as for `think`; so are the errors.

        Returns:
            The score in hundredths for the player to move, and one byte per cell: 0 for a marked cell,
            else 8 times its level for the player to move plus its level for the other player. In renju
            a possible foul of Black has level 0.
        """
        cdef Position* position = &self.search.position
        cdef list played = list(moves)
        cdef int cell, me
        self.start(0)
        try:
            self.replay(played)
            me = position.to_move
            return evaluate(&self.search), bytes([
                8 * position.level[me][cell] + position.level[1 - me][cell]
                for cell in range(position.cells)
            ])
        finally:
            self.busy = False

    def wins_by_fours(self, moves, double seconds):
        """Find the shortest series of fours that win for the player to move, one per first move.

        Args:
            moves: as for `think`; so are the errors.
            seconds: time limit.

        Returns:
            Each series as the moves of both players: a four, the forced reply, and so on. Empty with
            gravity and in misère, where replies are not forced.
        """
        cdef Search* search = &self.search
        cdef int[LINE] line
        cdef int i, cell, depth, plies
        cdef list found = []
        cdef list played = list(moves)
        self.start(seconds)
        try:
            self.replay(played)
            self.resume(now() + <long long> (seconds * 1e9), 1LL << 60)
            for depth in range(1, FOURS + 1 if search.tactical else 1):
                for cell in range(search.position.cells):
                    search.threats.left, search.threats.least = 10000, ANY
                    with nogil:
                        plies = win_beginning_with(search, cell, depth, line)
                    if plies:
                        found.append([line[i] for i in range(plies)])
                if found or search.budget.stopped:
                    break
            if self.error is not None:
                raise self.error
            return found
        finally:
            self.busy, self.error = False, None

    cdef tuple thought(self, list played, double seconds, long long nodes, int depth, double optimum):
        """Implement `think`; the moves stay on the board."""
        cdef Search* search = &self.search
        cdef Moves first
        cdef int[LINE] line
        cdef int i, left, plies = 0, reached = 0, score = 0
        cdef bint proved, all_moves, ahead = self.halted is not None
        cdef long long begun = now()
        cdef long long deadline = begun + <long long> (seconds * 1e9)
        seconds = max(0.0, min(seconds, optimum))
        if nodes <= 0:
            nodes = 1LL << 60
        if search.full:  # a proof must not depend on an estimate
            memset(search.table, 0, sizeof(Entry) << (64 - search.shift))
        left = self.replay(played)
        all_moves = self.choose(&first)
        if search.tactical and not ahead:
            search.budget.deadline = begun + <long long> (seconds * 2.5e8)
            search.budget.limit = nodes // 4 + 1
            with nogil:
                plies = win_by_threats(search, search.budget.limit, line)
            if not plies and not search.full:
                self.resume(begun + <long long> (seconds * 3.5e8), 7 * nodes // 20 + 1)
                with nogil:
                    leave_out_lost(search, &first)
        self.resume(deadline, nodes)
        if plies:
            return (
                *(line[0], WIN - plies, plies, True, plies, search.budget.nodes),
                [line[i] for i in range(min(plies, LINE) if line[1] >= 0 else 1)],
            )
        depth = max(1, min(depth if depth > 0 else MAX_DEPTH, MAX_DEPTH, left))
        with nogil:
            search.begun, search.half = begun, begun + <long long> (seconds * 5e8)
            search.optimum = optimum * 1e9
            reached = deepen(search, &first, 1 + ahead, depth, &score, &proved)
            if score < -SURE and search.tactical and not search.full and not search.budget.stopped:
                leave_out_lost(search, &first)
        if self.error is not None:
            raise self.error
        plies = WIN - score if score > SURE else -(WIN + score) if score < -SURE else 0
        proved = proved and (plies > 0 or all_moves)
        return (
            *(first.cell[0], score, plies, proved, reached, search.budget.nodes),
            self.expected(first.cell[0]),
        )

    cdef int start(self, double seconds) except -1:
        """Set up a search, unless one is running."""
        cdef const Weights* weights = NULL
        if self.busy:
            raise RuntimeError("the engine is already thinking about a position")
        if not 0 <= seconds <= NEVER:
            raise ValueError(f"seconds must be 0 to 1e9, not {seconds}")
        dispose(&self.search.position)  # of the last search
        if self.network is not None:
            weights = &self.network.weights
        if not set_up(
            &self.search.position, &self.geometry, &self.evaluation, self.variant
        ) or not begin(&self.search.network, weights, &self.search.position):
            raise MemoryError("cannot allocate the engine")
        self.busy = True
        self.search.budget.nodes, self.search.budget.asks = 0, now() + 20000000
        return 0

    cdef int resume(self, long long deadline, long long nodes) except -1:
        """Continue until these limits, unless a signal handler has raised an exception."""
        if self.error is not None:
            raise self.error
        self.search.budget.deadline, self.search.budget.limit = deadline, nodes
        self.search.budget.stopped = False
        return 0

    cdef int replay(self, list played) except -1:
        """Play these moves, which must not end the game, and return the number of empty cells."""
        cdef Search* search = &self.search
        cdef long long cell
        for number in played:
            cell = number
            if cell == -1:  # a pass
                pass_move(&search.position)
                continue
            if not self.may_play(cell):
                raise ValueError(f"cell {number} cannot be played as ply {search.position.ply + 1}")
            if search.position.level[search.position.to_move][cell] == WINS:
                raise ValueError(f"the game ends with ply {search.position.ply + 1}")
            make(&search.position, <int> cell)
            forget_changes(&search.position)
        if search.position.ply == search.position.cells:
            raise ValueError("the board is full")
        return search.position.cells - search.position.ply

    cdef bint may_play(self, long long cell) noexcept:
        """Return whether the cell exists and may be played."""
        cdef Search* search = &self.search
        if not 0 <= cell < search.position.cells or search.position.marks[cell]:
            return False
        if search.position.gravity and search.position.landing[cell % search.position.below] != cell:
            return False
        return is_legal(&search.position, <int> cell)

    cdef bint choose(self, Moves* first) except *:
        """List the moves at the root and return whether they are all legal moves."""
        cdef Search* search = &self.search
        cdef Moves near
        cdef int cell, first_sight
        cdef int width = MAX_MOVES if search.full else ROOT
        first.count = near.count = 0
        search.guessed = False
        for cell in range(search.position.cells):
            if self.may_play(cell):
                first_sight = promise(search, cell) * 4 + (cell == middle_of(&search.position))
                consider(search, first, cell, first_sight, width)  # the middle, on the empty board
                if search.position.touched[cell] >= NEARBY and not search.position.gravity:
                    consider(search, &near, cell, promise(search, cell), width)
        if not first.count:
            raise ValueError("the position has no legal move")
        if not search.full:
            search.guessed = True
            if near.count:
                first[0] = near
            elif not search.position.gravity and search.position.variant != MISERE:
                first.count = 1  # no mark is near, so all moves are alike
        return not search.guessed

    cdef list expected(self, int cell):
        """Return the principal variation that begins with this move."""
        cdef Line* line = &self.search.variation[0]
        cdef int i
        if not line.length or line.cells[0] != cell:  # the search of the first depth was stopped
            return [cell]
        return [line.cells[i] for i in range(line.length)]


cdef bint ask(void* engine) noexcept with gil:
    """Return whether the search must end, because of a signal or because `halted` is set."""
    try:
        PyErr_CheckSignals()
        halted = (<Engine> engine).halted
        return halted is not None and halted.is_set()
    except BaseException as error:
        (<Engine> engine).error = error
        return True


cdef int win_beginning_with(Search* search, int cell, int depth, int* line) noexcept nogil:
    """Return in how many plies a four on this cell wins by at most `depth` fours, or 0."""
    cdef int[2] dangers
    cdef int plies
    cdef int me = search.position.to_move
    if search.position.marks[cell] or search.position.level[me][cell] < MAKES_FOUR:
        return 0
    if search.position.level[me][cell] == WINS or not is_legal(&search.position, cell):
        return 0
    if winning_cells(&search.position, 1 - me, dangers) and dangers[0] != cell:
        return 0
    make(&search.position, cell)
    line[0] = cell
    plies = after_four(&search.position, &search.threats, depth, line)
    unmake(&search.position)
    return plies


cdef int win_by_threats(Search* search, long long nodes, int* line) noexcept nogil:
    """Return in how many plies the player to move wins by fours, or threes and fours, or 0."""
    cdef int plies
    plies = win_by_fours(&search.position, &search.threats, FOURS, nodes, ANY, line)
    if plies:
        return plies
    plies = win_by_threes(&search.position, &search.threats, nodes, line)
    line[1] = -1
    return plies


cdef void leave_out_lost(Search* search, Moves* first) noexcept nogil:
    """Remove moves after which the other player is found to win by threats.

    This only happens if the other player wins after a pass. Each round searches the remaining moves
    longer. If a round would remove all of them, they stay, because their refutations are hardest to
    find.
    """
    cdef Position* position = &search.position
    cdef int[MAX_REPLIES] cells
    cdef int[LINE] line
    cdef int i, plies, order, count = 0, kept = 1, best = first.cell[0]
    cdef long long nodes = FIRST_LOOK
    pass_move(position)
    plies = win_by_threats(search, 10 * FIRST_LOOK, line)
    pass_move(position)
    if not plies or first.count < 2:
        return
    for i in range(position.now.actives):
        if count < MAX_REPLIES and not position.marks[position.active[i]]:
            if is_legal(position, position.active[i]):
                cells[count] = position.active[i]
                count += 1
    while kept and count > 1 and nodes < MOST_LOOKED and not search.budget.stopped:
        kept = 0
        for i in range(count):
            if not search.budget.stopped:
                make(position, cells[i])
                plies = win_by_threats(search, nodes, line)
                unmake(position)
                if plies:
                    continue
            cells[kept] = cells[i]
            kept += 1
        count = kept or count
        nodes *= 8
    first.count = 0
    for i in range(count):
        order = 1 << 30 if cells[i] == best else promise(search, cells[i])
        consider(search, first, cells[i], order, ROOT)


cdef int deepen(Search* search, Moves* first, int least, int most, int* score, bint* proved) noexcept nogil:
    """Search by iterative deepening, put the best move first, and return the depth reached."""
    cdef int depth, found, looked, reached = 0, best = first.cell[0], before = 0, earlier = 0
    cdef double doubt = 1
    proved[0], search.variation[0].length = False, 0
    for depth in range(least, most + 1):
        search.guessed, search.follows = False, 2 * depth + 8
        found = best_of(search, first.cell, first.count, depth, &looked)
        if looked:
            score[0] = found
        if search.budget.stopped:
            break
        reached = depth
        if search.full and search.position.cells <= EXACT:
            proved[0] = abs(found) > SURE or not search.guessed
            if proved[0]:
                break
        if abs(found) > SURE and WIN - abs(found) <= depth:
            break
        if found < -SURE and (now() > search.half or 2 * search.budget.nodes > search.budget.limit):
            break  # the rest of the time finds the move that holds longest
        if first.count == 1 and depth >= 4:
            break
        doubt = doubt / 2 + (first.cell[0] != best) + (earlier - found >= FALL)
        best, earlier, before = first.cell[0], before, found
        if now() > search.begun + search.optimum * (0.5 + doubt):
            break
    return reached
