# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The engine: it looks for the best move of one of two players. Used by `noughts.opponent`.

It plays every variant, with or without gravity, on boards of one to three dimensions.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdlib cimport abs, calloc, free
from libc.string cimport memset

from noughts.opponent.search.evaluation cimport Evaluation, fill
from noughts.game.geometry cimport Geometry, read, release
from noughts.opponent.search.network cimport PATTERNS, SEEN, Layers, Weights, begin, finish, unfold
from noughts.opponent.search.patterns cimport MAX_REACH, reach_of
from noughts.opponent.search.position cimport (
    EXACT, MAKES_FOUR, MAX_MOVES, NEARBY, WINS, Moves, Position, dispose, is_legal, make, middle_of,
    pass_move, set_up, settle, unmake,
)
from noughts.opponent.search.replies cimport winning_cells
from noughts.opponent.search.search cimport (
    ANSWERED, LEAVES, SURE, WIN, Entry, Search, best_of, consider, evaluate, fill_reductions, promise,
    recall,
)
from noughts.opponent.search.threats cimport (
    ANY, FOURS, LINE, MAX_REPLIES, after_four, end, now, prepare, win_by_fours,
)
from noughts.opponent.search.threes cimport win_by_threes
from noughts.opponent.search.variants cimport MISERE, UNKNOWN, variant_of

cdef enum:
    MAX_CELLS = 1000000
    FULL_CELLS = 25  # on boards of so few cells every move is tried
    FULL_COLUMNS = 24  # the same with gravity
    LONGEST = 64  # moves of an expected line
    ROOT = 40  # moves considered at first, where not all are
    MAX_DEPTH = 80  # plies
    LEAST_SIDE = 10  # of boards for which a network serves
    MOST_SIDE = 30
    FIRST_LOOK = 200  # positions, for the other player's wins by threats
    MOST_LOOKED = 1 << 16  # for one of them
    FALL = 200  # of the score in two depths, as doubtful as another best move
    NEVER = 1000000000  # seconds


def plays(rules):
    """Whether the engine plays games by these rules."""
    return (
        rules.players == 2
        and rules.cells <= MAX_CELLS
        and len(rules.shape) <= 3
        and variant_of(rules) != UNKNOWN
        and reach_of(min(rules.k, 100), variant_of(rules)) <= MAX_REACH
    )


def can_learn(rules):
    """Whether a network can learn games by these rules, on boards like those of its games."""
    kind = rules.k, rules.players, len(rules.shape), rules.gravity
    return kind == (5, 2, 2, False) and plays(rules) and (
        LEAST_SIDE <= min(rules.shape) and max(rules.shape) <= MOST_SIDE
    )


cdef class Network:
    """Network(numbers)\n--\n\nWhat was learned, unfolded for engines; see `noughts.opponent.search.network`."""

    cdef Weights weights

    def __cinit__(self, bytes numbers):
        cdef int tables
        sizes = [PATTERNS * (1 + SEEN * i) * sizeof(short) + sizeof(Layers) for i in (1, 2)]
        if len(numbers) not in sizes:
            raise ValueError(f"{len(numbers)} bytes are not those of a network")
        tables = 1 + sizes.index(len(numbers))
        if not unfold(&self.weights, <const short*> <const char*> numbers, tables):
            raise MemoryError("there is no room for the network")

    def __dealloc__(self):
        free(self.weights.rows)


cdef class Engine:
    """Engine(rules, table, network=None, partner=None)\n--\n\nThinks about positions of one game, one at a time.

    It remembers what it has searched, so that it sees further in the next position.

    Args:
        rules: of a game that it `plays`.
        table: bytes for the transposition table, which has at least one entry.
        network: what evaluates positions, if it has learned these rules.
        partner: an engine of the same game, whose table it shares, unless that is `full`.

    Raises:
        TypeError, ValueError: it does not play by these rules, or its partner plays by others.
        MemoryError: no room.
    """

    cdef Search search
    cdef Geometry geometry
    cdef Evaluation evaluation
    cdef int variant
    cdef bint busy
    cdef object error
    cdef Network network
    cdef readonly bint full  # every move is tried, and a proof must not rest on another's guess
    cdef object rules
    cdef Engine partner  # it keeps the table, unless this engine owns one
    cdef bint owns
    cdef object halted  # while it helps its partner

    def __cinit__(self, rules, unsigned long long table, Network network=None, Engine partner=None):
        cdef int player
        cdef bint made
        read(&self.geometry, rules)
        if not plays(rules):
            raise ValueError(f"the engine does not play by {rules!r}")
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
            raise ValueError(f"the partner plays by {partner.rules!r}, not by {rules!r}")
        if not self.owns:
            self.search.table, self.search.shift = partner.search.table, partner.search.shift
        else:
            self.search.table = <Entry*> calloc(<size_t> 1 << (64 - self.search.shift), sizeof(Entry))
        self.search.budget.ask, self.search.budget.whom = ask, <void*> self
        self.variant = variant_of(rules)
        if network is not None and not can_learn(rules):
            raise ValueError(f"the network has not learned {rules!r}")
        self.network = network
        fill(&self.evaluation, self.variant)
        fill_reductions(&self.search, network is not None)
        made = prepare(&self.search.threats, &self.search.budget, <int> self.geometry.cells)
        self.search.answers = <short*> calloc(ANSWERED, sizeof(short))
        made &= self.search.answers is not NULL
        for player in range(2):
            self.search.history[player] = <int*> calloc(self.geometry.cells, sizeof(int))
            made &= self.search.history[player] is not NULL
        if not made or self.search.table is NULL:
            raise MemoryError("there is no room for the engine")
        self.search.tactical = not self.geometry.gravity and self.variant != MISERE

    def __dealloc__(self):
        dispose(&self.search.position)
        finish(&self.search.network)
        end(&self.search.threats)
        if self.owns:
            free(self.search.table)
        free(self.search.answers)
        free(self.search.history[0])
        free(self.search.history[1])
        release(&self.geometry)

    def think(
        self, moves, double seconds, long long nodes=0, int depth=0, halted=None, double optimum=NEVER
    ):
        """What it thinks of a position.

        Args:
            moves: the cells played so far, by number, all legal, -1 for a pass; the game is not over.
            seconds, nodes, depth: how far it may think, in time, positions and plies; 0 positions
                or plies mean no limit.
            halted: a `threading.Event` that ends the search. With one the engine helps its partner: it
                begins at depth 2, and skips the search for wins by threats.
            optimum: seconds for a move of usual doubt. After half of them no new depth begins if the
                best move stays the best; if it changes or its score falls, it goes on, up to `seconds`.

        Returns:
            A tuple: the cell; the score in hundredths; the plies to the win or loss it sees, less than 0
            for a loss, else 0; whether that is proved, with 0 plies a draw; the depth; the positions
            visited; the principal variation.

        Raises:
            ValueError: the moves are not like that. RuntimeError: it is thinking already. Whatever a
            signal handler raises.
        """
        cdef list played = list(moves)
        self.start(seconds)
        self.halted = halted
        try:
            return self.thought(played, seconds, nodes, depth, optimum)
        finally:
            self.busy, self.error, self.halted = False, None, None

    def leaves(self, moves, long long nodes, int every):
        """Think about a position, and return the moves to some of the positions estimated in it.

        Args:
            moves, nodes: as for `think`; so are the errors.
            every: of the first leaves one of so many is returned.
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
        """A position without a search, for networks to learn from: its score, and its cells.

        Args:
            moves: as for `think`; so are the errors.

        Returns:
            The score in hundredths for the player to move; and a byte a cell, 0 where there is a mark,
            else 8 times the level of a mark of theirs, plus that of one of the other's. In renju a foul
            of Black's, or nearly one, has level 0.
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
        """The shortest series of fours that win for the player to move, one for each first move.

        Args:
            moves: as for `think`; so are the errors.
            seconds: how long to look.

        Returns:
            Each as the moves of both: a four, the reply that it forces, and so on. With gravity and in
            misère, where a reply is not forced, none.
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
        """As `think`, with checked arguments; `played` stays on the board."""
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
        if search.full:  # a proof must not rest on a guess
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
        """Begin to think, unless it is thinking already."""
        cdef const Weights* weights = NULL
        if self.busy:
            raise RuntimeError("an engine thinks about one position at a time")
        if not 0 <= seconds <= NEVER:
            raise ValueError(f"seconds must be 0 to 1e9, not {seconds}")
        dispose(&self.search.position)  # the last one
        if self.network is not None:
            weights = &self.network.weights
        if not set_up(
            &self.search.position, &self.geometry, &self.evaluation, self.variant
        ) or not begin(&self.search.network, weights, &self.search.position):
            raise MemoryError("there is no room for the engine")
        self.busy = True
        self.search.budget.nodes, self.search.budget.asks = 0, now() + 20000000
        return 0

    cdef int resume(self, long long deadline, long long nodes) except -1:
        """Go on until these limits, unless a signal handler has raised something."""
        if self.error is not None:
            raise self.error
        self.search.budget.deadline, self.search.budget.limit = deadline, nodes
        self.search.budget.stopped = False
        return 0

    cdef int replay(self, list played) except -1:
        """Make these moves, which must be legal and not end the game; how many cells are left."""
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
            settle(&search.position)
        if search.position.ply == search.position.cells:
            raise ValueError("the board is full")
        return search.position.cells - search.position.ply

    cdef bint may_play(self, long long cell) noexcept:
        """Whether the cell exists and may be played."""
        cdef Search* search = &self.search
        if not 0 <= cell < search.position.cells or search.position.marks[cell]:
            return False
        if search.position.gravity and search.position.landing[cell % search.position.below] != cell:
            return False
        return is_legal(&search.position, <int> cell)

    cdef bint choose(self, Moves* first) except *:
        """Find the moves at the root; whether they are all that are legal."""
        cdef Search* search = &self.search
        cdef Moves near
        cdef int cell, first_sight
        cdef int width = MAX_MOVES if search.full else ROOT
        first.count = near.count = 0
        search.guessed = False
        for cell in range(search.position.cells):
            if self.may_play(cell):
                first_sight = promise(search, cell) * 4 + (cell == middle_of(&search.position))
                consider(search, first, cell, first_sight, width)  # on the empty board the middle
                if search.position.touched[cell] >= NEARBY and not search.position.gravity:
                    consider(search, &near, cell, promise(search, cell), width)
        if not first.count:
            raise ValueError("no move is legal")
        if not search.full:
            search.guessed = True
            if near.count:
                first[0] = near
            elif not search.position.gravity and search.position.variant != MISERE:
                first.count = 1  # nothing is near, so all are alike
        return not search.guessed

    cdef list expected(self, int cell):
        """The principal variation from this move on, as far as the table has it."""
        cdef Search* search = &self.search
        cdef Entry entry
        cdef int made = 0
        cdef list line = []
        while made < LONGEST and self.may_play(cell):
            line.append(cell)
            if search.position.level[search.position.to_move][cell] == WINS:
                break
            make(&search.position, cell)
            made += 1
            if not recall(search, &entry):
                break
            cell = entry.move
        while made:
            unmake(&search.position)
            made -= 1
        return line


cdef bint ask(void* engine) noexcept with gil:
    """Whether the search must end, because of a signal or because `halted` is set."""
    try:
        PyErr_CheckSignals()
        halted = (<Engine> engine).halted
        return halted is not None and halted.is_set()
    except BaseException as error:
        (<Engine> engine).error = error
        return True


cdef int win_beginning_with(Search* search, int cell, int depth, int* line) noexcept nogil:
    """In how many plies a four on this cell wins, by at most `depth` fours; 0 if it does not."""
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
    """In how many plies the player to move wins by fours, or threes and fours; 0 if not found."""
    cdef int plies
    plies = win_by_fours(&search.position, &search.threats, FOURS, nodes, ANY, line)
    if plies:
        return plies
    plies = win_by_threes(&search.position, &search.threats, nodes, line)
    line[1] = -1
    return plies


cdef void leave_out_lost(Search* search, Moves* first) noexcept nogil:
    """Leave out moves after which the other player wins by threats, as far as these are found.

    Only if there is such a win at all, which a pass shows. Each round looks longer at the moves
    left. If it leaves none, all of them stay, as those after which the win is hard to find.
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
    """Search by iterative deepening; the depth reached. It puts the best move first."""
    cdef int depth, found, looked, reached = 0, best = first.cell[0], before = 0, earlier = 0
    cdef double doubt = 1
    proved[0] = False
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
            break  # the rest of the time is for the move that holds longest
        if first.count == 1 and depth >= 4:
            break
        doubt = doubt / 2 + (first.cell[0] != best) + (earlier - found >= FALL)
        best, earlier, before = first.cell[0], before, found
        if now() > search.begun + search.optimum * (0.5 + doubt):
            break
    return reached
